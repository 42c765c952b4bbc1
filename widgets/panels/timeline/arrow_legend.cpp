// SPDX-License-Identifier: GPL-3.0-or-later
// What the colours of arrows mean, beside the note on their number.

#include <QCoreApplication>
#include <QFontMetrics>
#include <QPainter>

#include "widgets/panels/timeline/arrow_canvas.h"
#include "widgets/panels/timeline/timeline_painter.h"

namespace warpline::timeline {

namespace {

constexpr int kHeight = 20;
constexpr int kPadding = 8;
constexpr int kDash = 14;  ///< of a colour
constexpr int kGap = 5;    ///< from it to its name
constexpr int kApart = 14;

QString titleOf(ArrowKind kind) {
    switch (kind) {
        case ArrowKind::Launch:
            return QCoreApplication::translate("Timeline", "launch");
        case ArrowKind::Backward:
            return QCoreApplication::translate("Timeline", "to backward");
        case ArrowKind::Flow:
            return QCoreApplication::translate("Timeline", "other flow");
    }
    return {};
}

}  // namespace

void TimelinePainter::arrowNote(const std::vector<ArrowKind>& kinds, const QString& text) {
    const QFontMetrics metrics(m_f.smallFont);
    int width = text.isEmpty() ? 0 : metrics.horizontalAdvance(text) + kApart;
    for (const ArrowKind kind : kinds) {
        width += kDash + kGap + metrics.horizontalAdvance(titleOf(kind)) + kApart;
    }
    const QSize size(width - kApart + 2 * kPadding, kHeight);
    const QRect box(QPoint(m_f.lanes.right() - size.width() - 5, m_f.lanes.bottom() - size.height() - 5), size);
    if (!m_f.lanes.contains(box)) {
        return;
    }
    chip(box.adjusted(-1, -1, 1, 1), {}, m_f.theme.border, m_f.theme.text);
    chip(box, {}, m_f.theme.overlay, m_f.theme.text);
    m_p.setFont(m_f.smallFont);
    int x = box.left() + kPadding;
    for (const ArrowKind kind : kinds) {
        m_p.fillRect(x, box.center().y(), kDash, 2, arrowColor(m_f.theme, kind));
        x += kDash + kGap;
        m_p.setPen(m_f.theme.text);
        m_p.drawText(QRect(x, box.top(), box.right() - x, kHeight), Qt::AlignLeft | Qt::AlignVCenter, titleOf(kind));
        x += metrics.horizontalAdvance(titleOf(kind)) + kApart;
    }
    m_p.drawText(QRect(x, box.top(), box.right() - x, kHeight), Qt::AlignLeft | Qt::AlignVCenter, text);
}

}  // namespace warpline::timeline
