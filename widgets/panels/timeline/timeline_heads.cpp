// SPDX-License-Identifier: GPL-3.0-or-later
// The heads of the sections, at the left of the lanes.

#include <QFontMetrics>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>

#include "core/base/units.h"
#include "widgets/panels/timeline/timeline_painter.h"
#include "widgets/panels/timeline/value_heads.h"

namespace warpline::timeline {

namespace {

constexpr int kIndent = 14;
constexpr int kChevron = 16;

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

void TimelinePainter::head(const LaneLayout& layout, size_t index, QRect rect, bool hovered, QRgb mark,
                           const QString& note, int scaleWidth) {
    const Section& section = layout.sections()[index];
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
    const bool hasPin = hovered || section.pinned;
    if (hasPin) {
        drawPin(pin.center(), section.pinned);
    }
    if (!overlap.isEmpty()) {
        drawOverlap(overlap.center());
    }
    const int left = rect.left() + (section.indented ? kIndent : 4) + kChevron + 2;
    const int right = !overlap.isEmpty()   ? overlap.left() - 2
                      : hasPin             ? pin.left() - std::max(scaleWidth, 2)
                      : !density.isEmpty() ? density.left() - 2
                                           : rect.right() - std::max(scaleWidth, 6);
    QFont font = m_f.font;
    font.setBold(isProcess);
    m_p.setFont(font);
    m_p.setPen(m_f.theme.text);
    const QFontMetrics metrics(font);
    const QRect title(left, rect.top(), std::max(right - left, 0), titleHeight(section));
    const auto widthOf = [&metrics](const QString& shown) { return metrics.horizontalAdvance(shown); };
    m_p.drawText(title, Qt::AlignLeft | Qt::AlignVCenter, m_titles.of(layout, index, title.width(), widthOf));
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
            headOf(layout, i, trace, scale, static_cast<int>(i) == hovered, static_cast<int>(i) == focused);
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

void TimelinePainter::headOf(const LaneLayout& layout, size_t index, const Trace& trace, const HeadScale* scale,
                             bool hovered, bool focused) {
    const Section& section = layout.sections()[index];
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
    head(layout, index, rect, hovered, mark, note, scale != nullptr ? scaleWidth(*scale) : 0);
    if (scale != nullptr) {
        drawScale(*scale, rect, hovered || section.pinned ? pinRect(section, rect) : QRect());
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
    head(layout, static_cast<size_t>(index), QRect(m_f.heads.left(), y, m_f.heads.width(), kHeaderHeight),
         index == hovered, 0, {});
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

}  // namespace warpline::timeline
