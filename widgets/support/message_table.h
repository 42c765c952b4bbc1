// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A table that says in words why it has no rows, for the eye and for screen readers.

#include <QTableView>

namespace warpline {

class MessageTable : public QTableView {
    Q_OBJECT

public:
    explicit MessageTable(QWidget* parent = nullptr) : QTableView(parent) {}

    /// What stands where rows would be; "" for nothing.
    void setMessage(const QString& message);
    const QString& message() const { return m_message; }
    /// Rows are found by the filter or the search; letters are keys of the timeline (see PassedKeys).
    void keyboardSearch(const QString& /*letters*/) override {}

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_message;
};

}  // namespace warpline
