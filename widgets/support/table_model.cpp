// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/support/table_model.h"

#include <numeric>
#include <utility>

#include "widgets/support/cell_text.h"
#include "widgets/support/discard.h"
#include "widgets/support/theme.h"

namespace warpline {

namespace {

/// Nothing to look at: unknown, varying, or a measure that is zero (the number of a device is none).
bool isQuiet(const Cell& cell, Unit unit) {
    const auto* whole = std::get_if<int64_t>(&cell);
    const auto* real = std::get_if<double>(&cell);
    const bool isZero = (whole != nullptr && *whole == 0) || (real != nullptr && *real == 0.0);
    return std::holds_alternative<std::monostate>(cell) || std::holds_alternative<Varies>(cell) ||
           (isZero && unit != Unit::None);
}

}  // namespace

TableModel::TableModel(QObject* parent) : QAbstractTableModel(parent), m_numberFont(tabularFont()) {}

void TableModel::setTable(std::shared_ptr<const Table> table, std::vector<size_t> order) {
    beginResetModel();
    m_table = std::move(table);
    m_order = std::move(order);
    if (!m_texts.empty()) {
        discard(std::make_shared<const std::vector<std::vector<QString>>>(std::exchange(m_texts, {})));
    }
    if (m_table) {
        if (m_order.size() != m_table->rowCount()) {
            m_order.resize(m_table->rowCount());
            std::iota(m_order.begin(), m_order.end(), size_t{0});
        }
        m_texts.resize(m_table->columns().size());
    } else {
        m_order.clear();
    }
    endResetModel();
}

void TableModel::setOrder(std::vector<size_t> order) {
    emit layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    std::vector<int> newRow(order.size());
    for (size_t i = 0; i < order.size(); ++i) {
        newRow[order[i]] = static_cast<int>(i);
    }
    const QModelIndexList before = persistentIndexList();
    QModelIndexList after;
    after.reserve(before.size());
    for (const QModelIndex& index : before) {
        after.append(createIndex(newRow[tableRow(index.row())], index.column()));
    }
    m_order = std::move(order);
    changePersistentIndexList(before, after);
    emit layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

const ColumnInfo& TableModel::columnInfo(int column) const {
    return m_table->columns()[static_cast<size_t>(column)].info;
}

int TableModel::columnOf(const QString& id) const {
    if (!m_table) {
        return -1;
    }
    const auto column = m_table->findColumn(id.toStdString());
    return column.has_value() ? static_cast<int>(*column) : -1;
}

int TableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_order.size());
}

int TableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() || !m_table ? 0 : static_cast<int>(m_table->columns().size());
}

const QString& TableModel::textOf(size_t row, size_t column) const {
    std::vector<QString>& texts = m_texts[column];
    if (texts.empty()) {
        texts.resize(m_table->rowCount());
    }
    QString& text = texts[row];
    if (text.isNull()) {
        text = shownCellText(m_table->cell(row, column), m_table->columns()[column].info);
        if (text.isNull()) {
            text = QString("");
        }
    }
    return text;
}

QVariant TableModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const size_t row = tableRow(index.row());
    const auto column = static_cast<size_t>(index.column());
    const ColumnInfo& info = m_table->columns()[column].info;
    const Cell& cell = m_table->cell(row, column);
    switch (role) {
        case Qt::DisplayRole:
            return textOf(row, column);
        case Qt::ToolTipRole:
            return exactCellText(cell, info);
        case Qt::TextAlignmentRole:
            return QVariant::fromValue(Qt::AlignVCenter | (isNumeric(info) ? Qt::AlignRight : Qt::AlignLeft));
        case Qt::FontRole:
            return isNumeric(info) ? QVariant(m_numberFont) : QVariant();
        case Qt::ForegroundRole:
            return isQuiet(cell, info.unit) ? QVariant(theme().mutedText) : QVariant();
        case RawRole:
            return rawCellValue(cell);
        case ShareRole:
            if (info.unit == Unit::Ratio) {
                const QVariant raw = rawCellValue(cell);
                return raw.isValid() ? QVariant(raw.toDouble()) : QVariant();
            }
            return {};
        default:
            return {};
    }
}

QVariant TableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) {
        return {};
    }
    const ColumnInfo& info = columnInfo(section);
    switch (role) {
        case Qt::DisplayRole:
            return fromUtf8(info.title);
        case Qt::ToolTipRole:
            return fromUtf8(info.tooltip);
        case Qt::TextAlignmentRole:
            return QVariant::fromValue(Qt::AlignVCenter | (isNumeric(info) ? Qt::AlignRight : Qt::AlignLeft));
        default:
            return {};
    }
}

}  // namespace warpline
