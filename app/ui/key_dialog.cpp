// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/key_dialog.h"

#include <QAction>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTableWidget>
#include <QVBoxLayout>

#include "app/ui/key_edit.h"
#include "app/ui/key_table.h"
#include "widgets/support/chooser.h"
#include "widgets/support/icons.h"
#include "widgets/support/key_bindings.h"
#include "widgets/support/theme.h"

namespace warpline::ui {

namespace {

constexpr int kIdRole = Qt::UserRole;

QString quoted(const QString& id) {
    const QAction* action = keyBindings().action(id);
    return action == nullptr ? id : QStringLiteral("\u201c%1\u201d").arg(fullTitle(action));
}

QString quoted(const QStringList& ids) {
    QStringList names;
    for (const QString& id : ids) {
        names << quoted(id);
    }
    return names.join(KeyDialog::tr(" and "));
}

}  // namespace

KeyDialog::KeyDialog(QWidget* parent)
    : QDialog(parent),
      m_schemes(new Chooser(this)),
      m_search(new QLineEdit(this)),
      m_table(makeKeyTable({tr("Where"), tr("What"), tr("Keys"), QString()}, this)),
      m_name(new QLabel(this)),
      m_edit(new KeyEdit(this)),
      m_set(new QPushButton(tr("&Set"), this)),
      m_add(new QPushButton(tr("&Add"), this)),
      m_remove(new QPushButton(tr("&No key"), this)),
      m_reset(new QPushButton(tr("&Reset"), this)),
      m_resetAll(new QPushButton(tr("Reset a&ll"), this)),
      m_message(new QLabel(this)) {
    setWindowTitle(tr("Keys"));
    for (const KeyScheme scheme : kKeySchemes) {
        m_schemes->addItem(schemeTitle(scheme), static_cast<int>(scheme));
    }
    m_search->setPlaceholderText(tr("Search"));
    m_search->setAccessibleName(tr("Search actions and keys"));
    m_search->addAction(icon(Icon::Search), QLineEdit::LeadingPosition);
    m_search->setClearButtonEnabled(true);
    m_table->setAccessibleName(tr("Actions and their keys"));
    m_edit->setPlaceholderText(tr("Press a key here"));
    m_edit->setAccessibleName(tr("New key"));
    m_set->setToolTip(tr("This key instead of those it has"));
    m_add->setToolTip(tr("This key beside those it has"));
    m_remove->setToolTip(tr("Takes its keys away"));
    m_reset->setToolTip(tr("Back to the keys of the scheme"));
    m_resetAll->setToolTip(tr("Every action back to the keys of the scheme"));
    m_message->setWordWrap(true);
    m_message->setMinimumHeight(2 * fontMetrics().lineSpacing());
    m_message->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    // Enter in the search is no wish to change a key.
    for (QPushButton* button : {m_set, m_add, m_remove, m_reset, m_resetAll}) {
        button->setAutoDefault(false);
    }

    auto* like = new QLabel(tr("Keys as in"), this);
    like->setBuddy(m_schemes);
    auto* top = new QHBoxLayout;
    top->setSpacing(8);
    top->addWidget(like);
    top->addWidget(m_schemes);
    top->addWidget(m_search, 1);
    auto* change = new QHBoxLayout;
    change->setSpacing(8);
    change->addWidget(m_edit, 1);
    for (QPushButton* button : {m_set, m_add, m_remove, m_reset}) {
        change->addWidget(button);
    }
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    buttons->addButton(m_resetAll, QDialogButtonBox::ResetRole);
    buttons->button(QDialogButtonBox::Close)->setAutoDefault(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 16, 16, 16);
    column->setSpacing(10);
    column->addLayout(top);
    column->addWidget(m_table, 1);
    column->addWidget(m_name);
    column->addLayout(change);
    column->addWidget(m_message);
    column->addWidget(buttons);
    resize(680, 620);

    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_search, &QLineEdit::textChanged, this, &KeyDialog::filter);
    connect(m_schemes, &QComboBox::activated, this,
            [this] { keyBindings().setScheme(static_cast<KeyScheme>(m_schemes->currentData().toInt())); });
    connect(m_table, &QTableWidget::itemSelectionChanged, this, [this] {
        m_edit->setKey({});
        refresh();
    });
    connect(m_table, &QTableWidget::activated, this, [this] { m_edit->setFocus(Qt::OtherFocusReason); });
    connect(m_edit, &KeyEdit::keyChanged, this, &KeyDialog::refresh);
    connect(m_set, &QPushButton::clicked, this, [this] { assign(false); });
    connect(m_add, &QPushButton::clicked, this, [this] { assign(true); });
    connect(m_remove, &QPushButton::clicked, this, [this] { keyBindings().setKeys(chosenId(), {}); });
    connect(m_reset, &QPushButton::clicked, this, [this] { keyBindings().reset(chosenId()); });
    connect(m_resetAll, &QPushButton::clicked, &keyBindings(), &KeyBindings::resetAll);
    connect(&keyBindings(), &KeyBindings::changed, this, &KeyDialog::fill);
    fill();
    m_table->selectRow(0);
    m_schemes->installEventFilter(this);
    m_search->setFocus(Qt::OtherFocusReason);
}

/// A letter would choose the scheme that begins with it, and with it other keys for all actions.
bool KeyDialog::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_schemes && event->type() == QEvent::KeyPress) {
        const QString typed = static_cast<QKeyEvent*>(event)->text();
        if (!typed.isEmpty() && typed.front().isLetterOrNumber()) {
            m_search->setFocus(Qt::OtherFocusReason);
            m_search->insert(typed);
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

QString KeyDialog::message() const {
    return m_message->text();
}

QString KeyDialog::chosenId() const {
    const QList<QTableWidgetItem*> selected = m_table->selectedItems();
    return selected.isEmpty() ? QString() : m_table->item(selected.first()->row(), 0)->data(kIdRole).toString();
}

void KeyDialog::choose(const QString& id) {
    for (int row = 0; row < m_table->rowCount(); ++row) {
        if (m_table->item(row, 0)->data(kIdRole).toString() == id) {
            m_table->selectRow(row);
            m_table->scrollToItem(m_table->item(row, 0));
        }
    }
}

void KeyDialog::fill() {
    const QString chosen = chosenId();
    {
        const QSignalBlocker quiet(m_table);
        m_table->setRowCount(0);
        for (const QAction* action : keyBindings().actions()) {
            const QString id = action->objectName();
            const bool changed = keyBindings().isChanged(id);
            const int row = addKeyRow(m_table, {keyBindings().groupOf(id), fullTitle(action),
                                                shownKeys(keyBindings().keys(id)), changed ? tr("yours") : QString()});
            m_table->item(row, 0)->setData(kIdRole, id);
            m_table->item(row, 3)->setForeground(theme().link);
        }
        fitKeyTable(m_table);
        choose(chosen);
    }
    m_schemes->setCurrentIndex(m_schemes->findData(static_cast<int>(keyBindings().scheme())));
    filter();
    refresh();
}

void KeyDialog::filter() {
    filterKeyTable(m_table, m_search->text());
}

void KeyDialog::refresh() {
    const QString id = chosenId();
    const QKeySequence key = m_edit->key();
    const bool has = !id.isEmpty();
    const QList<QKeySequence> keys = keyBindings().keys(id);
    m_name->setText(!has             ? tr("Choose an action to change its keys.")
                    : keys.isEmpty() ? tr("%1 has no key.").arg(quoted(id))
                                     : tr("%1: %2").arg(quoted(id), shownKeys(keys)));
    m_edit->setEnabled(has);
    m_set->setEnabled(has && !key.isEmpty());
    m_add->setEnabled(has && !key.isEmpty() && !keys.contains(key));
    m_remove->setEnabled(has && !keys.isEmpty());
    m_reset->setEnabled(has && keyBindings().isChanged(id));
    QString message;
    if (has && !key.isEmpty()) {
        const QString shown = key.toString(QKeySequence::NativeText);
        const QStringList users = keyBindings().usersOf(key, id);
        if (keys.contains(key)) {
            message = tr("%1 is a key of it already.").arg(shown);
        } else if (users.isEmpty()) {
            message = tr("%1 is free.").arg(shown);
        } else {
            message = tr("%1 belongs to %2. It will be taken away from there.").arg(shown, quoted(users));
        }
    } else {
        QStringList lines;
        for (const KeyBindings::Conflict& conflict : keyBindings().conflicts()) {
            lines << tr("%1 belongs to %2: only one of them will get it.")
                         .arg(conflict.key.toString(QKeySequence::NativeText), quoted(conflict.ids));
        }
        message = lines.join('\n');
    }
    m_message->setText(message);
}

void KeyDialog::assign(bool beside) {
    const QString id = chosenId();
    const QKeySequence key = m_edit->key();
    for (const QString& other : keyBindings().usersOf(key, id)) {
        QList<QKeySequence> rest = keyBindings().keys(other);
        rest.removeAll(key);
        keyBindings().setKeys(other, rest);
    }
    QList<QKeySequence> keys = beside ? keyBindings().keys(id) : QList<QKeySequence>();
    keys << key;
    m_edit->setKey({});
    keyBindings().setKeys(id, keys);
}

}  // namespace warpline::ui
