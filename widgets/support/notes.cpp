// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/support/notes.h"

#include <QCoreApplication>

#include <algorithm>
#include <utility>

namespace warpline {

Notes withMark(Notes notes, AreaSelection area, const QString& note, bool isKept) {
    std::vector<Mark>& marks = notes.marks;
    const auto same =
        std::ranges::find_if(marks, [&](const Mark& mark) { return mark.area == area && !mark.isWithoutTracks(); });
    if (same != marks.end()) {
        same->isKept = same->isKept || isKept;
        return notes;
    }
    if (!isKept) {
        std::erase_if(marks, [](const Mark& mark) { return !mark.isKept; });
    }
    marks.push_back({std::move(area), note, isKept});
    return notes;
}

QString lostMarksText(const Notes& notes) {
    const auto count = std::ranges::count_if(notes.marks, &Mark::isWithoutTracks);
    const auto tr = [](const char* text) { return QCoreApplication::translate("Notes", text); };
    return count == 0 ? QString()
           : count == 1
               ? tr("The track of a mark is not in the trace any more: the mark stands on the ruler alone.")
               : tr("The tracks of %1 marks are not in the trace any more: they stand on the ruler alone.").arg(count);
}

QString freeBookmarkName(const Notes& notes) {
    for (int number = 1;; ++number) {
        const QString name = QCoreApplication::translate("Notes", "Bookmark %1").arg(number);
        if (std::ranges::find(notes.bookmarks, name, &Bookmark::name) == notes.bookmarks.end()) {
            return name;
        }
    }
}

}  // namespace warpline
