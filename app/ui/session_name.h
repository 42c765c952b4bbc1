// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a saved session is called unless the user says otherwise. Any thread.

#include <QString>
#include <QStringList>

namespace warpline::ui {

/// Beside the first of `paths`, by its name without the endings of formats: "/runs/step.trace.json.gz" becomes
/// "/runs/step.warpline-session", with three more files "/runs/step+3.warpline-session". In `elsewhere` where nothing
/// can be written there, or nothing is open.
QString suggestedSessionPath(const QStringList& paths, const QString& elsewhere);

}  // namespace warpline::ui
