// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/shortcut_sheet.h"

#include <QAction>
#include <QDialogButtonBox>
#include <QLineEdit>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

#include "app/ui/key_table.h"
#include "widgets/support/icons.h"
#include "widgets/support/key_bindings.h"

namespace warpline::ui {

ShortcutSheet::ShortcutSheet(QWidget* parent)
    : QDialog(parent),
      m_search(new QLineEdit(this)),
      m_table(makeKeyTable({tr("Where"), tr("What"), tr("Keys"), tr("Mouse")}, this)) {
    m_search->setPlaceholderText(tr("Search"));
    m_search->setAccessibleName(tr("Search shortcuts"));
    m_search->addAction(icon(Icon::Search), QLineEdit::LeadingPosition);
    m_search->setClearButtonEnabled(true);
    m_table->setAccessibleName(tr("Keyboard shortcuts"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    QPushButton* change = buttons->addButton(tr("Change &keys…"), QDialogButtonBox::ActionRole);
    change->setAutoDefault(false);
    connect(change, &QPushButton::clicked, this, &ShortcutSheet::changeRequested);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_search, &QLineEdit::textChanged, this, [this](const QString& text) { filterKeyTable(m_table, text); });
    connect(&keyBindings(), &KeyBindings::changed, this, &ShortcutSheet::fill);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->setSpacing(10);
    layout->addWidget(m_search);
    layout->addWidget(m_table, 1);
    layout->addWidget(buttons);
    resize(820, 640);
    fill();
}

void ShortcutSheet::fill() {
    setWindowTitle(tr("Keyboard shortcuts, as in %1").arg(schemeTitle(keyBindings().scheme())));
    m_table->setRowCount(0);
    for (const QAction* action : keyBindings().actions()) {
        const QString id = action->objectName();
        const QString keys = shownKeys(keyBindings().keys(id));
        const QString gesture = action->property("gesture").toString();
        if (!keys.isEmpty() || !gesture.isEmpty()) {
            addKeyRow(m_table, {keyBindings().groupOf(id), fullTitle(action), keys, gesture});
        }
    }
    const QString copy = QKeySequence(QKeySequence::Copy).toString(QKeySequence::NativeText);
    addKeyRow(m_table, {tr("Tables"), tr("Show the next instance of the row"), tr("Enter"), tr("Double click")});
    addKeyRow(m_table, {tr("Tables"), tr("Show the previous instance of the row"), tr("Shift+Enter"), {}});
    addKeyRow(m_table, {tr("Tables"), tr("Copy selected rows as CSV"), copy, {}});
    addKeyRow(m_table, {tr("Details"), tr("Go to the linked slice"), tr("Enter"), tr("Click")});
    fitKeyTable(m_table);
    filterKeyTable(m_table, m_search->text());
}

}  // namespace warpline::ui
