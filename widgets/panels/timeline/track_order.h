// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// In which order processes and what they hold stand in the timeline, by themselves and as the user has arranged them.
// Pure; any thread.

#include <optional>
#include <unordered_map>
#include <vector>

#include "core/trace/trace.h"
#include "widgets/panels/timeline/timeline_model.h"
#include "widgets/support/track_arrangement.h"

namespace warpline::timeline {

/// One thing that a process holds, with rows of its own.
struct TrackItem {
    SectionRef ref;
    uint32_t index = 0;  ///< Track: its id; else in the model's list
};

/// An arrangement to be looked up in, at the same cost whatever the number of tracks.
class ArrangementIndex {
public:
    ArrangementIndex() = default;
    explicit ArrangementIndex(const TrackArrangement& arrangement);

    bool isPinned(const SectionRef& ref) const { return find(ref).isPinned; }
    /// By itself; it is not seen either while its process is hidden.
    bool isHidden(const SectionRef& ref) const { return find(ref).isHidden; }
    bool isOutOfSight(const SectionRef& ref) const {
        return isHidden(ref) || isHidden(SectionRef::ofProcess(ref.process));
    }
    /// Those that are not listed come last, all with the same place.
    size_t placeOf(const SectionRef& ref) const { return find(ref).place; }
    /// nullopt: as it is by itself.
    std::optional<int> heightOf(const SectionRef& ref) const;

private:
    struct Entry {
        bool isPinned = false;
        bool isHidden = false;
        int height = 0;
        size_t place = SIZE_MAX;
    };
    const Entry& find(const SectionRef& ref) const;
    Entry& entryOf(const SectionRef& ref);
    // Tracks and processes are numbers, and there may be ten thousand of them: no hash is as quick.
    std::vector<Entry> m_tracks;
    std::vector<Entry> m_processes;
    std::unordered_map<SectionRef, Entry, SectionRefHash> m_titled;
};

/// All that have rows, pinned and hidden ones too.
std::vector<ProcessId> orderedProcesses(const Trace& trace, const TimelineModel& model, const ArrangementIndex& index);
std::vector<TrackItem> orderedItems(const Trace& trace, const TimelineModel& model, ProcessId process,
                                    const ArrangementIndex& index);

/// Where something is in the trace or the model; nullopt if it is not there.
std::optional<TrackItem> itemOf(const Trace& trace, const TimelineModel& model, const SectionRef& ref);

/// As its head says within its process.
std::string itemTitle(const Trace& trace, const TimelineModel& model, const TrackItem& item);

/// Whether all that a process holds is one shallow track, which then needs no header of the process above it.
bool isAlone(const Trace& trace, const std::vector<TrackItem>& items);
/// Of such a track: it says whose it is.
std::string aloneTitle(const Trace& trace, TrackId track);

/// `what` stands beside `neighbour`: a process beside a process, else both are of one process. `order` names no more
/// than it must.
TrackArrangement withMoved(const Trace& trace, const TimelineModel& model, TrackArrangement arrangement,
                           const SectionRef& what, const SectionRef& neighbour, bool after);

/// Else it has nothing to draw: a track may hold async work alone, which has rows of its own.
bool hasRows(const Trace& trace, TrackId track);
/// The producer keeps its own cost on a track without a name (pid -1, tid 0).
bool isProfilerOverhead(const Trace& trace, TrackId track);

}  // namespace warpline::timeline
