// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/support/save_file.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>

#include <algorithm>

#include "core/trace/trace.h"
#include "widgets/support/cell_text.h"

namespace warpline {

namespace {

bool hasEnding(const QString& path, const SaveKind& kind) {
    return path.endsWith(kind.ending, Qt::CaseInsensitive) && QFileInfo(path).fileName().size() > kind.ending.size();
}

bool mayReplace(QWidget* parent, const QString& title, const QString& path) {
    QMessageBox box(
        QMessageBox::Question, title,
        QCoreApplication::translate("SaveFile", "%1 is there already. Replace it?").arg(QFileInfo(path).fileName()),
        QMessageBox::Cancel, parent);
    QPushButton* replace =
        box.addButton(QCoreApplication::translate("SaveFile", "Replace"), QMessageBox::DestructiveRole);
    box.setDefaultButton(QMessageBox::Cancel);
    box.setInformativeText(QDir::toNativeSeparators(QFileInfo(path).absolutePath()));
    box.exec();
    return box.clickedButton() == replace;
}

}  // namespace

QString withEnding(const QString& path, const std::vector<SaveKind>& kinds, size_t chosen) {
    const bool isKnown =
        std::any_of(kinds.begin(), kinds.end(), [&](const SaveKind& kind) { return hasEnding(path, kind); });
    return isKnown ? path : path + kinds[chosen].ending;
}

QString withoutFormat(QString name) {
    static const QStringList kEndings = {"gz",           "zst",    "json",    "trace",          "pt",
                                         "raw",          "sqlite", "pftrace", "perfetto-trace", "hatchet",
                                         "chrome_trace", "pb",     "wcap"};
    for (;;) {
        const QString ending = QFileInfo(name).suffix().toLower();
        if (ending.isEmpty() || name.size() <= ending.size() + 1 || !kEndings.contains(ending)) {
            return name;
        }
        name.chop(ending.size() + 1);
    }
}

QString suggestedPath(const Trace* trace, const QString& folder, const QString& what, const QString& ending) {
    const size_t files = trace != nullptr ? trace->files().size() : 0;
    const QFileInfo first(files > 0 ? fromUtf8(trace->files().front().path) : QString());
    QString name = first.exists() ? withoutFormat(first.fileName()) : QString();
    if (!name.isEmpty() && files > 1) {
        name += QStringLiteral("+%1").arg(files - 1);
    }
    if (name.isEmpty()) {
        name = what.isEmpty() ? QStringLiteral("timeline") : what;
    } else if (!what.isEmpty()) {
        name += "." + what;
    }
    const bool canWrite = first.exists() && QFileInfo(first.absolutePath()).isWritable();
    const QString where = !folder.isEmpty() ? folder : canWrite ? first.absolutePath() : QDir::homePath();
    return QDir(where).filePath(name + ending);
}

QString askSavePath(QWidget* parent, const QString& title, const QString& suggested,
                    const std::vector<SaveKind>& kinds) {
    QStringList filters;
    for (const SaveKind& kind : kinds) {
        filters << QStringLiteral("%1 (*%2)").arg(kind.title, kind.ending);
    }
    QFileDialog dialog(parent, title);
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setFileMode(QFileDialog::AnyFile);
    dialog.setNameFilters(filters);
    // The system's dialog asks before the ending is there: of another file than the one that is replaced.
    dialog.setOption(QFileDialog::DontConfirmOverwrite);
    dialog.setDirectory(QFileInfo(suggested).absolutePath());
    dialog.selectFile(QFileInfo(suggested).fileName());
    const auto chosen = [&] {
        return static_cast<size_t>(std::max<qsizetype>(filters.indexOf(dialog.selectedNameFilter()), 0));
    };
    QObject::connect(&dialog, &QFileDialog::filterSelected, &dialog, [&] {
        const QStringList selected = dialog.selectedFiles();
        QString name = selected.isEmpty() ? QString() : QFileInfo(selected.first()).fileName();
        for (const SaveKind& kind : kinds) {
            if (hasEnding(name, kind)) {
                name.chop(kind.ending.size());
                dialog.selectFile(name + kinds[chosen()].ending);
                break;
            }
        }
    });
    while (dialog.exec() == QDialog::Accepted && !dialog.selectedFiles().isEmpty()) {
        const QString path = withEnding(dialog.selectedFiles().first(), kinds, chosen());
        if (!QFileInfo::exists(path) || mayReplace(parent, title, path)) {
            return path;
        }
        dialog.selectFile(QFileInfo(path).fileName());
    }
    return {};
}

}  // namespace warpline
