// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Every action of the window by name (Ctrl+Shift+P), with its keys; what cannot be done now says why. Made anew from
// the key bindings each time it opens, so that it cannot go out of date.

#include <QKeySequence>
#include <QString>

#include <functional>
#include <vector>

#include "widgets/support/choice_popup.h"

namespace warpline::ui {

class CommandPalette : public ChoicePopup {
    Q_OBJECT

public:
    /// What is no action of a menu: a file that was open before.
    struct Extra {
        QString group;
        QString text;
        QString note;
        std::function<void()> run;
    };

    explicit CommandPalette(QWidget* window);
    /// Opens with all actions, then `extras`; closes if it is open.
    void toggle(std::vector<Extra> extras);

private:
    std::vector<std::function<void()>> m_commands;  ///< as in the choices
};

}  // namespace warpline::ui
