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

constexpr int kIndent = 14;
constexpr int kChevron = 16;

/// The context of what is translated here.
struct Text {
    Q_DECLARE_TR_FUNCTIONS(Timeline)
};

QString text(std::string_view utf8) {
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

int titleHeight(const Section& section) {
    return std::min(section.height, section.kind == SectionKind::Process ? kHeaderHeight : kLaneHeight + 2);
}

bool isDevice(const Section& section, const Trace& trace) {
    return section.kind == SectionKind::Track && trace.track(section.track).isDevice;
}

}  // namespace

QRect chevronRect(const Section& section, QRect head) {
    if (!section.collapsible) {
        return {};
    }
    return {head.x() + (section.indented ? kIndent : 4), head.y(), kChevron, titleHeight(section)};
}

QRect densityRect(const Section& section, QRect head) {
    if (!section.canCompact || section.collapsed) {
        return {};
    }
    return {head.right() - 22, head.y(), 18, titleHeight(section)};
}

QRect pinRect(const Section& section, QRect head) {
    const QRect density = densityRect(section, head);
    return {density.isEmpty() ? head.right() - 22 : density.left() - 18, head.y(), 18, titleHeight(section)};
}

QRect overlapRect(const Section& section, QRect head) {
    return section.overlaps == 0 ? QRect() : pinRect(section, head).translated(-18, 0);
}

void TimelinePainter::ruler(const RulerTicks& ticks) {
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

void TimelinePainter::head(const Section& section, QRect rect, bool hovered, QRgb mark, const QString& note,
                           int reserved) {
    const bool isProcess = section.kind == SectionKind::Process;
    const QColor background = hovered ? m_f.theme.hovered : isProcess ? m_f.theme.raised : m_f.theme.surface;
    m_p.fillRect(rect, background);
    if (!isProcess) {
        m_p.fillRect(QRect(rect.left(), rect.top(), 3, rect.height() - 2), QColor(mark));
        m_p.fillRect(QRect(rect.left(), rect.bottom() - 1, rect.width(), 1),
                     mixed(m_f.theme.surface, m_f.theme.border, 0.55));
    }
    const QRect chevron = chevronRect(section, rect);
    if (!chevron.isEmpty()) {
        const QPoint c = chevron.center();
        QPainterPath path;
        if (section.collapsed) {
            path.addPolygon(QPolygonF(
                {QPointF(c.x() - 2, c.y() - 4), QPointF(c.x() + 3, c.y() + 0.5), QPointF(c.x() - 2, c.y() + 5)}));
        } else {
            path.addPolygon(QPolygonF(
                {QPointF(c.x() - 4, c.y() - 2), QPointF(c.x() + 5, c.y() - 2), QPointF(c.x() + 0.5, c.y() + 3)}));
        }
        m_p.setRenderHint(QPainter::Antialiasing);
        m_p.fillPath(path, m_f.theme.mutedText);
        m_p.setRenderHint(QPainter::Antialiasing, false);
    }
    const QRect density = densityRect(section, rect);
    if (!density.isEmpty() && (hovered || section.compact)) {
        const QPoint c = density.center();
        const int step = section.compact ? 3 : 5;
        for (int i = -1; i <= 1; ++i) {
            m_p.fillRect(QRect(c.x() - 5, c.y() + i * step, 11, section.compact ? 1 : 2), m_f.theme.mutedText);
        }
    }
    const QRect pin = pinRect(section, rect);
    const QRect overlap = overlapRect(section, rect);
    if (hovered || section.pinned) {
        drawPin(pin.center(), section.pinned);
    }
    if (!overlap.isEmpty()) {
        drawOverlap(overlap.center());
    }
    const int left = rect.left() + (section.indented ? kIndent : 4) + kChevron + 2;
    const int right = !overlap.isEmpty()          ? overlap.left() - 2
                      : hovered || section.pinned ? pin.left() - 2
                      : !density.isEmpty()        ? density.left() - 2
                                                  : rect.right() - std::max(reserved, 6);
    QFont font = m_f.font;
    font.setBold(isProcess);
    m_p.setFont(font);
    m_p.setPen(m_f.theme.text);
    const QFontMetrics metrics(font);
    const QRect title(left, rect.top(), std::max(right - left, 0), titleHeight(section));
    m_p.drawText(title, Qt::AlignLeft | Qt::AlignVCenter,
                 metrics.elidedText(text(section.title), Qt::ElideMiddle, title.width()));
    const QFontMetrics small(m_f.smallFont);
    if (!note.isEmpty() && rect.height() >= titleHeight(section) + small.height() - 1) {
        m_p.setFont(m_f.smallFont);
        m_p.setPen(m_f.theme.mutedText);
        m_p.drawText(QRect(left, title.bottom() - 1, title.width(), small.height()), Qt::AlignLeft | Qt::AlignVCenter,
                     small.elidedText(note, Qt::ElideRight, title.width()));
    }
}

void TimelinePainter::drawPin(QPoint c, bool isFilled) {
    const QColor color = isFilled ? m_f.theme.accent : m_f.theme.mutedText;
    QPainterPath head;
    head.addPolygon(
        QPolygonF({QPointF(c.x() - 2.5, c.y() - 5), QPointF(c.x() + 3.5, c.y() - 5), QPointF(c.x() + 2.5, c.y() - 1),
                   QPointF(c.x() + 5, c.y() + 1.5), QPointF(c.x() - 4, c.y() + 1.5), QPointF(c.x() - 1.5, c.y() - 1)}));
    head.closeSubpath();
    m_p.setRenderHint(QPainter::Antialiasing);
    m_p.setPen(QPen(color, 1.2));
    m_p.setBrush(isFilled ? QBrush(color) : QBrush(Qt::NoBrush));
    m_p.drawPath(head);
    m_p.drawLine(QPointF(c.x() + 0.5, c.y() + 1.5), QPointF(c.x() + 0.5, c.y() + 6));
    m_p.setBrush(Qt::NoBrush);
    m_p.setRenderHint(QPainter::Antialiasing, false);
}

/// Two bars, the second beginning before the first ends.
void TimelinePainter::drawOverlap(QPoint c) {
    const QColor color = m_f.theme.warning;
    m_p.fillRect(QRect(c.x() - 6, c.y() - 4, 8, 4), color);
    m_p.setPen(color);
    m_p.drawRect(QRect(c.x() - 2, c.y() + 1, 8, 3));
}

void TimelinePainter::heads(const LaneLayout& layout, const Trace& trace, int hovered, int focused) {
    m_p.setClipRect(m_f.heads);
    m_p.fillRect(m_f.heads, m_f.theme.surface);
    const std::vector<Section>& sections = layout.sections();
    const size_t scrolled = layout.firstSectionBelow(m_v.frozen);
    const auto draw = [&](size_t first, size_t end) {
        for (size_t i = first; i < end && m_v.viewY(sections[i].y) < m_f.heads.height(); ++i) {
            const HeadScale* scale = m_scales != nullptr ? findScale(*m_scales, static_cast<uint32_t>(i)) : nullptr;
            headOf(sections[i], trace, scale, static_cast<int>(i) == hovered, static_cast<int>(i) == focused);
        }
    };
    draw(0, scrolled);
    m_p.setClipRect(m_f.heads.adjusted(0, m_v.frozen, 0, 0));
    draw(std::max(scrolled, layout.firstSectionBelow(m_v.layoutY(m_v.frozen))), sections.size());
    m_p.setClipping(false);
    if (m_v.frozen > 0) {
        m_p.fillRect(m_f.heads.left(), m_f.heads.top() + m_v.frozen - 1, m_f.heads.width(), 1, m_f.theme.border);
    }
    m_p.fillRect(m_f.heads.right(), m_f.ruler.top(), 1, m_f.heads.bottom() - m_f.ruler.top() + 1, m_f.theme.border);
}

void TimelinePainter::headOf(const Section& section, const Trace& trace, const HeadScale* scale, bool hovered,
                             bool focused) {
    QRgb mark = m_f.theme.kind(EventKind::CpuOp).rgb();
    QString note;
    if (isDevice(section, trace)) {
        mark = m_f.theme.kind(EventKind::Kernel).rgb();
    } else if (section.kind == SectionKind::Async) {
        mark = m_f.theme.kind(EventKind::Annotation).rgb();
    } else if (section.kind == SectionKind::Counter || section.kind == SectionKind::Derived) {
        mark = m_f.theme.counterLine.rgb();
        note = scale != nullptr ? scale->held : QString();
    }
    if (section.kind == SectionKind::Track && trace.track(section.track).sliceCount > 0) {
        note = text(formatCountOf(trace.track(section.track).sliceCount, "slice"));
    }
    const QRect rect(m_f.heads.left(), m_f.heads.top() + m_v.viewY(section.y), m_f.heads.width(), section.height);
    head(section, rect, hovered, mark, note, scale != nullptr ? scaleWidth(*scale) : 0);
    if (scale != nullptr) {
        drawScale(*scale, rect);
    }
    if (focused) {
        m_p.setPen(m_f.theme.accent);
        m_p.drawRect(rect.adjusted(3, 0, -3, -3));
    }
}

void TimelinePainter::overlapEdges(const LaneLayout& layout, const TimelineModel& model) {
    constexpr int kDash = 2;
    const std::vector<LayoutRow>& rows = layout.rows();
    QColor color = m_f.theme.warning;
    color.setAlphaF(0.75F);
    const auto draw = [&](int from, int above) {
        m_p.setClipRect(m_f.heads.adjusted(0, m_v.clipTop(from), 0, 0));
        for (size_t i = layout.firstRowBelow(from); i < rows.size() && rows[i].y < above; ++i) {
            const LayoutRow& row = rows[i];
            const bool isMarked = row.kind == RowKind::Lane && row.index < model.overlapLane.size() &&
                                  model.overlapLane[row.index] != 0 &&
                                  layout.sections()[row.section].kind == SectionKind::Track;
            const int top = m_f.heads.top() + m_v.viewY(row.y);
            for (int y = top; isMarked && y < top + row.height - 1; y += 2 * kDash) {
                m_p.fillRect(m_f.heads.right() - 4, y, 4, std::min(kDash, top + row.height - 1 - y), color);
            }
        }
    };
    draw(0, m_v.frozen);
    draw(m_v.layoutY(m_v.frozen), m_v.layoutY(m_f.heads.height()));
    m_p.setClipping(false);
}

void TimelinePainter::stickyHeader(const LaneLayout& layout, int hovered) {
    const int above = m_v.layoutY(m_v.frozen);
    const int index = layout.processHeaderAbove(above);
    if (index < 0) {
        return;
    }
    const Section& section = layout.sections()[static_cast<size_t>(index)];
    if (section.y >= above || section.collapsed) {
        return;
    }
    // The next process pushes it out.
    const int y = m_f.heads.top() + m_v.frozen + std::min(0, section.endY - above - kHeaderHeight);
    const QRect band(m_f.heads.left(), y, m_f.lanes.right() - m_f.heads.left() + 1, kHeaderHeight);
    m_p.setClipRect(m_f.heads.united(m_f.lanes).adjusted(0, m_v.frozen, 0, 0));
    m_p.fillRect(band, m_f.theme.raised);
    head(section, QRect(m_f.heads.left(), y, m_f.heads.width(), kHeaderHeight), index == hovered, 0, {});
    m_p.fillRect(band.left(), band.bottom(), band.width(), 1, m_f.theme.border);
    m_p.setClipping(false);
}

void TimelinePainter::headDrag(int lineY, const QString& title, QPoint pointer) {
    const int y = std::clamp(m_f.heads.top() + lineY, m_f.heads.top() + 1, m_f.heads.bottom() - 1);
    m_p.fillRect(QRect(m_f.heads.left(), y - 1, m_f.lanes.right() - m_f.heads.left() + 1, 2), m_f.theme.accent);
    const QFontMetrics metrics(m_f.smallFont);
    const QString shown = metrics.elidedText(title, Qt::ElideMiddle, std::max(m_f.heads.width(), 160));
    chip(QRect(pointer.x() + 14, pointer.y() + 10, metrics.horizontalAdvance(shown) + 12, 17), shown, m_f.theme.accent,
         m_f.theme.accentText);
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

void TimelinePainter::area(TimeRange range, const QString& label, const std::vector<QRect>& trackBands) {
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
    const int width = QFontMetrics(m_f.smallFont).horizontalAdvance(label) + 12;
    const int visible0 = std::max(x0, m_f.lanes.left());
    const int visible1 = std::min(x1, m_f.lanes.right());
    if (visible1 >= visible0) {
        const int x = std::clamp((visible0 + visible1 - width) / 2, m_f.lanes.left() + 2,
                                 std::max(m_f.lanes.left() + 2, m_f.lanes.right() - width - 2));
        chip(QRect(x, m_f.ruler.top() + 3, width, 17), label, m_f.theme.accent, m_f.theme.accentText);
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
