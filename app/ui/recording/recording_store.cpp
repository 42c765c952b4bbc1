// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/recording/recording_store.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>
#include <QRegularExpression>
#include <QSaveFile>

#include <algorithm>

#include "widgets/support/settings.h"

namespace warpline::ui {

namespace {

constexpr auto kEnding = ".wcap";

QString factsPath(const QString& capturePath) {
    return capturePath + ".json";
}

Error failed(const QString& text) {
    return Error::failed(text.toStdString());
}

QString tr(const char* text) {
    return QCoreApplication::translate("RecordingStore", text);
}

/// A name that any file system takes.
QString fileStem(const QString& name) {
    static const QRegularExpression kOdd(QStringLiteral("[^\\w.+-]+"), QRegularExpression::UseUnicodePropertiesOption);
    constexpr qsizetype kLongest = 80;
    QString stem = QString(name).replace(kOdd, "_").left(kLongest);
    while (stem.startsWith('.')) {
        stem.remove(0, 1);
    }
    return stem.isEmpty() ? QStringLiteral("recording") : stem;
}

std::optional<quint64> numberOf(const QJsonValue& value) {
    return value.isDouble() ? std::optional(static_cast<quint64>(std::max<qint64>(0, value.toInteger())))
                            : std::nullopt;
}

}  // namespace

RecordingStore::RecordingStore(const QString& folder)
    : m_folder(folder.isEmpty() ? settings::dataFolder() + "/recordings" : folder) {}

QString RecordingStore::newPath(const QString& name, const QDateTime& when) const {
    const QString stem =
        m_folder + '/' + fileStem(QFileInfo(name).completeBaseName()) + when.toString("_yyyy-MM-dd_HH-mm-ss");
    QString path = stem + QLatin1String(kEnding);
    for (int n = 2; QFileInfo::exists(path); ++n) {
        path = stem + '-' + QString::number(n) + QLatin1String(kEnding);
    }
    return path;
}

QList<RecordingEntry> RecordingStore::list() const {
    QList<RecordingEntry> entries;
    for (const QFileInfo& info : QDir(m_folder).entryInfoList({QStringLiteral("*.wcap")}, QDir::Files)) {
        entries << read(info.filePath());
    }
    std::ranges::stable_sort(entries,
                             [](const RecordingEntry& a, const RecordingEntry& b) { return a.begun > b.begun; });
    return entries;
}

RecordingEntry RecordingStore::read(const QString& capturePath) const {
    const QFileInfo info(capturePath);
    RecordingEntry entry;
    entry.path = capturePath;
    entry.bytes = info.size();
    QFile file(factsPath(capturePath));
    constexpr qint64 kMost = qint64{1} << 20;
    const QJsonObject object =
        file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.read(kMost)).object() : QJsonObject();
    entry.name = object["name"].toString(info.completeBaseName());
    entry.host = object["host"].toString();
    entry.begun = QDateTime::fromString(object["begun"].toString(), Qt::ISODate);
    if (!entry.begun.isValid()) {
        entry.begun = info.lastModified();
    }
    entry.kernels = numberOf(object["kernels"]);
    entry.lost = numberOf(object["lost"]);
    entry.state = object["state"].toString();
    if (object["request"].isObject()) {
        entry.request = requestOf(object["request"].toObject());
    }
    return entry;
}

Status RecordingStore::write(const RecordingEntry& entry) const {
    QJsonObject object{{"name", entry.name},
                       {"host", entry.host},
                       {"begun", entry.begun.toString(Qt::ISODate)},
                       {"state", entry.state}};
    if (entry.kernels) {
        object["kernels"] = static_cast<qint64>(*entry.kernels);
    }
    if (entry.lost) {
        object["lost"] = static_cast<qint64>(*entry.lost);
    }
    if (entry.request) {
        object["request"] = toJson(*entry.request);
    }
    QSaveFile file(factsPath(entry.path));
    if (!file.open(QIODevice::WriteOnly) || file.write(QJsonDocument(object).toJson()) < 0 || !file.commit()) {
        return failed(file.fileName() + ": " + file.errorString());
    }
    // What was asked may hold secrets in its environment.
    QFile::setPermissions(file.fileName(), QFile::ReadOwner | QFile::WriteOwner);
    return {};
}

Result<QString> RecordingStore::rename(const RecordingEntry& entry, const QString& name) const {
    const QString wanted = name.trimmed();
    if (wanted.isEmpty()) {
        return failed(tr("A recording needs a name"));
    }
    const QFileInfo info(entry.path);
    const QString path = info.dir().filePath(fileStem(wanted) + QLatin1String(kEnding));
    if (path != entry.path) {
        if (QFileInfo::exists(path)) {
            return failed(tr("%1 is there already").arg(QFileInfo(path).fileName()));
        }
        QFile file(entry.path);
        if (!file.rename(path)) {
            return failed(entry.path + ": " + file.errorString());
        }
        QFile::rename(factsPath(entry.path), factsPath(path));
    }
    RecordingEntry renamed = entry;
    renamed.path = path;
    renamed.name = wanted;
    if (const Status status = write(renamed); !status.ok()) {
        return status.error();
    }
    return path;
}

Status RecordingStore::remove(const RecordingEntry& entry) const {
    QFile file(entry.path);
    if (!file.remove()) {
        return failed(entry.path + ": " + file.errorString());
    }
    QFile::remove(factsPath(entry.path));
    return {};
}

}  // namespace warpline::ui
