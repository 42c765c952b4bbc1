// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Finds what was looked at again after the same files were loaded anew (a reload, a file added): files by their path,
// processes and tracks by their ids, events by their own time and name. Ids of the new trace; any thread.

#include <optional>
#include <unordered_map>

#include "core/trace/trace.h"
#include "widgets/support/notes.h"
#include "widgets/support/track_arrangement.h"

namespace warpline {

class CarryOver {
public:
    /// REQUIRES: both traces outlive this. Cost: files, processes and tracks, never events.
    CarryOver(const Trace& from, const Trace& to);

    /// None if the new trace has nothing of this identity.
    ProcessId process(ProcessId id) const;
    TrackId track(TrackId id) const;
    /// Nothing if the event is not there any more.
    Selection selection(const Selection& selection) const;
    /// nullopt if none of its tracks is there any more.
    std::optional<AreaSelection> area(const AreaSelection& area) const;
    /// Tracks of a mark that are gone are kept by their keys; those that were, and have come back, are its own again.
    Notes notes(Notes notes) const;
    /// Without what is gone.
    TrackArrangement arrangement(const TrackArrangement& arrangement) const;

    TrackFolding folding(const TrackFolding& folding) const;
    std::optional<ScrollPlace> scrollPlace(const ScrollPlace& place) const;

private:
    Mark mark(Mark mark, TrackFinder& finder) const;
    TrackKey carried(TrackKey key) const;
    std::vector<SectionRef> sections(const std::vector<SectionRef>& refs) const;
    std::optional<SectionRef> section(const SectionRef& ref) const;
    FileId file(FileId id) const;
    std::optional<StringId> text(const std::optional<StringId>& id, bool& isThere) const;
    bool sameText(StringId from, StringId to) const;
    TimeNs moved(FileId file, TimeNs time) const;
    Selection slice(uint32_t row) const;
    Selection instant(uint32_t index) const;
    Selection counterSample(const Selection& selection) const;

    const Trace& m_from;
    const Trace& m_to;
    std::unordered_map<uint64_t, ProcessId> m_processes;  ///< of `to`; key: (file, has pid, pid)
    std::unordered_map<uint64_t, TrackId> m_tracks;       ///< of `to`; key: (process, has tid, tid)
};

}  // namespace warpline
