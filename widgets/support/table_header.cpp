// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/support/table_header.h"

#include <QPainter>
#include <QPainterPath>
#include <QStyleOptionHeader>

#include "widgets/support/theme.h"

namespace warpline {

namespace {
// As the style sheet pads the other headings, with the borders at the right and the bottom.
constexpr int kPadLeft = 8;
constexpr int kPadRight = 6;
constexpr qreal kArrowWidth = 9;
constexpr qreal kArrowHeight = 6;
}  // namespace

TableHeader::TableHeader(QWidget* parent) : QHeaderView(Qt::Horizontal, parent) {}

bool TableHeader::isSorted(int logicalIndex) const {
    return isSortIndicatorShown() && sortIndicatorSection() == logicalIndex;
}

void TableHeader::initStyleOptionForIndex(QStyleOptionHeader* option, int logicalIndex) const {
    QHeaderView::initStyleOptionForIndex(option, logicalIndex);
    if (isSorted(logicalIndex)) {
        option->text.clear();
        option->sortIndicator = QStyleOptionHeader::None;
    }
}

void TableHeader::paintSection(QPainter* painter, const QRect& rect, int logicalIndex) const {
    painter->save();
    QHeaderView::paintSection(painter, rect, logicalIndex);
    painter->restore();
    if (!isSorted(logicalIndex)) {
        return;
    }
    const QRect inner = rect.adjusted(kPadLeft, 0, -kPadRight, -1);
    const QRect label = inner.adjusted(0, 0, -kArrowRoom, 0);
    painter->save();
    painter->setClipRect(rect, Qt::IntersectClip);
    painter->setPen(theme().text);
    const QVariant aligned = model()->headerData(logicalIndex, orientation(), Qt::TextAlignmentRole);
    const Qt::Alignment alignment = aligned.isValid() ? Qt::Alignment(aligned.toInt()) : defaultAlignment();
    const QString text = model()->headerData(logicalIndex, orientation()).toString();
    painter->drawText(label, static_cast<int>((alignment & Qt::AlignHorizontal_Mask) | Qt::AlignVCenter),
                      painter->fontMetrics().elidedText(text, Qt::ElideRight, label.width()));

    const QRectF box(inner.right() + 1 - kArrowWidth, inner.center().y() + 1 - kArrowHeight / 2, kArrowWidth,
                     kArrowHeight);
    const bool up = sortIndicatorOrder() == Qt::AscendingOrder;
    const qreal base = up ? box.bottom() : box.top();
    QPainterPath arrow(QPointF(box.left(), base));
    arrow.lineTo(box.right(), base);
    arrow.lineTo(box.center().x(), up ? box.top() : box.bottom());
    arrow.closeSubpath();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->fillPath(arrow, theme().accent);
    painter->restore();
}

}  // namespace warpline
