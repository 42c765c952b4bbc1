// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The line above the heads that says which tracks are seen, by words of their titles, and how many these are.
// GUI thread only.

#include <QFrame>

class QLabel;
class QLineEdit;

namespace warpline::timeline {

class TrackFilterBar : public QFrame {
    Q_OBJECT

public:
    explicit TrackFilterBar(QWidget* parent);

    QString text() const;
    void setText(const QString& text);
    /// Shows it and takes the keyboard.
    void open();
    void setCount(size_t passing, size_t all);
    QString countText() const;
    QLineEdit* line() const { return m_line; }

signals:
    void changed(const QString& text);
    /// The keyboard goes back to the tracks. Without a text the line is gone by then.
    void left();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QLineEdit* m_line;
    QLabel* m_count;
};

}  // namespace warpline::timeline
