// SPDX-License-Identifier: MIT
#pragma once
// Looks into an item of the list of events that does not end as it should, for events of the list that seem to be
// inside it because a bracket was left open. One thread.
//
// The rule: an item that ends, as JSON, and is an event by a `ph` of its own is one event, whatever stands in it. Only
// of one that is broken, runs on to the end of the text or beyond the longest event, something inside is taken for the
// next event of the list: the first object with `ph` and `pid` that stands right in a list
//  - which is still open where the item breaks or the text ends, unless the object begins a line further to the right
//    than the first event of the list of events does, or
//  - which ends where the list of events does (`]}` and the end, a key of the header), or
//  - just behind which the item breaks, or
//  - which holds something else before its first object, as [[1, 2], [3, {"ph": …

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/job_control.h"
#include "core/loaders/chrome_trace/event_look.h"
#include "core/loaders/chrome_trace/json_text.h"
#include "core/loaders/chrome_trace/json_walker.h"

namespace warpline::loaders::chrome_trace {

/// Which brackets are open, where they stand, and what was met in them.
class OpenItems {
public:
    static constexpr uint64_t kNoPlace = UINT64_MAX;

    bool empty() const { return m_frames.empty(); }
    size_t size() const { return m_frames.size(); }
    char innermost() const { return m_frames.back().bracket; }
    bool open(char bracket, std::string_view text, size_t pos);
    bool close(std::string_view text, size_t pos);
    void key(std::string_view key);
    void string(std::string_view text);
    void word();

    void setColumn(uint32_t column) { m_column = column; }
    /// What the places in the text that comes next are added to.
    void setText(std::string_view text, uint64_t offset, bool isLast);
    bool contains(uint64_t place) const;
    /// The walk broke at `pos`.
    void brokeAt(std::string_view text, size_t pos);
    uint64_t firstEventIn(uint64_t item) const;
    /// Of an item that ended: the first event in it, if it is a list of events or an object with one.
    uint64_t firstEventInEnded() const { return m_direct; }

private:
    struct Frame {
        char bracket = '{';
        bool isPhaseNext = false;  ///< the key read last is `ph`
        bool hasPhase = false;
        bool hasProcess = false;
        bool isMixed = false;  ///< a list with something before its first object
        bool hasObject = false;
        bool isIndented = false;  ///< its first event begins a line too far to the right
        uint64_t place = 0;
        uint64_t firstEvent = kNoPlace;  ///< right in this list
        uint64_t inner = kNoPlace;       ///< in a list in it that has ended, but not as one of an event does
    };
    void noteEvent();

    std::vector<Frame> m_frames;
    uint32_t m_column = kNoColumn;
    std::string_view m_text;
    uint64_t m_offset = 0;
    bool m_isLast = false;
    uint64_t m_direct = kNoPlace;
    uint64_t m_listEnd = 0;  ///< behind the list that ended last
    uint64_t m_eventInList = kNoPlace;
};

class ItemScan {
public:
    /// `column`: of the list's first event. Begins anew with the item at `place` of the whole text.
    void start(uint64_t place, uint32_t column, const JobControl* job);
    /// Goes on from where it is to the end of `text` (NeedMore) or of the item, or to where that breaks.
    /// REQUIRES: `text` begins at or before that place.
    ScanStatus run(std::string_view text, uint64_t textOffset, bool isLast);
    /// Has the scan gone into the item at this place and not out of it?
    bool isInside(uint64_t place) const { return m_walker && m_walker->brackets().contains(place); }
    /// Where it broke.
    uint64_t end() const { return m_end; }
    /// What to take for the next event of the list, inside an item that the scan is inside.
    std::optional<uint64_t> firstEventIn(uint64_t item) const;
    /// The same in the item it began with, where that has ended, but is no event itself.
    std::optional<uint64_t> firstEventInEnded() const;

private:
    std::optional<JsonWalker<OpenItems>> m_walker;
    ScanStatus m_status = ScanStatus::NeedMore;
    uint64_t m_end = 0;
    uint64_t m_seenTo = 0;
    bool m_sawLast = false;
};

}  // namespace warpline::loaders::chrome_trace
