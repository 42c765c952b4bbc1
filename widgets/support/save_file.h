// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Where something is saved: the name that is offered, the ending it gets, and the question before a file is replaced.
// All that saves asks here. GUI thread, but for the pure functions.

#include <QString>
#include <QStringList>

#include <vector>

class QWidget;

namespace warpline {

class Trace;

struct SaveKind {
    QString title;   ///< "CSV"
    QString ending;  ///< ".csv"
};

/// `path` as it is if it has the ending of one of `kinds`, else with that of kinds[chosen]: a file is what it is
/// called.
QString withEnding(const QString& path, const std::vector<SaveKind>& kinds, size_t chosen);
/// A file's name without the endings of trace formats: "step.trace.json.gz" becomes "step".
QString withoutFormat(QString name);
/// `folder`, or where that is empty the folder of the trace's first file, or the home folder where nothing can be
/// written there; by the name of that file, what it is of and the ending: "/runs/step.kernels.csv", of four files
/// "/runs/step+3.kernels.csv". Without `what`: "/runs/step.png".
QString suggestedPath(const Trace* trace, const QString& folder, const QString& what, const QString& ending);
/// Asks for a file to write, and once more before one that is there is replaced, by the name that it will have in the
/// end. Empty if the user does not want to. REQUIRES: `kinds` is not empty. Runs an event loop: afterwards look again
/// whether what was to be saved is there.
QString askSavePath(QWidget* parent, const QString& title, const QString& suggested,
                    const std::vector<SaveKind>& kinds);

}  // namespace warpline
