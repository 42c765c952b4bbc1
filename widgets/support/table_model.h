// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A core Table for Qt's views: text made on first sight and kept, raw values for sorting and tests, headings and
// alignment from the columns' descriptions. The table never changes under the model; sorting permutes row numbers.

#include <QAbstractTableModel>
#include <QFont>
#include <QString>

#include <memory>
#include <vector>

#include "core/table/table.h"

namespace warpline {

class TableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Role {
        RawRole = Qt::UserRole,       ///< rawCellValue()
        ShareRole = Qt::UserRole + 1  ///< 0…1 for a known ratio, else invalid
    };

    explicit TableModel(QObject* parent = nullptr);

    /// `order` is a permutation of the table's rows; empty means as they stand. Null is an empty model.
    void setTable(std::shared_ptr<const Table> table, std::vector<size_t> order = {});
    const std::shared_ptr<const Table>& table() const { return m_table; }
    /// Keeps selection and current row with their data. REQUIRES: a permutation of the table's rows.
    void setOrder(std::vector<size_t> order);
    const std::vector<size_t>& order() const { return m_order; }
    size_t tableRow(int row) const { return m_order[static_cast<size_t>(row)]; }
    const ColumnInfo& columnInfo(int column) const;
    /// -1 if there is none of that id.
    int columnOf(const QString& id) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    const QString& textOf(size_t row, size_t column) const;

    std::shared_ptr<const Table> m_table;
    std::vector<size_t> m_order;
    mutable std::vector<std::vector<QString>> m_texts;  ///< by column, then table row; null until first seen
    QFont m_numberFont;
};

}  // namespace warpline
