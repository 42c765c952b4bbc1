// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Words that people look for and that do not stand in an action's own text: "overlap" leads to the area panel, "jump"
// to the prompt for a time. Any thread.

#include <QString>
#include <QStringList>

namespace warpline {

/// Of an action by its id, with blanks between, the nearest first; "" for most.
QString searchWords(const QString& id);
/// All ids that have some.
QStringList idsWithSearchWords();

}  // namespace warpline
