// SPDX-License-Identifier: GPL-3.0-or-later
// Marks on stretches of time: made of what is selected, written on, kept, listed and removed.

#include <QAction>
#include <QInputDialog>
#include <QMenu>

#include <algorithm>
#include <utility>

#include "core/base/demangle.h"
#include "widgets/panels/timeline/timeline_widget.h"
#include "widgets/support/cell_text.h"
#include "widgets/support/choice_popup.h"
#include "widgets/support/global_filter.h"

namespace warpline::timeline {

void TimelineWidget::makeMarkActions(const AddAction& add) {
    add("timeline.mark", tr("&Mark the selection"), [this] { markSelection(false); });
    add("timeline.keep_mark", tr("Mark it and &keep the mark"), [this] { markSelection(true); });
    const auto onOne = [&](const char* id, const QString& name, void (TimelineWidget::*what)(const Mark&)) {
        add(id, name, [this, what] { withMeantMark([this, what](const Mark& mark) { (this->*what)(mark); }); })
            ->setToolTip(tr("Of the mark on what is selected, under the pointer, gone to last, or alone in view; else "
                            "of one that is chosen from a list"));
    };
    onOne("timeline.mark_note", tr("Write a &note on the mark…"), &TimelineWidget::writeNote);
    onOne("timeline.mark_kept", tr("Keep the mark, or no longer"), &TimelineWidget::toggleKept);
    onOne("timeline.mark_remove", tr("Remove the mark"), &TimelineWidget::removeMark);
    add("timeline.marks", tr("&List the marks…"), [this] {
        listMarks(tr("Go to which mark?"), [this](const Mark& mark) { goToMark(mark); });
    })->setToolTip(tr("To go to one of them"));
    add("timeline.remove_marks", tr("Remove all marks"), [this] { removeMarks(); });
}

void TimelineWidget::markSelection(bool kept) {
    std::optional<AreaSelection> area = m_session.area();
    QString note;
    if (const auto range = selectedRange(); range && !(area && m_session.areaChosenLast())) {
        area = AreaSelection{*range, {}};
        if (const EventRow row = m_session.selectedEvent(); row.valid()) {
            note = fromUtf8(shortName(m_trace->sliceName(row)));
        }
    }
    if (area) {
        m_session.applyNotes(withMark(m_session.notes(), *area, note, kept), tr("mark"));
    }
}

void TimelineWidget::removeMarks() {
    Notes notes = m_session.notes();
    notes.marks.clear();
    m_session.applyNotes(std::move(notes), tr("remove marks"));
}

void TimelineWidget::changeMark(const Mark& mark, const QString& what,
                                const std::function<void(std::vector<Mark>&, std::vector<Mark>::iterator)>& edit) {
    Notes notes = m_session.notes();
    if (const auto place = std::ranges::find(notes.marks, mark); place != notes.marks.end()) {
        edit(notes.marks, place);
        m_session.applyNotes(std::move(notes), what);
    }
}

void TimelineWidget::writeNote(const Mark& mark) {
    bool isOk = false;
    const QString text =
        QInputDialog::getText(this, tr("Note of the mark"), tr("Note"), QLineEdit::Normal, mark.note, &isOk);
    if (isOk) {
        changeMark(mark, tr("write a note"), [&](auto&, auto place) { place->note = text.trimmed(); });
    }
}

void TimelineWidget::toggleKept(const Mark& mark) {
    changeMark(mark, mark.isKept ? tr("no longer keep a mark") : tr("keep a mark"), [&](auto& all, auto place) {
        place->isKept = !mark.isKept;
        const Mark changed = *place;
        // There is one that is not kept.
        if (!changed.isKept) {
            std::erase_if(all, [&](const Mark& other) { return !other.isKept && other != changed; });
        }
    });
}

void TimelineWidget::removeMark(const Mark& mark) {
    changeMark(mark, tr("remove a mark"), [](auto& all, auto place) { all.erase(place); });
}

std::optional<Mark> TimelineWidget::markAt(QPoint at) const {
    const double x = at.x() - lanesRect().left();
    std::optional<Mark> best;
    for (const Mark& mark : m_trace ? m_session.notes().marks : std::vector<Mark>()) {
        const bool isHit = timeToX(m_axis, mark.area.range.begin) - kPointerReach <= x &&
                           x <= timeToX(m_axis, mark.area.range.end) + kPointerReach;
        if (isHit && (!best || mark.area.range.length() < best->area.range.length())) {
            best = mark;
        }
    }
    return best;
}

std::optional<Mark> TimelineWidget::meantMark() const {
    const std::vector<Mark>& marks = m_session.notes().marks;
    const auto first = [&](auto&& is) {
        const auto found = std::ranges::find_if(marks, is);
        return found == marks.end() ? std::nullopt : std::optional(*found);
    };
    const std::optional<TimeRange> selected = selectedRange();
    std::optional<Mark> found =
        first([&](const Mark& mark) { return m_session.area() && mark.area == *m_session.area(); });
    found = found ? found : first([&](const Mark& mark) { return selected && mark.area.range == *selected; });
    found = found || !m_pointer ? found : markAt(*m_pointer);
    found = found ? found : first([&](const Mark& mark) { return m_markGoneTo && mark.area == *m_markGoneTo; });
    if (found) {
        return found;
    }
    const TimeRange view = visibleRange(m_axis, lanesRect().width());
    const auto isSeen = [&](const Mark& mark) {
        return mark.area.range.begin < view.end && mark.area.range.end >= view.begin;
    };
    return std::ranges::count_if(marks, isSeen) == 1 ? first(isSeen) : std::nullopt;
}

void TimelineWidget::withMeantMark(std::function<void(const Mark&)> use) {
    if (const std::optional<Mark> mark = meantMark()) {
        use(*mark);
    } else {
        listMarks(tr("Which mark?"), std::move(use));
    }
}

void TimelineWidget::listMarks(const QString& question, std::function<void(const Mark&)> use) {
    const std::vector<Mark> marks = m_session.notes().marks;
    if (!m_trace || marks.empty()) {
        return;
    }
    std::vector<Choice> choices;
    for (const Mark& mark : marks) {
        const QString where = filterText(*m_trace, {mark.area});
        choices.push_back({mark.note.isEmpty() ? where : mark.note + QStringLiteral("  ·  ") + where,
                           {},
                           {},
                           true,
                           mark.isWithoutTracks() ? tr("its track is gone")
                           : mark.isKept          ? tr("kept")
                                                  : QString()});
    }
    ChoicePopup* popup = openChoices(tr("Marks"), question, std::move(choices));
    connect(popup, &ChoicePopup::chosen, this, [this, marks, use = std::move(use)](int index) {
        setFocus(Qt::OtherFocusReason);
        use(marks[static_cast<size_t>(index)]);
    });
}

void TimelineWidget::goToMark(const Mark& mark) {
    const TimeRange view = visibleRange(m_axis, lanesRect().width());
    const TimeRange& range = mark.area.range;
    if (range.begin < view.begin || range.end > view.end) {
        settleView();
        const bool fits = range.length() <= view.length();
        const double middle = (timeToX(m_axis, range.begin) + timeToX(m_axis, range.end)) / 2;
        setAxis(fits ? panned(m_axis, middle - lanesRect().width() / 2.0)
                     : axisFitting(range, lanesRect().width(), kSliceFitMargin));
        settleView();
    }
    m_markGoneTo = mark.area;
    // An area cannot be about tracks that are not there.
    m_session.setArea(mark.isWithoutTracks() || range.empty() ? std::nullopt : std::optional(mark.area));
}

QString TimelineWidget::markTip(const Mark& mark) const {
    QString tip = tr("Mark: %1").arg(filterText(*m_trace, {mark.area}));
    if (!mark.note.isEmpty()) {
        tip = mark.note + QLatin1Char('\n') + tip;
    }
    if (mark.isWithoutTracks()) {
        tip += QLatin1Char('\n') + tr("Its track is not in this trace. It is kept, and found again where it is.");
    } else if (!mark.lostTracks.empty()) {
        tip += QLatin1Char('\n') + tr("%1 more of its tracks are not in this trace.").arg(mark.lostTracks.size());
    }
    return tip;
}

/// What can be done with the mark at a place, if there is one.
void TimelineWidget::addMarkActions(QMenu& menu, QPoint at) {
    const std::optional<Mark> mark = markAt(at);
    if (!mark) {
        return;
    }
    menu.addAction(tr("Note of the mark…"), this, [this, mark = *mark] { writeNote(mark); });
    menu.addAction(mark->isKept ? tr("Keep the mark no longer") : tr("Keep the mark"), this,
                   [this, mark = *mark] { toggleKept(mark); });
    menu.addAction(tr("Remove the mark"), this, [this, mark = *mark] { removeMark(mark); });
    menu.addSeparator();
}

}  // namespace warpline::timeline
