// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/details/fact_model.h"

#include <QFont>

#include <utility>

#include "widgets/support/theme.h"

namespace warpline {

namespace {

/// The value itself comes first where the column may be too narrow for it.
QString toolTip(const Fact& fact, bool ofValue) {
    constexpr qsizetype kSurelyShown = 12;
    if (fact.tooltip.isEmpty()) {
        return ofValue ? fact.value : fact.label;
    }
    const bool needsValue = ofValue && fact.value.size() > kSurelyShown && !fact.tooltip.contains(fact.value);
    return needsValue ? fact.value + QLatin1Char('\n') + fact.tooltip : fact.tooltip;
}

}  // namespace

void FactModel::setTree(std::shared_ptr<const FactTree> tree) {
    beginResetModel();
    m_tree = std::move(tree);
    endResetModel();
}

const Fact* FactModel::factAt(const QModelIndex& index) const {
    return index.isValid() ? static_cast<const Fact*>(index.constInternalPointer()) : nullptr;
}

QModelIndex FactModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent)) {
        return {};
    }
    const Fact* above = parent.isValid() ? factAt(parent) : &m_tree->root;
    return createIndex(row, column, above->children[static_cast<size_t>(row)].get());
}

QModelIndex FactModel::parent(const QModelIndex& child) const {
    const Fact* fact = factAt(child);
    if (fact == nullptr || fact->parent == nullptr || fact->parent == &m_tree->root) {
        return {};
    }
    return createIndex(fact->parent->row, 0, fact->parent);
}

int FactModel::rowCount(const QModelIndex& parent) const {
    if (!m_tree || parent.column() > 0) {
        return 0;
    }
    const Fact* above = parent.isValid() ? factAt(parent) : &m_tree->root;
    return static_cast<int>(above->children.size());
}

int FactModel::columnCount(const QModelIndex& /*parent*/) const {
    return 2;
}

QVariant FactModel::data(const QModelIndex& index, int role) const {
    const Fact* fact = factAt(index);
    if (fact == nullptr) {
        return {};
    }
    const bool isValue = index.column() == 1;
    switch (role) {
        case Qt::DisplayRole:
            return isValue ? fact->value : fact->label;
        case Qt::ToolTipRole:
            return toolTip(*fact, isValue);
        case Qt::ForegroundRole:
            if (fact->isSection) {
                return theme().text;
            }
            if (isValue && fact->link.valid()) {
                return theme().link;
            }
            return isValue && !fact->muted ? theme().text : theme().mutedText;
        case Qt::FontRole: {
            QFont font = tabularFont();
            if (fact->isSection) {
                font.setWeight(QFont::DemiBold);
            } else if (isValue && fact->link.valid()) {
                font.setUnderline(true);
            } else {
                return isValue ? QVariant(font) : QVariant();
            }
            return font;
        }
        default:
            return {};
    }
}

QVariant FactModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Horizontal && role == Qt::DisplayRole) {
        return section == 0 ? tr("Fact") : tr("Value");
    }
    return {};
}

}  // namespace warpline
