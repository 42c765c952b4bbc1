// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/support/key_match.h"

#include <QAction>
#include <QKeyEvent>

#include "widgets/support/key_bindings.h"

namespace warpline {

namespace {

/// What is on a key only by Shift on some keyboard. Letters are not: Shift and a letter is another key.
bool isSign(int key) {
    return key > Qt::Key_Space && key < Qt::Key_Escape && !QChar::isLetter(static_cast<char32_t>(key));
}

QKeyCombination plain(const QKeyEvent& event) {
    Qt::KeyboardModifiers modifiers =
        event.modifiers() & (Qt::ShiftModifier | Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier);
    int key = event.key();
    if (key == Qt::Key_Enter) {
        key = Qt::Key_Return;
    } else if (key == Qt::Key_Backtab) {
        key = Qt::Key_Tab;
        modifiers |= Qt::ShiftModifier;
    }
    // AltGr is Ctrl+Alt to some systems; then the sign that it makes is what was meant.
    if (isSign(key) && modifiers.testFlag(Qt::ControlModifier) && modifiers.testFlag(Qt::AltModifier) &&
        event.text().size() == 1 && event.text().at(0).isPrint()) {
        modifiers &= ~(Qt::ControlModifier | Qt::AltModifier);
    }
    return QKeyCombination(modifiers, static_cast<Qt::Key>(key));
}

QKeyCombination withoutShift(QKeyCombination keys) {
    return QKeyCombination(keys.keyboardModifiers() & ~Qt::KeyboardModifiers(Qt::ShiftModifier), keys.key());
}

}  // namespace

QKeySequence pressedKey(const QKeyEvent& event) {
    switch (event.key()) {
        case 0:
        case Qt::Key_unknown:
        case Qt::Key_Shift:
        case Qt::Key_Control:
        case Qt::Key_Alt:
        case Qt::Key_AltGr:
        case Qt::Key_Meta:
        case Qt::Key_Super_L:
        case Qt::Key_Super_R:
        case Qt::Key_CapsLock:
        case Qt::Key_NumLock:
        case Qt::Key_ScrollLock:
            return {};
        default:
            break;
    }
    const QKeyCombination keys = plain(event);
    // Ctrl+Shift+1 stays what it is where digits need no Shift.
    const bool digit = keys.key() >= Qt::Key_0 && keys.key() <= Qt::Key_9;
    return isSign(keys.key()) && !digit ? withoutShift(keys) : keys;
}

bool matches(const QKeyEvent& event, const QList<QKeySequence>& keys) {
    const QKeyCombination exact = plain(event);
    return keys.contains(QKeySequence(exact)) ||
           (isSign(exact.key()) && keys.contains(QKeySequence(withoutShift(exact))));
}

QAction* actionFor(const QList<QAction*>& among, const QKeyEvent& event) {
    for (QAction* action : among) {
        const QString id = action->objectName();
        if (action->isEnabled() && matches(event, givesWay(id) ? keyBindings().keys(id) : action->shortcuts())) {
            return action;
        }
    }
    return nullptr;
}

}  // namespace warpline
