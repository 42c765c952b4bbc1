// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A trace's import report for a table view: what was odd, how often, and where it stands first.

#include <QAbstractTableModel>

#include <memory>

#include "core/trace/trace.h"

namespace warpline {

class IssuesModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { SeverityColumn, CodeColumn, CountColumn, PlaceColumn, MessageColumn, FileColumn, ColumnCount };
    static constexpr int kSortRole = Qt::UserRole;

    using QAbstractTableModel::QAbstractTableModel;

    void setTrace(std::shared_ptr<const Trace> trace);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    QString text(const Issue& issue, int column) const;

    std::shared_ptr<const Trace> m_trace;
};

}  // namespace warpline
