// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/support/session_file.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>
#include <utility>

#include "widgets/support/cell_text.h"

namespace warpline {

namespace {

/// What is written keeps its order; what is read is looked up by key, which that is slow at.
using Written = nlohmann::ordered_json;
using Json = nlohmann::json;

constexpr int kVersion = 1;
constexpr qsizetype kMostBytes = qsizetype{16} << 20;
constexpr int kMostDepth = 32;
constexpr size_t kMostItems = 100'000;
constexpr auto kMark = "warpline_session";

QString tr(const char* text) {
    return QCoreApplication::translate("SessionFile", text);
}

/// What is wrong with the file; caught in readSession().
struct Wrong {
    std::string what;
};

// --- writing

Written textOrNull(const std::optional<QString>& text) {
    return text ? Written(text->toStdString()) : Written(nullptr);
}

Written jsonOf(const TrackKey& key) {
    return {{"file", key.file}, {"pid", textOrNull(key.pid)}, {"tid", textOrNull(key.tid)}};
}

Written jsonOf(const TimeRange& range) {
    return {{"begin_ns", range.begin}, {"end_ns", range.end}};
}

Written jsonOf(const SavedArea& area) {
    Written json = jsonOf(area.range);
    if (!area.tracks.empty()) {
        Written& tracks = json["tracks"] = Written::array();
        for (const TrackKey& key : area.tracks) {
            tracks.push_back(jsonOf(key));
        }
    }
    return json;
}

// --- reading

const Json* find(const Json& json, const char* key) {
    const auto found = json.find(key);
    return found == json.end() || found->is_null() ? nullptr : &*found;
}

const Json& need(const Json& json, const char* key) {
    if (!json.is_object()) {
        throw Wrong{std::string("an object with \"") + key + "\" is expected"};
    }
    const Json* found = find(json, key);
    if (found == nullptr) {
        throw Wrong{std::string("\"") + key + "\" is missing"};
    }
    return *found;
}

int64_t wholeNumber(const Json& json, const char* key) {
    const Json& value = need(json, key);
    // What is beyond 63 bits is kept as an unsigned number.
    if (!value.is_number_integer() || (value.is_number_unsigned() && value.get<uint64_t>() > INT64_MAX)) {
        throw Wrong{std::string("\"") + key + "\" is no whole number"};
    }
    return value.get<int64_t>();
}

QString textOf(const Json& json, const char* key) {
    const Json& value = need(json, key);
    if (!value.is_string()) {
        throw Wrong{std::string("\"") + key + "\" is no text"};
    }
    return fromUtf8(value.get_ref<const std::string&>());
}

bool flagOf(const Json& json, const char* key) {
    const Json* value = find(json, key);
    if (value != nullptr && !value->is_boolean()) {
        throw Wrong{std::string("\"") + key + "\" is neither true nor false"};
    }
    return value != nullptr && value->get<bool>();
}

const Json& listOf(const Json& json, const char* key) {
    static const Json none = Json::array();
    const Json* value = find(json, key);
    if (value == nullptr) {
        return none;
    }
    if (!value->is_array() || value->size() > kMostItems) {
        throw Wrong{std::string("\"") + key + "\" is no list, or too long"};
    }
    return *value;
}

TimeRange rangeOf(const Json& json) {
    const TimeRange range{wholeNumber(json, "begin_ns"), wholeNumber(json, "end_ns")};
    if (range.begin > range.end || range.begin < kEarliestTime || range.end > kLatestTime) {
        throw Wrong{"a range of time ends before it begins, or is beyond what a trace holds"};
    }
    return range;
}

TrackKey keyOf(const Json& json, size_t files) {
    const int64_t file = wholeNumber(json, "file");
    if (file < 0 || static_cast<uint64_t>(file) >= files) {
        throw Wrong{"a track is of a file that is not listed"};
    }
    TrackKey key{static_cast<int>(file), {}, {}};
    if (find(json, "pid") != nullptr) {
        key.pid = textOf(json, "pid");
    }
    if (find(json, "tid") != nullptr) {
        key.tid = textOf(json, "tid");
    }
    return key;
}

SavedArea areaOf(const Json& json, size_t files) {
    SavedArea area{rangeOf(json), {}};
    for (const Json& key : listOf(json, "tracks")) {
        area.tracks.push_back(keyOf(key, files));
    }
    return area;
}

std::optional<SavedArea> areaIn(const Json& json, const char* key, size_t files) {
    const Json* found = find(json, key);
    return found != nullptr ? std::optional(areaOf(*found, files)) : std::nullopt;
}

SessionDocument documentOf(const Json& json, const QDir& folder) {
    SessionDocument document;
    for (const Json& entry : listOf(json, "files")) {
        SessionDocument::File file;
        const QString path = textOf(entry, "path");
        if (path.isEmpty()) {
            throw Wrong{"a file without a name is listed"};
        }
        file.path = QDir::cleanPath(folder.absoluteFilePath(path));
        file.bytes = find(entry, "bytes") != nullptr ? wholeNumber(entry, "bytes") : -1;
        if (find(entry, "offset_ns") != nullptr) {
            file.offset = wholeNumber(entry, "offset_ns");
        }
        document.files.push_back(std::move(file));
    }
    if (document.files.empty()) {
        throw Wrong{"it lists no file"};
    }
    const size_t files = document.files.size();
    document.view = rangeOf(need(json, "view"));
    document.filter = areaIn(json, "filter", files);
    document.leastDuration = find(json, "least_duration_ns") != nullptr ? wholeNumber(json, "least_duration_ns") : 0;
    document.area = areaIn(json, "area", files);
    if (const Json* selected = find(json, "selected")) {
        document.selected = SessionDocument::Selected{keyOf(need(*selected, "track"), files),
                                                      wholeNumber(*selected, "begin_ns"), textOf(*selected, "name")};
    }
    for (const Json& entry : listOf(json, "bookmarks")) {
        SessionDocument::Bookmark bookmark{textOf(entry, "name"), rangeOf(entry), {}};
        if (const Json* top = find(entry, "top")) {
            bookmark.top = keyOf(*top, files);
        }
        document.bookmarks.push_back(std::move(bookmark));
    }
    for (const Json& entry : listOf(json, "marks")) {
        document.marks.push_back({areaOf(entry, files), textOf(entry, "note"), flagOf(entry, "kept")});
    }
    return document;
}

// --- tracks and their keys

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
    int missing() const { return m_missing; }

private:
    using Sortable = std::tuple<int, bool, QString, bool, QString>;
    static Sortable sortable(const TrackKey& key) {
        return {key.file, key.pid.has_value(), key.pid.value_or(QString()), key.tid.has_value(),
                key.tid.value_or(QString())};
    }
    const Trace& m_trace;
    std::map<Sortable, TrackId> m_tracks;  ///< made when the first is asked for
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

QStringList SessionDocument::paths() const {
    QStringList paths;
    for (const File& file : files) {
        paths << file.path;
    }
    return paths;
}

settings::Placement SessionDocument::placement() const {
    settings::Placement placement;
    for (const File& file : files) {
        if (file.offset) {
            placement.insert(file.path, *file.offset);
        }
    }
    return placement;
}

QByteArray writeSession(const SessionDocument& document, const QDir& folder) {
    Written json;
    json[kMark] = kVersion;
    Written& files = json["files"] = Written::array();
    for (const SessionDocument::File& file : document.files) {
        const QString relative = folder.relativeFilePath(file.path);
        Written entry;
        entry["path"] = (relative.size() < file.path.size() ? relative : file.path).toStdString();
        if (file.bytes >= 0) {
            entry["bytes"] = file.bytes;
        }
        if (file.offset) {
            entry["offset_ns"] = *file.offset;
        }
        files.push_back(std::move(entry));
    }
    json["view"] = jsonOf(document.view);
    if (document.filter) {
        json["filter"] = jsonOf(*document.filter);
    }
    if (document.leastDuration > 0) {
        json["least_duration_ns"] = document.leastDuration;
    }
    if (document.area) {
        json["area"] = jsonOf(*document.area);
    }
    if (document.selected) {
        json["selected"] = {{"track", jsonOf(document.selected->track)},
                            {"begin_ns", document.selected->begin},
                            {"name", document.selected->name.toStdString()}};
    }
    Written& bookmarks = json["bookmarks"] = Written::array();
    for (const SessionDocument::Bookmark& bookmark : document.bookmarks) {
        Written entry = jsonOf(bookmark.view);
        entry["name"] = bookmark.name.toStdString();
        if (bookmark.top) {
            entry["top"] = jsonOf(*bookmark.top);
        }
        bookmarks.push_back(std::move(entry));
    }
    Written& marks = json["marks"] = Written::array();
    for (const SessionDocument::Mark& mark : document.marks) {
        Written entry = jsonOf(mark.area);
        entry["note"] = mark.note.toStdString();
        entry["kept"] = mark.isKept;
        marks.push_back(std::move(entry));
    }
    // What a file's names hold that is no UTF-8 cannot be in JSON.
    return QByteArray::fromStdString(json.dump(2, ' ', false, Written::error_handler_t::replace)) + '\n';
}

Result<SessionDocument> readSession(const QByteArray& bytes, const QDir& folder) {
    if (bytes.size() > kMostBytes) {
        return Error::failed(tr("it is larger than any session file").toStdString());
    }
    bool isTooDeep = false;
    const Json json = Json::parse(
        bytes.begin(), bytes.end(),
        [&isTooDeep](int depth, Json::parse_event_t, Json&) {
            isTooDeep = isTooDeep || depth > kMostDepth;
            return depth <= kMostDepth;
        },
        false);
    if (json.is_discarded() || isTooDeep || !json.is_object() || !json.contains(kMark)) {
        return Error::failed(tr("it is no session file of Warpline").toStdString());
    }
    try {
        if (const int64_t version = wholeNumber(json, kMark); version != kVersion) {
            return Error::failed(
                tr("it is of version %1; this program reads version %2").arg(version).arg(kVersion).toStdString());
        }
        return documentOf(json, folder);
    } catch (const Wrong& wrong) {
        return Error::failed(wrong.what);
    }
}

Result<SessionDocument> readSessionFile(const QString& path) {
    const QFileInfo info(path);
    if (info.exists() && !info.isFile()) {
        return Error::failed(tr("it is no regular file").toStdString());
    }
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        return Error::failed(file.errorString().toStdString());
    }
    return readSession(file.read(kMostBytes + 1), info.absoluteDir());
}

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
    session.undoStack().clear();
    if (!document.view.empty()) {
        session.setVisibleRange(document.view);
    }
    return lost;
}

}  // namespace warpline
