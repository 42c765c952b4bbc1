// SPDX-License-Identifier: GPL-3.0-or-later
// The window's files: opening, adding, loading anew, placing in time, and what happens to them on disk.

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QSaveFile>
#include <QStatusBar>

#include "app/ui/change_bar.h"
#include "app/ui/error_page.h"
#include "app/ui/file_watch.h"
#include "app/ui/load_page.h"
#include "app/ui/main_window.h"
#include "app/ui/place_dialog.h"
#include "app/ui/recorder.h"
#include "app/ui/session_name.h"
#include "app/ui/settings_dialog.h"
#include "app/ui/trace_opener.h"
#include "widgets/support/cell_text.h"
#include "widgets/support/format_text.h"
#include "widgets/support/save_file.h"
#include "widgets/support/settings.h"

namespace warpline::ui {

namespace {

/// Each file once, by its path alone: that two paths lead to one file shows when they are loaded.
QStringList distinct(const QStringList& paths, QStringList* repeated) {
    QStringList once, seen;
    for (const QString& path : paths) {
        const QString whole = path == "-" ? path : QDir::cleanPath(QFileInfo(path).absoluteFilePath());
        if (seen.contains(whole)) {
            *repeated << path;
        } else {
            seen << whole;
            once << path;
        }
    }
    return once;
}

FileOffsets offsetsOf(const QStringList& paths, const settings::Placement& placement) {
    FileOffsets offsets;
    for (qsizetype i = 1; i < paths.size(); ++i) {
        if (const auto found = placement.constFind(paths[i]); found != placement.cend()) {
            offsets.emplace(static_cast<size_t>(i), *found);
        }
    }
    return offsets;
}

QStringList missingOf(const SessionDocument& document) {
    QStringList missing;
    for (const QString& named : document.paths()) {
        if (!QFileInfo::exists(named)) {
            missing << named;
        }
    }
    return missing;
}

}  // namespace

void MainWindow::openSession(const QString& path, const QMap<QString, QString>& moved) {
    const auto fail = [&](const QString& reason, const char* code = "unsupported") {
        m_sessionPath = path;
        m_error->setError({path}, Error::failed(reason.toStdString(), code),
                          m_session.trace() ? shortNames(m_openPaths) : QString());
        setPage(Page::Failed);
        emit loadFinished(reason);
    };
    auto document = readSessionFile(path);
    if (!document.ok()) {
        fail(tr("The session file cannot be read: %1").arg(fromUtf8(document.error().message)));
        return;
    }
    for (SessionDocument::File& file : document.value().files) {
        file.path = moved.value(file.path, file.path);
    }
    const QStringList missing = missingOf(document.value());
    if (!missing.isEmpty()) {
        fail(tr("The session names files that are not there: %1").arg(missing.join(", ")), kMissingFiles);
        return;
    }
    m_recent.add(path);
    setFollowing(false);
    settings::setPlacement(document.value().paths(), document.value().placement());
    load(document.value().paths(), Purpose::Open);
    m_pendingSession = std::move(document).value();
    m_sessionPath = path;
}

void MainWindow::locateFiles() {
    const auto document = readSessionFile(m_sessionPath);
    if (!document.ok()) {
        openSession(QString(m_sessionPath));
        return;
    }
    QMap<QString, QString> moved;
    QString folder = QFileInfo(m_sessionPath).absolutePath();
    for (const QString& named : missingOf(document.value())) {
        const QString name = QFileInfo(named).fileName();
        QString found = QDir(folder).filePath(name);
        if (moved.isEmpty() || !QFileInfo::exists(found)) {
            found = QFileDialog::getOpenFileName(this, tr("Where is %1?").arg(name), folder, openFilter());
        }
        if (found.isEmpty()) {
            return;
        }
        moved.insert(named, found);
        folder = QFileInfo(found).absolutePath();
    }
    openSession(QString(m_sessionPath), moved);
}

bool MainWindow::saveSession(const QString& path) {
    if (!m_session.trace()) {
        return false;
    }
    QSaveFile file(path);
    const QByteArray text = writeSession(documentOf(m_session, m_openPaths, settings::placementOf(m_openPaths)),
                                         QFileInfo(path).absoluteDir());
    const bool isWritten = file.open(QIODevice::WriteOnly) && file.write(text) == text.size() && file.commit();
    statusBar()->showMessage(isWritten ? tr("Session saved as %1").arg(QDir::toNativeSeparators(path))
                                       : tr("The session was not saved: %1").arg(file.errorString()),
                             kNoticeMs);
    return isWritten;
}

void MainWindow::chooseSession() {
    const QString folder = settings::store().value(settings::kLastFolder).toString();
    const QString path = askSavePath(this, tr("Save session"), suggestedSessionPath(m_openPaths, folder),
                                     {{tr("Warpline sessions"), QLatin1String(kSessionSuffix)}});
    if (!path.isEmpty()) {
        saveSession(path);
    }
}

void MainWindow::openFiles(const QStringList& paths) {
    if (paths.size() == 1 && paths.first().endsWith(QLatin1String(kSessionSuffix))) {
        openSession(paths.first());
        return;
    }
    if (paths != m_openPaths) {
        setFollowing(false);
    }
    load(paths, Purpose::Open);
}

void MainWindow::openPlaced(const QStringList& paths, const settings::Placement& placement) {
    QStringList repeated;
    settings::setPlacement(distinct(paths, &repeated), placement);
    openFiles(paths);
}

void MainWindow::addFiles(const QStringList& paths) {
    if (!paths.isEmpty()) {
        load(m_openPaths + paths, m_session.trace() ? Purpose::Reload : Purpose::Open);
    }
}

void MainWindow::reload() {
    load(m_openPaths, Purpose::Reload);
}

void MainWindow::load(const QStringList& given, Purpose purpose) {
    QStringList repeated;
    const QStringList paths = distinct(given, &repeated);
    if (paths.isEmpty()) {
        return;
    }
    if (!repeated.isEmpty()) {
        statusBar()->showMessage(tr("%1 was given more than once; every file is opened once").arg(shortNames(repeated)),
                                 kNoticeMs);
    }
    if (purpose != Purpose::Recorded) {
        m_recorder->leaveLive();
    }
    m_purpose = purpose;
    m_pendingSession.reset();  // it is of the load that this one takes the place of
    m_sessionPath.clear();
    m_load->start(paths);
    // What is still written is another file at the next pause.
    const CacheSettings cache = purpose == Purpose::Follow ? CacheSettings() : TraceOpener::cache();
    m_opener->open(paths, offsetsOf(paths, settings::placementOf(paths)), settings::loadOptions(), cache);
    if (purpose != Purpose::Follow && purpose != Purpose::Recorded) {
        m_showLoading.start();
    }
    refreshActions();
}

bool MainWindow::canReload() const {
    // What came through a pipe is gone.
    return m_session.trace() != nullptr && !m_openPaths.contains("-");
}

QStringList MainWindow::askForFiles(const QString& title) {
    const QString folder = settings::store().value(settings::kLastFolder).toString();
    const QStringList paths = QFileDialog::getOpenFileNames(this, title, folder, openFilter());
    if (!paths.isEmpty()) {
        settings::store().setValue(settings::kLastFolder, QFileInfo(paths.first()).absolutePath());
    }
    return paths;
}

void MainWindow::chooseFiles() {
    openFiles(askForFiles(tr("Open traces")));
}

void MainWindow::chooseFilesToAdd() {
    addFiles(askForFiles(tr("Add files to this view")));
}

void MainWindow::placeFiles() {
    const bool hasFailed = page() == Page::Failed;
    const QStringList paths = hasFailed ? m_opener->paths() : m_openPaths;
    if (paths.size() < 2) {
        return;
    }
    auto* dialog = new PlaceDialog(paths, settings::placementOf(paths), hasFailed ? nullptr : m_session.trace(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog, paths] {
        settings::setPlacement(paths, dialog->placement());
        load(paths, paths == m_openPaths ? Purpose::Reload : Purpose::Open);
    });
    dialog->open();
}

void MainWindow::showSettings() {
    auto* dialog = new SettingsDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

// --- what happens on disk

QString MainWindow::followText() const {
    return tr("Following %1: loaded again whenever writing pauses").arg(shortNames(m_openPaths));
}

void MainWindow::setFollowing(bool follow) {
    m_following = follow && canReload();
    m_follow->setChecked(m_following);
    if (m_following) {
        m_change->following(followText());
        if (m_watch->differs()) {
            load(m_openPaths, Purpose::Follow);
        }
    } else {
        m_change->hide();
        onFilesChanged();
    }
}

void MainWindow::onFilesChanged() {
    const QString text = changeText(m_watch->paths(), m_watch->loaded(), m_watch->current());
    if (m_following) {
        return;
    }
    if (text.isEmpty()) {
        m_change->hide();
        return;
    }
    bool allThere = true;
    for (const FileStamp& stamp : m_watch->current()) {
        allThere = allThere && stamp.bytes >= 0;
    }
    m_change->offer(text, canReload() && allThere);
}

void MainWindow::onFilesSettled() {
    if (m_following && canReload() && !m_opener->busy()) {
        load(m_openPaths, Purpose::Follow);
    }
}

void MainWindow::watchFiles() {
    QStringList paths;
    std::vector<FileStamp> stamps;
    for (qsizetype i = 0; i < m_openPaths.size(); ++i) {
        if (m_openPaths[i] != "-") {
            paths << m_openPaths[i];
            stamps.push_back(m_opener->stamps()[static_cast<size_t>(i)]);
        }
    }
    m_watch->watch(paths, std::move(stamps));
    if (m_following) {
        m_change->following(followText());
    } else {
        m_change->hide();
    }
}

}  // namespace warpline::ui
