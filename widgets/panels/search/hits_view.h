// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The list of a search's hits. Going to a row, by mouse or keys, asks for that hit; Enter and Shift+Enter for the next
// and the one before. Its headings sort it, off the GUI thread where there are many. GUI thread.

#include "widgets/panels/search/hit_order.h"
#include "widgets/support/job_runner.h"
#include "widgets/support/message_table.h"

namespace warpline::search {

class HitsModel;

class HitsView : public MessageTable {
    Q_OBJECT

public:
    HitsView(HitsModel* model, QWidget* parent);

    /// Brings a row into view and marks it; -1: none. Asks for nothing.
    void showRow(int row);
    /// Other hits are in the model: they are brought into the order that the user has chosen.
    void sortAnew();
    const HitSort& sortedBy() const { return m_sort; }

signals:
    /// The rows stand in another order now.
    void sorted();
    void rowRequested(int row);
    void stepRequested(int direction);
    void leaveRequested();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void sortBy(int column);
    void fitColumns();
    void copySelected();

    HitsModel* m_model;
    JobRunner* m_copyJob;
    JobRunner* m_sortJob;
    HitSort m_sort;
    bool m_showing = false;
};

}  // namespace warpline::search
