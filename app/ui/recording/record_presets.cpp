// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/recording/record_presets.h"

#include <QJsonDocument>
#include <QUrl>

#include "widgets/support/settings.h"

namespace warpline::ui::presets {

namespace {

constexpr qsizetype kMostHosts = 12;

/// Names may hold what settings take for a path.
QString keyOf(const QString& name) {
    return QLatin1String(settings::kRecordPresets) + '/' + QString::fromLatin1(QUrl::toPercentEncoding(name));
}

RecordRequest readAt(const QString& key) {
    const QByteArray text = settings::store().value(key).toByteArray();
    return requestOf(QJsonDocument::fromJson(text).object());
}

void writeAt(const QString& key, const RecordRequest& request) {
    settings::store().setValue(key, QJsonDocument(toJson(request)).toJson(QJsonDocument::Compact));
}

}  // namespace

QStringList names() {
    QSettings& store = settings::store();
    store.beginGroup(settings::kRecordPresets);
    QStringList found;
    for (const QString& key : store.childKeys()) {
        found << QUrl::fromPercentEncoding(key.toLatin1());
    }
    store.endGroup();
    found.sort(Qt::CaseInsensitive);
    return found;
}

RecordRequest preset(const QString& name) {
    return readAt(keyOf(name));
}

void save(const QString& name, const RecordRequest& request) {
    writeAt(keyOf(name), request);
}

void remove(const QString& name) {
    settings::store().remove(keyOf(name));
}

RecordRequest last() {
    return readAt(settings::kRecordLast);
}

void setLast(const RecordRequest& request) {
    writeAt(settings::kRecordLast, request);
    if (!request.host.isEmpty()) {
        QStringList all = hosts();
        all.removeAll(request.host);
        all.prepend(request.host);
        settings::store().setValue(settings::kRecordHosts, all.mid(0, kMostHosts));
    }
}

QStringList hosts() {
    return settings::store().value(settings::kRecordHosts).toStringList();
}

}  // namespace warpline::ui::presets
