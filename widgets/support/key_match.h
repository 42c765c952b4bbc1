// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Key presses and the keys that actions are bound to. A sign such as ? or [ comes with Shift or AltGr on some keyboards
// and without on others: it is bound, and found, as the sign alone.

#include <QKeySequence>
#include <QList>

class QAction;
class QKeyEvent;

namespace warpline {

/// What to bind when this was pressed; empty for a modifier alone and for keys without a name.
QKeySequence pressedKey(const QKeyEvent& event);
bool matches(const QKeyEvent& event, const QList<QKeySequence>& keys);
/// The first enabled one of `among` that is bound to the press (see KeyBindings); null if none is.
QAction* actionFor(const QList<QAction*>& among, const QKeyEvent& event);

}  // namespace warpline
