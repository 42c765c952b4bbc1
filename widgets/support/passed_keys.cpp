// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/support/passed_keys.h"

#include <QKeyEvent>
#include <QTableView>

#include "widgets/support/session.h"

namespace warpline {

PassedKeys::PassedKeys(QTableView* table, Session& session) : QObject(table), m_session(session) {
    table->installEventFilter(this);
}

bool PassedKeys::isOfTable(const QKeyEvent& event) {
    const Qt::KeyboardModifiers modifiers = event.modifiers();
    switch (event.key()) {
        case Qt::Key_Up:
        case Qt::Key_Down:
        case Qt::Key_Left:
        case Qt::Key_Right:
            return !modifiers.testFlag(Qt::AltModifier);
        case Qt::Key_Home:
        case Qt::Key_End:
        case Qt::Key_PageUp:
        case Qt::Key_PageDown:
        case Qt::Key_Return:
        case Qt::Key_Enter:
        case Qt::Key_Escape:
        case Qt::Key_Space:
        case Qt::Key_Tab:
        case Qt::Key_Backtab:
            return true;
        case Qt::Key_A:
        case Qt::Key_C:
            return modifiers == Qt::ControlModifier;
        default:
            return false;
    }
}

bool PassedKeys::eventFilter(QObject* /*watched*/, QEvent* event) {
    KeyTaker* taker = m_session.keyTaker();
    if (taker == nullptr) {
        return false;
    }
    switch (event->type()) {
        case QEvent::ShortcutOverride:
        case QEvent::KeyPress: {
            auto& key = static_cast<QKeyEvent&>(*event);
            if (isOfTable(key) || !taker->takesKey(key)) {
                return false;
            }
            if (event->type() == QEvent::KeyPress) {
                taker->pressKey(key);
            }
            event->accept();
            return true;
        }
        case QEvent::KeyRelease:
            taker->releaseKey(static_cast<QKeyEvent&>(*event));
            return false;
        case QEvent::FocusOut:
        case QEvent::Hide:
            taker->letKeysGo();
            return false;
        default:
            return false;
    }
}

}  // namespace warpline
