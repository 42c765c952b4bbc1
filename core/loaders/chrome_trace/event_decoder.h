// SPDX-License-Identifier: MIT
#pragma once
// From the members of an event object to a decoded event in a batch: the phases of the Trace Event Format, exact times,
// tracks, and what is odd or missing. The same for text that was read strictly or leniently.

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/loaders/chrome_trace/event_batch.h"
#include "core/loaders/chrome_trace/json_text.h"
#include "core/loaders/chrome_trace/kineto_dialect.h"
#include "core/loaders/loader.h"

namespace warpline::loaders::chrome_trace {

/// One a thread.
class EventDecoder {
public:
    explicit EventDecoder(const LoadOptions& options) : m_options(options) {}

    /// Call before the first event of each batch. `isPlain`: all strings of the text are valid and without escapes.
    /// Texts get their numbers from `texts`.
    void begin(EventBatch& batch, const std::shared_ptr<StringPool>& texts, bool isPlain);

    /// `fields` are the event's members, `args` those of its args if they are an object. `oddities` were met while it
    /// was scanned; `checkArgs` asks for a closer look at args, as they were not read strictly.
    void decode(std::span<const Member> fields, std::span<const Member> args, uint32_t oddities, bool checkArgs,
                SourceRef source);

private:
    struct Fields;
    struct Text {
        uint32_t id = 0;
        bool isMissing = true;
    };

    bool hasRepeatedKey(std::span<const Member> members) const;
    Text textOf(std::string_view value);
    uint32_t categoryOf(std::string_view value);
    uint32_t trackOf(std::string_view pid, std::string_view tid);
    void takeId(std::string_view value, RawEvent& event);
    void decodeId(const Fields& fields, RawEvent& event);
    bool readTime(const Fields& fields, RawEvent& event);
    bool readDuration(std::string_view value, RawEvent& event);
    void decodeBinding(const Fields& fields, const RawEvent& slice);
    void decodeMetadata(std::span<const Member> args, RawEvent& event);
    void decodeCounter(std::span<const Member> args, const RawEvent& event);
    void reportOddities(uint32_t oddities, uint64_t offset);
    void note(std::string_view code, Severity severity, const RawEvent& event);
    std::string describe(const RawEvent& event) const;
    std::string_view textOfNumber(uint32_t number) const { return m_texts->view(StringId(number)); }

    LoadOptions m_options;
    EventBatch* m_batch = nullptr;
    std::shared_ptr<StringPool> m_texts;
    bool m_isPlain = false;
    std::vector<CategoryMeaning> m_meanings;  ///< by number of the text; see m_meaningKnown
    std::vector<bool> m_meaningKnown;
    struct RecentText {
        std::string_view text;  ///< of m_texts
        uint32_t number = 0;
    };
    std::array<RecentText, 16> m_recentCategories;
    std::unordered_map<uint64_t, uint32_t> m_trackByKey;
    std::string_view m_lastPid, m_lastTid;  ///< raw tokens, with m_lastTrack
    uint32_t m_lastTrack = kNoIndex;
    uint32_t m_oddities = 0;  ///< of the texts of the current event
    std::string m_buffer;
};

}  // namespace warpline::loaders::chrome_trace
