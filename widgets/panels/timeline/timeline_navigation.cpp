// SPDX-License-Identifier: GPL-3.0-or-later
// The timeline's ways to other views: back and forward, and to a time.

#include <QAction>
#include <QInputDialog>
#include <QMenu>

#include <algorithm>
#include <optional>
#include <span>

#include "core/analyses/same_name.h"
#include "core/base/time_text.h"
#include "widgets/panels/timeline/minimap.h"
#include "widgets/panels/timeline/time_prompt.h"
#include "widgets/panels/timeline/timeline_widget.h"
#include "widgets/support/cell_text.h"
#include "widgets/support/key_bindings.h"
#include "widgets/support/settings.h"

namespace warpline::timeline {

namespace {

constexpr int kAtRestMs = 400;
constexpr int kNumberedBookmarks = 9;

}  // namespace

void TimelineWidget::makeNavigation() {
    m_settle.setSingleShot(true);
    m_settle.setInterval(kAtRestMs);
    connect(&m_settle, &QTimer::timeout, this, &TimelineWidget::settleView);
    connect(m_prompt, &TimePrompt::chosen, this, &TimelineWidget::goTo);
    connect(m_prompt, &TimePrompt::closed, this, [this] { setFocus(); });
    connect(m_minimap, &Minimap::viewRequested, this,
            [this](TimeRange view) { setAxis(axisFitting(view, lanesRect().width())); });
    connect(m_minimap, &Minimap::fitRequested, this, &TimelineWidget::fitAll);
    connect(m_minimap, &Minimap::dragging, this, &TimelineWidget::settleView);
    const auto bind = [this](QAction* action, const char* id) {
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        keyBindings().add(action, QLatin1String(id), tr("Timeline"));
        action->setProperty("gesture", gestureOf(QLatin1String(id), keyBindings().scheme()));
        addAction(action);
    };
    const AddAction add = [this, &bind](const char* id, const QString& name, std::function<void()> slot) {
        auto* action = new QAction(name, this);
        connect(action, &QAction::triggered, this, std::move(slot));
        bind(action, id);
        return action;
    };
    auto* separator = new QAction(this);
    separator->setSeparator(true);
    addAction(separator);
    add("timeline.back", tr("&Back to the view before"), [this] { goBack(); });
    add("timeline.forward", tr("Forward again"), [this] { goForward(); });
    add("timeline.go_to_time", tr("&Go to a time…"), [this] { askForTime(); });
    add("timeline.next_same_name", tr("Next of the same &name"), [this] { stepSameName(1); });
    add("timeline.previous_same_name", tr("Previous of the same name"), [this] { stepSameName(-1); });
    makeMarkActions(add);
    add("timeline.bookmark", tr("Boo&kmark this view"), [this] { bookmarkView(freeBookmarkName(m_session.notes())); });
    add("timeline.least_duration", tr("Filter by least &duration…"), [this] { askForLeastDuration(); });
    actions().last()->setToolTip(tr("Shorter events fade, and count in no table"));
    add("timeline.export_picture", tr("Export a &picture…"), [this] { exportPicture(); });
    auto* bookmarks = new QAction(tr("Book&marks"), this);
    bookmarks->setMenu(new QMenu(this));
    connect(bookmarks->menu(), &QMenu::aboutToShow, this, [this, menu = bookmarks->menu()] {
        menu->clear();
        fillBookmarks(*menu);
    });
    addAction(bookmarks);
    m_clock = new QAction(tr("Ruler shows the time of &day"), this);
    m_clock->setCheckable(true);
    m_clock->setChecked(settings::store().value(settings::kTimelineClock, false).toBool());
    connect(m_clock, &QAction::toggled, this, [this](bool isOn) {
        settings::store().setValue(settings::kTimelineClock, isOn);
        invalidate();
    });
    m_clock->setToolTip(
        tr("The wall clock, in UTC: from \"Clock starts\" in the details of the file on. Switched off, the ruler shows "
           "the "
           "time since the trace's start."));
    bind(m_clock, "timeline.time_of_day");
    auto* smooth = new QAction(tr("A wheel's notch &glides"), this);
    smooth->setCheckable(true);
    smooth->setChecked(settings::store().value(settings::kTimelineSmooth, true).toBool());
    smooth->setToolTip(tr("The view moves in a tenth of a second; without it, it jumps"));
    connect(smooth, &QAction::toggled, this,
            [](bool isOn) { settings::store().setValue(settings::kTimelineSmooth, isOn); });
    bind(smooth, "timeline.smooth");
    for (int number = 1; number <= kNumberedBookmarks; ++number) {
        const QByteArray id = "timeline.bookmark_" + QByteArray::number(number);
        add(id.constData(), tr("Go to bookmark %1, or make it").arg(number), [this, number] { goToBookmark(number); });
        actions().last()->setProperty("unlisted", true);
    }
    connect(&m_session, &Session::notesChanged, this, &TimelineWidget::refreshActions);
}

std::optional<TimeNs> TimelineWidget::midnight() const {
    constexpr int64_t kDayNs = int64_t{86'400} * 1'000'000'000;
    for (const FileInfo& file : m_trace ? m_trace->files() : std::span<const FileInfo>()) {
        if (const auto startNs = file.wallClockNs(traceRange().begin); startNs && *startNs >= 0) {
            return addSaturated(traceRange().begin, -(*startNs % kDayNs));
        }
    }
    return std::nullopt;
}

RulerOrigin TimelineWidget::rulerOrigin() const {
    const std::optional<TimeNs> day = m_clock->isChecked() ? midnight() : std::nullopt;
    return day ? RulerOrigin{*day, true} : RulerOrigin{traceRange().begin, false};
}

void TimelineWidget::settleView() {
    m_settle.stop();
    m_motion.stop();
    m_wholePixels.reset();
    if (m_trace && m_model && !m_fitPending) {
        m_history.settle(viewNow());
    }
}

void TimelineWidget::settleViewSoon() {
    if (m_trace && m_model && !m_fitPending) {
        m_settle.start();
    }
}

void TimelineWidget::showView(const ViewPoint& view) {
    setAxis(view.axis);
    scrollToPlace(view.top);
    m_settle.stop();  // it is in the history already
    m_history.replace(viewNow());
}

void TimelineWidget::goBack() {
    settleView();
    if (const auto view = m_history.back()) {
        showView(*view);
    }
}

void TimelineWidget::goForward() {
    settleView();
    if (const auto view = m_history.forward()) {
        showView(*view);
    }
}

void TimelineWidget::askForTime() {
    if (!m_trace || !m_model) {
        return;
    }
    m_prompt->open(m_trace, xToTime(m_axis, lanesRect().width() / 2.0));
    m_prompt->move(lanesRect().left() + 12, lanesRect().top() + 8);
}

void TimelineWidget::stepSameName(int direction) {
    const EventRow from = m_session.selectedEvent();
    if (!m_trace || !from.valid()) {
        return;
    }
    m_stepJob->start<EventRow>([trace = m_trace, from, direction](
                                   JobControl& job) { return besideWithSameName(*trace, from, direction, job); },
                               [this, from](Result<EventRow> found) {
                                   // Who has chosen something else meanwhile stays there.
                                   if (found.ok() && found.value().valid() && m_session.selectedEvent() == from) {
                                       m_session.revealEvent(found.value());
                                   }
                               });
}

void TimelineWidget::bookmarkView(const QString& name) {
    if (!m_trace || !m_model) {
        return;
    }
    Bookmark bookmark{name, visibleRange(m_axis, lanesRect().width()), {}};
    if (scrollY() > 0) {
        const int top = scrollY() + currentView().frozen + kHeaderHeight;
        for (const Section& section : m_layout.sections()) {
            if (section.kind == SectionKind::Track && section.y + section.height > top) {
                bookmark.top = section.track;
                break;
            }
        }
    }
    Notes notes = m_session.notes();
    notes.bookmarks.push_back(bookmark);
    const auto number = static_cast<int>(notes.bookmarks.size());
    m_session.applyNotes(std::move(notes), tr("add a bookmark"));
    const QString keys = number <= kNumberedBookmarks
                             ? shownKeys(keyBindings().keys(QStringLiteral("timeline.bookmark_%1").arg(number)))
                             : QString();
    m_session.tell(keys.isEmpty()
                       ? tr("Bookmark \"%1\" added; Undo takes it away").arg(name)
                       : tr("Bookmark \"%1\" added: %2 goes back to it; Undo takes it away").arg(name, keys));
}

void TimelineWidget::showBookmark(const Bookmark& bookmark) {
    settleView();
    setAxis(axisFitting(bookmark.view, lanesRect().width()));
    const int section = bookmark.top ? m_layout.sectionOfTrack(bookmark.top) : -1;
    if (!bookmark.top) {
        setScrollY(0);
    } else if (section >= 0) {
        setScrollY(m_layout.sections()[static_cast<size_t>(section)].y - kHeaderHeight - currentView().frozen);
    }
    settleView();
}

void TimelineWidget::goToBookmark(int number) {
    const std::vector<Bookmark>& bookmarks = m_session.notes().bookmarks;
    if (static_cast<size_t>(number) <= bookmarks.size()) {
        showBookmark(Bookmark(bookmarks[static_cast<size_t>(number) - 1]));
    } else {
        bookmarkView(freeBookmarkName(m_session.notes()));
    }
}

void TimelineWidget::askForLeastDuration() {
    const DurationNs now = m_session.filter().leastDuration;
    QString text = now > 0 ? fromUtf8(timeText(now)) : QStringLiteral("10 us");
    QString label = tr("Events that last at least (empty: all), as in 10 us or 1.5 ms");
    bool isOk = m_trace != nullptr;
    while (isOk) {
        text = QInputDialog::getText(this, tr("Least duration"), label, QLineEdit::Normal, text, &isOk).trimmed();
        const std::optional<TimeNs> least =
            text.isEmpty() ? std::optional<TimeNs>(0) : parseTimeText(text.toStdString());
        if (isOk && least && *least >= 0) {
            m_session.applyFilter({m_session.filter().area, *least});
            return;
        }
        label = tr("\"%1\" is no duration. A number and ns, us, ms or s, as in 1.5 ms").arg(text);
    }
}

void TimelineWidget::fillBookmarks(QMenu& menu) {
    const std::vector<Bookmark> bookmarks = m_session.notes().bookmarks;
    if (bookmarks.empty()) {
        menu.addAction(
                tr("None yet: %1 adds one").arg(shownKeys(keyBindings().keys(QStringLiteral("timeline.bookmark")))))
            ->setEnabled(false);
        return;
    }
    const auto change = [this](const Bookmark& which, const QString& name, const QString& what) {
        Notes notes = m_session.notes();
        const auto at = std::ranges::find(notes.bookmarks, which);
        if (at == notes.bookmarks.end()) {
            return;
        }
        if (name.isEmpty()) {
            notes.bookmarks.erase(at);
        } else {
            at->name = name;
        }
        m_session.applyNotes(std::move(notes), what);
    };
    QMenu* rename = nullptr;
    QMenu* remove = nullptr;
    for (const Bookmark& bookmark : bookmarks) {
        QString name = bookmark.name;
        name.replace('&', "&&");
        menu.addAction(name, this, [this, bookmark] { showBookmark(bookmark); });
    }
    menu.addSeparator();
    rename = menu.addMenu(tr("Rename"));
    remove = menu.addMenu(tr("Remove"));
    for (const Bookmark& bookmark : bookmarks) {
        QString name = bookmark.name;
        name.replace('&', "&&");
        rename->addAction(name, this, [this, bookmark, change] {
            const QString chosen =
                QInputDialog::getText(this, tr("Rename the bookmark"), tr("Name"), QLineEdit::Normal, bookmark.name);
            if (!chosen.trimmed().isEmpty()) {
                change(bookmark, chosen.trimmed(), tr("rename a bookmark"));
            }
        });
        remove->addAction(name, this, [bookmark, change] { change(bookmark, {}, tr("remove a bookmark")); });
    }
}

void TimelineWidget::goTo(TimeNs time) {
    settleView();
    setAxis(panned(m_axis, timeToX(m_axis, time) - lanesRect().width() / 2.0));
    settleView();
}

}  // namespace warpline::timeline
