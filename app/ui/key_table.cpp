// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/key_table.h"

#include <QHeaderView>
#include <QTableWidget>

#include "widgets/support/cell_delegate.h"
#include "widgets/support/theme.h"

namespace warpline::ui {

QTableWidget* makeKeyTable(const QStringList& headings, QWidget* parent) {
    auto* table = new QTableWidget(0, static_cast<int>(headings.size()), parent);
    table->setHorizontalHeaderLabels(headings);
    for (int column = 0; column < table->columnCount(); ++column) {
        table->horizontalHeaderItem(column)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    }
    table->horizontalHeader()->setSectionResizeMode(1, QHeaderView::Stretch);
    table->horizontalHeader()->setHighlightSections(false);
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + 9);
    table->setItemDelegate(new CellDelegate(table));
    table->setShowGrid(false);
    table->setAlternatingRowColors(true);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setTabKeyNavigation(false);
    return table;
}

int addKeyRow(QTableWidget* table, const QStringList& cells) {
    const int row = table->rowCount();
    table->insertRow(row);
    for (int column = 0; column < table->columnCount(); ++column) {
        auto* item = new QTableWidgetItem(cells.value(column));
        if (column == 0) {
            item->setForeground(theme().mutedText);
        }
        table->setItem(row, column, item);
    }
    return row;
}

void fitKeyTable(QTableWidget* table) {
    for (int column = 0; column < table->columnCount(); ++column) {
        if (column != 1) {
            table->resizeColumnToContents(column);
        }
    }
}

void filterKeyTable(QTableWidget* table, const QString& text) {
    for (int row = 0; row < table->rowCount(); ++row) {
        bool matches = false;
        for (int column = 0; column < table->columnCount(); ++column) {
            matches = matches || table->item(row, column)->text().contains(text, Qt::CaseInsensitive);
        }
        table->setRowHidden(row, !matches);
    }
}

}  // namespace warpline::ui
