// SPDX-License-Identifier: MIT
#pragma once
// Reads the items of a list of events one by one, from text that need not be JSON throughout: what cannot be read costs
// the event that it stands in, and reading goes on at the next place that looks like an event. One thread.

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/job_control.h"
#include "core/loaders/chrome_trace/event_batch.h"
#include "core/loaders/chrome_trace/event_decoder.h"
#include "core/loaders/chrome_trace/event_look.h"
#include "core/loaders/chrome_trace/item_scan.h"
#include "core/loaders/chrome_trace/json_text.h"
#include "core/loaders/loader.h"

namespace warpline::loaders::chrome_trace {

/// How far a reading of list items came.
enum class ListState {
    NeedMore,  ///< the text ends; more of the list may follow
    Ended,     ///< the list's `]` was read
};

/// Where reading stands between two items of the list, so that it goes on the same however the text is cut.
/// The default is for the start of the list, and for behind an event where a comma follows.
struct ListPlace {
    bool afterEvent = false;  ///< an object ended, and no comma has come since
    bool afterComma = false;
    bool afterLoss = false;   ///< the last item was counted as lost; what cannot be read behind it belongs to it
    bool afterValue = false;  ///< the last item was no object, so brackets need not be those of the list
    bool inGarbage = false;   ///< inside a stretch that cannot be read
    size_t seen = 0;          ///< of that: as much of the text is there to look back at alone
};

struct ListScan {
    ListState state = ListState::NeedMore;
    size_t consumed = 0;           ///< bytes that need not be looked at again
    bool inEvent = false;          ///< what is left begins an item that is not whole
    bool hasStrayBracket = false;  ///< a `[` stood between two events; what follows it needs to be read with it
    ListPlace place;               ///< to go on from
};

class LenientList {
public:
    /// `decoder` and `job`, which may be null, live as long; see ChunkParser.
    LenientList(const LoadOptions& options, const JobControl* job, EventDecoder& decoder);

    void begin(const ListLook& list);
    /// See ChunkParser::parseLenient(). REQUIRES: the decoder has begun `batch` with `texts`.
    ListScan read(std::string_view text, uint64_t textOffset, bool isLast, const ListPlace& place, size_t stopAt,
                  StringPool& texts, EventBatch& batch);

private:
    enum class Step { Go, Stop };
    enum class Unended;

    Step item(char c);
    Step brackets(char c);
    Step value(char c);
    Step object();
    Step scanned(Scan scan, bool isObject);
    Step needMore();
    void skipCommas();
    bool leaveGarbage();
    void beginGarbage(bool isCounted);
    void goInside(size_t next);
    void broken(size_t end);
    void lose(std::string_view code);
    void mend() { m_batch->issue("invalid_json", Severity::Info, m_offset + m_pos); }
    void mendComma();
    bool missesComma() const { return m_at.afterEvent && !m_at.afterComma; }
    Scan scanItem(bool isObject);
    bool keepEvent(const Scan& scan);
    Unended lookInto(Scan& scan, size_t& next);
    std::optional<size_t> eventAsValue();
    std::optional<size_t> eventInside(size_t end);

    const LoadOptions& m_options;
    const JobControl* m_job;
    EventDecoder& m_decoder;
    ListLook m_list;
    ItemScan m_items;             ///< of the item that did not end as it should, and on from there
    uint32_t m_openBrackets = 0;  ///< `[` that stood between events
    uint64_t m_lookedInto = 0;    ///< bytes of items that ended and were looked into all the same
    std::vector<Member> m_fields, m_args;

    // The reading in progress.
    std::string_view m_text;
    uint64_t m_offset = 0;
    bool m_isLast = false;
    size_t m_pos = 0;
    StringPool* m_texts = nullptr;
    EventBatch* m_batch = nullptr;
    ListPlace m_at;
    ListScan m_result;
};

}  // namespace warpline::loaders::chrome_trace
