// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a user has done to a tree view: opened, closed, scrolled, made current. Kept while its model is filled anew, by
// the texts of its rows. GUI thread.

#include <QSet>
#include <QString>

class QTreeView;

namespace warpline {

class TreeViewState {
public:
    static TreeViewState of(const QTreeView& view);
    /// Rows that were not there before are left as they are.
    void applyTo(QTreeView& view) const;

private:
    QSet<QString> m_known, m_open;  ///< paths of rows with rows below them
    QString m_current;
    int m_currentColumn = 0;
    int m_scroll = 0;
};

}  // namespace warpline
