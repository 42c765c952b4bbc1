// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Whether the desktop asks for dark windows. Qt 6.4 does not tell, so the desktop portal is asked where a session bus
// is there, else the palette that the platform gave decides. GUI thread only.

#include <QDBusVariant>
#include <QObject>
#include <QPalette>
#include <QString>

namespace warpline {

class SystemLook : public QObject {
    Q_OBJECT

public:
    /// `platformPalette`: the application's palette before anything has changed it.
    explicit SystemLook(const QPalette& platformPalette, QObject* parent = nullptr);
    bool prefersDark() const { return m_dark; }

signals:
    void changed();

private slots:
    void onPortalSetting(const QString& group, const QString& key, const QDBusVariant& value);

private:
    bool m_dark = false;
};

}  // namespace warpline
