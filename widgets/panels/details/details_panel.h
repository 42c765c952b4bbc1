// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Shows what is selected: the event or the area, whichever was chosen last, else the files. Collected off the GUI
// thread; what was shown stays until the new is there. Facts that take long (what a training step launched) come later:
// the page is then shown without them first.

#include <QTimer>
#include <QWidget>

#include <memory>

#include "core/base/result.h"
#include "widgets/panels/details/fact_tree.h"
#include "widgets/panels/panel.h"
#include "widgets/support/job_runner.h"

class QAction;
class QLabel;
class QMenu;
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
    void makeTree();
    void makeActions();
    void layOut();
    void refresh();
    void showQuickPage(EventRow row);
    void showTree(std::shared_ptr<const FactTree> tree);
    void showHead(const FactTree& tree);
    void expandSome();
    void follow(const QModelIndex& index);
    void paintMark();
    void fillMenu(QMenu& menu, const Fact* fact);
    void showMenu(const QPoint& at);
    void copyAll(bool asJson);

    Session& m_session;
    FactModel* m_model;
    QStackedWidget* m_stack;
    EmptyState* m_empty;
    QLabel* m_mark;
    QLabel* m_title;
    QLabel* m_subtitle;
    QToolButton* m_copy;
    QTreeView* m_tree;
    QAction* m_copyText;
    QAction* m_copyJson;
    JobRunner m_job;
    JobRunner m_quickJob;
    QTimer m_quickDelay;  ///< a page that is there sooner is shown as a whole at once
};

namespace panels::details {
std::unique_ptr<PanelFactory> make();
}

}  // namespace warpline
