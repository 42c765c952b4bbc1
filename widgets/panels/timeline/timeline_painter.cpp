// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/timeline/timeline_painter.h"

#include <QCoreApplication>
#include <QFontMetrics>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

#include "core/base/units.h"
#include "widgets/panels/timeline/arrow_canvas.h"
#include "widgets/panels/timeline/value_heads.h"

namespace warpline::timeline {

namespace {

/// The context of what is translated here.
struct Text {
    Q_DECLARE_TR_FUNCTIONS(Timeline)
};

QString text(std::string_view utf8) {
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

}  // namespace

std::optional<RulerSpan> TimelinePainter::areaLabel(TimeRange range, const QString& label,
                                                    const RulerTicks& ticks) const {
    constexpr int kEdge = 2;
    const QFontMetrics metrics(m_f.smallFont);
    const int x0 =
        static_cast<int>(std::floor(std::clamp(timeToX(m_v.axis, range.begin), 0.0, 1.0 * m_f.lanes.width())));
    const int x1 = static_cast<int>(std::floor(std::clamp(timeToX(m_v.axis, range.end), 0.0, 1.0 * m_f.lanes.width())));
    if (timeToX(m_v.axis, range.end) < 0 || timeToX(m_v.axis, range.begin) >= m_f.lanes.width()) {
        return std::nullopt;
    }
    const int width = metrics.horizontalAdvance(label) + 12;
    int least = x0;
    int most = x1;
    if (most - least < width + 2 * kEdge) {
        // Wider than the area, it lies around its middle.
        least = std::clamp((x0 + x1 - width) / 2, kEdge, std::max(kEdge, m_f.lanes.width() - width - kEdge));
        most = least + width;
    }
    return placeAmongLabels(
        labelSpans(ticks, [&](std::string_view tick) { return metrics.horizontalAdvance(text(tick)); }), width, least,
        most);
}

void TimelinePainter::ruler(const RulerTicks& ticks, const std::optional<RulerSpan>& taken) {
    const QRect full(m_f.heads.left(), m_f.ruler.top(), m_f.ruler.right() - m_f.heads.left() + 1, m_f.ruler.height());
    m_p.fillRect(full, m_f.theme.raised);
    m_p.setClipRect(m_f.ruler);
    m_p.setFont(m_f.smallFont);
    const QFontMetrics metrics(m_f.smallFont);
    const QColor minor = mixed(m_f.theme.raised, m_f.theme.rulerText, 0.35);
    const QColor major = mixed(m_f.theme.raised, m_f.theme.rulerText, 0.7);
    for (const RulerTick& tick : ticks.ticks) {
        const int x = m_f.ruler.left() + tick.x;
        if (!tick.major) {
            m_p.fillRect(x, m_f.ruler.bottom() - 3, 1, 4, minor);
        } else {
            m_p.fillRect(x, m_f.ruler.bottom() - 9, 1, 10, major);
            const RulerSpan own{tick.x + kRulerLabelInset, taken ? metrics.horizontalAdvance(text(tick.label)) : 0};
            if (taken && own.touches(*taken)) {
                continue;
            }
            m_p.setPen(m_f.theme.rulerText);
            m_p.drawText(QRect(x + kRulerLabelInset, m_f.ruler.top(), 400, m_f.ruler.height() - 5),
                         Qt::AlignLeft | Qt::AlignVCenter, text(tick.label));
        }
    }
    m_p.setClipping(false);
    m_p.fillRect(full.left(), full.bottom(), full.width(), 1, m_f.theme.border);
    // The corner says from where the labels count, and what the whole width of the view is.
    QRect corner(m_f.heads.left() + 8, m_f.ruler.top(), m_f.heads.width() - 14, m_f.ruler.height());
    if (!ticks.baseLabel.empty()) {
        const QString base = text(ticks.baseLabel);
        m_p.setPen(m_f.theme.rulerText);
        m_p.drawText(corner, Qt::AlignRight | Qt::AlignVCenter, base);
        corner.setRight(corner.right() - metrics.horizontalAdvance(base) - 10);
    }
    const TimeRange shown = visibleRange(m_v.axis, m_f.lanes.width());
    m_p.setPen(m_f.theme.mutedText);
    m_p.drawText(corner, Qt::AlignLeft | Qt::AlignVCenter,
                 metrics.elidedText(Text::tr("%1 in view").arg(text(formatDuration(shown.length()))), Qt::ElideRight,
                                    corner.width()));
}

void TimelinePainter::chip(QRect rect, const QString& label, const QColor& fill, const QColor& pen) {
    m_p.setRenderHint(QPainter::Antialiasing);
    QPainterPath path;
    path.addRoundedRect(rect, 3, 3);
    m_p.fillPath(path, fill);
    m_p.setRenderHint(QPainter::Antialiasing, false);
    m_p.setPen(pen);
    m_p.setFont(m_f.smallFont);
    m_p.drawText(rect, Qt::AlignCenter, label);
}

void TimelinePainter::veil(TimeRange range, const std::vector<QRect>& trackBands) {
    const QRect& lanes = m_f.lanes;
    const int left = static_cast<int>(std::clamp(timeToX(m_v.axis, range.begin), 0.0, double(lanes.width())));
    const int right = static_cast<int>(std::ceil(std::clamp(timeToX(m_v.axis, range.end), 0.0, double(lanes.width()))));
    QRegion outside(lanes);
    for (const QRect& band : trackBands) {
        outside -= QRect(lanes.left() + left, band.top(), right - left, band.height());
    }
    QColor veil = m_f.theme.surface;
    veil.setAlphaF(0.72F);
    for (const QRect& part : outside) {
        m_p.fillRect(part, veil);
    }
}

void TimelinePainter::mark(TimeRange range, const std::vector<QRect>& trackBands, const QString& note, bool isKept) {
    const double left = std::clamp(timeToX(m_v.axis, range.begin), -2.0, m_f.lanes.width() + 2.0);
    const double right = std::clamp(timeToX(m_v.axis, range.end), -2.0, m_f.lanes.width() + 2.0);
    if (right < 0 || left > m_f.lanes.width()) {
        return;
    }
    const int x0 = m_f.lanes.left() + static_cast<int>(std::floor(left));
    const int x1 = std::max(m_f.lanes.left() + static_cast<int>(std::floor(right)), x0 + 1);
    m_p.setClipRect(m_f.lanes.united(m_f.ruler));
    const QColor color = isKept ? m_f.theme.good : m_f.theme.warning;
    QColor tint = color;
    tint.setAlphaF(0.10F);
    for (const QRect& band : trackBands) {
        m_p.fillRect(QRect(x0, band.top(), x1 - x0, band.height()), tint);
    }
    m_p.fillRect(x0, m_f.ruler.bottom() - 4, 1, m_f.lanes.bottom() - m_f.ruler.bottom() + 5, color);
    m_p.fillRect(x1, m_f.ruler.bottom() - 4, 1, m_f.lanes.bottom() - m_f.ruler.bottom() + 5, color);
    m_p.fillRect(x0, m_f.ruler.bottom() - 4, x1 - x0 + 1, 4, color);
    if (!note.isEmpty()) {
        const QFontMetrics metrics(m_f.smallFont);
        constexpr int kMostWidth = 220;
        const QString shown = metrics.elidedText(note, Qt::ElideRight, kMostWidth);
        const int x = std::max(x0, m_f.lanes.left());
        chip(QRect(x, m_f.lanes.top() + 2, metrics.horizontalAdvance(shown) + 12, 17), shown, color, m_f.theme.surface);
    }
    m_p.setClipping(false);
}

void TimelinePainter::area(TimeRange range, const QString& label, const std::optional<RulerSpan>& place,
                           const std::vector<QRect>& trackBands) {
    const double left = std::clamp(timeToX(m_v.axis, range.begin), -2.0, m_f.lanes.width() + 2.0);
    const double right = std::clamp(timeToX(m_v.axis, range.end), -2.0, m_f.lanes.width() + 2.0);
    const int x0 = m_f.lanes.left() + static_cast<int>(std::floor(left));
    const int x1 = m_f.lanes.left() + static_cast<int>(std::floor(right));
    m_p.setClipRect(m_f.lanes.united(m_f.ruler));
    for (const QRect& band : trackBands) {
        m_p.fillRect(QRect(x0, band.top(), x1 - x0, band.height()), m_f.theme.areaFill);
    }
    QColor edge = m_f.theme.areaEdge;
    m_p.fillRect(x0, m_f.ruler.top(), 1, m_f.lanes.bottom() - m_f.ruler.top() + 1, edge);
    m_p.fillRect(x1, m_f.ruler.top(), 1, m_f.lanes.bottom() - m_f.ruler.top() + 1, edge);
    m_p.fillRect(x0, m_f.ruler.bottom() - 2, x1 - x0, 3, edge);
    if (place) {
        chip(QRect(m_f.ruler.left() + place->x, m_f.ruler.top() + 3, place->width, 17), label, m_f.theme.accent,
             m_f.theme.accentText);
    }
    m_p.setClipping(false);
}

void TimelinePainter::outline(const LaneLayout& layout, int layoutRow, TimeRange range, const QColor& color,
                              int width) {
    if (layoutRow < 0) {
        return;
    }
    const LayoutRow& lane = layout.rows()[static_cast<size_t>(layoutRow)];
    const double left = timeToX(m_v.axis, range.begin);
    const double right = timeToX(m_v.axis, range.end);
    const int y = m_f.lanes.top() + m_v.viewY(lane.y);
    if (right < -4 || left > m_f.lanes.width() + 4 || y + lane.height < m_f.lanes.top() || y > m_f.lanes.bottom()) {
        return;
    }
    const int x0 = m_f.lanes.left() + static_cast<int>(std::floor(std::max(left, -8.0)));
    int x1 = m_f.lanes.left() + static_cast<int>(std::floor(std::min(right, m_f.lanes.width() + 8.0)));
    // A slice of a pixel must be found too.
    x1 = std::max(x1, x0 + 3);
    m_p.setClipRect(clipOf(lane.y));
    const QRect box(x0 - 1, y - 1, x1 - x0 + 1, lane.height + 1);
    m_p.fillRect(box.left(), box.top(), box.width(), width, color);
    m_p.fillRect(box.left(), box.bottom() - width + 1, box.width(), width, color);
    m_p.fillRect(box.left(), box.top(), width, box.height(), color);
    m_p.fillRect(box.right() - width + 1, box.top(), width, box.height(), color);
    m_p.setClipping(false);
}

void TimelinePainter::arrows(const std::vector<Arrow>& arrows, bool amongOthers) {
    if (arrows.empty()) {
        return;
    }
    m_p.setClipRect(m_f.lanes);
    m_p.setRenderHint(QPainter::Antialiasing);
    for (const Arrow& arrow : arrows) {
        const QPointF from(m_f.lanes.left() + arrow.x0, m_f.lanes.top() + arrow.y0);
        const QPointF to(m_f.lanes.left() + arrow.x1, m_f.lanes.top() + arrow.y1);
        const double bend = std::clamp(std::abs(to.x() - from.x()) / 2, 12.0, 120.0);
        QPainterPath path(from);
        path.cubicTo(from + QPointF(bend, 0), to - QPointF(bend, 0), to);
        const QColor color = arrowColor(m_f.theme, arrow.kind);
        m_p.setBrush(Qt::NoBrush);
        if (amongOthers) {
            m_p.setPen(QPen(m_f.theme.surface, 5));
            m_p.drawPath(path);
        }
        const bool isSolid = amongOthers || arrow.kind == ArrowKind::Launch;
        m_p.setPen(QPen(color, amongOthers ? 2 : 1.5, isSolid ? Qt::SolidLine : Qt::DashLine));
        m_p.drawPath(path);
        QPainterPath tip(to);
        tip.lineTo(to + QPointF(-7, -3.5));
        tip.lineTo(to + QPointF(-7, 3.5));
        tip.closeSubpath();
        m_p.fillPath(tip, color);
        m_p.setPen(Qt::NoPen);
        m_p.setBrush(color);
        m_p.drawEllipse(from, 2.5, 2.5);
    }
    m_p.setBrush(Qt::NoBrush);
    m_p.setRenderHint(QPainter::Antialiasing, false);
    m_p.setClipping(false);
}

void TimelinePainter::crosshair(int x, const QString& time) {
    QColor color = m_f.theme.mutedText;
    color.setAlpha(150);
    m_p.fillRect(x, m_f.lanes.top(), 1, m_f.lanes.height(), color);
    const int width = QFontMetrics(m_f.smallFont).horizontalAdvance(time) + 10;
    const int left =
        std::clamp(x - width / 2, m_f.ruler.left() + 1, std::max(m_f.ruler.left() + 1, m_f.ruler.right() - width - 1));
    chip(QRect(left, m_f.ruler.top() + 3, width, 17), time, m_f.theme.text, m_f.theme.surface);
}

void TimelinePainter::readout(const Readout& readout, QPoint pointer) {
    constexpr int kMaxWidth = 520;
    constexpr int kPadding = 9;
    QFont bold = m_f.font;
    bold.setBold(true);
    const QFontMetrics boldMetrics(bold);
    const QFontMetrics metrics(m_f.font);
    const QRect titleRect = boldMetrics.boundingRect(QRect(0, 0, kMaxWidth, boldMetrics.height() * 3),
                                                     Qt::TextWrapAnywhere | Qt::AlignLeft, readout.title);
    const int titleBlock = std::min(titleRect.height(), boldMetrics.height() * 3);
    int width = std::min(titleRect.width(), kMaxWidth);
    for (const QString& line : readout.lines) {
        width = std::max(width, std::min(metrics.horizontalAdvance(line), kMaxWidth));
    }
    const int lineHeight = metrics.height() + 2;
    const QSize size(width + 2 * kPadding,
                     titleBlock + static_cast<int>(readout.lines.size()) * lineHeight + 2 * kPadding + 2);
    QPoint at = pointer + QPoint(14, 18);
    const QRect room = m_f.heads.united(m_f.lanes);
    if (at.x() + size.width() > room.right()) {
        at.setX(std::max(room.left() + 4, pointer.x() - 14 - size.width()));
    }
    if (at.y() + size.height() > room.bottom()) {
        at.setY(std::max(room.top() + 4, pointer.y() - 14 - size.height()));
    }
    const QRect box(at, size);
    m_p.setRenderHint(QPainter::Antialiasing);
    QPainterPath shadow;
    shadow.addRoundedRect(QRectF(box).adjusted(-1, 0, 1, 3), 6, 6);
    m_p.fillPath(shadow, QColor(0, 0, 0, m_f.theme.dark ? 90 : 32));
    QPainterPath path;
    path.addRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);
    m_p.fillPath(path, m_f.theme.overlay);
    m_p.setPen(m_f.theme.border);
    m_p.drawPath(path);
    m_p.setRenderHint(QPainter::Antialiasing, false);
    m_p.setPen(m_f.theme.text);
    m_p.setFont(bold);
    m_p.setClipRect(box);
    m_p.drawText(QRect(at.x() + kPadding, at.y() + kPadding, width + 1, titleBlock),
                 Qt::TextWrapAnywhere | Qt::AlignLeft, readout.title);
    m_p.setFont(m_f.font);
    m_p.setPen(m_f.theme.mutedText);
    int y = at.y() + kPadding + titleBlock + 2;
    for (const QString& line : readout.lines) {
        m_p.drawText(QRect(at.x() + kPadding, y, width + 1, lineHeight), Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(line, Qt::ElideMiddle, width + 1));
        y += lineHeight;
    }
    m_p.setClipping(false);
}

}  // namespace warpline::timeline
