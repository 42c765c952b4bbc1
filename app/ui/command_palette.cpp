// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/command_palette.h"

#include <QAction>
#include <QPointer>

#include <utility>

#include "widgets/support/action_words.h"
#include "widgets/support/key_bindings.h"

namespace warpline::ui {

CommandPalette::CommandPalette(QWidget* window) : ChoicePopup(tr("Commands"), tr("What do you want to do?"), window) {
    setPrefix(QStringLiteral(">"));
    connect(this, &ChoicePopup::chosen, this, [this](int index) {
        // A copy: what runs may open the palette again.
        const std::function<void()> run = m_commands[static_cast<size_t>(index)];
        run();
    });
}

void CommandPalette::toggle(std::vector<Extra> extras) {
    if (isVisible()) {
        dismiss();
        return;
    }
    std::vector<Choice> choices;
    m_commands.clear();
    for (QAction* action : keyBindings().actions()) {
        const QString id = action->objectName();
        if (id == QLatin1String("window.palette")) {
            continue;
        }
        Choice choice;
        choice.text = fullTitle(action);
        choice.group = keyBindings().groupOf(id);
        choice.keys = shownKeys(keyBindings().keys(id));
        choice.words = searchWords(id);
        choice.enabled = action->isEnabled();
        if (!choice.enabled) {
            const QString reason = action->property(kDisabledReason).toString();
            choice.note = reason.isEmpty() ? tr("Not possible now") : reason;
        } else if (action->isCheckable() && action->isChecked()) {
            choice.note = tr("on");
        }
        choices.push_back(std::move(choice));
        m_commands.emplace_back([action = QPointer<QAction>(action)] {
            if (action) {
                action->trigger();
            }
        });
    }
    for (Extra& extra : extras) {
        choices.push_back({extra.text, extra.group, {}, true, extra.note});
        m_commands.push_back(std::move(extra.run));
    }
    setChoices(std::move(choices));
    open();
}

}  // namespace warpline::ui
