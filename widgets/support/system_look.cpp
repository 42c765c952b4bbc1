// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/support/system_look.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusVariant>
#include <QFileInfo>
#include <QGuiApplication>
#include <QStandardPaths>
#include <QVariant>

#include <optional>

namespace warpline {

namespace {

constexpr auto kGroup = "org.freedesktop.appearance";
constexpr auto kKey = "color-scheme";

/// The portal's 1 is "prefer dark", 2 "prefer light", 0 "no preference"; wrapped in one or two variants.
std::optional<bool> darkFromPortal(QVariant value) {
    while (value.canConvert<QDBusVariant>()) {
        value = value.value<QDBusVariant>().variant();
    }
    bool ok = false;
    const uint scheme = value.toUInt(&ok);
    if (!ok || scheme == 0) {
        return std::nullopt;
    }
    return scheme == 1;
}

/// Asking for a bus that is not there would start one.
bool sessionBusIsThere() {
    return qEnvironmentVariableIsSet("DBUS_SESSION_BUS_ADDRESS") ||
           QFileInfo::exists(QStandardPaths::writableLocation(QStandardPaths::RuntimeLocation) + "/bus");
}

}  // namespace

SystemLook::SystemLook(const QPalette& platformPalette, QObject* parent)
    : QObject(parent), m_dark(platformPalette.color(QPalette::Window).lightness() < 128) {
    // Without a desktop nobody has a wish, and a picture must not depend on who takes it.
    const QString platform = QGuiApplication::platformName();
    if (platform == "offscreen" || platform == "minimal" || !sessionBusIsThere()) {
        return;
    }
    const QString service = "org.freedesktop.portal.Desktop";
    const QString path = "/org/freedesktop/portal/desktop";
    const QString interface = "org.freedesktop.portal.Settings";
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected()) {
        return;
    }
    QDBusMessage ask = QDBusMessage::createMethodCall(service, path, interface, "Read");
    ask << QString(kGroup) << QString(kKey);
    constexpr int kPatienceMs = 150;
    const QDBusMessage answer = bus.call(ask, QDBus::Block, kPatienceMs);
    if (answer.type() == QDBusMessage::ReplyMessage && !answer.arguments().isEmpty()) {
        m_dark = darkFromPortal(answer.arguments().first()).value_or(m_dark);
    }
    bus.connect(service, path, interface, "SettingChanged", this,
                SLOT(onPortalSetting(QString, QString, QDBusVariant)));
}

void SystemLook::onPortalSetting(const QString& group, const QString& key, const QDBusVariant& value) {
    if (group != kGroup || key != kKey) {
        return;
    }
    const std::optional<bool> dark = darkFromPortal(QVariant::fromValue(value));
    if (dark.has_value() && *dark != m_dark) {
        m_dark = *dark;
        emit changed();
    }
}

}  // namespace warpline
