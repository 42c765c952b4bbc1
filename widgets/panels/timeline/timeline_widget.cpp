// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/timeline/timeline_widget.h"

#include <QFontInfo>
#include <QResizeEvent>
#include <QScrollBar>
#include <QToolButton>

#include <algorithm>
#include <utility>

#include "widgets/panels/timeline/event_place.h"
#include "widgets/panels/timeline/minimap.h"
#include "widgets/panels/timeline/time_prompt.h"
#include "widgets/panels/timeline/track_filter_bar.h"
#include "widgets/support/format_text.h"
#include "widgets/support/settings.h"

namespace warpline::timeline {

namespace {

constexpr int kHeadWidth = 210;
/// Of the lanes: below the minimap and the ruler.
constexpr int kTop = kMinimapHeight + kRulerHeight;

}  // namespace

TimelineWidget::TimelineWidget(Session& session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_modelJob(new JobRunner(this)),
      m_derived(new DerivedStore(this)),
      m_stepJob(new JobRunner(this)),
      m_minimap(new Minimap(this)),
      m_prompt(new TimePrompt(this)),
      m_scrollBar(new QScrollBar(Qt::Vertical, this)),
      m_empty(new EmptyState(this)),
      m_trackFilter(new TrackFilterBar(this)),
      m_filterButton(new QToolButton(this)),
      m_hiddenNote(new QToolButton(this)),
      m_headWidth(std::clamp(settings::store().value(settings::kTimelineHeads, kHeadWidth).toInt(), kMinHeadWidth,
                             kMaxHeadWidth)),
      m_highlight(std::make_shared<const HighlightIndex>()),
      m_highlightJob(new JobRunner(this)),
      m_linkJob(new JobRunner(this)) {
    setObjectName(QStringLiteral("timeline"));
    setAccessibleName(tr("Timeline"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    m_hiddenNote->setObjectName(QStringLiteral("hiddenNote"));
    m_hiddenNote->setToolTip(tr("Tracks that are hidden: press to choose which to show again"));
    m_hiddenNote->setProperty("role", "foot");
    m_hiddenNote->setFocusPolicy(Qt::NoFocus);
    m_hiddenNote->hide();
    connect(m_hiddenNote, &QToolButton::clicked, this, &TimelineWidget::listHidden);
    m_scrollBar->setSingleStep(kLaneHeight);
    connect(m_scrollBar, &QScrollBar::valueChanged, this, [this] {
        invalidate();
        if (m_drag == Drag::Area && !m_scrollTimer.isActive()) {
            dragArea(m_lastDrag);
        }
        tellScrollPlace();
        settleViewSoon();
    });
    connect(&session, &Session::traceChanged, this, &TimelineWidget::onTraceChanged);
    connect(&session, &Session::selectionChanged, this, &TimelineWidget::onSelectionChanged);
    connect(&session, &Session::revealRequested, this, &TimelineWidget::onRevealRequested);
    connect(&session, &Session::timelineRequested, this, [this] { setFocus(Qt::OtherFocusReason); });
    connect(&session, &Session::areaChanged, this, [this] { update(); });
    connect(&session, &Session::filterChanged, this, &TimelineWidget::invalidate);
    connect(&session, &Session::notesChanged, this, [this] { update(); });
    connect(&session, &Session::arrangementChanged, this, &TimelineWidget::applyArrangement);
    connect(&session, &Session::foldingChanged, this, [this] {
        if (!m_sendingFolding && m_model) {
            const std::vector<SeenSection> seen = seenSections(m_session.arrangement());
            takeFolding();
            rebuildLayout();
            keepInPlace(seen, m_session.arrangement());
        }
    });
    connect(&session, &Session::scrollPlaceChanged, this, [this] {
        if (!m_sendingTop) {
            m_pendingTop = m_session.scrollPlace().value_or(ScrollPlace{});
            showPendingTop();
        }
    });
    connect(&session, &Session::panelStatesRestored, this, &TimelineWidget::takeKeptState);
    connect(&session, &Session::highlightChanged, this, &TimelineWidget::onHighlightChanged);
    connect(&session, &Session::visibleRangeChanged, this, [this](TimeRange range) {
        const int width = lanesRect().width();
        if (!m_sendingRange && m_trace && (m_fitPending || !m_model) && range != m_trace->initialView()) {
            m_pendingView = range;  // there is nothing yet to show it in
        } else if (!m_sendingRange && !m_fitPending && m_trace && !range.empty() && width > 0 &&
                   range != visibleRange(m_axis, width)) {
            settleView();
            setAxis(axisFitting(range, width));
            settleView();
        }
    });
    makeActions();
    makeTrackActions();
    makeTrackFilter();
    makeNavigation();
    makeDerivedActions();
    changeEvent(nullptr);
    onTraceChanged();
    session.setKeyTaker(this);
}

TimelineWidget::~TimelineWidget() {
    m_session.setKeyTaker(nullptr);
}

// --- what is shown

void TimelineWidget::rebuildLayout() {
    if (!m_trace || !m_model) {
        return;
    }
    m_state.arrangement = m_session.arrangement();
    m_state.derivedLanes = derivedLanes();
    if (m_heightShown) {
        m_state.arrangement = withHeight(m_session.arrangement(), m_heightShown->first, m_heightShown->second);
    }
    m_layout = LaneLayout::build(*m_trace, *m_model, m_state);
    m_titles.clear();
    updateSelectedPlace();
    updateHiddenNote();
    updateEmptyState();
    tellScrollPlace();
    invalidate();
}

void TimelineWidget::updateEmptyState() {
    const bool empty = !m_trace || (m_model && m_layout.sections().empty());
    if (!m_trace) {
        m_empty->setContent(
            Icon::Timeline, tr("No trace is open"),
            tr("Open a profile with File > Open, or drop one on this window (%1).").arg(formatsInBrief()));
    } else if (empty && m_layout.trackCount() > 0) {
        m_empty->setContent(Icon::Search, tr("No track passes the filter"),
                            tr("No title of a track or process has “%1”.").arg(QString::fromStdString(m_state.filter)),
                            tr("Show all tracks"));
    } else if (empty && !m_session.arrangement().hidden.empty()) {
        m_empty->setContent(Icon::Timeline, tr("All tracks are hidden"),
                            tr("They are still in the trace, and in all tables."), tr("Show the hidden tracks"));
    } else if (empty) {
        m_empty->setContent(Icon::Timeline, tr("Nothing to draw"),
                            tr("This trace has no event with a time. The list of import issues says what was read."));
    }
    // What is left out by the user leaves the rest of the timeline as it is.
    const bool isLeftOut = m_trace && empty && (m_layout.trackCount() > 0 || !m_session.arrangement().hidden.empty());
    m_empty->setGeometry(isLeftOut ? rect().adjusted(0, kTop, 0, 0) : rect());
    m_empty->setVisible(empty);
    m_minimap->setVisible(!empty || isLeftOut);
    m_hiddenNote->raise();
    placeTrackFilter();
    if (empty) {
        m_scrollBar->hide();
    }
}

void TimelineWidget::updateScrollBar() {
    const int page = std::max(lanesRect().height(), 1);
    m_scrollBar->setPageStep(page);
    m_scrollBar->setRange(0, std::max(0, m_layout.height() + footHeight() - page));
    // Its place stays free, so that folding does not move the lanes.
    m_scrollBar->setVisible(m_scrollBar->maximum() > 0);
}

int TimelineWidget::scrollY() const {
    return m_scrollBar->value();
}

void TimelineWidget::setScrollY(int y) {
    m_scrollBar->setValue(y);
}

void TimelineWidget::scrollTo(int top, int bottom) {
    const int frozen = currentView().frozen;
    if (top < frozen) {
        return;  // it is pinned
    }
    if (top < scrollY() + frozen) {
        setScrollY(top - frozen);
    } else if (bottom > scrollY() + lanesRect().height()) {
        setScrollY(std::min(top - frozen, bottom - lanesRect().height()));
    }
}

TimeRange TimelineWidget::traceRange() const {
    const std::optional<TimeRange> range = m_trace ? m_trace->range() : std::nullopt;
    return range.value_or(TimeRange{0, 1});
}

void TimelineWidget::setAxis(const TimeAxis& axis) {
    const int width = lanesRect().width();
    const TimeAxis next = clamped(axis, traceRange(), width);
    m_fitPending = m_fitPending && !m_model;  // a key or wheel before there is anything to see does not spend it
    if (next != m_axis) {
        m_axis = next;
        m_arrowsStale = m_arrowsStale || !m_arrows.complete;
        invalidate();
        settleViewSoon();
        if (m_pointer) {
            updateHover(*m_pointer);
        }
    }
    if (m_trace) {
        m_sendingRange = true;
        m_minimap->setView(visibleRange(m_axis, width));
        m_session.setVisibleRange(visibleRange(m_axis, width));
        m_sendingRange = false;
    }
}

void TimelineWidget::onRevealRequested(const Selection& event) {
    const std::optional<TimeRange> known = m_trace ? rangeOf(*m_trace, event) : std::nullopt;
    if (!known) {
        return;
    }
    if (!m_model || m_fitPending) {
        // There is no view yet to bring it into.
        m_pendingReveal = event;
        return;
    }
    settleView();
    showSectionOf(event);
    std::optional<EventPlace> place = placeOf(*m_trace, *m_model, m_layout, event);
    const auto isFolded = [this](const EventPlace& at) {
        const LayoutRow& row = m_layout.rows()[static_cast<size_t>(at.layoutRow)];
        return m_layout.sections()[row.section].kind == SectionKind::Process;
    };
    if (!place || isFolded(*place)) {
        unfold(*m_trace, *m_model, event, m_state);
        unfoldedOnTheWay();
        rebuildLayout();
        place = placeOf(*m_trace, *m_model, m_layout, event);
    }
    if (place) {
        const LayoutRow& found = m_layout.rows()[static_cast<size_t>(place->layoutRow)];
        // The sticky header covers the top.
        const int top = found.y - kHeaderHeight - 6;
        const int bottom = found.y + found.height + 6;
        const View view = currentView();
        const int middle = view.frozen + (lanesRect().height() - view.frozen) / 2;
        if (found.y >= view.frozen && (top < view.layoutY(view.frozen) || bottom > scrollY() + lanesRect().height())) {
            setScrollY((top + bottom) / 2 - middle);
        }
    }
    const int width = lanesRect().width();
    if (width <= 0) {
        return;
    }
    // How long a value holds says nothing about how close to look at it.
    const TimeRange range =
        event.kind == Selection::Kind::CounterSample ? TimeRange{known->begin, known->begin} : *known;
    const double x0 = timeToX(m_axis, range.begin);
    const double x1 = timeToX(m_axis, range.end);
    constexpr double kLeast = 12;
    if (x1 - x0 < kLeast && range.length() > 0 && !m_isStepping) {
        setAxis(axisFitting(range, width, 0.47));
    } else if (x1 - x0 > width * 0.98 && (x0 > width * 0.5 || x1 < width * 0.5)) {
        setAxis(axisFitting(range, width, kSliceFitMargin));
    } else if (x1 - x0 <= width * 0.98 && (x0 < 0 || x1 > width)) {
        setAxis(panned(m_axis, (x0 + x1 - width) / 2));
    }
    settleView();
    update();
}

// --- places

QRect TimelineWidget::lanesRect() const {
    const int right = width() - m_scrollBar->sizeHint().width();
    return {m_headWidth, kTop, std::max(0, right - m_headWidth), std::max(0, height() - kTop)};
}

QRect TimelineWidget::headsRect() const {
    return {0, kTop, m_headWidth, std::max(0, height() - kTop)};
}

QRect TimelineWidget::rulerRect() const {
    return {m_headWidth, kMinimapHeight, lanesRect().width(), kRulerHeight};
}

void TimelineWidget::placeMinimap() {
    const QRect lanes = lanesRect();
    m_minimap->setGeometry(lanes.left(), 0, lanes.width(), kMinimapHeight);
}

void TimelineWidget::resizeEvent(QResizeEvent* event) {
    const QRect lanes = lanesRect();
    placeMinimap();
    m_scrollBar->setGeometry(lanes.right() + 1, kTop, m_scrollBar->sizeHint().width(), lanes.height());
    updateHiddenNote();
    updateEmptyState();
    if (m_trace && m_model && !m_layoutTouched && event->size().height() != event->oldSize().height()) {
        m_state = initialLayoutState(*m_trace, *m_model, lanes.height() - derivedHeight());
        m_state.filter = m_trackFilter->text().toStdString();
        rebuildLayout();
    }
    updateScrollBar();
    const int before = event->oldSize().width() - (event->size().width() - lanes.width());
    if (m_fitPending) {
        fitFirstView();
    } else if (m_trace && lanes.width() > 0 && before > 0 && before != lanes.width()) {
        // The same stretch of time stays in view.
        settleView();
        setAxis({m_axis.begin, m_axis.nsPerPixel * before / lanes.width()});
        m_settle.stop();
        m_history.replace(viewNow());
    }
    invalidate();
}

void TimelineWidget::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    // Before, the width is not the one it will have.
    fitFirstView();
}

void TimelineWidget::changeEvent(QEvent* event) {
    if (event != nullptr) {
        QWidget::changeEvent(event);
    }
    if (event == nullptr || event->type() == QEvent::FontChange || event->type() == QEvent::ApplicationFontChange) {
        // As large as the application's font wants, as far as the rows have room.
        const int pixels = QFontInfo(font()).pixelSize();
        const auto sized = [this](int size, int most) {
            QFont out = font();
            out.setPixelSize(std::clamp(size, 9, most));
            return out;
        };
        m_labelFont = sized(pixels - 2, kLaneHeight - 5);
        m_smallFont = sized(pixels - 2, kRulerHeight / 2);
        m_headFont = sized(pixels - 1, kLaneHeight - 4);
        m_titles.clear();
    }
    invalidate();
}

}  // namespace warpline::timeline
