// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/support/cell_delegate.h"

#include <QIcon>
#include <QPainter>

#include <algorithm>

#include "widgets/support/table_model.h"
#include "widgets/support/theme.h"

namespace warpline {

namespace {
constexpr int kIconSize = 16;
}

void CellDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const Theme& look = theme();
    const bool selected = (option.state & QStyle::State_Selected) != 0;
    if (selected || (option.state & QStyle::State_MouseOver) != 0) {
        painter->fillRect(option.rect, selected ? look.selection : look.hovered);
    }
    QColor color = look.text;
    const QVariant share = index.data(TableModel::ShareRole);
    if (share.isValid()) {
        const double ratio = std::clamp(share.toDouble(), 0.0, 1.0);
        if (ratio > 0) {
            QRectF bar = QRectF(option.rect).adjusted(4, 4, -4, -4);
            bar.setWidth(std::max(1.5, bar.width() * ratio));
            const QColor onSelection = look.dark ? look.bar.lighter(150) : look.bar.darker(112);
            painter->save();
            painter->setRenderHint(QPainter::Antialiasing);
            painter->setPen(Qt::NoPen);
            painter->setBrush(selected ? onSelection : look.bar);
            painter->drawRoundedRect(bar, 2, 2);
            painter->restore();
        }
    }
    const QVariant foreground = index.data(Qt::ForegroundRole);
    if (foreground.isValid()) {
        color = foreground.value<QColor>();
    }
    QRect room = option.rect.adjusted(kPadding, 0, -kPadding, 0);
    const QVariant decoration = index.data(Qt::DecorationRole);
    if (decoration.isValid()) {
        const QRect place(room.left(), room.center().y() - kIconSize / 2 + 1, kIconSize, kIconSize);
        decoration.value<QIcon>().paint(painter, place);
        room.setLeft(room.left() + kIconSize + 6);
    }
    const QVariant font = index.data(Qt::FontRole);
    painter->setFont(font.isValid() ? font.value<QFont>() : option.font);
    painter->setPen(color);
    const QFontMetrics metrics = painter->fontMetrics();
    QString text = index.data().toString();
    if (metrics.horizontalAdvance(text) > room.width()) {
        text = metrics.elidedText(text, option.textElideMode, room.width());
    }
    const QVariant alignment = index.data(Qt::TextAlignmentRole);
    const Qt::Alignment how = alignment.isValid() ? alignment.value<Qt::Alignment>() : Qt::AlignLeft | Qt::AlignVCenter;
    painter->drawText(room, static_cast<int>(how) | Qt::TextSingleLine, text);
}

QSize CellDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const QVariant font = index.data(Qt::FontRole);
    const QFontMetrics metrics(font.isValid() ? font.value<QFont>() : option.font);
    const int icon = index.data(Qt::DecorationRole).isValid() ? kIconSize + 6 : 0;
    return {metrics.horizontalAdvance(index.data().toString()) + 2 * kPadding + icon, metrics.height() + 9};
}

}  // namespace warpline
