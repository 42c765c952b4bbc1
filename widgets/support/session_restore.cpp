// SPDX-License-Identifier: GPL-3.0-or-later
// What of a session is kept, and how it is found again on another load of the files: tracks by their keys.

#include <QCoreApplication>
#include <QFileInfo>

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "widgets/support/cell_text.h"
#include "widgets/support/session_file.h"

namespace warpline {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("SessionFile", text);
}

std::optional<QString> textOf(const Trace& trace, const std::optional<StringId>& id) {
    return id ? std::optional(fromUtf8(trace.string(*id))) : std::nullopt;
}

TrackKey keyOf(const Trace& trace, TrackId id) {
    const Track& track = trace.track(id);
    const Process& process = trace.process(track.process);
    return {static_cast<int>(process.file.value), textOf(trace, process.pid), textOf(trace, track.tid)};
}

SavedArea saved(const Trace& trace, const AreaSelection& area) {
    SavedArea out{area.range, {}};
    for (const TrackId track : area.tracks) {
        out.tracks.push_back(keyOf(trace, track));
    }
    return out;
}

TrackKey keyOf(const Trace& trace, ProcessId id) {
    const Process& process = trace.process(id);
    return {static_cast<int>(process.file.value), textOf(trace, process.pid), std::nullopt};
}

using Saved = SessionDocument::Section;

Saved saved(const Trace& trace, const SectionRef& ref) {
    const bool isTrack = ref.kind == SectionRef::Kind::Track;
    const TrackKey none{-1, std::nullopt, std::nullopt};
    return {ref.kind,
            isTrack       ? keyOf(trace, ref.track)
            : ref.process ? keyOf(trace, ref.process)
                          : none,
            fromUtf8(ref.title)};
}

std::vector<Saved> saved(const Trace& trace, const std::vector<SectionRef>& refs) {
    std::vector<Saved> out;
    out.reserve(refs.size());
    for (const SectionRef& ref : refs) {
        out.push_back(saved(trace, ref));
    }
    return out;
}

/// Finds tracks of a trace by their keys; counts what is not there.
class TrackFinder {
public:
    explicit TrackFinder(const Trace& trace) : m_trace(trace) {}
    TrackId track(const TrackKey& key) {
        if (m_tracks.empty()) {
            for (uint32_t id = 0; id < m_trace.tracks().size(); ++id) {
                m_tracks.emplace(sortable(keyOf(m_trace, TrackId(id))), TrackId(id));
            }
        }
        const auto found = m_tracks.find(sortable(key));
        m_missing += found == m_tracks.end() ? 1 : 0;
        return found == m_tracks.end() ? TrackId::none() : found->second;
    }
    /// nullopt if none of its tracks is there; without tracks it would be about all of them.
    std::optional<AreaSelection> area(const SavedArea& area) {
        AreaSelection out{area.range, {}};
        for (const TrackKey& key : area.tracks) {
            if (const TrackId id = track(key)) {
                out.tracks.push_back(id);
            }
        }
        return out.tracks.empty() && !area.tracks.empty() ? std::nullopt : std::optional(std::move(out));
    }
    /// nullopt if it is not there. Of async work only names are known here.
    std::optional<SectionRef> section(const Saved& section) {
        if (section.kind == SectionRef::Kind::Track) {
            const TrackId id = track(section.key);
            return id ? std::optional(SectionRef::ofTrack(m_trace.track(id).process, id)) : std::nullopt;
        }
        const ProcessId process = section.key.file < 0 ? ProcessId::none() : processOf(section.key);
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
    using Sortable = std::tuple<int, bool, QString, bool, QString>;
    static Sortable sortable(const TrackKey& key) {
        return {key.file, key.pid.has_value(), key.pid.value_or(QString()), key.tid.has_value(),
                key.tid.value_or(QString())};
    }
    ProcessId processOf(const TrackKey& key) {
        if (m_processes.empty()) {
            for (uint32_t id = 0; id < m_trace.processes().size(); ++id) {
                m_processes.emplace(sortable(keyOf(m_trace, ProcessId(id))), ProcessId(id));
            }
        }
        const auto found = m_processes.find(sortable({key.file, key.pid, std::nullopt}));
        return found == m_processes.end() ? ProcessId::none() : found->second;
    }
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
    std::map<Sortable, TrackId> m_tracks;  ///< made when the first is asked for
    std::map<Sortable, ProcessId> m_processes;
    int m_missing = 0;
};

EventRow findSlice(const Trace& trace, const SessionDocument::Selected& wanted, TrackFinder& finder) {
    const TrackId id = finder.track(wanted.track);
    if (!id) {
        return EventRow::none();
    }
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
    if (session.filter().area) {
        document.filter = saved(trace, *session.filter().area);
    }
    document.leastDuration = session.filter().leastDuration;
    if (session.area()) {
        document.area = saved(trace, *session.area());
    }
    if (const EventRow row = session.selectedEvent(); row.valid()) {
        const SliceColumns& slices = trace.slices();
        document.selected = SessionDocument::Selected{keyOf(trace, slices.track[row.value]), slices.begin[row.value],
                                                      fromUtf8(trace.sliceName(row))};
    }
    for (const Bookmark& bookmark : session.notes().bookmarks) {
        document.bookmarks.push_back(
            {bookmark.name, bookmark.view, bookmark.top ? std::optional(keyOf(trace, bookmark.top)) : std::nullopt});
    }
    for (const Mark& mark : session.notes().marks) {
        document.marks.push_back({saved(trace, mark.area), mark.note, mark.isKept});
    }
    const TrackArrangement& arrangement = session.arrangement();
    document.pinned = saved(trace, arrangement.pinned);
    document.hidden = saved(trace, arrangement.hidden);
    document.order = saved(trace, arrangement.order);
    for (const auto& [ref, pixels] : arrangement.heights) {
        document.heights.emplace_back(saved(trace, ref), pixels);
    }
    if (const std::optional<TrackFolding>& folding = session.folding()) {
        document.folding = {saved(trace, folding->collapsed), saved(trace, folding->compact)};
    }
    document.panels = session.panelStates();
    return document;
}

QStringList restoreSession(const SessionDocument& document, Session& session) {
    const Trace& trace = *session.trace();
    TrackFinder finder(trace);
    QStringList lost;
    Notes notes;
    for (const SessionDocument::Bookmark& bookmark : document.bookmarks) {
        notes.bookmarks.push_back(
            {bookmark.name, bookmark.view, bookmark.top ? finder.track(*bookmark.top) : TrackId::none()});
    }
    for (const SessionDocument::Mark& mark : document.marks) {
        notes.marks.push_back(
            {finder.area(mark.area).value_or(AreaSelection{mark.area.range, {}}), mark.note, mark.isKept});
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
        const EventRow row = findSlice(trace, *document.selected, finder);
        session.selectEvent(row);
        if (!row.valid()) {
            lost << tr("The selected slice is not in the trace any more.");
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
    if (finder.missing() > 0) {
        lost << tr("%1 tracks that the session names are not in the trace any more.").arg(finder.missing());
    }
    session.restorePanelStates(document.panels);
    session.undoStack().clear();
    if (!document.view.empty()) {
        session.setVisibleRange(document.view);
    }
    return lost;
}

}  // namespace warpline
