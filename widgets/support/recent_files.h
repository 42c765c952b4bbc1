// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The files opened last, latest first, kept in the settings. GUI thread only.

#include <QObject>
#include <QString>
#include <QStringList>

namespace warpline {

class RecentFiles : public QObject {
    Q_OBJECT

public:
    static constexpr int kMax = 10;

    explicit RecentFiles(QObject* parent = nullptr);

    /// Absolute paths; some may not be there any more.
    QStringList paths() const;
    void add(const QString& path);
    void remove(const QString& path);
    void clear();

signals:
    void changed();

private:
    void write(const QStringList& paths);
};

}  // namespace warpline
