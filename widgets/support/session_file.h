// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What is kept of a profiling session between runs, and shared with others: which files were open, and what the user
// set and wrote on them. A small JSON file. Tracks stand in it by their ids in the trace's file, so that it holds for
// another load, and for another machine. GUI thread.

#include <QByteArray>
#include <QDir>
#include <QString>
#include <QStringList>

#include <optional>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "widgets/support/load_settings.h"
#include "widgets/support/session.h"
#include "widgets/support/track_key.h"

namespace warpline {

/// Ends the name of a session file.
inline constexpr auto kSessionSuffix = ".warpline-session";

struct SavedArea {
    TimeRange range;
    std::vector<TrackKey> tracks;
    std::vector<SavedSection> rows = {};  ///< of neither any: all
    bool operator==(const SavedArea&) const = default;
};

/// Times are those of the trace, whose axis is that of the first file.
struct SessionDocument {
    struct File {
        QString path;                      ///< absolute here; in the file, relative to it where that is shorter
        qint64 bytes = -1;                 ///< when it was saved; -1: not known
        std::optional<DurationNs> offset;  ///< as it was placed by hand
        bool operator==(const File&) const = default;
    };
    struct Selected {
        Selection::Kind kind = Selection::Kind::Slice;
        TrackKey track;  ///< of a counter its process, without a tid
        TimeNs begin = 0;
        QString name;
        QString id = {};      ///< of async work or a counter; empty: none
        QString series = {};  ///< of a counter
        bool operator==(const Selected&) const = default;
    };
    struct Bookmark {
        QString name;
        TimeRange view;
        std::optional<TrackKey> top;
        bool operator==(const Bookmark&) const = default;
    };
    struct Mark {
        SavedArea area;
        QString note;
        bool isKept = false;
        bool operator==(const Mark&) const = default;
    };

    using Section = SavedSection;
    struct ScrollPlace {
        Section section;
        int pixels = 0;
        bool operator==(const ScrollPlace&) const = default;
    };
    struct Folding {
        std::vector<Section> collapsed, compact;
        bool operator==(const Folding&) const = default;
    };

    std::vector<File> files;
    TimeRange view;
    std::optional<ScrollPlace> scrollPlace;
    std::optional<SavedArea> filter, area;
    DurationNs leastDuration = 0;  ///< of the filter
    std::optional<Selected> selected;
    std::vector<Bookmark> bookmarks;
    std::vector<Mark> marks;
    std::vector<Section> pinned, hidden, order;  ///< as TrackArrangement's
    std::vector<std::pair<Section, int>> heights;
    std::optional<Folding> folding;
    PanelStates panels;  ///< JSON values
    bool operator==(const SessionDocument&) const = default;

    QStringList paths() const;
    settings::Placement placement() const;
};

/// `folder`: where the file is, or will be. Reading fails in words; members that are not known are passed over.
QByteArray writeSession(const SessionDocument& document, const QDir& folder);
Result<SessionDocument> readSession(const QByteArray& bytes, const QDir& folder);
/// Fails also for what cannot be opened, or is no regular file.
Result<SessionDocument> readSessionFile(const QString& path);

/// What is set now; `paths` are the files of the session's trace. REQUIRES: a trace.
SessionDocument documentOf(const Session& session, const QStringList& paths, const settings::Placement& placement);
/// Sets it again, on a trace of the same files; steps before it are no longer undone. Returns what could not be found
/// again, as a sentence each.
QStringList restoreSession(const SessionDocument& document, Session& session);

}  // namespace warpline
