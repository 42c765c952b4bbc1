// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Draws the cells of all tables: a ratio (TableModel::ShareRole) gets a bar behind its number, an icon stands before
// its text, long text is elided. Everything the model says is honoured but check boxes and editors, which no table has.

#include <QStyledItemDelegate>

namespace warpline {

class CellDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    /// Between a cell's edge and its text, as in the headings.
    static constexpr int kPadding = 8;

    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace warpline
