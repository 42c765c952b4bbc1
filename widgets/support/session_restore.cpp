// SPDX-License-Identifier: GPL-3.0-or-later
// What of a session is kept, and how it is found again on another load of the files: tracks by their keys.

#include <QCoreApplication>
#include <QFileInfo>

#include <algorithm>
#include <string>
#include <utility>

#include "widgets/support/cell_text.h"
#include "widgets/support/session_file.h"

namespace warpline {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("SessionFile", text);
}

using Saved = SessionDocument::Section;

std::vector<Saved> saved(const Trace& trace, const std::vector<SectionRef>& refs) {
    std::vector<Saved> out;
    out.reserve(refs.size());
    for (const SectionRef& ref : refs) {
        out.push_back(keyOf(trace, ref));
    }
    return out;
}

SavedArea saved(const Trace& trace, const AreaSelection& area) {
    SavedArea out{area.range, {}};
    for (const TrackId track : area.tracks) {
        out.tracks.push_back(keyOf(trace, track));
    }
    out.rows = saved(trace, area.rows);
    return out;
}

/// Finds what a document names; counts what is not there.
class Finder {
public:
    explicit Finder(const Trace& trace) : m_trace(trace), m_finder(trace) {}
    TrackId track(const TrackKey& key) {
        const TrackId found = m_finder.track(key);
        m_missing += found ? 0 : 1;
        return found;
    }
    ProcessId process(const TrackKey& key) {
        const ProcessId found = m_finder.process(key);
        m_missing += found ? 0 : 1;
        return found;
    }
    Mark mark(const SessionDocument::Mark& mark) {
        Mark out{{mark.area.range, {}}, mark.note, mark.isKept};
        for (const TrackKey& key : mark.area.tracks) {
            if (const TrackId id = track(key)) {
                out.area.tracks.push_back(id);
            } else {
                out.lostTracks.push_back(key);
            }
        }
        for (const Saved& row : mark.area.rows) {
            if (std::optional<SectionRef> ref = section(row)) {
                out.area.rows.push_back(std::move(*ref));
            } else {
                out.lostRows.push_back(row);
            }
        }
        return out;
    }
    /// nullopt if none of its tracks and rows is there; without any it would be about all of them.
    std::optional<AreaSelection> area(const SavedArea& area) {
        AreaSelection out{area.range, {}};
        for (const TrackKey& key : area.tracks) {
            if (const TrackId id = track(key)) {
                out.tracks.push_back(id);
            }
        }
        out.rows = sections(area.rows);
        const bool wasOfAll = area.tracks.empty() && area.rows.empty();
        return out.isOfAll() && !wasOfAll ? std::nullopt : std::optional(std::move(out));
    }
    /// nullopt if it is not there. Of async work only names are known here.
    std::optional<SectionRef> section(const Saved& section) {
        if (section.kind == SectionRef::Kind::Track) {
            const TrackId id = track(section.key);
            return id ? std::optional(SectionRef::ofTrack(m_trace.track(id).process, id)) : std::nullopt;
        }
        const ProcessId process = section.key.file < 0 ? ProcessId::none() : m_finder.process(section.key);
        const SectionRef ref{section.kind, process, TrackId::none(), section.title.toStdString()};
        const bool isThere = process && isTitled(ref);
        m_missing += isThere ? 0 : 1;
        return isThere ? std::optional(ref) : std::nullopt;
    }
    std::vector<SectionRef> sections(const std::vector<Saved>& list) {
        std::vector<SectionRef> out;
        for (const Saved& one : list) {
            if (std::optional<SectionRef> ref = section(one)) {
                out.push_back(std::move(*ref));
            }
        }
        return out;
    }
    int missing() const { return m_missing; }

private:
    /// Whether there can be something of this title: a counter's begins with the counter's name.
    bool isTitled(const SectionRef& ref) const {
        switch (ref.kind) {
            case SectionRef::Kind::Async:
                return ref.title == "async" || m_trace.findString(ref.title).has_value();
            case SectionRef::Kind::Counter:
                return std::ranges::any_of(m_trace.counters(), [&](const Counter& counter) {
                    return counter.process == ref.process && ref.title.starts_with(m_trace.string(counter.name));
                });
            case SectionRef::Kind::Process:
            case SectionRef::Kind::Track:
            case SectionRef::Kind::Derived:
                break;
        }
        return true;
    }
    const Trace& m_trace;
    TrackFinder m_finder;
    int m_missing = 0;
};

// --- the selected event

QString idText(const Trace& trace, const std::optional<EventId>& id) {
    return id ? fromUtf8(trace.idText(*id)) : QString();
}

/// REQUIRES: it is in the trace, and not None.
SessionDocument::Selected saved(const Trace& trace, const Selection& event) {
    using Kind = Selection::Kind;
    SessionDocument::Selected out{event.kind, {}, beginOf(trace, event), {}};
    const auto take = [&](TrackId track, StringId name) {
        out.track = keyOf(trace, track);
        out.name = fromUtf8(trace.string(name));
    };
    switch (event.kind) {
        case Kind::None:
            break;
        case Kind::Slice:
            take(trace.slices().track[event.index], trace.slices().name[event.index]);
            break;
        case Kind::Instant:
            take(trace.instants()[event.index].track, trace.instants()[event.index].name);
            break;
        case Kind::AsyncSlice:
            take(trace.asyncSlices()[event.index].track, trace.asyncSlices()[event.index].name);
            out.id = idText(trace, trace.asyncSlices()[event.index].id);
            break;
        case Kind::AsyncInstant:
            take(trace.asyncInstants()[event.index].track, trace.asyncInstants()[event.index].name);
            out.id = idText(trace, trace.asyncInstants()[event.index].id);
            break;
        case Kind::CounterSample: {
            const Counter& counter = trace.counters()[event.index];
            out.track = keyOf(trace, counter.process);
            out.name = fromUtf8(trace.string(counter.name));
            out.id = idText(trace, counter.id);
            out.series = fromUtf8(trace.string(counter.series[event.series].name));
            break;
        }
    }
    return out;
}

/// Of events by time: those that begin then, and all else is as wanted.
template <class Events, class Time>
Selection findAmong(const Trace& trace, const Events& events, Time time, TrackId track,
                    const SessionDocument::Selected& wanted) {
    const std::string name = wanted.name.toStdString();
    for (auto at = std::ranges::lower_bound(events, wanted.begin, {}, time);
         at != events.end() && (*at).*time == wanted.begin; ++at) {
        bool isSame = at->track == track && trace.string(at->name) == name;
        if constexpr (requires { at->id; }) {
            isSame = isSame && idText(trace, at->id) == wanted.id;
        }
        if (isSame) {
            return {wanted.kind, static_cast<uint32_t>(at - events.begin())};
        }
    }
    return {};
}

EventRow findSlice(const Trace& trace, TrackId id, const SessionDocument::Selected& wanted) {
    const SliceColumns& slices = trace.slices();
    const std::string name = wanted.name.toStdString();
    const Track& track = trace.track(id);
    for (const Lane& lane : trace.lanes().subspan(track.firstLane, track.laneCount)) {
        const TimeNs* const first = slices.begin.data() + lane.firstRow;
        for (const TimeNs* at = std::lower_bound(first, first + lane.count, wanted.begin);
             at != first + lane.count && *at == wanted.begin; ++at) {
            const EventRow row(static_cast<size_t>(at - slices.begin.data()));
            if (trace.sliceName(row) == name) {
                return row;
            }
        }
    }
    return EventRow::none();
}

Selection findSample(const Trace& trace, ProcessId process, const SessionDocument::Selected& wanted) {
    for (uint32_t i = 0; i < trace.counters().size(); ++i) {
        const Counter& counter = trace.counters()[i];
        if (counter.process != process || fromUtf8(trace.string(counter.name)) != wanted.name ||
            idText(trace, counter.id) != wanted.id) {
            continue;
        }
        for (uint32_t k = 0; k < counter.series.size(); ++k) {
            const std::vector<TimeNs>& times = counter.series[k].time;
            const auto at = std::ranges::lower_bound(times, wanted.begin);
            if (fromUtf8(trace.string(counter.series[k].name)) == wanted.series && at != times.end() &&
                *at == wanted.begin) {
                return {Selection::Kind::CounterSample, i, k, static_cast<uint64_t>(at - times.begin())};
            }
        }
    }
    return {};
}

/// Nothing if it is not there.
Selection findEvent(const Trace& trace, const SessionDocument::Selected& wanted, Finder& finder) {
    if (wanted.kind == Selection::Kind::CounterSample) {
        const ProcessId process = finder.process(wanted.track);
        return process ? findSample(trace, process, wanted) : Selection();
    }
    const TrackId track = finder.track(wanted.track);
    if (!track) {
        return {};
    }
    switch (wanted.kind) {
        case Selection::Kind::Slice:
            return Selection::slice(findSlice(trace, track, wanted));
        case Selection::Kind::AsyncSlice:
            return findAmong(trace, trace.asyncSlices(), &AsyncSlice::begin, track, wanted);
        case Selection::Kind::AsyncInstant:
            return findAmong(trace, trace.asyncInstants(), &AsyncInstant::time, track, wanted);
        case Selection::Kind::Instant: {
            const uint32_t first = trace.track(track).firstInstant;
            Selection found = findAmong(trace, trace.instants().subspan(first, trace.track(track).instantCount),
                                        &Instant::time, track, wanted);
            found.index += found == Selection() ? 0 : first;
            return found;
        }
        case Selection::Kind::None:
        case Selection::Kind::CounterSample:
            break;
    }
    return {};
}

}  // namespace

SessionDocument documentOf(const Session& session, const QStringList& paths, const settings::Placement& placement) {
    const Trace& trace = *session.trace();
    SessionDocument document;
    for (const QString& path : paths) {
        SessionDocument::File file;
        file.path = path == "-" ? path : QFileInfo(path).absoluteFilePath();
        const qsizetype number = static_cast<qsizetype>(document.files.size());
        file.bytes = number < static_cast<qsizetype>(trace.files().size())
                         ? static_cast<qint64>(trace.files()[static_cast<size_t>(number)].bytes)
                         : -1;
        if (const auto placed = placement.constFind(path); placed != placement.cend()) {
            file.offset = *placed;
        }
        document.files.push_back(std::move(file));
    }
    document.view = session.visibleRange();
    if (session.scrollPlace()) {
        document.scrollPlace = {keyOf(trace, session.scrollPlace()->section), session.scrollPlace()->pixels};
    }
    if (session.filter().area) {
        document.filter = saved(trace, *session.filter().area);
    }
    document.leastDuration = session.filter().leastDuration;
    if (session.area()) {
        document.area = saved(trace, *session.area());
    }
    if (session.selection() != Selection()) {
        document.selected = saved(trace, session.selection());
    }
    for (const Bookmark& bookmark : session.notes().bookmarks) {
        document.bookmarks.push_back(
            {bookmark.name, bookmark.view, bookmark.top ? std::optional(keyOf(trace, bookmark.top)) : std::nullopt});
    }
    for (const Mark& mark : session.notes().marks) {
        SavedArea area = saved(trace, mark.area);
        area.tracks.insert(area.tracks.end(), mark.lostTracks.begin(), mark.lostTracks.end());
        area.rows.insert(area.rows.end(), mark.lostRows.begin(), mark.lostRows.end());
        document.marks.push_back({std::move(area), mark.note, mark.isKept});
    }
    const TrackArrangement& arrangement = session.arrangement();
    document.pinned = saved(trace, arrangement.pinned);
    document.hidden = saved(trace, arrangement.hidden);
    document.order = saved(trace, arrangement.order);
    for (const auto& [ref, pixels] : arrangement.heights) {
        document.heights.emplace_back(keyOf(trace, ref), pixels);
    }
    if (const std::optional<TrackFolding>& folding = session.folding()) {
        document.folding = {saved(trace, folding->collapsed), saved(trace, folding->compact)};
    }
    document.panels = session.panelStates();
    return document;
}

QStringList restoreSession(const SessionDocument& document, Session& session) {
    const Trace& trace = *session.trace();
    Finder finder(trace);
    QStringList lost;
    Notes notes;
    for (const SessionDocument::Bookmark& bookmark : document.bookmarks) {
        notes.bookmarks.push_back(
            {bookmark.name, bookmark.view, bookmark.top ? finder.track(*bookmark.top) : TrackId::none()});
    }
    for (const SessionDocument::Mark& mark : document.marks) {
        notes.marks.push_back(finder.mark(mark));
    }
    if (const QString said = lostMarksText(notes); !said.isEmpty()) {
        lost << said;
    }
    session.applyNotes(std::move(notes), tr("open the session"));
    TrackArrangement arrangement{
        finder.sections(document.pinned), finder.sections(document.hidden), finder.sections(document.order), {}};
    for (const auto& [section, pixels] : document.heights) {
        if (std::optional<SectionRef> ref = finder.section(section)) {
            arrangement.heights.emplace_back(std::move(*ref), pixels);
        }
    }
    session.applyArrangement(std::move(arrangement), tr("open the session"));
    if (document.folding) {
        session.setFolding(
            TrackFolding{finder.sections(document.folding->collapsed), finder.sections(document.folding->compact)});
    }
    if (document.selected) {
        const Selection found = findEvent(trace, *document.selected, finder);
        session.select(found);
        if (found == Selection()) {
            lost << (document.selected->kind == Selection::Kind::Slice
                         ? tr("The selected slice is not in the trace any more.")
                         : tr("The selected event is not in the trace any more."));
        }
    }
    if (document.area) {
        session.setArea(finder.area(*document.area));
    }
    const auto filtered = document.filter ? finder.area(*document.filter) : std::nullopt;
    if (document.filter && !filtered) {
        lost << tr("None of the filter's tracks is in the trace any more, so nothing is filtered.");
    }
    session.applyFilter({filtered, std::max(document.leastDuration, DurationNs{0})});
    std::optional<ScrollPlace> place;
    if (document.scrollPlace) {
        // A place that is gone is nothing that was written.
        Finder tops(trace);
        if (std::optional<SectionRef> top = tops.section(document.scrollPlace->section)) {
            place = ScrollPlace{std::move(*top), document.scrollPlace->pixels};
        }
    }
    if (finder.missing() > 0) {
        lost << tr("%1 tracks that the session names are not in the trace any more.").arg(finder.missing());
    }
    session.restorePanelStates(document.panels);
    session.setScrollPlace(std::move(place));  // among the tracks that pass the filter
    session.undoStack().clear();
    if (!document.view.empty()) {
        session.setVisibleRange(document.view);
    }
    return lost;
}

}  // namespace warpline
