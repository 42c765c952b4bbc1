// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the user has written on a trace: bookmarks of views, and marks on stretches of time. Values that a Session
// holds.

#include <QString>

#include <vector>

#include "widgets/support/selection.h"
#include "widgets/support/track_key.h"

namespace warpline {

/// A view to come back to.
struct Bookmark {
    QString name;
    TimeRange view;
    TrackId top;  ///< the first track that was shown; none: from the top
    bool operator==(const Bookmark&) const = default;
};

/// A stretch of time that stays visible, with a word on it.
struct Mark {
    AreaSelection area;
    QString note;
    bool isKept = false;  ///< otherwise the next one takes its place
    /// Tracks that it is about beside those of `area`, and that the trace has not. They are kept, and looked for again
    /// in every load.
    std::vector<TrackKey> lostTracks = {};
    std::vector<SavedSection> lostRows = {};

    /// All its tracks are gone: it is about none of those that are there.
    bool isWithoutTracks() const { return area.isOfAll() && !(lostTracks.empty() && lostRows.empty()); }
    bool operator==(const Mark&) const = default;
};

struct Notes {
    std::vector<Bookmark> bookmarks;
    std::vector<Mark> marks;
    bool operator==(const Notes&) const = default;
};

/// `area` marked, in place of the mark that is not kept. An area that is marked already stays as it is.
Notes withMark(Notes notes, AreaSelection area, const QString& note, bool isKept);
/// How many marks are without their tracks, as a sentence; "" if none is.
QString lostMarksText(const Notes& notes);
/// "Bookmark 3": the first such name that none has.
QString freeBookmarkName(const Notes& notes);

}  // namespace warpline
