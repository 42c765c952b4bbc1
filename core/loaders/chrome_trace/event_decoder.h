// SPDX-License-Identifier: MIT
#pragma once
// From the members of an event object to a decoded event in a batch: the phases of the Trace Event Format, exact times,
// tracks, and what is odd or missing. The same for text that was read strictly or leniently.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/base/decimal_time.h"
#include "core/loaders/chrome_trace/event_batch.h"
#include "core/loaders/chrome_trace/event_slots.h"
#include "core/loaders/chrome_trace/json_text.h"
#include "core/loaders/chrome_trace/kineto_dialect.h"
#include "core/loaders/chrome_trace/plain_values.h"
#include "core/loaders/loader.h"

namespace warpline::loaders::chrome_trace {

/// What is known of an event's text beside its members.
struct EventText {
    SourceRef source;
    uint32_t oddities = 0;  ///< were met while it was scanned
    bool isPlain = false;   ///< all its strings are valid and without escapes
    bool isStrict = false;  ///< else args need a closer look
    bool isPadded = false;  ///< kPaddedTimeBytes are readable from the start of each value on
};

/// One a thread.
class EventDecoder {
public:
    /// `job` may be null; see ChunkParser.
    EventDecoder(const LoadOptions& options, const JobControl* job) : m_options(options), m_job(job) {}

    /// Call before the first event of each batch. Texts get their numbers from `texts`. The text of the batch must stay
    /// until its last event is decoded.
    void begin(EventBatch& batch, const std::shared_ptr<StringPool>& texts);

    /// `fields` are the event's members, `args` those of its args if they are an object. Returns whether no key is
    /// there twice.
    bool decode(std::span<const Member> fields, std::span<const Member> args, const EventText& text);
    /// For an event without repeated keys whose members have found their slots.
    void decode(const EventSlots& slots, std::span<const Member> args, const EventText& text);

private:
    struct Text {
        uint32_t id = 0;
        bool isMissing = true;
    };

    bool hasRepeatedKey(std::span<const Member> members) const;
    Text textOf(std::string_view value);
    uint32_t categoryOf(std::string_view value);
    uint32_t trackOf(std::string_view pid, std::string_view tid);
    void takeId(std::string_view value, RawEvent& event);
    void decodeId(const EventSlots& slots, RawEvent& event);
    std::optional<TimeNs> microsOf(std::string_view value, DecimalError& error) const;
    bool readTime(std::string_view value, RawEvent& event);
    bool readDuration(std::string_view value, RawEvent& event);
    void decodeBinding(const EventSlots& slots, const RawEvent& slice);
    void decodeMetadata(std::span<const Member> args, RawEvent& event);
    void decodeCounter(std::span<const Member> args, const RawEvent& event);
    void reportOddities(uint32_t oddities, uint64_t offset);
    void note(std::string_view code, Severity severity, const RawEvent& event);
    std::string describe(const RawEvent& event) const;
    std::string_view textOfNumber(uint32_t number) const { return m_texts->view(StringId(number)); }

    LoadOptions m_options;
    const JobControl* m_job;
    EventBatch* m_batch = nullptr;
    std::shared_ptr<StringPool> m_texts;
    EventSlots m_slots;
    bool m_isPlain = false;  ///< of the current event
    bool m_isPadded = false;
    std::vector<CategoryMeaning> m_meanings;  ///< by number of the text; see m_meaningKnown
    std::vector<bool> m_meaningKnown;
    struct RecentText {
        std::string_view text;  ///< of m_texts
        uint32_t number = 0;
    };
    std::array<RecentText, 16> m_recentCategories;
    std::unordered_map<uint64_t, uint32_t> m_trackByKey;
    struct RecentTrack {
        std::string_view pid, tid;  ///< as they stand in the text
        uint32_t track = kNoIndex;
    };
    std::array<RecentTrack, 16> m_recentTracks;
    uint32_t m_oddities = 0;                 ///< of the texts of the current event
    PlainValues m_plainFields, m_plainArgs;  ///< of the current event
    std::string m_buffer;
};

}  // namespace warpline::loaders::chrome_trace
