// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// "◀ 3 of 120 ▶": goes through the session's highlighted slices. Hidden while there are none.

#include <QWidget>

class QLabel;
class QToolButton;

namespace warpline {

class Session;

class HighlightStepper : public QWidget {
    Q_OBJECT

public:
    /// `session` must outlive it.
    explicit HighlightStepper(Session& session, QWidget* parent = nullptr);

    /// "3 of 120", or "120 instances" before the first step.
    QString text() const;

private:
    void refresh();

    Session& m_session;
    QToolButton* m_previous;
    QToolButton* m_next;
    QLabel* m_label;
};

}  // namespace warpline
