// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The headings of a table. Paints the sorted column's itself, so that its arrow is drawn in the look's colours, sharp
// at any scaling, and never over the text: pointing up for ascending, down for descending.

#include <QHeaderView>

namespace warpline {

class TableHeader : public QHeaderView {
    Q_OBJECT

public:
    static constexpr int kArrowRoom = 14;  ///< logical pixels that a heading needs besides its text

    explicit TableHeader(QWidget* parent = nullptr);

protected:
    void initStyleOptionForIndex(QStyleOptionHeader* option, int logicalIndex) const override;
    void paintSection(QPainter* painter, const QRect& rect, int logicalIndex) const override;

private:
    bool isSorted(int logicalIndex) const;
};

}  // namespace warpline
