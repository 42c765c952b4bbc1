// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Name, version, licences, and what the program is built on.

#include <QDialog>

namespace warpline::ui {

class AboutDialog : public QDialog {
    Q_OBJECT

public:
    explicit AboutDialog(QWidget* parent = nullptr);
};

}  // namespace warpline::ui
