// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/details/tree_view_state.h"

#include <QScrollBar>
#include <QTreeView>

#include <algorithm>

namespace warpline {

namespace {

/// Rows deeper, or further down a list, are not remembered: arguments may be as large as they like.
constexpr int kMaxDepth = 8;
constexpr int kMaxRows = 200;

/// Calls visit(index, path) for all rows, outer ones first.
template <class Visit>
void forEachRow(const QAbstractItemModel& model, const QModelIndex& in, const QString& above, int depth, Visit visit) {
    const int rows = depth < kMaxDepth ? std::min(model.rowCount(in), kMaxRows) : 0;
    for (int row = 0; row < rows; ++row) {
        const QModelIndex index = model.index(row, 0, in);
        const QString path = above + QLatin1Char('\n') + index.data().toString();
        visit(index, path);
        forEachRow(model, index, path, depth + 1, visit);
    }
}

}  // namespace

TreeViewState TreeViewState::of(const QTreeView& view) {
    TreeViewState state;
    const QModelIndex current = view.currentIndex();
    forEachRow(*view.model(), {}, {}, 0, [&](const QModelIndex& index, const QString& path) {
        if (view.model()->hasChildren(index)) {
            state.m_known.insert(path);
            if (view.isExpanded(index)) {
                state.m_open.insert(path);
            }
        }
        if (current.isValid() && index == current.siblingAtColumn(0)) {
            state.m_current = path;
            state.m_currentColumn = current.column();
        }
    });
    state.m_scroll = view.verticalScrollBar()->value();
    return state;
}

void TreeViewState::applyTo(QTreeView& view) const {
    forEachRow(*view.model(), {}, {}, 0, [&](const QModelIndex& index, const QString& path) {
        if (m_known.contains(path)) {
            view.setExpanded(index, m_open.contains(path));
        }
        if (!m_current.isEmpty() && path == m_current) {
            view.setCurrentIndex(index.siblingAtColumn(m_currentColumn));
        }
    });
    view.verticalScrollBar()->setValue(m_scroll);
}

}  // namespace warpline
