// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Draws a table's cell: a ratio gets a bar behind its number, long text is elided, everything else is plain. Needs
// TableModel's roles.

#include <QStyledItemDelegate>

namespace warpline {

class ShareDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace warpline
