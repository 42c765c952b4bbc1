// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Covers the window while files are dragged over it and says what dropping them does. Takes no input itself.

#include <QWidget>

namespace warpline::ui {

class DropOverlay : public QWidget {
    Q_OBJECT

public:
    explicit DropOverlay(QWidget* window);
    void showFor(int files);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_text;
};

}  // namespace warpline::ui
