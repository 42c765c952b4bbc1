// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/support/share_delegate.h"

#include <QPainter>

#include <algorithm>

#include "widgets/support/table_model.h"
#include "widgets/support/theme.h"

namespace warpline {

void ShareDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const QVariant share = index.data(TableModel::ShareRole);
    if (!share.isValid()) {
        QStyledItemDelegate::paint(painter, option, index);
        return;
    }
    const Theme& look = theme();
    const bool selected = (option.state & QStyle::State_Selected) != 0;
    if (selected || (option.state & QStyle::State_MouseOver) != 0) {
        painter->fillRect(option.rect, selected ? look.selection : look.hovered);
    }
    const double ratio = std::clamp(share.toDouble(), 0.0, 1.0);
    const QRectF room = QRectF(option.rect).adjusted(4, 4, -4, -4);
    if (ratio > 0) {
        QRectF bar = room;
        bar.setWidth(std::max(1.5, room.width() * ratio));
        QColor color = look.bar;
        if (selected) {
            color = look.dark ? look.bar.lighter(150) : look.bar.darker(112);
        }
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(Qt::NoPen);
        painter->setBrush(color);
        painter->drawRoundedRect(bar, 2, 2);
        painter->restore();
    }
    painter->setPen(look.text);
    painter->setFont(index.data(Qt::FontRole).value<QFont>());
    painter->drawText(room.adjusted(2, 0, -3, 0), Qt::AlignVCenter | Qt::AlignRight, index.data().toString());
}

}  // namespace warpline
