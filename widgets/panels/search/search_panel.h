// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Which events have a text in their names or args: a list of them, how many, and a way through them. All are the
// session's highlight while the search is what the user did last. GUI thread.

#include <QTimer>
#include <QWidget>

#include "widgets/panels/panel.h"
#include "widgets/panels/search/search_run.h"

class QLabel;
class QStackedWidget;
class QToolButton;

namespace warpline {

class EmptyState;
class HighlightStepper;
class Session;

namespace search {

class HitsModel;
class HitsView;
class SearchBar;

class SearchPanel : public QWidget {
    Q_OBJECT

public:
    explicit SearchPanel(Session& session, QWidget* parent = nullptr);

    SearchBar* bar() const { return m_bar; }
    HitsModel* model() const { return m_model; }
    HitsView* view() const { return m_view; }
    const SearchRun& run() const { return m_run; }
    /// "1,234 hits", "no hits"; "" without a search.
    QString countText() const;
    /// What went wrong or is not complete; "" if nothing.
    QString noticeText() const;

public slots:
    /// Brings the panel to the front, and the keyboard to its text.
    void focusText();
    /// To the next (+1) or previous (-1) hit; once there is one, where the search still runs.
    void step(int direction);
    void useAsTableFilter();

private:
    void makeActions();
    void onTraceChanged();
    void search(bool byUser);
    void onFound();
    void goTo(int row);
    void claimHighlight();
    void onHighlightChanged();
    void showState();
    void showProgress();
    QString messageText() const;

    Session& m_session;
    SearchBar* m_bar;
    HitsModel* m_model;
    HitsView* m_view;
    QStackedWidget* m_stack;
    EmptyState* m_empty;
    QLabel* m_notice;
    QLabel* m_count;
    QLabel* m_progress;
    QToolButton* m_stop;
    HighlightStepper* m_stepper;
    bool m_isOurs = false;      ///< what the session highlights are these hits
    bool m_wantsClaim = false;  ///< the next that are found become the highlight
    int m_stepWhenFound = 0;
    QTimer m_ticker;  ///< while a search runs
    SearchRun m_run;
};

}  // namespace search

namespace panels::search {
std::unique_ptr<PanelFactory> make();
}

}  // namespace warpline
