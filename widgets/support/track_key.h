// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Tracks and processes by what the trace's file calls them, so that they are found in another load of it, and in a
// session file. Pure; any thread.

#include <QString>

#include <map>
#include <optional>
#include <tuple>

#include "core/base/ids.h"
#include "core/trace/trace.h"
#include "widgets/support/track_arrangement.h"

namespace warpline {

/// nullopt where the file gives no id. Of a process: without a tid.
struct TrackKey {
    int file = 0;  ///< of the trace's files, from 0
    std::optional<QString> pid, tid;
    bool operator==(const TrackKey&) const = default;
};

/// A section of the timeline.
struct SavedSection {
    SectionRef::Kind kind = SectionRef::Kind::Track;
    TrackKey key;   ///< of a Track, else of its process without a tid; file -1: of no process
    QString title;  ///< as SectionRef's
    bool operator==(const SavedSection&) const = default;
};

SavedSection keyOf(const Trace& trace, const SectionRef& ref);
TrackKey keyOf(const Trace& trace, TrackId id);
TrackKey keyOf(const Trace& trace, ProcessId id);

/// Finds them in a trace, which outlives this.
class TrackFinder {
public:
    explicit TrackFinder(const Trace& trace) : m_trace(trace) {}
    /// None if the trace has no such track. Cost: the first call, all tracks; others, a look-up.
    TrackId track(const TrackKey& key);
    ProcessId process(const TrackKey& key);

private:
    using Sortable = std::tuple<int, bool, QString, bool, QString>;
    static Sortable sortable(const TrackKey& key);

    const Trace& m_trace;
    std::map<Sortable, TrackId> m_tracks;  ///< made when the first is asked for
    std::map<Sortable, ProcessId> m_processes;
};

}  // namespace warpline
