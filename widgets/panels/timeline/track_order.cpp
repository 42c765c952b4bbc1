// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/timeline/track_order.h"

#include <algorithm>
#include <span>
#include <utility>

#include "core/trace/process_title.h"

namespace warpline::timeline {

namespace {

/// The part of a list sorted by process that belongs to one.
template <class T>
std::span<const T> ofProcess(const std::vector<T>& list, ProcessId id) {
    const auto first =
        std::partition_point(list.begin(), list.end(), [id](const T& item) { return item.process < id; });
    const auto last = std::partition_point(first, list.end(), [id](const T& item) { return item.process == id; });
    return {first, last};
}

/// What the producer tells of itself stands below the work, and marks alone ("window ends"), which tell least, stand
/// last; else the trace's order holds.
enum class Rank : uint8_t { Work, Producer, Marks };

Rank rankOf(const Trace& trace, const TimelineModel& model, ProcessId id) {
    if (!ofProcess(model.asyncGroups, id).empty() || !ofProcess(model.counters, id).empty()) {
        return Rank::Work;
    }
    Rank rank = Rank::Marks;
    for (const TrackId track : trace.process(id).tracks) {
        if (trace.track(track).sliceCount > 0) {
            if (!isProfilerOverhead(trace, track)) {
                return Rank::Work;
            }
            rank = Rank::Producer;
        }
    }
    return rank;
}

std::vector<TrackItem> itemsByThemselves(const Trace& trace, const TimelineModel& model, ProcessId process) {
    std::vector<TrackItem> items;
    const auto addDerived = [&](bool areAnnotations) {
        for (const DerivedRow& row : ofProcess(model.derived, process)) {
            if ((row.kind == DerivedKind::Annotations) == areAnnotations) {
                items.push_back({{SectionRef::Kind::Derived, process, TrackId::none(), row.title},
                                 static_cast<uint32_t>(&row - model.derived.data())});
            }
        }
    };
    addDerived(false);
    for (const TrackId track : trace.process(process).tracks) {
        if (hasRows(trace, track)) {
            items.push_back({SectionRef::ofTrack(process, track), track.value});
        }
    }
    addDerived(true);  // below what they span: how high they are is known late, and the streams stay where they are
    const auto add = [&](const auto& list, SectionRef::Kind kind) {
        for (const auto& item : ofProcess(list, process)) {
            items.push_back({{kind, process, TrackId::none(), item.title}, static_cast<uint32_t>(&item - list.data())});
        }
    };
    add(model.asyncGroups, SectionRef::Kind::Async);
    add(model.counters, SectionRef::Kind::Counter);
    return items;
}

std::vector<SectionRef> siblings(const Trace& trace, const TimelineModel& model, const SectionRef& of,
                                 const ArrangementIndex& index) {
    std::vector<SectionRef> refs;
    if (of.kind == SectionRef::Kind::Process) {
        for (const ProcessId id : orderedProcesses(trace, model, index)) {
            refs.push_back(SectionRef::ofProcess(id));
        }
    } else {
        for (TrackItem& item : orderedItems(trace, model, of.process, index)) {
            refs.push_back(std::move(item.ref));
        }
    }
    return refs;
}

/// How many have to be listed, so that the rest is in this order by itself.
size_t neededOf(const std::vector<SectionRef>& wanted, const std::vector<SectionRef>& byThemselves) {
    std::unordered_map<SectionRef, size_t, SectionRefHash> places;
    for (size_t i = 0; i < byThemselves.size(); ++i) {
        places.emplace(byThemselves[i], i);
    }
    size_t needed = wanted.size();
    while (needed > 0 && (needed == wanted.size() || places[wanted[needed - 1]] < places[wanted[needed]])) {
        --needed;
    }
    return needed;
}

}  // namespace

bool hasRows(const Trace& trace, TrackId track) {
    return trace.track(track).sliceCount > 0 || trace.track(track).instantCount > 0;
}

std::optional<TrackItem> itemOf(const Trace& trace, const TimelineModel& model, const SectionRef& ref) {
    const auto titled = [&](const auto& list) -> std::optional<TrackItem> {
        auto at = std::partition_point(list.begin(), list.end(),
                                       [&](const auto& item) { return item.process < ref.process; });
        for (; at != list.end() && at->process == ref.process; ++at) {
            if (at->title == ref.title) {
                return TrackItem{ref, static_cast<uint32_t>(at - list.begin())};
            }
        }
        return std::nullopt;
    };
    switch (ref.kind) {
        case SectionRef::Kind::Track:
            return ref.track.value < trace.tracks().size() && hasRows(trace, ref.track)
                       ? std::optional(TrackItem{ref, ref.track.value})
                       : std::nullopt;
        case SectionRef::Kind::Async:
            return titled(model.asyncGroups);
        case SectionRef::Kind::Counter:
            return titled(model.counters);
        case SectionRef::Kind::Derived:
            return titled(model.derived);
        case SectionRef::Kind::Process:
            break;
    }
    return std::nullopt;
}

std::string itemTitle(const Trace& trace, const TimelineModel& model, const TrackItem& item) {
    switch (item.ref.kind) {
        case SectionRef::Kind::Process:
            return processHeading(trace, item.ref.process);
        case SectionRef::Kind::Track:
            return trackTitle(trace, item.ref.track);
        case SectionRef::Kind::Async:
            return model.asyncGroups[item.index].title;
        case SectionRef::Kind::Counter:
            return model.counters[item.index].title;
        case SectionRef::Kind::Derived:
            break;
    }
    return item.ref.title;
}

bool isAlone(const Trace& trace, const std::vector<TrackItem>& items) {
    return items.size() == 1 && items[0].ref.kind == SectionRef::Kind::Track &&
           trace.track(items[0].ref.track).laneCount <= 1;
}

std::string aloneTitle(const Trace& trace, TrackId id) {
    if (isProfilerOverhead(trace, id)) {
        return "profiler overhead";
    }
    const Track& track = trace.track(id);
    const Process& process = trace.process(track.process);
    const bool isNamed = process.name || (process.pid && !trace.string(*process.pid).empty());
    if (!isNamed && track.instantCount > 0 && track.sliceCount == 0) {
        // It holds one sort of mark alone, and is named after it.
        return std::string(trace.string(trace.instants()[track.firstInstant].name));
    }
    const std::string heading = processHeading(trace, track.process);
    const std::string own = trackTitle(trace, id);
    return heading.starts_with(own) ? heading : heading + " · " + own;
}

bool isProfilerOverhead(const Trace& trace, TrackId id) {
    const Track& track = trace.track(id);
    return !track.name && track.sliceCount > 0 && trace.slices().kind[track.firstRow] == EventKind::Overhead;
}

ArrangementIndex::ArrangementIndex(const TrackArrangement& arrangement) {
    for (const SectionRef& ref : arrangement.pinned) {
        entryOf(ref).isPinned = true;
    }
    for (const SectionRef& ref : arrangement.hidden) {
        entryOf(ref).isHidden = true;
    }
    for (size_t i = 0; i < arrangement.order.size(); ++i) {
        entryOf(arrangement.order[i]).place = i;
    }
    for (const auto& [ref, height] : arrangement.heights) {
        entryOf(ref).height = height;
    }
}

ArrangementIndex::Entry& ArrangementIndex::entryOf(const SectionRef& ref) {
    const auto at = [](std::vector<Entry>& entries, size_t id) -> Entry& {
        if (id >= entries.size()) {
            entries.resize(id + 1);
        }
        return entries[id];
    };
    if (ref.kind == SectionRef::Kind::Track && ref.track) {
        return at(m_tracks, ref.track.value);
    }
    return ref.kind == SectionRef::Kind::Process && ref.process ? at(m_processes, ref.process.value) : m_titled[ref];
}

const ArrangementIndex::Entry& ArrangementIndex::find(const SectionRef& ref) const {
    static const Entry kNone;
    const auto at = [](const std::vector<Entry>& entries, size_t id) -> const Entry& {
        return id < entries.size() ? entries[id] : kNone;
    };
    if (ref.kind == SectionRef::Kind::Track) {
        return at(m_tracks, ref.track.value);
    }
    if (ref.kind == SectionRef::Kind::Process) {
        return at(m_processes, ref.process.value);
    }
    const auto found = m_titled.empty() ? m_titled.end() : m_titled.find(ref);
    return found == m_titled.end() ? kNone : found->second;
}

std::optional<int> ArrangementIndex::heightOf(const SectionRef& ref) const {
    const int height = find(ref).height;
    return height > 0 ? std::optional(height) : std::nullopt;
}

std::vector<ProcessId> orderedProcesses(const Trace& trace, const TimelineModel& model, const ArrangementIndex& index) {
    struct Placed {
        size_t place;
        Rank rank;
        ProcessId id;
    };
    std::vector<Placed> placed;
    for (const ProcessId id : trace.processOrder()) {
        const bool isEmpty = std::none_of(trace.process(id).tracks.begin(), trace.process(id).tracks.end(),
                                          [&](TrackId track) { return hasRows(trace, track); }) &&
                             ofProcess(model.asyncGroups, id).empty() && ofProcess(model.counters, id).empty() &&
                             ofProcess(model.derived, id).empty();
        if (!isEmpty) {
            placed.push_back({index.placeOf(SectionRef::ofProcess(id)), rankOf(trace, model, id), id});
        }
    }
    std::stable_sort(placed.begin(), placed.end(), [](const Placed& a, const Placed& b) {
        return std::pair(a.place, a.rank) < std::pair(b.place, b.rank);
    });
    std::vector<ProcessId> ids;
    for (const Placed& process : placed) {
        ids.push_back(process.id);
    }
    return ids;
}

std::vector<TrackItem> orderedItems(const Trace& trace, const TimelineModel& model, ProcessId process,
                                    const ArrangementIndex& index) {
    std::vector<TrackItem> items = itemsByThemselves(trace, model, process);
    std::vector<std::pair<size_t, size_t>> places;
    bool isArranged = false;
    for (size_t i = 0; i < items.size(); ++i) {
        places.emplace_back(index.placeOf(items[i].ref), i);
        isArranged = isArranged || places.back().first != SIZE_MAX;
    }
    if (!isArranged) {
        return items;
    }
    std::sort(places.begin(), places.end());
    std::vector<TrackItem> ordered;
    ordered.reserve(items.size());
    for (const auto& [place, i] : places) {
        ordered.push_back(std::move(items[i]));
    }
    return ordered;
}

TrackArrangement withMoved(const Trace& trace, const TimelineModel& model, TrackArrangement arrangement,
                           const SectionRef& what, const SectionRef& neighbour, bool after) {
    std::vector<SectionRef> wanted = siblings(trace, model, what, ArrangementIndex(arrangement));
    const auto place = [&](const SectionRef& ref) { return std::find(wanted.begin(), wanted.end(), ref); };
    if (what == neighbour || place(what) == wanted.end() || place(neighbour) == wanted.end()) {
        return arrangement;
    }
    wanted.erase(place(what));
    wanted.insert(place(neighbour) + (after ? 1 : 0), what);
    wanted.resize(neededOf(wanted, siblings(trace, model, what, ArrangementIndex())));
    const bool isProcess = what.kind == SectionRef::Kind::Process;
    std::erase_if(arrangement.order, [&](const SectionRef& ref) {
        return isProcess ? ref.kind == SectionRef::Kind::Process
                         : ref.kind != SectionRef::Kind::Process && ref.process == what.process;
    });
    arrangement.order.insert(arrangement.order.end(), wanted.begin(), wanted.end());
    return arrangement;
}

}  // namespace warpline::timeline
