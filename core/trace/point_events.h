// SPDX-License-Identifier: MIT
#pragma once
// Events that are not slices of a track: instants, async slices, counters, arrows.

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "core/base/ids.h"
#include "core/base/time.h"
#include "core/trace/event_id.h"
#include "core/trace/source_ref.h"

namespace warpline {

struct Instant {
    TimeNs time = 0;
    StringId name;
    StringId category;
    TrackId track;
    char scope = 't';  ///< t thread, p process, g global
    SourceRef source;
};

/// Work that is not bound to one thread; track is that of its begin.
struct AsyncSlice {
    TimeNs begin = 0;
    DurationNs duration = 0;  ///< kUnknownDuration while `unfinished`
    StringId name;
    StringId category;
    std::optional<EventId> id;
    ProcessId idScope;  ///< the process that counts this id for itself; none: the id is the whole file's
    TrackId track;
    bool unfinished = false;
    SourceRef source;
    SourceRef endSource;
    StringId scope;  ///< a word within which, and the category, the id counts; "": none is said
};

struct AsyncInstant {
    TimeNs time = 0;
    StringId name;
    StringId category;
    std::optional<EventId> id;
    ProcessId idScope;
    TrackId track;
    SourceRef source;
    StringId scope;
};

/// One line of a counter. value[i] holds from time[i] to time[i + 1]; NaN is a gap.
struct CounterSeries {
    StringId name;
    std::vector<TimeNs> time;
    std::vector<double> value;
    std::vector<int64_t>
        whole;  ///< the same, exactly, if every value is a whole number and one needs over 53 bits; else empty
};

struct Counter {
    ProcessId process;
    StringId name;
    std::optional<EventId> id;
    std::vector<CounterSeries> series;
};

/// What an end of an arrow is; a step is both a finish and a start.
enum class FlowPhase : uint8_t { Start, Step, Finish };

/// An arrow between two slices.
struct FlowArrow {
    EventRow from;
    EventRow to;
    StringId category;
    EventId id;
    ProcessId idScope;  ///< as in AsyncSlice
};

/// An end of an arrow that found no partner: in no arrow, kept as the file has it.
struct DanglingFlow {
    FlowPhase phase = FlowPhase::Start;
    bool bindsToEnclosing = false;
    TimeNs time = 0;
    StringId category;
    std::optional<EventId> id;  ///< nullopt: the file gives none
    ProcessId idScope;          ///< as in AsyncSlice
    TrackId track;
    EventRow slice;  ///< the one that it lies in or points to; none if there is none
    SourceRef source;
};

}  // namespace warpline
