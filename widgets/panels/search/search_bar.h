// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The strip above the hits: what is looked for, where, and how. Says by one signal that the search has to be made anew.
// GUI thread.

#include <QFrame>
#include <QTimer>

#include <optional>

#include "core/analyses/event_search.h"
#include "widgets/support/scope_chooser.h"

class QAction;
class QLineEdit;
class QToolButton;

namespace warpline {
class Session;
}

namespace warpline::search {

class SearchBar : public QFrame {
    Q_OBJECT

public:
    explicit SearchBar(Session& session, QWidget* parent = nullptr);

    enum class In { Names, NamesAndArgs, Args };

    QString text() const;
    bool isRegex() const;
    In in() const;
    /// What to look for. nullopt: nothing is written, or nothing can pass; see lack().
    std::optional<SearchQuery> query() const;
    ScopeChooser::Lack lack() const { return m_scope->lack(); }
    /// True while a change waits for the next key.
    bool isPending() const { return m_soon.isActive(); }
    /// Says so now.
    void flush();
    /// What is set, as a JSON text; empty while that is what clear() leaves.
    QByteArray state() const;
    /// Without a word. What is no such text clears it.
    void setState(const QByteArray& json);
    /// Without a word: an empty text, and the whole trace.
    void clear();
    void setTextError(bool isBad);
    void focusText();

    QSize minimumSizeHint() const override;

signals:
    /// `byUser`: not just because what is seen or selected has moved.
    void changed(bool byUser);
    void stepRequested(int direction);
    void leaveRequested();
    void listRequested();
    void tableFilterRequested();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void changedSoon(bool byUser);
    void refreshButtons();

    QLineEdit* m_text;
    QAction* m_regex;
    QAction* m_case;
    Chooser* m_in;
    ScopeChooser* m_scope;
    QToolButton* m_filter;
    QTimer m_soon;  ///< while typing or panning
    bool m_byUser = false;
};

}  // namespace warpline::search
