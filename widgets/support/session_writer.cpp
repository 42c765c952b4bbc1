// SPDX-License-Identifier: GPL-3.0-or-later
// Writes what session_file.cpp reads.

#include <nlohmann/json.hpp>
#include <utility>

#include "widgets/support/session_file.h"
#include "widgets/support/session_words.h"

namespace warpline {

namespace {

/// Keeps its order, which nlohmann::json does not.
using Written = nlohmann::ordered_json;

Written textOrNull(const std::optional<QString>& text) {
    return text ? Written(text->toStdString()) : Written(nullptr);
}

Written jsonOf(const TrackKey& key) {
    return {{"file", key.file}, {"pid", textOrNull(key.pid)}, {"tid", textOrNull(key.tid)}};
}

Written jsonOf(const TimeRange& range) {
    return {{"begin_ns", range.begin}, {"end_ns", range.end}};
}

Written jsonOf(const SessionDocument::Section& section) {
    Written json;
    for (const auto& [kind, name] : kSectionWords) {
        if (kind == section.kind) {
            json["kind"] = name;
        }
    }
    if (section.key.file >= 0) {
        json["file"] = section.key.file;
        json["pid"] = textOrNull(section.key.pid);
    }
    if (section.kind == SectionRef::Kind::Track) {
        json["tid"] = textOrNull(section.key.tid);
    } else if (section.kind != SectionRef::Kind::Process) {
        json["title"] = section.title.toStdString();
    }
    return json;
}

Written jsonOf(const std::vector<SessionDocument::Section>& sections) {
    Written json = Written::array();
    for (const SessionDocument::Section& section : sections) {
        json.push_back(jsonOf(section));
    }
    return json;
}

Written jsonOf(const SavedArea& area) {
    Written json = jsonOf(area.range);
    if (!area.tracks.empty()) {
        Written& tracks = json["tracks"] = Written::array();
        for (const TrackKey& key : area.tracks) {
            tracks.push_back(jsonOf(key));
        }
    }
    if (!area.rows.empty()) {
        json["rows"] = jsonOf(area.rows);
    }
    return json;
}

Written jsonOf(const SessionDocument::Selected& event) {
    Written json;
    for (const auto& [kind, name] : kEventWords) {
        if (kind == event.kind && kind != Selection::Kind::Slice) {
            json["kind"] = name;
        }
    }
    json["track"] = jsonOf(event.track);
    json["begin_ns"] = event.begin;
    json["name"] = event.name.toStdString();
    for (const auto& [key, text] : {std::pair("id", &event.id), std::pair("series", &event.series)}) {
        if (!text->isEmpty()) {
            json[key] = text->toStdString();
        }
    }
    return json;
}

/// How tracks are arranged; null if the user has not arranged any.
Written tracksOf(const SessionDocument& document) {
    Written json;
    const auto add = [&](const char* key, const std::vector<SessionDocument::Section>& sections) {
        if (!sections.empty()) {
            json[key] = jsonOf(sections);
        }
    };
    add("pinned", document.pinned);
    add("hidden", document.hidden);
    add("order", document.order);
    for (const auto& [section, pixels] : document.heights) {
        Written entry = jsonOf(section);
        entry["pixels"] = pixels;
        json["heights"].push_back(std::move(entry));
    }
    if (document.folding) {
        json["collapsed"] = jsonOf(document.folding->collapsed);
        json["compact"] = jsonOf(document.folding->compact);
    }
    return json;
}

Written panelsOf(const PanelStates& states) {
    Written json;
    for (auto state = states.cbegin(); state != states.cend(); ++state) {
        Written value = Written::parse(state->begin(), state->end(), nullptr, false);
        if (!value.is_discarded()) {
            json[state.key().toStdString()] = std::move(value);
        }
    }
    return json;
}

}  // namespace

QByteArray writeSession(const SessionDocument& document, const QDir& folder) {
    Written json;
    json[kSessionMark] = kSessionVersion;
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
    if (document.scrollPlace) {
        Written& top = json["view"]["top"] = jsonOf(document.scrollPlace->section);
        top["pixels"] = document.scrollPlace->pixels;
    }
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
        json["selected"] = jsonOf(*document.selected);
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
    if (Written tracks = tracksOf(document); !tracks.is_null()) {
        json["tracks"] = std::move(tracks);
    }
    if (Written panels = panelsOf(document.panels); !panels.is_null()) {
        json["panels"] = std::move(panels);
    }
    // What a file's names hold that is no UTF-8 cannot be in JSON.
    return QByteArray::fromStdString(json.dump(2, ' ', false, Written::error_handler_t::replace)) + '\n';
}

}  // namespace warpline
