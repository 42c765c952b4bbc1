// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/session_store.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>

#include <cstdio>
#include <utility>

#include "widgets/support/settings.h"

namespace warpline::ui {

SessionStore::SessionStore(Session& session, QObject* parent)
    : QObject(parent), m_session(session), m_job(new JobRunner(this)) {
    m_soon.setSingleShot(true);
    m_soon.setInterval(kSaveAfterMs);
    connect(&m_soon, &QTimer::timeout, this, &SessionStore::saveAside);
    const auto changed = [this] {
        if (!m_paths.isEmpty() && m_session.trace()) {
            m_isChanged = true;
            m_soon.start();
        }
    };
    connect(&session, &Session::selectionChanged, this, changed);
    connect(&session, &Session::areaChanged, this, changed);
    connect(&session, &Session::filterChanged, this, changed);
    connect(&session, &Session::notesChanged, this, changed);
    connect(&session, &Session::arrangementChanged, this, changed);
    connect(&session, &Session::foldingChanged, this, changed);
    connect(&session, &Session::scrollPlaceChanged, this, changed);
    connect(&session, &Session::panelStateChanged, this, changed);
    connect(&session, &Session::visibleRangeChanged, this, changed);
}

QString SessionStore::pathFor(const QStringList& paths) const {
    QCryptographicHash hash(QCryptographicHash::Sha256);
    for (const QString& path : paths) {
        hash.addData(QFileInfo(path).absoluteFilePath().toUtf8());
        hash.addData(QByteArrayView("\n"));
    }
    return settings::dataFolder() + "/sessions/" + QString::fromLatin1(hash.result().toHex().left(32)) + ".json";
}

QStringList SessionStore::open(const QStringList& paths, bool restores) {
    m_soon.stop();
    m_isChanged = false;
    m_paths.clear();
    if (paths.contains("-") || !m_session.trace()) {
        return {};
    }
    QStringList lost;
    const QString kept = pathFor(paths);
    if (restores && QFileInfo::exists(kept)) {
        const auto document = readSessionFile(kept);
        if (document.ok()) {
            lost = restoreSession(document.value(), m_session);
        } else {
            // It may be of a later version: it is not lost when this one writes its own.
            const QString aside = kept + ".bak";
            QFile::remove(aside);
            QFile::rename(kept, aside);
            lost << tr("What was set on this trace before cannot be read (%1); it is kept as %2.")
                        .arg(QString::fromStdString(document.error().message), aside);
        }
    }
    m_paths = paths;
    return lost;
}

void SessionStore::close() {
    save();
    m_paths.clear();
}

std::optional<SessionStore::Kept> SessionStore::takeChange() {
    m_soon.stop();
    if (!std::exchange(m_isChanged, false) || m_paths.isEmpty() || !m_session.trace()) {
        return std::nullopt;
    }
    const QString path = pathFor(m_paths);
    return Kept{path,
                writeSession(documentOf(m_session, m_paths, settings::placementOf(m_paths)),
                             QDir(QFileInfo(path).absolutePath())),
                ++m_order->newest};
}

/// Returns what went wrong.
QString SessionStore::write(const Kept& kept, Order& order) {
    const std::scoped_lock lock(order.writing);
    if (kept.number != order.newest) {
        return {};
    }
    const QString folder = QFileInfo(kept.path).absolutePath();
    const bool isNew = !QFileInfo::exists(kept.path);
    QSaveFile file(kept.path);
    const bool isWritten = QDir().mkpath(folder) && file.open(QIODevice::WriteOnly) &&
                           file.write(kept.text) == kept.text.size() && file.commit();
    if (isNew) {
        prune(folder);
    }
    return isWritten ? QString() : file.errorString();
}

void SessionStore::save() {
    if (const std::optional<Kept> kept = takeChange()) {
        sayFailure(kept->path, write(*kept, *m_order));
    }
}

void SessionStore::saveAside() {
    std::optional<Kept> kept = takeChange();
    if (!kept) {
        return;
    }
    const QString path = kept->path;
    m_job->start<QString>(
        [kept = std::move(*kept), order = m_order](JobControl&) -> Result<QString> { return write(kept, *order); },
        [this, path](Result<QString> problem) {
            sayFailure(path, problem.ok() ? problem.value() : QString::fromStdString(problem.error().message));
        });
}

void SessionStore::sayFailure(const QString& path, const QString& problem) {
    if (!problem.isEmpty() && !std::exchange(m_failureSaid, true)) {
        std::fprintf(stderr, "warpline-ui: what was set on this trace cannot be kept: %s: %s\n",
                     path.toLocal8Bit().constData(), problem.toLocal8Bit().constData());
    }
}

void SessionStore::prune(const QString& folder) {
    const QDir files(folder);
    const QStringList kept = files.entryList({"*.json"}, QDir::Files, QDir::Time);  // latest first
    for (qsizetype i = kMostKept; i < kept.size(); ++i) {
        QFile::remove(files.filePath(kept[i]));
    }
}

}  // namespace warpline::ui
