// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A FactTree for a QTreeView: labels and values.

#include <QAbstractItemModel>

#include <memory>

#include "core/base/ids.h"
#include "widgets/panels/details/fact_tree.h"

namespace warpline {

class FactModel : public QAbstractItemModel {
    Q_OBJECT

public:
    using QAbstractItemModel::QAbstractItemModel;

    /// Null is an empty model. The tree's root must not move any more.
    void setTree(std::shared_ptr<const FactTree> tree);
    const std::shared_ptr<const FactTree>& tree() const { return m_tree; }
    /// null for an invalid index.
    const Fact* factAt(const QModelIndex& index) const;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    std::shared_ptr<const FactTree> m_tree;
};

}  // namespace warpline
