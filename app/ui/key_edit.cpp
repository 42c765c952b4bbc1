// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/key_edit.h"

#include <QKeyEvent>

#include "widgets/support/key_match.h"

namespace warpline::ui {

KeyEdit::KeyEdit(QWidget* parent) : QLineEdit(parent) {
    setReadOnly(true);
    setContextMenuPolicy(Qt::NoContextMenu);
}

void KeyEdit::setKey(const QKeySequence& key) {
    if (key != m_key) {
        m_key = key;
        setText(key.toString(QKeySequence::NativeText));
        emit keyChanged();
    }
}

bool KeyEdit::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        // Every key is to be taken here, whatever the window does with it.
        event->accept();
        return true;
    }
    return QLineEdit::event(event);
}

void KeyEdit::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && event->modifiers() == Qt::NoModifier) {
        if (m_key.isEmpty()) {
            event->ignore();
        } else {
            setKey({});
        }
        return;
    }
    if (const QKeySequence pressed = pressedKey(*event); !pressed.isEmpty()) {
        setKey(pressed);
    }
    event->accept();
}

}  // namespace warpline::ui
