// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/termination.h"

#include <QSocketNotifier>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace warpline::ui {

namespace {

/// All that a handler may touch.
volatile std::sig_atomic_t g_writeEnd = -1;

extern "C" void onTermination(int signal) {
    const int before = errno;
    const auto byte = static_cast<unsigned char>(signal);
    // A full pipe means that one is on its way already.
    [[maybe_unused]] const ssize_t written = write(g_writeEnd, &byte, 1);
    errno = before;
}

}  // namespace

Termination::Termination(QObject* parent) : QObject(parent) {
    if (pipe2(m_pipe, O_NONBLOCK | O_CLOEXEC) != 0) {
        // The signals end the program at once then, as they would have.
        qWarning("warpline-ui: signals cannot be waited for: %s", qUtf8Printable(qt_error_string(errno)));
        return;
    }
    g_writeEnd = m_pipe[1];
    m_notifier = new QSocketNotifier(m_pipe[0], QSocketNotifier::Read, this);
    connect(m_notifier, &QSocketNotifier::activated, this, &Termination::read);
    for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
        struct sigaction before {};
        if (sigaction(signal, nullptr, &before) != 0 || before.sa_handler == SIG_IGN) {
            continue;
        }
        struct sigaction action {};
        action.sa_handler = onTermination;
        action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
        sigemptyset(&action.sa_mask);
        if (sigaction(signal, &action, nullptr) == 0) {
            m_before.emplace_back(signal, before);
        }
    }
}

Termination::~Termination() {
    for (const auto& [signal, before] : m_before) {
        sigaction(signal, &before, nullptr);
    }
    delete m_notifier;
    g_writeEnd = -1;
    for (const int end : m_pipe) {
        if (end >= 0) {
            close(end);
        }
    }
}

void Termination::read() {
    unsigned char byte = 0;
    while (::read(m_pipe[0], &byte, 1) == 1) {
        emit requested(byte);
    }
}

}  // namespace warpline::ui
