// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The import report as a dock. Its window title carries the number of issues, for the dock's tab.

#include <QWidget>

#include <memory>

#include "widgets/panels/panel.h"

class QSortFilterProxyModel;
class QStackedWidget;
class QTableView;

namespace warpline {

class EmptyState;
class IssuesModel;
class Session;

class ImportIssuesPanel : public QWidget {
    Q_OBJECT

public:
    explicit ImportIssuesPanel(Session& session, QWidget* parent = nullptr);

    IssuesModel* model() const { return m_model; }
    QTableView* view() const { return m_view; }
    EmptyState* emptyState() const { return m_empty; }
    bool showsTable() const;
    QString statusText() const;

private:
    void onTraceChanged();
    void copySelected();

    Session& m_session;
    IssuesModel* m_model;
    QSortFilterProxyModel* m_sorted;
    QStackedWidget* m_stack;
    EmptyState* m_empty;
    QTableView* m_view;
};

namespace panels::import_issues {
std::unique_ptr<PanelFactory> make();
}

}  // namespace warpline
