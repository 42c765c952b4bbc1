// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A combo box and a menu button whose arrow is drawn in the look's colours: a style sheet can only take it from a file.

#include <QComboBox>
#include <QToolButton>

namespace warpline {

class Chooser : public QComboBox {
    Q_OBJECT

public:
    using QComboBox::QComboBox;
    /// Wide enough for its longest text: a style sheet's hint forgets the arrow.
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
};

class MenuButton : public QToolButton {
    Q_OBJECT

public:
    explicit MenuButton(QWidget* parent = nullptr);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
};

}  // namespace warpline
