// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/support/session_file.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "widgets/support/cell_text.h"
#include "widgets/support/session_words.h"

namespace warpline {

namespace {

using Json = nlohmann::json;

constexpr qsizetype kMostBytes = qsizetype{16} << 20;
constexpr int kMostDepth = 32;
constexpr size_t kMostItems = 100'000;
constexpr int kMostRowPixels = 10'000;

QString tr(const char* text) {
    return QCoreApplication::translate("SessionFile", text);
}

/// What is wrong with the file; caught in readSession().
struct Wrong {
    std::string what;
};

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

SessionDocument::Section sectionOf(const Json& json, size_t files) {
    const QString name = textOf(json, "kind");
    const auto* const kind = std::ranges::find_if(kSectionWords, [&](const auto& one) { return name == one.second; });
    if (kind == std::end(kSectionWords)) {
        throw Wrong{"\"kind\" is none that a track has"};
    }
    const bool isTitled = kind->first != SectionRef::Kind::Track && kind->first != SectionRef::Kind::Process;
    const bool isOfNone = kind->first == SectionRef::Kind::Derived && find(json, "file") == nullptr;
    return {kind->first, isOfNone ? TrackKey{-1, {}, {}} : keyOf(json, files),
            isTitled ? textOf(json, "title") : QString()};
}

std::vector<SessionDocument::Section> sectionsOf(const Json& json, const char* key, size_t files) {
    std::vector<SessionDocument::Section> sections;
    for (const Json& entry : listOf(json, key)) {
        sections.push_back(sectionOf(entry, files));
    }
    return sections;
}

SavedArea areaOf(const Json& json, size_t files) {
    SavedArea area{rangeOf(json), {}};
    for (const Json& key : listOf(json, "tracks")) {
        area.tracks.push_back(keyOf(key, files));
    }
    area.rows = sectionsOf(json, "rows", files);
    for (const SavedSection& row : area.rows) {
        if (row.kind != SectionRef::Kind::Async && row.kind != SectionRef::Kind::Counter) {
            throw Wrong{"a row of an area is neither of async work nor of a counter"};
        }
    }
    return area;
}

std::optional<SavedArea> areaIn(const Json& json, const char* key, size_t files) {
    const Json* found = find(json, key);
    return found != nullptr ? std::optional(areaOf(*found, files)) : std::nullopt;
}

int pixelsOf(const Json& json) {
    constexpr int64_t kMostPixels = 10'000'000;
    return static_cast<int>(std::clamp<int64_t>(wholeNumber(json, "pixels"), 0, kMostPixels));
}

SessionDocument::Selected selectedOf(const Json& json, size_t files) {
    SessionDocument::Selected event{Selection::Kind::Slice, keyOf(need(json, "track"), files),
                                    wholeNumber(json, "begin_ns"), textOf(json, "name")};
    if (find(json, "kind") != nullptr) {
        const QString name = textOf(json, "kind");
        const auto* const kind = std::ranges::find_if(kEventWords, [&](const auto& one) { return name == one.second; });
        if (kind == std::end(kEventWords)) {
            throw Wrong{"\"kind\" is none that an event has"};
        }
        event.kind = kind->first;
    }
    event.id = find(json, "id") != nullptr ? textOf(json, "id") : QString();
    event.series = find(json, "series") != nullptr ? textOf(json, "series") : QString();
    return event;
}

void readTracks(const Json& json, SessionDocument& document) {
    if (!json.is_object()) {
        throw Wrong{"\"tracks\" is no object"};
    }
    const size_t files = document.files.size();
    document.pinned = sectionsOf(json, "pinned", files);
    document.hidden = sectionsOf(json, "hidden", files);
    document.order = sectionsOf(json, "order", files);
    for (const Json& entry : listOf(json, "heights")) {
        document.heights.emplace_back(sectionOf(entry, files), std::clamp(pixelsOf(entry), 1, kMostRowPixels));
    }
    if (find(json, "collapsed") != nullptr || find(json, "compact") != nullptr) {
        document.folding =
            SessionDocument::Folding{sectionsOf(json, "collapsed", files), sectionsOf(json, "compact", files)};
    }
}

void readPanels(const Json& json, SessionDocument& document) {
    if (!json.is_object()) {
        throw Wrong{"\"panels\" is no object"};
    }
    for (const auto& [panel, state] : json.items()) {
        document.panels.insert(fromUtf8(panel),
                               QByteArray::fromStdString(state.dump(-1, ' ', false, Json::error_handler_t::replace)));
    }
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
    const Json& view = need(json, "view");
    document.view = rangeOf(view);
    if (const Json* top = find(view, "top")) {
        document.scrollPlace = SessionDocument::ScrollPlace{sectionOf(*top, files), pixelsOf(*top)};
    }
    document.filter = areaIn(json, "filter", files);
    document.leastDuration = find(json, "least_duration_ns") != nullptr ? wholeNumber(json, "least_duration_ns") : 0;
    document.area = areaIn(json, "area", files);
    if (const Json* selected = find(json, "selected")) {
        document.selected = selectedOf(*selected, files);
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
    if (const Json* tracks = find(json, "tracks")) {
        readTracks(*tracks, document);
    }
    if (const Json* panels = find(json, "panels")) {
        readPanels(*panels, document);
    }
    return document;
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
    if (json.is_discarded() || isTooDeep || !json.is_object() || !json.contains(kSessionMark)) {
        return Error::failed(tr("it is no session file of Warpline").toStdString());
    }
    try {
        if (const int64_t version = wholeNumber(json, kSessionMark); version != kSessionVersion) {
            return Error::failed(tr("it is of version %1; this program reads version %2")
                                     .arg(version)
                                     .arg(kSessionVersion)
                                     .toStdString());
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

}  // namespace warpline
