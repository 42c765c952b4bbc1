// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/support/carry_over.h"

#include <algorithm>

namespace warpline {

namespace {

uint64_t numberOf(uint32_t owner, const std::optional<StringId>& id) {
    return (uint64_t{owner} << 33) | (id ? (uint64_t{1} << 32) | id->value : 0);
}

std::string idText(const Trace& trace, const std::optional<EventId>& id) {
    return id ? trace.idText(*id) : std::string();
}

}  // namespace

CarryOver::CarryOver(const Trace& from, const Trace& to) : m_from(from), m_to(to) {
    for (size_t i = 0; i < to.processes().size(); ++i) {
        m_processes.try_emplace(numberOf(to.processes()[i].file.value, to.processes()[i].pid), ProcessId(i));
    }
    for (size_t i = 0; i < to.tracks().size(); ++i) {
        m_tracks.try_emplace(numberOf(to.tracks()[i].process.value, to.tracks()[i].tid), TrackId(i));
    }
}

FileId CarryOver::file(FileId id) const {
    const auto files = m_to.files();
    const auto found = std::ranges::find(files, m_from.files()[id.value].path, &FileInfo::path);
    return found == files.end() ? FileId::none() : FileId(static_cast<size_t>(found - files.begin()));
}

std::optional<StringId> CarryOver::text(const std::optional<StringId>& id, bool& isThere) const {
    const auto found = id ? m_to.findString(m_from.string(*id)) : std::nullopt;
    isThere = !id || found;
    return found;
}

bool CarryOver::sameText(StringId from, StringId to) const {
    return m_from.string(from) == m_to.string(to);
}

TimeNs CarryOver::moved(FileId id, TimeNs time) const {
    return addSaturated(m_from.files()[id.value].ownTime(time), m_to.files()[file(id).value].axisOffsetNs);
}

ProcessId CarryOver::process(ProcessId id) const {
    const Process& wanted = m_from.process(id);
    const FileId inFile = file(wanted.file);
    bool isThere = false;
    const auto pid = text(wanted.pid, isThere);
    const auto found = inFile && isThere ? m_processes.find(numberOf(inFile.value, pid)) : m_processes.end();
    return found == m_processes.end() ? ProcessId::none() : found->second;
}

TrackId CarryOver::track(TrackId id) const {
    const Track& wanted = m_from.track(id);
    const ProcessId inProcess = process(wanted.process);
    bool isThere = false;
    const auto tid = text(wanted.tid, isThere);
    const auto found = inProcess && isThere ? m_tracks.find(numberOf(inProcess.value, tid)) : m_tracks.end();
    return found == m_tracks.end() ? TrackId::none() : found->second;
}

Selection CarryOver::slice(uint32_t row) const {
    const SliceColumns& was = m_from.slices();
    const SliceColumns& is = m_to.slices();
    const TrackId id = track(was.track[row]);
    if (!id) {
        return {};
    }
    const TimeNs begin = moved(m_from.fileOf(was.track[row]), was.begin[row]);
    const Track& inTrack = m_to.track(id);
    EventRow best;
    int bestScore = 0;
    for (const Lane& lane : m_to.lanes().subspan(inTrack.firstLane, inTrack.laneCount)) {
        const TimeNs* const first = is.begin.data() + lane.firstRow;
        for (const TimeNs* at = std::lower_bound(first, first + lane.count, begin);
             at != first + lane.count && *at == begin; ++at) {
            const EventRow found(static_cast<size_t>(at - is.begin.data()));
            if (!sameText(was.name[row], is.name[found.value])) {
                continue;
            }
            // The end of a slice may have come only now; of several the one at the same depth is meant.
            const int score = 1 + (is.duration[found.value] == was.duration[row] ? 2 : 0) +
                              (is.depth[found.value] == was.depth[row] ? 1 : 0);
            if (score > bestScore) {
                best = found;
                bestScore = score;
            }
        }
    }
    return Selection::slice(best);
}

Selection CarryOver::instant(uint32_t index) const {
    const Instant& wanted = m_from.instants()[index];
    const TrackId id = track(wanted.track);
    if (!id) {
        return {};
    }
    const TimeNs time = moved(m_from.fileOf(wanted.track), wanted.time);
    const Track& inTrack = m_to.track(id);
    const auto instants = m_to.instants().subspan(inTrack.firstInstant, inTrack.instantCount);
    for (auto at = std::ranges::lower_bound(instants, time, {}, &Instant::time);
         at != instants.end() && at->time == time; ++at) {
        if (sameText(wanted.name, at->name)) {
            return {Selection::Kind::Instant, static_cast<uint32_t>(inTrack.firstInstant + (at - instants.begin()))};
        }
    }
    return {};
}

Selection CarryOver::counterSample(const Selection& selection) const {
    const Counter& wanted = m_from.counters()[selection.index];
    const CounterSeries& series = wanted.series[selection.series];
    const ProcessId inProcess = process(wanted.process);
    if (!inProcess) {
        return {};
    }
    const TimeNs time = moved(m_from.process(wanted.process).file, series.time[selection.sample]);
    for (uint32_t i = 0; i < m_to.counters().size(); ++i) {
        const Counter& counter = m_to.counters()[i];
        if (counter.process != inProcess || !sameText(wanted.name, counter.name) ||
            idText(m_from, wanted.id) != idText(m_to, counter.id)) {
            continue;
        }
        for (uint32_t k = 0; k < counter.series.size(); ++k) {
            const std::vector<TimeNs>& times = counter.series[k].time;
            const auto at = std::lower_bound(times.begin(), times.end(), time);
            if (sameText(series.name, counter.series[k].name) && at != times.end() && *at == time) {
                return {Selection::Kind::CounterSample, i, k, static_cast<uint64_t>(at - times.begin())};
            }
        }
    }
    return {};
}

Selection CarryOver::selection(const Selection& selection) const {
    const auto async = [&](const auto& from, const auto& to, auto time) -> Selection {
        const auto& wanted = from[selection.index];
        const TrackId inTrack = track(wanted.track);
        const TimeNs at = moved(m_from.fileOf(wanted.track), wanted.*time);
        auto is = std::ranges::lower_bound(to, at, {}, time);
        for (; inTrack && is != to.end() && (*is).*time == at; ++is) {
            if (is->track == inTrack && sameText(wanted.name, is->name) &&
                idText(m_from, wanted.id) == idText(m_to, is->id)) {
                return {selection.kind, static_cast<uint32_t>(is - to.begin())};
            }
        }
        return {};
    };
    switch (selection.kind) {
        case Selection::Kind::Slice:
            return slice(selection.index);
        case Selection::Kind::Instant:
            return instant(selection.index);
        case Selection::Kind::CounterSample:
            return counterSample(selection);
        case Selection::Kind::AsyncSlice:
            return async(m_from.asyncSlices(), m_to.asyncSlices(), &AsyncSlice::begin);
        case Selection::Kind::AsyncInstant:
            return async(m_from.asyncInstants(), m_to.asyncInstants(), &AsyncInstant::time);
        case Selection::Kind::None:
            break;
    }
    return {};
}

std::optional<AreaSelection> CarryOver::area(const AreaSelection& area) const {
    AreaSelection carried{area.range, {}};
    for (const TrackId id : area.tracks) {
        if (const TrackId found = track(id)) {
            carried.tracks.push_back(found);
        }
    }
    carried.rows = sections(area.rows);
    // Without tracks an area is about all of them, which is another one.
    return carried.isOfAll() && !area.isOfAll() ? std::nullopt : std::optional(std::move(carried));
}

Notes CarryOver::notes(Notes notes) const {
    for (Bookmark& bookmark : notes.bookmarks) {
        bookmark.top = bookmark.top ? track(bookmark.top) : TrackId::none();
    }
    TrackFinder finder(m_to);
    for (Mark& one : notes.marks) {
        one = mark(std::move(one), finder);
    }
    return notes;
}

TrackKey CarryOver::carried(TrackKey key) const {
    const auto from = FileId(static_cast<size_t>(key.file));
    const FileId to = from.value < m_from.files().size() ? file(from) : FileId::none();
    // Of a file that is not there any more nothing is found; its number has to be one of a file all the same.
    key.file = to ? static_cast<int>(to.value) : std::min(key.file, static_cast<int>(m_to.files().size()) - 1);
    return key;
}

Mark CarryOver::mark(Mark mark, TrackFinder& finder) const {
    std::vector<TrackId> tracks;
    std::vector<TrackKey> lost;
    for (const TrackId id : mark.area.tracks) {
        if (const TrackId found = track(id)) {
            tracks.push_back(found);
        } else {
            lost.push_back(carried(keyOf(m_from, id)));
        }
    }
    for (const TrackKey& key : mark.lostTracks) {
        if (const TrackId found = finder.track(carried(key))) {
            tracks.push_back(found);
        } else {
            lost.push_back(carried(key));
        }
    }
    std::vector<SectionRef> rows;
    std::vector<SavedSection> lostRows;
    for (const SectionRef& row : mark.area.rows) {
        if (std::optional<SectionRef> found = section(row)) {
            rows.push_back(std::move(*found));
        } else {
            lostRows.push_back(keyOf(m_from, row));
            lostRows.back().key = carried(std::move(lostRows.back().key));
        }
    }
    for (SavedSection row : mark.lostRows) {
        row.key = carried(std::move(row.key));
        if (const ProcessId process = finder.process(row.key)) {
            rows.push_back({row.kind, process, TrackId::none(), row.title.toStdString()});
        } else {
            lostRows.push_back(std::move(row));
        }
    }
    mark.area.tracks = std::move(tracks);
    mark.area.rows = std::move(rows);
    mark.lostTracks = std::move(lost);
    mark.lostRows = std::move(lostRows);
    return mark;
}

std::optional<SectionRef> CarryOver::section(const SectionRef& ref) const {
    SectionRef found = ref;
    if (ref.kind == SectionRef::Kind::Track) {
        found.track = track(ref.track);
        found.process = found.track ? m_to.track(found.track).process : ProcessId::none();
    } else {
        found.process = ref.process ? process(ref.process) : ProcessId::none();
    }
    return found.process ? std::optional(found) : std::nullopt;
}

std::vector<SectionRef> CarryOver::sections(const std::vector<SectionRef>& refs) const {
    std::vector<SectionRef> found;
    for (const SectionRef& ref : refs) {
        if (std::optional<SectionRef> there = section(ref)) {
            found.push_back(std::move(*there));
        }
    }
    return found;
}

TrackFolding CarryOver::folding(const TrackFolding& folding) const {
    return {sections(folding.collapsed), sections(folding.compact)};
}

std::optional<ScrollPlace> CarryOver::scrollPlace(const ScrollPlace& place) const {
    std::optional<SectionRef> there = section(place.section);
    return there ? std::optional(ScrollPlace{std::move(*there), place.pixels}) : std::nullopt;
}

TrackArrangement CarryOver::arrangement(const TrackArrangement& arrangement) const {
    TrackArrangement out{sections(arrangement.pinned), sections(arrangement.hidden), sections(arrangement.order), {}};
    for (const auto& [ref, height] : arrangement.heights) {
        if (std::optional<SectionRef> there = section(ref)) {
            out.heights.emplace_back(std::move(*there), height);
        }
    }
    return out;
}

}  // namespace warpline
