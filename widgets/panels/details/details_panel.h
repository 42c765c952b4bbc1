// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Shows what is selected: the event or the area, whichever was chosen last, else the files. Collected off the GUI
// thread; what was shown stays until the new is there.

#include <QWidget>

#include <memory>

#include "core/base/result.h"
#include "widgets/panels/details/fact_tree.h"
#include "widgets/panels/panel.h"
#include "widgets/support/job_runner.h"

class QLabel;
class QModelIndex;
class QStackedWidget;
class QToolButton;
class QTreeView;

namespace warpline {

class EmptyState;
class FactModel;
class Session;

class DetailsPanel : public QWidget {
    Q_OBJECT

public:
    explicit DetailsPanel(Session& session, QWidget* parent = nullptr);

    FactModel* model() const { return m_model; }
    QTreeView* tree() const { return m_tree; }
    QString title() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    void showTree(std::shared_ptr<const FactTree> tree);
    void expandSome();
    void follow(const QModelIndex& index);
    void paintMark();
    void showMenu(const QPoint& at);

    Session& m_session;
    FactModel* m_model;
    QStackedWidget* m_stack;
    EmptyState* m_empty;
    QLabel* m_mark;
    QLabel* m_title;
    QLabel* m_subtitle;
    QToolButton* m_copy;
    QTreeView* m_tree;
    JobRunner m_job;
};

namespace panels::details {
std::unique_ptr<PanelFactory> make();
}

}  // namespace warpline
