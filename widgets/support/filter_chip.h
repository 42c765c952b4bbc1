// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The line above the panels that says what of the trace counts in all of them, as long as that is not everything.
// GUI thread.

#include <QFrame>

class QLabel;
class QPushButton;

namespace warpline {

class Session;

class FilterChip : public QFrame {
    Q_OBJECT

public:
    explicit FilterChip(Session& session, QWidget* parent = nullptr);

    QString text() const;
    QPushButton* showButton() const { return m_show; }
    QPushButton* removeButton() const { return m_remove; }

private:
    void refresh();

    Session& m_session;
    QLabel* m_text;
    QPushButton* m_show;
    QPushButton* m_remove;
};

}  // namespace warpline
