// SPDX-License-Identifier: GPL-3.0-or-later
// The input side of the timeline: keys, wheel, mouse, hover.

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QScrollBar>
#include <QTimerEvent>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

#include "core/base/units.h"
#include "widgets/panels/timeline/readout.h"
#include "widgets/panels/timeline/timeline_widget.h"
#include "widgets/support/settings.h"

namespace warpline::timeline {

namespace {

constexpr int kFrameMs = 14;
constexpr double kPanPerSecond = 1100;  ///< pixels
constexpr double kZoomPerSecond = 2.4;  ///< exponent
constexpr double kFirstStep = 0.05;     ///< seconds' worth of motion that a tap of a key makes
constexpr int kReach = 3;               ///< a bar is hit so many pixels beside it

QString text(std::string_view utf8) {
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

}  // namespace

// --- keys

bool TimelineWidget::isMotionKey(int key) const {
    return key == Qt::Key_W || key == Qt::Key_S || key == Qt::Key_A || key == Qt::Key_D || key == Qt::Key_Left ||
           key == Qt::Key_Right || key == Qt::Key_Up || key == Qt::Key_Down;
}

bool TimelineWidget::isHandledKey(const QKeyEvent& event) const {
    if ((event.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) != 0) {
        return false;
    }
    switch (event.key()) {
        case Qt::Key_F:
        case Qt::Key_R:
        case Qt::Key_Home:
        case Qt::Key_End:
        case Qt::Key_PageUp:
        case Qt::Key_PageDown:
        case Qt::Key_Escape:
        case Qt::Key_Period:
        case Qt::Key_Comma:
        case Qt::Key_BracketLeft:
        case Qt::Key_BracketRight:
        case Qt::Key_Plus:
        case Qt::Key_Equal:
        case Qt::Key_Minus:
        case Qt::Key_Return:
        case Qt::Key_Enter:
            return true;
        default:
            return isMotionKey(event.key());
    }
}

bool TimelineWidget::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        // Our actions name these keys in menus, but held keys have to arrive as presses and releases.
        auto* key = static_cast<QKeyEvent*>(event);
        // Esc is left to whoever has more use for it, such as a load that can be stopped; else it comes as a press.
        if (m_trace && isHandledKey(*key) && key->key() != Qt::Key_Escape) {
            key->accept();
            return true;
        }
    } else if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        const int section = sectionAtPoint(help->pos());
        if (section >= 0 && headsRect().contains(help->pos())) {
            const Section& found = m_layout.sections()[static_cast<size_t>(section)];
            QString tip = text(found.title);
            if (found.kind == SectionKind::Track) {
                const Track& track = m_trace->track(found.track);
                tip = text(trackTitle(*m_trace, found.track)) + QLatin1Char('\n') +
                      text(processTitle(*m_trace, found.process)) + QLatin1Char('\n') +
                      tr("%1 slices in %2 rows").arg(text(formatCount(track.sliceCount))).arg(track.laneCount);
                if (track.overlaps > 0) {
                    tip += QLatin1Char('\n') +
                           tr("%1 slices overlap without nesting").arg(text(formatCount(track.overlaps)));
                }
            }
            if (densityRect(found, QRect(0, kRulerHeight + found.y - scrollY(), m_headWidth, found.height))
                    .contains(help->pos())) {
                tip = found.compact ? tr("Show all rows at full height") : tr("Show deep rows as thin strips");
            }
            QToolTip::showText(help->globalPos(), tip, this);
        } else {
            QToolTip::hideText();
        }
        return true;
    }
    return QWidget::event(event);
}

void TimelineWidget::keyPressEvent(QKeyEvent* event) {
    if (!m_trace || !isHandledKey(*event)) {
        QWidget::keyPressEvent(event);
        return;
    }
    const int key = event->key();
    if (isMotionKey(key)) {
        if (!event->isAutoRepeat() && !m_heldKeys.contains(key)) {
            m_heldKeys.insert(key);
            moveWithKeys(kFirstStep);
            if (!m_keyTimer.isActive()) {
                m_keyClock.start();
                m_keyTimer.start(kFrameMs, Qt::PreciseTimer, this);
            }
        }
        return;
    }
    switch (key) {
        case Qt::Key_F:
            if ((event->modifiers() & Qt::ShiftModifier) != 0) {
                fitAll();
            } else {
                fit();
            }
            break;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            foldFocused();
            break;
        case Qt::Key_R:
            areaFromSelection();
            break;
        case Qt::Key_Home:
            goToEdge(false);
            break;
        case Qt::Key_End:
            goToEdge(true);
            break;
        case Qt::Key_PageUp:
            m_scrollBar->triggerAction(QAbstractSlider::SliderPageStepSub);
            break;
        case Qt::Key_PageDown:
            m_scrollBar->triggerAction(QAbstractSlider::SliderPageStepAdd);
            break;
        case Qt::Key_Escape:
            clear();
            break;
        case Qt::Key_Period:
            stepSlice(1);
            break;
        case Qt::Key_Comma:
            stepSlice(-1);
            break;
        case Qt::Key_BracketRight:
            followLink(1);
            break;
        case Qt::Key_BracketLeft:
            followLink(-1);
            break;
        case Qt::Key_Plus:
        case Qt::Key_Equal:
            zoomIn();
            break;
        case Qt::Key_Minus:
            zoomOut();
            break;
        default:
            break;
    }
}

void TimelineWidget::keyReleaseEvent(QKeyEvent* event) {
    if (event->isAutoRepeat() || !m_heldKeys.remove(event->key())) {
        QWidget::keyReleaseEvent(event);
    } else if (m_heldKeys.isEmpty()) {
        m_keyTimer.stop();
    }
}

void TimelineWidget::focusOutEvent(QFocusEvent* event) {
    m_heldKeys.clear();
    m_keyTimer.stop();
    QWidget::focusOutEvent(event);
}

void TimelineWidget::timerEvent(QTimerEvent* event) {
    if (event->timerId() != m_keyTimer.timerId()) {
        QWidget::timerEvent(event);
        return;
    }
    // A slow frame moves further, but never far.
    moveWithKeys(std::min(static_cast<double>(m_keyClock.restart()) / 1000, 0.1));
}

void TimelineWidget::moveWithKeys(double seconds) {
    const auto held = [this](int a, int b) { return m_heldKeys.contains(a) || m_heldKeys.contains(b); };
    const int pan = (held(Qt::Key_D, Qt::Key_Right) ? 1 : 0) - (held(Qt::Key_A, Qt::Key_Left) ? 1 : 0);
    const int zoom = (m_heldKeys.contains(Qt::Key_S) ? 1 : 0) - (m_heldKeys.contains(Qt::Key_W) ? 1 : 0);
    const int scroll = (m_heldKeys.contains(Qt::Key_Down) ? 1 : 0) - (m_heldKeys.contains(Qt::Key_Up) ? 1 : 0);
    if (pan != 0) {
        setAxis(panned(m_axis, pan * kPanPerSecond * seconds));
    }
    if (zoom != 0) {
        zoomAt(anchorX(), std::exp(zoom * kZoomPerSecond * seconds));
    }
    if (scroll != 0) {
        setScrollY(scrollY() + scroll * static_cast<int>(kPanPerSecond * seconds * 0.6));
    }
}

double TimelineWidget::anchorX() const {
    const QRect lanes = lanesRect();
    return m_pointer && m_pointer->x() >= lanes.left() && m_pointer->x() <= lanes.right()
               ? m_pointer->x() - lanes.left()
               : lanes.width() / 2.0;
}

void TimelineWidget::zoomAt(double x, double factor) {
    if (m_trace) {
        setAxis(zoomed(m_axis, x, factor));
    }
}

// --- wheel

void TimelineWidget::wheelEvent(QWheelEvent* event) {
    event->accept();
    if (!m_trace) {
        return;
    }
    const bool fine = !event->pixelDelta().isNull();
    // A notch is 120 units; as pixels it scrolls three rows.
    const QPointF pixels =
        fine ? QPointF(event->pixelDelta()) : QPointF(event->angleDelta()) * (3.0 * kLaneHeight / 120);
    const double main = std::abs(pixels.x()) > std::abs(pixels.y()) ? pixels.x() : pixels.y();
    if ((event->modifiers() & Qt::ControlModifier) != 0) {
        const double notches = fine ? main / 60 : (event->angleDelta().y() + event->angleDelta().x()) / 120.0;
        zoomAt(event->position().x() - lanesRect().left(), std::exp(-notches * 0.28));
    } else if ((event->modifiers() & Qt::ShiftModifier) != 0) {
        setAxis(panned(m_axis, -main * (fine ? 1 : 2)));
    } else {
        if (pixels.x() != 0 && std::abs(pixels.x()) >= std::abs(pixels.y())) {
            setAxis(panned(m_axis, -pixels.x() * (fine ? 1 : 2)));
        } else {
            setScrollY(scrollY() - static_cast<int>(std::lround(pixels.y())));
        }
    }
    updateHover(event->position().toPoint());
}

// --- mouse

int TimelineWidget::sectionAtPoint(QPoint at) const {
    if (at.y() < kRulerHeight || !m_trace) {
        return -1;
    }
    // The sticky header lies above what it covers.
    const int sticky = m_layout.processHeaderAbove(scrollY());
    if (sticky >= 0 && at.y() < kRulerHeight + kHeaderHeight &&
        m_layout.sections()[static_cast<size_t>(sticky)].y < scrollY() &&
        !m_layout.sections()[static_cast<size_t>(sticky)].collapsed) {
        return sticky;
    }
    return m_layout.sectionAt(at.y() - kRulerHeight + scrollY());
}

std::optional<Hit> TimelineWidget::hitAt(QPoint at) {
    const QRect lanes = lanesRect();
    if (!lanes.contains(at) || !m_trace || !m_model) {
        return std::nullopt;
    }
    const int section = sectionAtPoint(at);
    if (section >= 0 && m_layout.sections()[static_cast<size_t>(section)].kind == SectionKind::Process &&
        !m_layout.sections()[static_cast<size_t>(section)].collapsed) {
        return std::nullopt;
    }
    const Geometry& shown = geometry();
    const double scale = shown.view.scale;
    return hitTest(shown, static_cast<int>(std::floor((at.x() - lanes.left() + 0.5) * scale)),
                   static_cast<int>(std::floor((at.y() - lanes.top() + 0.5) * scale)),
                   static_cast<int>(std::lround(kReach * scale)));
}

Selection TimelineWidget::selectionOf(const Hit& hit, QPoint at) const {
    using Kind = Selection::Kind;
    switch (hit.kind) {
        case RowKind::Lane:
            return Selection::slice(EventRow(hit.bar->item));
        case RowKind::Async: {
            const auto slices = static_cast<uint32_t>(m_trace->asyncSlices().size());
            return hit.bar->item < slices ? Selection{Kind::AsyncSlice, hit.bar->item}
                                          : Selection{Kind::AsyncInstant, hit.bar->item - slices};
        }
        case RowKind::Instants:
            return {Kind::Instant, hit.bar->item};
        case RowKind::Counter: {
            const CounterLane& lane = m_model->counters[m_layout.rows()[m_geometry.rows[hit.row].layoutRow].index];
            const std::vector<TimeNs>& times = m_trace->counters()[lane.counter].series[lane.series].time;
            const TimeNs time = xToTime(m_axis, at.x() - lanesRect().left());
            const auto next = std::upper_bound(times.begin(), times.end(), time);
            // Before the first point there is no value.
            return next == times.begin() ? Selection()
                                         : Selection{Kind::CounterSample, lane.counter, lane.series,
                                                     static_cast<uint64_t>(next - times.begin()) - 1};
        }
    }
    return {};
}

TimelineWidget::Drag TimelineWidget::areaEdgeAt(QPoint at) const {
    if (!m_session.area() || !lanesRect().united(rulerRect()).contains(at)) {
        return Drag::None;
    }
    const TimeRange range = m_session.area()->range;
    const double x = at.x() - lanesRect().left();
    if (std::abs(timeToX(m_axis, range.end) - x) <= kReach) {
        return Drag::AreaEnd;
    }
    return std::abs(timeToX(m_axis, range.begin) - x) <= kReach ? Drag::AreaBegin : Drag::None;
}

void TimelineWidget::updateCursorShape(QPoint at) {
    const bool onBorder = std::abs(at.x() - m_headWidth) <= 2;
    if (m_drag == Drag::Pan) {
        setCursor(Qt::ClosedHandCursor);
    } else if (m_drag == Drag::HeadWidth || (m_drag == Drag::None && onBorder)) {
        setCursor(Qt::SplitHCursor);
    } else if (areaEdgeAt(at) != Drag::None) {
        setCursor(Qt::SizeHorCursor);
    } else {
        unsetCursor();
    }
}

void TimelineWidget::mousePressEvent(QMouseEvent* event) {
    if (!m_trace || m_drag != Drag::None) {
        return;
    }
    const QPoint at = event->position().toPoint();
    m_press = at;
    m_lastDrag = at;
    const bool shift = (event->modifiers() & Qt::ShiftModifier) != 0;
    if (event->button() == Qt::MiddleButton || (event->button() == Qt::LeftButton && shift)) {
        m_drag = Drag::Pan;
    } else if (event->button() != Qt::LeftButton) {
        return;
    } else if (std::abs(at.x() - m_headWidth) <= 2) {
        m_drag = Drag::HeadWidth;
    } else if (at.x() < m_headWidth) {
        clickHead(at);
        return;
    } else {
        m_drag = areaEdgeAt(at);
        if (m_drag != Drag::None) {
            m_dragArea = *m_session.area();
        } else {
            m_drag = Drag::Pending;
            m_pressOnRuler = rulerRect().contains(at);
            m_dragTime = xToTime(m_axis, at.x() - lanesRect().left());
        }
    }
    updateCursorShape(at);
}

void TimelineWidget::mouseMoveEvent(QMouseEvent* event) {
    const QPoint at = event->position().toPoint();
    switch (m_drag) {
        case Drag::None:
            break;
        case Drag::Pending:
            if ((at - m_press).manhattanLength() >= QApplication::startDragDistance() / 2) {
                m_drag = Drag::Area;
                dragArea(at);
            }
            break;
        case Drag::Area:
        case Drag::AreaBegin:
        case Drag::AreaEnd:
            dragArea(at);
            break;
        case Drag::Pan:
            setAxis(panned(m_axis, m_lastDrag.x() - at.x()));
            setScrollY(scrollY() + m_lastDrag.y() - at.y());
            break;
        case Drag::HeadWidth: {
            const QRect before = lanesRect();
            m_headWidth = std::clamp(at.x(), kMinHeadWidth, std::clamp(width() / 2, kMinHeadWidth, kMaxHeadWidth));
            if (lanesRect().width() > 0 && before.width() > 0) {
                setAxis({m_axis.begin, m_axis.nsPerPixel * before.width() / lanesRect().width()});
            }
            invalidate();
            break;
        }
    }
    m_lastDrag = at;
    updateHover(at);
    updateCursorShape(at);
}

void TimelineWidget::dragArea(QPoint to) {
    const QRect lanes = lanesRect();
    const TimeNs time = xToTime(m_axis, std::clamp(to.x() - lanes.left(), 0, std::max(lanes.width(), 0)));
    if (m_drag == Drag::AreaBegin || m_drag == Drag::AreaEnd) {
        (m_drag == Drag::AreaBegin ? m_dragArea.range.begin : m_dragArea.range.end) = time;
        if (m_dragArea.range.begin > m_dragArea.range.end) {
            std::swap(m_dragArea.range.begin, m_dragArea.range.end);
            m_drag = m_drag == Drag::AreaBegin ? Drag::AreaEnd : Drag::AreaBegin;
        }
    } else {
        m_dragArea.range = {std::min(m_dragTime, time), std::max(m_dragTime, time)};
        m_dragArea.tracks.clear();
        // A level drag is about time; one that reaches over rows is about the tracks it covers.
        if (!m_pressOnRuler && std::abs(to.y() - m_press.y()) > kLaneHeight) {
            const int y0 = std::min(to.y(), m_press.y()) - kRulerHeight + scrollY();
            const int y1 = std::max(to.y(), m_press.y()) - kRulerHeight + scrollY();
            for (const Section& section : m_layout.sections()) {
                if (section.kind == SectionKind::Track && section.y <= y1 && section.y + section.height > y0) {
                    m_dragArea.tracks.push_back(section.track);
                }
            }
        }
    }
    update();
}

void TimelineWidget::mouseReleaseEvent(QMouseEvent* event) {
    const QPoint at = event->position().toPoint();
    const Drag drag = std::exchange(m_drag, Drag::None);
    if (drag == Drag::HeadWidth) {
        settings::store().setValue(settings::kTimelineHeads, m_headWidth);
    }
    if (drag == Drag::Pending) {
        click(at);
    } else if (drag == Drag::Area || drag == Drag::AreaBegin || drag == Drag::AreaEnd) {
        if (m_dragArea.range.empty()) {
            m_session.setArea(std::nullopt);
        } else {
            m_session.setArea(m_dragArea);
        }
    }
    updateCursorShape(at);
    updateHover(at);
    update();
}

void TimelineWidget::click(QPoint at) {
    if (rulerRect().contains(at)) {
        m_session.setArea(std::nullopt);
        return;
    }
    const std::optional<Hit> hit = hitAt(at);
    const int section = sectionAtPoint(at);
    if (section >= 0) {
        m_focus = keyOf(m_layout.sections()[static_cast<size_t>(section)]);
    }
    if (const Selection chosen = hit ? selectionOf(*hit, at) : Selection(); chosen.kind != Selection::Kind::None) {
        m_session.select(chosen);
        return;
    }
    if (!hit && section >= 0 && m_layout.sections()[static_cast<size_t>(section)].kind == SectionKind::Process) {
        clickHead(at);
        return;
    }
    m_session.setArea(std::nullopt);
    m_session.select({});
}

bool TimelineWidget::clickHead(QPoint at) {
    const int index = sectionAtPoint(at);
    if (index < 0) {
        return false;
    }
    const Section section = m_layout.sections()[static_cast<size_t>(index)];
    const QRect head(0, kRulerHeight + section.y - scrollY(), m_headWidth, section.height);
    m_focus = keyOf(section);
    update();
    switch (section.kind) {
        case SectionKind::Process:
            // Folded from its sticky header, the process is still there afterwards.
            if (section.y < scrollY()) {
                setScrollY(section.y);
            }
            toggleFold(section);
            return true;
        case SectionKind::Track:
            if (densityRect(section, head).contains(at)) {
                compactFocused();
                return true;
            }
            break;
        case SectionKind::Async:
        case SectionKind::Counter:
            break;
    }
    if (!chevronRect(section, head).adjusted(-6, 0, 2, 0).contains(at)) {
        return false;
    }
    toggleFold(section);
    return true;
}

void TimelineWidget::mouseDoubleClickEvent(QMouseEvent* event) {
    const QPoint at = event->position().toPoint();
    if (!m_trace || event->button() != Qt::LeftButton) {
        return;
    }
    if (rulerRect().contains(at)) {
        fitAll();
        return;
    }
    if (at.x() < m_headWidth) {
        const int index = sectionAtPoint(at);
        if (index >= 0 && !clickHead(at)) {
            const Section section = m_layout.sections()[static_cast<size_t>(index)];
            toggleFold(section);
        }
        return;
    }
    const std::optional<Hit> hit = hitAt(at);
    const std::optional<TimeRange> range = hit ? rangeOf(selectionOf(*hit, at)) : std::nullopt;
    if (range && !range->empty()) {
        setAxis(axisFitting(*range, lanesRect().width(), kSliceFitMargin));
    }
}

void TimelineWidget::contextMenuEvent(QContextMenuEvent* event) {
    if (!m_trace) {
        return;
    }
    QMenu menu(this);
    const std::optional<Hit> hit = hitAt(event->pos());
    if (hit && hit->bar != nullptr && hit->kind == RowKind::Lane) {
        const EventRow row(hit->bar->item);
        m_session.selectEvent(row);
        const QString name = text(m_trace->sliceName(row));
        menu.addAction(tr("Zoom to slice"), this, [this, range = *rangeOf(Selection::slice(row))] {
            setAxis(axisFitting(range, lanesRect().width(), kSliceFitMargin));
        });
        menu.addAction(tr("Selection to area"), this, &TimelineWidget::areaFromSelection);
        menu.addAction(tr("Copy name"), this, [name] { QApplication::clipboard()->setText(name); });
        menu.addSeparator();
    }
    const int index = sectionAtPoint(event->pos());
    if (index >= 0) {
        const Section section = m_layout.sections()[static_cast<size_t>(index)];
        m_focus = keyOf(section);
        if (section.collapsible) {
            menu.addAction(section.collapsed ? tr("Expand") : tr("Collapse"), this,
                           [this, section] { toggleFold(section); });
        }
        if (section.canCompact && !section.collapsed) {
            menu.addAction(section.compact ? tr("All rows at full height") : tr("Deep rows as thin strips"), this,
                           &TimelineWidget::compactFocused);
        }
        menu.addAction(tr("Collapse all tracks"), this, [this] { setAllCollapsed(true); });
        menu.addAction(tr("Expand all tracks"), this, [this] { setAllCollapsed(false); });
    }
    menu.addAction(tr("Fit all"), this, &TimelineWidget::fitAll);
    menu.exec(event->globalPos());
}

// --- hover

void TimelineWidget::leaveEvent(QEvent*) {
    clearHover();
}

void TimelineWidget::clearHover() {
    m_pointer.reset();
    m_readout.reset();
    m_hovered = EventRow::none();
    m_hoveredSection = -1;
    update();
}

void TimelineWidget::updateHover(QPoint at) {
    m_pointer.reset();
    m_readout.reset();
    m_hovered = EventRow::none();
    m_hoveredSection = headsRect().contains(at) ? sectionAtPoint(at) : -1;
    if (lanesRect().united(rulerRect()).contains(at)) {
        m_pointer = at;
    }
    if (const std::optional<Hit> hit = hitAt(at)) {
        m_readout = makeReadout({*m_trace, *m_model, m_layout, m_geometry}, *hit, at.x() - lanesRect().left());
        if (hit->kind == RowKind::Lane) {
            m_hovered = EventRow(hit->bar->item);
        }
    }
    update();
}

}  // namespace warpline::timeline
