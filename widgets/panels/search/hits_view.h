// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The list of a search's hits. Going to a row, by mouse or keys, asks for that hit; Enter and Shift+Enter for the next
// and the one before. GUI thread.

#include <QTableView>

namespace warpline::search {

class HitsModel;

class HitsView : public QTableView {
    Q_OBJECT

public:
    HitsView(HitsModel* model, QWidget* parent);

    /// Brings a row into view and marks it; -1: none. Asks for nothing.
    void showRow(int row);
    /// What stands where rows would be; "" for nothing.
    void setMessage(const QString& message);
    const QString& message() const { return m_message; }

signals:
    void rowRequested(int row);
    void stepRequested(int direction);
    void leaveRequested();

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void fitColumns();
    void copySelected() const;

    HitsModel* m_model;
    QString m_message;
    bool m_showing = false;
};

}  // namespace warpline::search
