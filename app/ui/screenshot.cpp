// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/screenshot.h"

#include <QCoreApplication>
#include <QImageWriter>
#include <QPixmap>

#include <utility>

#include "app/ui/main_window.h"
#include "widgets/support/job_runner.h"

namespace warpline::ui {

namespace {
constexpr int kPollMs = 40;
/// Longer than the longest pause before a panel starts to work (typing, panning).
constexpr int kChecksAtRest = 6;
}  // namespace

Screenshot::Screenshot(MainWindow& window, const QString& path, std::function<void(const QString&)> done)
    : m_window(window), m_path(path), m_done(std::move(done)) {
    m_poll.setInterval(kPollMs);
    connect(&m_poll, &QTimer::timeout, this, &Screenshot::check);
    connect(&m_window, &MainWindow::loadFinished, this, [this](const QString& error) {
        m_waitForLoad = false;
        if (!error.isEmpty()) {
            finish(error);
        }
    });
}

void Screenshot::start(bool waitForLoad) {
    m_waitForLoad = waitForLoad;
    m_poll.start();
}

void Screenshot::check() {
    if (m_waitForLoad || JobRunner::activeJobs() > 0) {
        m_restingChecks = 0;
        return;
    }
    if (++m_restingChecks < kChecksAtRest) {
        return;
    }
    QImageWriter writer(m_path, "png");
    const QImage image = m_window.grab().toImage();
    finish(writer.write(image) ? QString()
                               : QStringLiteral("%1 could not be written: %2").arg(m_path, writer.errorString()));
}

void Screenshot::finish(const QString& error) {
    if (!m_finished) {
        m_finished = true;
        m_poll.stop();
        m_done(error);
    }
}

}  // namespace warpline::ui
