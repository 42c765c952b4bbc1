// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/support/load_settings.h"

#include <QCryptographicHash>
#include <QFileInfo>

#include <algorithm>

#include "core/base/time_text.h"
#include "widgets/support/settings.h"

namespace warpline::settings {

namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20;
constexpr uint64_t kGiB = uint64_t{1} << 30;

uint64_t read(const char* key, uint64_t least, uint64_t most, uint64_t otherwise) {
    bool isNumber = false;
    const qulonglong value = store().value(key).toULongLong(&isNumber);
    return isNumber && value >= least && value <= most ? value : otherwise;
}

QString placementKey(const QStringList& paths) {
    QByteArray names;
    for (const QString& path : paths) {
        names += QFileInfo(path).absoluteFilePath().toUtf8() + '\n';
    }
    const QByteArray hash = QCryptographicHash::hash(names, QCryptographicHash::Sha1).toHex();
    return QString(kPlacements) + "/" + QString::fromLatin1(hash);
}

}  // namespace

LoadOptions loadOptions() {
    LoadOptions options;
    options.maxArgsDepth = static_cast<uint32_t>(read(kLimitArgsDepth, 1, kDeepestArgs, options.maxArgsDepth));
    options.maxEventBytes = read(kLimitEventBytes, 1, kLongestEventMiB * kMiB, options.maxEventBytes);
    options.maxPipedBytes = read(kLimitPipedBytes, 1, kMostPipedGiB * kGiB, options.maxPipedBytes);
    options.maxTraceBytes = read(kLimitTraceBytes, 0, kMostTraceGiB * kGiB, options.maxTraceBytes);
    options.threads = static_cast<unsigned>(read(kLimitThreads, 0, kMostThreads, options.threads));
    return options;
}

void setLoadOptions(const LoadOptions& options) {
    store().setValue(kLimitArgsDepth, options.maxArgsDepth);
    store().setValue(kLimitEventBytes, static_cast<qulonglong>(options.maxEventBytes));
    store().setValue(kLimitPipedBytes, static_cast<qulonglong>(options.maxPipedBytes));
    store().setValue(kLimitTraceBytes, static_cast<qulonglong>(options.maxTraceBytes));
    store().setValue(kLimitThreads, options.threads);
}

Placement placementOf(const QStringList& paths) {
    Placement placement;
    const QVariantMap stored = paths.size() > 1 ? store().value(placementKey(paths)).toMap() : QVariantMap();
    for (auto entry = stored.cbegin(); entry != stored.cend(); ++entry) {
        if (const auto time = parseOffsetText(entry.value().toString().toStdString())) {
            placement.insert(entry.key(), *time);
        }
    }
    return placement;
}

void setPlacement(const QStringList& paths, const Placement& placement) {
    if (placement.isEmpty()) {
        store().remove(placementKey(paths));
        return;
    }
    QVariantMap stored;
    for (auto entry = placement.cbegin(); entry != placement.cend(); ++entry) {
        stored.insert(entry.key(), QString::fromStdString(timeText(entry.value())));
    }
    store().setValue(placementKey(paths), stored);
}

}  // namespace warpline::settings
