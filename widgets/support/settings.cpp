// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/support/settings.h"

#include <QCoreApplication>
#include <QStandardPaths>
#include <QTemporaryDir>

#include <memory>

namespace warpline::settings {

namespace {

std::unique_ptr<QTemporaryDir> g_temporary;
std::unique_ptr<QSettings> g_store;

/// The destructor writes; it must run while the application still is there.
void closeStore() {
    g_store.reset();
    g_temporary.reset();
}

}  // namespace

QString tableKey(const QString& panelId, const char* what) {
    return QStringLiteral("tables/%1/%2").arg(panelId, QLatin1String(what));
}

QSettings& store() {
    if (!g_store) {
        if (g_temporary) {
            g_store = std::make_unique<QSettings>(g_temporary->filePath("settings.ini"), QSettings::IniFormat);
        } else {
            g_store =
                std::make_unique<QSettings>(QSettings::IniFormat, QSettings::UserScope, "warpline", "warpline-ui");
        }
        qAddPostRoutine(closeStore);
    }
    return *g_store;
}

QString dataFolder() {
    return g_temporary ? g_temporary->filePath("data")
                       : QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + "/warpline";
}

void useTemporary() {
    g_store.reset();
    g_temporary = std::make_unique<QTemporaryDir>();
}

}  // namespace warpline::settings
