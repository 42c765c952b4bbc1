// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// SIGTERM, SIGINT and SIGHUP as a signal of Qt's, so that the window can save what it remembers before it ends. The
// same signal a second time ends the program at once, in case that the window hangs. One at a time; GUI thread only.

#include <QObject>

#include <csignal>
#include <utility>
#include <vector>

class QSocketNotifier;

namespace warpline::ui {

class Termination : public QObject {
    Q_OBJECT

public:
    /// Signals that are ignored stay so, as under nohup.
    explicit Termination(QObject* parent = nullptr);
    /// What was done with the signals before is done again.
    ~Termination() override;

signals:
    void requested(int signal);

private:
    void read();

    int m_pipe[2] = {-1, -1};  ///< the handler writes, the event loop reads
    QSocketNotifier* m_notifier = nullptr;
    std::vector<std::pair<int, struct sigaction>> m_before;
};

}  // namespace warpline::ui
