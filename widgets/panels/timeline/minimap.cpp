// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/timeline/minimap.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/units.h"
#include "widgets/support/cell_text.h"
#include "widgets/support/theme.h"

namespace warpline::timeline {

namespace {

constexpr double kEdgeReach = 4;   ///< pixels
constexpr double kLeastBrush = 3;  ///< so that a short view is still seen
constexpr size_t kMostRows = 4;
constexpr double kMoreMark = 5;  ///< pixels: the mark of what lies beyond the strip

}  // namespace

Minimap::Minimap(QWidget* parent) : QWidget(parent) {
    setMouseTracking(true);
    setAccessibleName(tr("Overview of the whole trace"));
}

void Minimap::setTrace(std::shared_ptr<const Trace> trace, TimeRange work) {
    m_trace = std::move(trace);
    m_activity.reset();
    m_work = m_all = work;
    m_view = {};
    m_rowsStale = true;
    m_highlight = {};
    m_marksStale = true;
    m_drag = Drag::None;
    update();
}

void Minimap::setRange(TimeRange work) {
    m_work = work;
    takeRange();
}

void Minimap::takeRange() {
    // Under a drag the time below the pointer must not run away.
    if (!m_trace || m_drag != Drag::None) {
        return;
    }
    const TimeRange seen = m_view.intersected(m_trace->range().value_or(m_work));
    const TimeRange all =
        seen.empty() ? m_work : TimeRange{std::min(m_work.begin, seen.begin), std::max(m_work.end, seen.end)};
    if (all != m_all) {
        m_all = all;
        m_rowsStale = true;
        m_marksStale = true;
        update();
    }
}

bool Minimap::hasMoreBefore() const {
    return m_trace && m_trace->range() && m_trace->range()->begin < m_all.begin;
}

bool Minimap::hasMoreAfter() const {
    return m_trace && m_trace->range() && m_trace->range()->end > m_all.end;
}

void Minimap::setActivity(std::shared_ptr<const std::vector<DeviceActivity>> activity) {
    m_activity = std::move(activity);
    m_rowsStale = true;
    update();
}

void Minimap::setView(TimeRange view) {
    if (view != m_view) {
        m_view = view;
        takeRange();
        update();
    }
}

const std::vector<MinimapRow>& Minimap::rows() {
    if (std::exchange(m_rowsStale, false)) {
        m_rows.clear();
        m_strip = {};
        m_title.reset();
        if (m_trace && m_activity) {
            m_rows = minimapRows(*m_trace, *m_activity, m_all, width(), kMostRows);
        }
    }
    return m_rows;
}

void Minimap::setHighlight(const Highlight& highlight) {
    if (!highlight.hasSameEvents(m_highlight)) {
        m_highlight = highlight;
        m_marksStale = true;
        update();
    }
}

const std::vector<char>& Minimap::marks() {
    if (std::exchange(m_marksStale, false)) {
        m_marks.assign(m_trace && !m_highlight.empty() ? static_cast<size_t>(std::max(width(), 0)) : 0, 0);
        size_t next = m_marks.empty() ? 0 : firstFrom(*m_trace, m_highlight, timeAt(0));
        for (size_t x = 0; x < m_marks.size(); ++x) {
            const size_t end = firstFrom(*m_trace, m_highlight, timeAt(static_cast<double>(x) + 1));
            m_marks[x] = end > next ? 1 : 0;
            next = end;
        }
    }
    return m_marks;
}

QString Minimap::title() {
    if (rows().empty()) {
        return {};
    }
    if (!m_title) {
        const bool hasDevices = std::ranges::any_of(
            *m_activity, [this](const DeviceActivity& device) { return !busyPieces(*m_trace, device).begin.empty(); });
        m_title = hasDevices ? tr("GPU busy") : tr("Threads busy");
    }
    return *m_title;
}

double Minimap::xOf(TimeNs time) const {
    return m_all.empty() ? 0
                         : static_cast<double>(distanceSaturated(m_all.begin, time)) * width() /
                               static_cast<double>(m_all.length());
}

TimeNs Minimap::timeAt(double x) const {
    const double share = std::clamp(width() > 0 ? x / width() : 0.0, 0.0, 1.0);
    return m_all.begin + static_cast<DurationNs>(std::llround(share * static_cast<double>(m_all.length())));
}

void Minimap::resizeEvent(QResizeEvent*) {
    m_rowsStale = true;
    m_marksStale = true;
}

void Minimap::paintEvent(QPaintEvent*) {
    QPainter p(this);
    p.drawImage(0, 0, strip());
    drawView(p);
}

void Minimap::paint(QPainter& p) {
    p.fillRect(rect(), theme().raised);
    drawShares(p);
    drawView(p);
}

const QImage& Minimap::strip() {
    rows();
    const Theme& look = theme();
    const double scale = devicePixelRatioF();
    const QSize pixels(static_cast<int>(std::ceil(width() * scale)), static_cast<int>(std::ceil(height() * scale)));
    const std::pair colors(look.raised.rgb(), look.counterLine.rgb());
    const bool isSame = m_strip.size() == pixels && m_strip.devicePixelRatio() == scale && m_stripColors == colors;
    if (!isSame && !pixels.isEmpty()) {
        m_strip = QImage(pixels, QImage::Format_RGB32);
        m_strip.setDevicePixelRatio(scale);
        m_stripColors = colors;
        m_strip.fill(look.raised);
        QPainter p(&m_strip);
        drawShares(p);
    }
    return m_strip;
}

void Minimap::drawShares(QPainter& p) {
    const std::vector<MinimapRow>& shown = rows();
    const QColor busy = theme().counterLine;
    const int room = height() - 3;
    for (size_t i = 0; i < shown.size(); ++i) {
        const int top = 1 + static_cast<int>(i) * room / static_cast<int>(shown.size());
        const int bottom = 1 + static_cast<int>(i + 1) * room / static_cast<int>(shown.size()) - 1;
        for (int x = 0; x < static_cast<int>(shown[i].shares.size()); ++x) {
            const float share = shown[i].shares[static_cast<size_t>(x)];
            if (share > 0) {
                // What is there at all is seen, however little.
                const int tall = std::max(1, static_cast<int>(std::lround(share * static_cast<float>(bottom - top))));
                p.fillRect(x, bottom - tall, 1, tall, busy);
            }
        }
    }
}

void Minimap::drawView(QPainter& p) {
    const Theme& look = theme();
    p.fillRect(0, height() - 1, width(), 1, look.border);
    const double x0 = std::clamp(xOf(m_view.begin), 0.0, double(width()));
    const double x1 = std::clamp(xOf(m_view.end), 0.0, double(width()));
    const double middle = (x0 + x1) / 2;
    const int left = static_cast<int>(std::min(x0, middle - kLeastBrush / 2));
    const int right = static_cast<int>(std::ceil(std::max(x1, middle + kLeastBrush / 2)));
    QColor veil = look.window;
    veil.setAlphaF(0.55F);
    p.fillRect(0, 0, left, height() - 1, veil);
    p.fillRect(right, 0, width() - right, height() - 1, veil);
    const std::vector<char>& marked = marks();
    for (size_t x = 0; x < marked.size(); ++x) {
        if (marked[x] != 0) {
            p.fillRect(static_cast<int>(x), height() - 6, 1, 5, look.highlight);
        }
    }
    p.setPen(look.accent);
    p.drawRect(left, 0, std::max(right - left - 1, 1), height() - 2);
    const auto drawMore = [&](double tip, double foot) {
        const double middleY = (height() - 1) / 2.0;
        p.setRenderHint(QPainter::Antialiasing);
        p.setPen(Qt::NoPen);
        p.setBrush(look.mutedText);
        p.drawPolygon(QPolygonF{{tip, middleY}, {foot, middleY - kMoreMark}, {foot, middleY + kMoreMark}});
    };
    if (hasMoreBefore()) {
        drawMore(2, 2 + kMoreMark);
    }
    if (hasMoreAfter()) {
        drawMore(width() - 2, width() - 2 - kMoreMark);
    }
}

Minimap::Drag Minimap::dragAt(double x) const {
    const double x0 = xOf(m_view.begin);
    const double x1 = xOf(m_view.end);
    // A short view is moved rather than stretched.
    if (x1 - x0 > 4 * kEdgeReach) {
        if (std::abs(x - x0) <= kEdgeReach) {
            return Drag::Begin;
        }
        if (std::abs(x - x1) <= kEdgeReach) {
            return Drag::End;
        }
    }
    return Drag::Move;
}

void Minimap::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !m_trace || m_all.empty()) {
        event->ignore();
        return;
    }
    const double x = event->position().x();
    m_drag = dragAt(x);
    const TimeNs at = timeAt(x);
    // A press beside the view brings its middle there.
    const bool isInside = m_view.begin <= at && at < m_view.end;
    m_grip = isInside ? distanceSaturated(m_view.begin, at) : m_view.length() / 2;
    emit dragging(true);
    if (m_drag == Drag::Move && !isInside) {
        moveTo(x);
    }
}

void Minimap::moveTo(double x) {
    const TimeNs at = timeAt(x);
    TimeRange view = m_view;
    switch (m_drag) {
        case Drag::Move:
            view = {at - m_grip, at - m_grip + m_view.length()};
            break;
        case Drag::Begin:
            view.begin = std::min(at, view.end - 1);
            break;
        case Drag::End:
            view.end = std::max(at, view.begin + 1);
            break;
        case Drag::None:
            return;
    }
    emit viewRequested(view);
}

void Minimap::mouseMoveEvent(QMouseEvent* event) {
    const double x = event->position().x();
    if (m_drag != Drag::None) {
        moveTo(x);
        return;
    }
    const Drag drag = dragAt(x);
    setCursor(drag == Drag::Move ? Qt::PointingHandCursor : Qt::SizeHorCursor);
}

void Minimap::mouseReleaseEvent(QMouseEvent*) {
    if (std::exchange(m_drag, Drag::None) != Drag::None) {
        emit dragging(false);
        takeRange();
    }
}

void Minimap::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) {
        emit fitRequested();
    }
}

bool Minimap::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) {
        return QWidget::event(event);
    }
    auto* help = static_cast<QHelpEvent*>(event);
    const std::vector<MinimapRow>& shown = rows();
    if (shown.empty() || help->x() < 0 || help->x() >= width()) {
        QToolTip::hideText();
        return true;
    }
    QStringList lines;
    for (const MinimapRow& row : shown) {
        lines << tr("%1: busy %2 of the time here")
                     .arg(fromUtf8(row.title))
                     .arg(QStringLiteral("%1 %").arg(
                         static_cast<double>(row.shares[static_cast<size_t>(help->x())]) * 100, 0, 'f', 0));
    }
    const DurationNs whole = m_trace->range().value_or(m_all).length();
    lines << (hasMoreBefore() || hasMoreAfter()
                  ? tr("All work of this trace: %1. The trace has %2; zoom out to see what lies beyond.")
                        .arg(fromUtf8(formatDuration(m_all.length())), fromUtf8(formatDuration(whole)))
                  : tr("The whole trace: %1.").arg(fromUtf8(formatDuration(whole))));
    lines << tr("Drag to move the view, its ends to zoom; double click shows all.");
    QToolTip::showText(help->globalPos(), lines.join('\n'), this);
    return true;
}

}  // namespace warpline::timeline
