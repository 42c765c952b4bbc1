// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/timeline/timeline_widget.h"

#include <QAction>
#include <QFontMetrics>
#include <QPainter>
#include <QResizeEvent>
#include <QScrollBar>
#include <QSignalBlocker>

#include <algorithm>
#include <cmath>

#include "core/base/units.h"
#include "widgets/panels/timeline/lane_canvas.h"

namespace warpline::timeline {

namespace {

/// Up to so many async events and counter points the model is built at once; beyond, on a thread.
constexpr uint64_t kSmallModel = 20'000;
constexpr double kFitMargin = 0.01;
constexpr double kSliceFitMargin = 0.12;

QString text(std::string_view utf8) {
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

uint64_t modelCost(const Trace& trace) {
    uint64_t cost = trace.asyncSlices().size() + trace.asyncInstants().size();
    for (const Counter& counter : trace.counters()) {
        for (const CounterSeries& series : counter.series) {
            cost += series.time.size();
        }
    }
    return cost;
}

bool isSameView(const TimeAxis& a, const TimeAxis& b, int width) {
    const double pixels = std::abs(timeToX(a, b.begin));
    return pixels < 2 && std::abs(a.nsPerPixel / b.nsPerPixel - 1) * width < 2;
}

}  // namespace

TimelineWidget::TimelineWidget(Session& session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_modelJob(new JobRunner(this)),
      m_scrollBar(new QScrollBar(Qt::Vertical, this)),
      m_empty(new EmptyState(this)) {
    setObjectName(QStringLiteral("timeline"));
    setAccessibleName(tr("Timeline"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    m_scrollBar->setSingleStep(kLaneHeight);
    connect(m_scrollBar, &QScrollBar::valueChanged, this, [this] { invalidate(); });
    connect(&session, &Session::traceChanged, this, &TimelineWidget::onTraceChanged);
    connect(&session, &Session::selectedEventChanged, this, [this](EventRow row) {
        m_links = m_trace ? arrowLinks(*m_trace, row) : std::vector<ArrowLink>();
        update();
    });
    connect(&session, &Session::revealRequested, this, &TimelineWidget::onRevealRequested);
    connect(&session, &Session::areaChanged, this, [this] { update(); });
    connect(&session, &Session::highlightChanged, this, [this] {
        // Stepping changes the current instance alone.
        if (m_trace && m_session.highlight().events != m_highlightEvents) {
            m_highlightEvents = m_session.highlight().events;
            m_highlight = HighlightIndex::build(*m_trace, m_highlightEvents);
            invalidate();
        }
        update();
    });
    connect(&session, &Session::visibleRangeChanged, this, [this](TimeRange range) {
        const int width = lanesRect().width();
        if (!m_sendingRange && !m_fitPending && m_trace && !range.empty() && width > 0 &&
            range != visibleRange(m_axis, width)) {
            setAxis(axisFitting(range, width));
        }
    });
    makeActions();
    changeEvent(nullptr);
    onTraceChanged();
}

TimelineWidget::~TimelineWidget() = default;

void TimelineWidget::makeActions() {
    const auto add = [this](const QString& name, const QKeySequence& key, auto slot) {
        auto* action = new QAction(name, this);
        action->setShortcut(key);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        connect(action, &QAction::triggered, this, slot);
        addAction(action);
    };
    const auto separate = [this] {
        auto* separator = new QAction(this);
        separator->setSeparator(true);
        addAction(separator);
    };
    add(tr("Zoom &In"), Qt::Key_W, [this] { zoomIn(); });
    add(tr("Zoom &Out"), Qt::Key_S, [this] { zoomOut(); });
    add(tr("&Fit Selection, Again for All"), Qt::Key_F, [this] { fit(); });
    separate();
    add(tr("&Next Slice"), Qt::Key_Period, [this] { stepSlice(1); });
    add(tr("&Previous Slice"), Qt::Key_Comma, [this] { stepSlice(-1); });
    add(tr("To &What It Launched"), Qt::Key_BracketRight, [this] { followLink(1); });
    add(tr("To Its &Launch"), Qt::Key_BracketLeft, [this] { followLink(-1); });
    add(tr("Selection to &Area"), Qt::Key_R, [this] { areaFromSelection(); });
    separate();
    add(tr("&Collapse All Tracks"), {}, [this] { setAllCollapsed(true); });
    add(tr("&Expand All Tracks"), {}, [this] { setAllCollapsed(false); });
}

// --- what is shown

void TimelineWidget::onTraceChanged() {
    m_modelJob->cancel();
    m_trace = m_session.trace();
    m_model.reset();
    m_layout = {};
    m_state = {};
    m_layoutTouched = false;
    m_highlight = {};
    m_highlightEvents.clear();
    m_links.clear();
    m_drag = Drag::None;
    clearHover();
    m_nameColors.reset(m_trace.get());
    m_labels.reset(m_labelFont, devicePixelRatioF());
    invalidate();
    m_fitPending = m_trace != nullptr;
    if (m_trace) {
        if (modelCost(*m_trace) <= kSmallModel) {
            onModelReady(buildTimelineModel(*m_trace));
        } else {
            using Model = std::shared_ptr<const TimelineModel>;
            m_modelJob->start<Model>(
                [trace = m_trace](JobControl&) -> Result<Model> { return buildTimelineModel(*trace); },
                [this](Result<Model> model) {
                    // Without it the tracks are still there; counters and async work are not.
                    onModelReady(model.ok() ? model.value() : std::make_shared<const TimelineModel>());
                });
        }
    }
    updateEmptyState();
}

void TimelineWidget::onModelReady(std::shared_ptr<const TimelineModel> model) {
    m_model = std::move(model);
    m_state = initialLayoutState(*m_trace, *m_model, lanesRect().height());
    m_scrollBar->setValue(0);
    rebuildLayout();
    fitFirstView();
}

void TimelineWidget::fitFirstView() {
    if (!m_fitPending || !m_trace || lanesRect().width() <= 0 || !isVisible()) {
        return;
    }
    m_fitPending = false;
    setAxis(axisFitting(firstView(), lanesRect().width(), kFitMargin));
}

TimeRange TimelineWidget::firstView() const {
    const TimeRange view = m_trace->initialView().value_or(traceRange());
    // Marks such as "window ends" may lie long after all work; they do not squeeze it.
    const TimeRange slices = m_model ? m_model->slices.intersected(view) : TimeRange{};
    return slices.empty() ? view : slices;
}

void TimelineWidget::rebuildLayout() {
    if (!m_trace || !m_model) {
        return;
    }
    m_layout = LaneLayout::build(*m_trace, *m_model, m_state);
    updateScrollBar();
    updateEmptyState();
    invalidate();
}

void TimelineWidget::updateEmptyState() {
    const bool empty = !m_trace || (m_model && m_layout.sections().empty());
    if (!m_trace) {
        m_empty->setContent(Icon::Timeline, tr("No trace is open"),
                            tr("Open a profile with File > Open, or drop one on this window: PyTorch and other "
                               "Chrome traces (.json, .json.gz)."));
    } else if (empty) {
        m_empty->setContent(Icon::Timeline, tr("Nothing to draw"),
                            tr("This trace has no event with a time. The list of import issues says what was read."));
    }
    m_empty->setVisible(empty);
    if (empty) {
        m_scrollBar->hide();
    }
}

void TimelineWidget::updateScrollBar() {
    const int page = std::max(lanesRect().height(), 1);
    m_scrollBar->setPageStep(page);
    m_scrollBar->setRange(0, std::max(0, m_layout.height() - page));
    // Its place stays free, so that folding does not move the lanes.
    m_scrollBar->setVisible(m_scrollBar->maximum() > 0);
}

int TimelineWidget::scrollY() const {
    return m_scrollBar->value();
}

void TimelineWidget::setScrollY(int y) {
    m_scrollBar->setValue(y);
}

TimeRange TimelineWidget::traceRange() const {
    const std::optional<TimeRange> range = m_trace ? m_trace->range() : std::nullopt;
    return range.value_or(TimeRange{0, 1});
}

void TimelineWidget::setAxis(const TimeAxis& axis) {
    const int width = lanesRect().width();
    const TimeAxis next = clamped(axis, traceRange(), width);
    m_fitPending = false;
    if (next != m_axis) {
        m_axis = next;
        invalidate();
        if (m_pointer) {
            updateHover(*m_pointer);
        }
    }
    if (m_trace) {
        m_sendingRange = true;
        m_session.setVisibleRange(visibleRange(m_axis, width));
        m_sendingRange = false;
    }
}

void TimelineWidget::fit() {
    const int width = lanesRect().width();
    std::optional<TimeAxis> target;
    if (m_trace && m_session.selectedEvent().valid()) {
        const uint32_t row = m_session.selectedEvent().value;
        target = axisFitting({m_trace->slices().begin[row], m_trace->slices().end(row)}, width, kSliceFitMargin);
    } else if (m_session.area()) {
        target = axisFitting(m_session.area()->range, width, kSliceFitMargin);
    }
    if (!target || isSameView(m_axis, clamped(*target, traceRange(), width), width)) {
        fitAll();
        return;
    }
    setAxis(*target);
}

void TimelineWidget::fitAll() {
    const int width = lanesRect().width();
    if (!m_trace) {
        return;
    }
    // Outliers and marks do not set the first view; from there, once more shows them too.
    const TimeAxis first = axisFitting(firstView(), width, kFitMargin);
    const bool shown = isSameView(m_axis, clamped(first, traceRange(), width), width);
    setAxis(shown ? axisFitting(traceRange(), width, kFitMargin) : first);
}

void TimelineWidget::zoomIn() {
    zoomAt(anchorX(), 0.7);
}

void TimelineWidget::zoomOut() {
    zoomAt(anchorX(), 1 / 0.7);
}

void TimelineWidget::onRevealRequested(EventRow row) {
    if (!m_trace || !m_model || row.value >= m_trace->sliceCount()) {
        return;
    }
    const SliceColumns& slices = m_trace->slices();
    const TrackId track = slices.track[row.value];
    const uint32_t lane = m_trace->laneOf(row);
    if (m_layout.rowOfLane(lane) < 0 || m_layout.sectionOfTrack(track) < 0 ||
        m_layout.sections()[static_cast<size_t>(m_layout.sectionOfTrack(track))].kind == SectionKind::Process) {
        m_state.processCollapsed[m_trace->track(track).process.value] = 0;
        m_state.tracks[track.value].collapsed = false;
        m_layoutTouched = true;
        rebuildLayout();
    }
    const int layoutRow = m_layout.rowOfLane(lane);
    if (layoutRow >= 0) {
        const LayoutRow& found = m_layout.rows()[static_cast<size_t>(layoutRow)];
        // The sticky header covers the top.
        const int top = found.y - kHeaderHeight - 6;
        const int bottom = found.y + found.height + 6;
        if (top < scrollY() || bottom > scrollY() + lanesRect().height()) {
            setScrollY((top + bottom - lanesRect().height()) / 2);
        }
    }
    const int width = lanesRect().width();
    if (width <= 0) {
        return;
    }
    const TimeRange range{slices.begin[row.value], slices.end(row.value)};
    const double x0 = timeToX(m_axis, range.begin);
    const double x1 = timeToX(m_axis, range.end);
    constexpr double kLeast = 12;
    if (x1 - x0 < kLeast && range.length() > 0) {
        setAxis(axisFitting(range, width, 0.47));
    } else if (x1 - x0 > width * 0.98 && (x0 > width * 0.5 || x1 < width * 0.5)) {
        setAxis(axisFitting(range, width, kSliceFitMargin));
    } else if (x1 - x0 <= width * 0.98 && (x0 < 0 || x1 > width)) {
        setAxis(panned(m_axis, (x0 + x1 - width) / 2));
    }
    update();
}

void TimelineWidget::setTrackMode(TrackId track, TrackMode mode) {
    if (track.value >= m_state.tracks.size()) {
        return;
    }
    m_state.tracks[track.value] = mode;
    m_layoutTouched = true;
    rebuildLayout();
}

void TimelineWidget::setProcessCollapsed(ProcessId process, bool collapsed) {
    if (process.value >= m_state.processCollapsed.size()) {
        return;
    }
    m_state.processCollapsed[process.value] = collapsed ? 1 : 0;
    m_layoutTouched = true;
    rebuildLayout();
}

void TimelineWidget::setAllCollapsed(bool collapsed) {
    for (TrackMode& mode : m_state.tracks) {
        mode.collapsed = collapsed;
        mode.compact = mode.compact && collapsed;
    }
    std::fill(m_state.asyncCollapsed.begin(), m_state.asyncCollapsed.end(), static_cast<char>(collapsed ? 1 : 0));
    if (!collapsed) {
        std::fill(m_state.processCollapsed.begin(), m_state.processCollapsed.end(), static_cast<char>(0));
    }
    m_layoutTouched = true;
    rebuildLayout();
}

void TimelineWidget::stepSlice(int direction) {
    if (!m_trace || m_trace->sliceCount() == 0) {
        return;
    }
    const EventRow selected = m_session.selectedEvent();
    if (!selected.valid()) {
        // The first slice that is on screen.
        for (const RowGeometry& row : geometry().rows) {
            for (const Bar& bar : m_geometry.barsOf(row)) {
                if (row.kind == RowKind::Lane && bar.x0 >= 0) {
                    m_session.revealEvent(EventRow(bar.item));
                    return;
                }
            }
        }
        return;
    }
    const Lane& lane = m_trace->lanes()[m_trace->laneOf(selected)];
    const int64_t next = static_cast<int64_t>(selected.value) + direction;
    if (next >= lane.firstRow && next < static_cast<int64_t>(lane.firstRow) + lane.count) {
        m_session.revealEvent(EventRow(static_cast<uint32_t>(next)));
    }
}

void TimelineWidget::followLink(int direction) {
    const EventRow selected = m_session.selectedEvent();
    for (const ArrowLink& link : m_links) {
        if (direction > 0 && link.to != selected) {
            m_session.revealEvent(link.to);
            return;
        }
        if (direction < 0 && link.to == selected) {
            m_session.revealEvent(link.from);
            return;
        }
    }
}

void TimelineWidget::areaFromSelection() {
    const EventRow selected = m_session.selectedEvent();
    if (m_trace && selected.valid()) {
        const SliceColumns& slices = m_trace->slices();
        m_session.setArea(AreaSelection{{slices.begin[selected.value], slices.end(selected.value)}, {}});
    }
}

void TimelineWidget::clear() {
    if (m_session.area()) {
        m_session.setArea(std::nullopt);
    } else if (!m_session.highlight().events.empty()) {
        m_session.setHighlight({});
    } else {
        m_session.selectEvent(EventRow::none());
    }
}

// --- places

QRect TimelineWidget::lanesRect() const {
    const int right = width() - m_scrollBar->sizeHint().width();
    return {m_headWidth, kRulerHeight, std::max(0, right - m_headWidth), std::max(0, height() - kRulerHeight)};
}

QRect TimelineWidget::headsRect() const {
    return {0, kRulerHeight, m_headWidth, std::max(0, height() - kRulerHeight)};
}

QRect TimelineWidget::rulerRect() const {
    return {m_headWidth, 0, lanesRect().width(), kRulerHeight};
}

void TimelineWidget::resizeEvent(QResizeEvent* event) {
    const QRect lanes = lanesRect();
    m_scrollBar->setGeometry(lanes.right() + 1, kRulerHeight, m_scrollBar->sizeHint().width(), lanes.height());
    m_empty->setGeometry(rect());
    if (m_trace && m_model && !m_layoutTouched) {
        m_state = initialLayoutState(*m_trace, *m_model, lanes.height());
        rebuildLayout();
    }
    updateScrollBar();
    const int before = event->oldSize().width() - (event->size().width() - lanes.width());
    if (m_fitPending) {
        fitFirstView();
    } else if (m_trace && lanes.width() > 0 && before > 0 && before != lanes.width()) {
        // The same stretch of time stays in view.
        setAxis({m_axis.begin, m_axis.nsPerPixel * before / lanes.width()});
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
        m_labelFont = font();
        m_labelFont.setPixelSize(11);
        m_smallFont = font();
        m_smallFont.setPixelSize(11);
    }
    invalidate();
}

// --- drawing

View TimelineWidget::currentView() const {
    View view;
    view.axis = m_axis;
    view.scrollY = scrollY();
    view.scale = devicePixelRatioF();
    const QRect lanes = lanesRect();
    view.width = static_cast<int>(std::lround(lanes.width() * view.scale));
    view.height = static_cast<int>(std::lround(lanes.height() * view.scale));
    return view;
}

void TimelineWidget::invalidate() {
    m_geometryStale = true;
    m_canvasStale = true;
    update();
}

const Geometry& TimelineWidget::geometry() {
    const View view = currentView();
    if (m_geometryStale || view != m_geometry.view) {
        if (m_trace && m_model) {
            const bool highlighting = !m_highlight.empty();
            computeGeometry({*m_trace, *m_model, m_layout, m_highlight, highlighting, view}, m_nameColors, m_geometry);
        } else {
            m_geometry = {};
            m_geometry.view = view;
        }
        m_geometryStale = false;
        m_canvasStale = true;
    }
    return m_geometry;
}

RulerTicks TimelineWidget::rulerTicks() const {
    const QFontMetrics metrics(m_smallFont);
    return computeRulerTicks(m_axis, lanesRect().width(), traceRange().begin,
                             [&](std::string_view label) { return metrics.horizontalAdvance(text(label)); });
}

void TimelineWidget::ensureCanvas() {
    geometry();
    if (!m_canvasStale) {
        return;
    }
    m_ticks = rulerTicks();
    const BarColors colors = barColors(theme());
    CanvasStyle style{theme(), colors, {}};
    for (const RulerTick& tick : m_ticks.ticks) {
        if (!tick.label.empty()) {
            style.gridColumns.push_back(static_cast<int>(std::lround(tick.x * m_geometry.view.scale)));
        }
    }
    m_canvas.setDevicePixelRatio(1);
    renderLanes(m_geometry, m_layout, style, m_canvas);
    if (m_trace && m_model) {
        if (!m_labels.isFor(m_labelFont, m_geometry.view.scale)) {
            m_labels.reset(m_labelFont, m_geometry.view.scale);
        }
        renderLabels(m_geometry, m_layout, *m_trace, colors, m_labels, m_canvas);
    }
    m_canvas.setDevicePixelRatio(m_geometry.view.scale);
    m_canvasStale = false;
}

void TimelineWidget::paintEvent(QPaintEvent*) {
    QPainter p(this);
    const Theme& look = theme();
    if (!m_trace || !m_empty->isHidden()) {
        p.fillRect(rect(), look.surface);
        return;
    }
    ensureCanvas();
    const QRect lanes = lanesRect();
    p.drawImage(lanes.topLeft(), m_canvas);
    p.fillRect(QRect(lanes.right() + 1, 0, width() - lanes.right() - 1, kRulerHeight), look.raised);
    p.fillRect(QRect(lanes.right() + 1, kRulerHeight, width() - lanes.right() - 1, lanes.height()), look.surface);
    QFont headFont = font();
    headFont.setPixelSize(12);
    const Frame frame{look, lanes, headsRect(), rulerRect(), headFont, m_smallFont};
    TimelinePainter painter(p, frame, m_geometry.view);
    painter.ruler(m_ticks);
    if (!m_model) {
        p.fillRect(headsRect(), look.surface);
        return;
    }
    painter.heads(m_layout, *m_trace, *m_model, m_hoveredSection);

    const std::optional<AreaSelection> area =
        m_drag == Drag::Area || m_drag == Drag::AreaBegin || m_drag == Drag::AreaEnd ? std::optional(m_dragArea)
                                                                                     : m_session.area();
    if (area) {
        QString label = text(formatDuration(area->range.length()));
        if (!area->tracks.empty()) {
            label += tr(" on %n track(s)", nullptr, static_cast<int>(area->tracks.size()));
        }
        std::vector<QRect> bands;
        for (const TrackId track : area->tracks) {
            const int section = m_layout.sectionOfTrack(track);
            if (section >= 0) {
                const Section& found = m_layout.sections()[static_cast<size_t>(section)];
                bands.emplace_back(lanes.left(), lanes.top() + found.y - scrollY(), lanes.width(), found.height);
            }
        }
        painter.area(area->range, label, bands);
    }
    painter.outline(m_layout, *m_trace, m_hovered, look.hoverOutline, 1);
    painter.arrows(placeArrows(*m_trace, m_layout, m_geometry.view, m_links));
    painter.outline(m_layout, *m_trace, m_session.selectedEvent(), look.selectedOutline, 2);
    painter.stickyHeader(m_layout);
    if (m_pointer && m_pointer->x() >= lanes.left()) {
        const TimeNs at = xToTime(m_axis, m_pointer->x() - lanes.left());
        if (m_drag != Drag::Area) {
            const auto step = std::max<DurationNs>(static_cast<DurationNs>(m_axis.nsPerPixel), 1);
            painter.crosshair(m_pointer->x(),
                              text(rulerLabel(distanceSaturated(traceRange().begin, at), step, m_ticks.largestNs)));
        }
        if (m_readout && m_drag == Drag::None) {
            painter.readout(*m_readout, *m_pointer);
        }
    }
}

}  // namespace warpline::timeline
