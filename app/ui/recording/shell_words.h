// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A command line as one text, split and quoted as a POSIX shell does. Nothing is expanded and no shell runs: what only
// a shell could do is refused, with what to write instead. Pure.

#include <QList>
#include <QPair>
#include <QString>
#include <QStringList>

#include "core/base/result.h"

namespace warpline::ui {

struct ShellWords {
    QList<QPair<QString, QString>> environment;  ///< settings before the program: A=1 python …
    QStringList words;                           ///< the program and its arguments
};

/// Fails with what is wrong and where (counted from 1).
Result<ShellWords> splitShellWords(const QString& text);
/// As a shell takes it; unchanged where it needs no quotes.
QString quotedForShell(const QString& word);
QString joinedForShell(const QStringList& words);

}  // namespace warpline::ui
