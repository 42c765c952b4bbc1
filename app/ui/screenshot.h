// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Writes a picture of the window once it is at rest: the trace loaded, every table computed. GUI thread.

#include <QObject>
#include <QSize>
#include <QString>
#include <QTimer>

#include <functional>

namespace warpline::ui {

class MainWindow;

class Screenshot : public QObject {
    Q_OBJECT

public:
    /// `done` gets "" or what went wrong, once.
    Screenshot(MainWindow& window, const QString& path, std::function<void(const QString&)> done);

    /// Call after the window is shown and the load, if any, was started.
    void start(bool waitForLoad);

private:
    void check();
    void finish(const QString& error);

    MainWindow& m_window;
    QString m_path;
    std::function<void(const QString&)> m_done;
    QTimer m_poll;
    int m_restingChecks = 0;
    bool m_waitForLoad = false;
    bool m_finished = false;
};

}  // namespace warpline::ui
