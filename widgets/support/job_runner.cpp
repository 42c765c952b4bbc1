// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/support/job_runner.h"

#include <QCoreApplication>
#include <QEvent>
#include <QPointer>

#include <mutex>
#include <thread>

#include "widgets/support/discard.h"

namespace warpline {

namespace {

int g_activeJobs = 0;

QEvent::Type finishedEventType() {
    static const int kType = QEvent::registerEventType();
    return static_cast<QEvent::Type>(kType);
}

}  // namespace

/// The result goes over in `delivery` under a mutex of ours; the event only wakes the GUI thread.
struct JobRunner::Job {
    std::shared_ptr<JobControl> control = std::make_shared<JobControl>();
    std::mutex mutex;
    Delivery delivery;
    bool finished = false;
    std::thread thread;
};

JobRunner::JobRunner(QObject* parent) : QObject(parent) {}

JobRunner::~JobRunner() {
    for (const auto& job : m_jobs) {
        job->control->requestStop();
    }
    for (const auto& job : m_jobs) {
        job->thread.join();
        --g_activeJobs;
    }
    QCoreApplication::removePostedEvents(this);
}

int JobRunner::activeJobs() {
    return g_activeJobs;
}

void JobRunner::startErased(Work work) {
    if (m_current) {
        m_current->requestStop();
    }
    auto owned = std::make_unique<Job>();
    Job* job = owned.get();
    m_jobs.push_back(std::move(owned));
    ++g_activeJobs;
    const QEvent::Type type = finishedEventType();
    job->thread = std::thread([this, job, type, work = std::move(work)]() mutable {
        Delivery delivery = work(*job->control);
        // What the work holds on to (a trace) is let go here, not whenever the GUI thread comes round.
        work = nullptr;
        {
            const std::lock_guard lock(job->mutex);
            job->delivery = std::move(delivery);
            job->finished = true;
        }
        QCoreApplication::postEvent(this, new QEvent(type));
    });
    setCurrent(job->control);
}

void JobRunner::cancel() {
    if (m_current) {
        m_current->requestStop();
        setCurrent(nullptr);
    }
}

void JobRunner::setCurrent(std::shared_ptr<JobControl> control) {
    const bool wasBusy = busy();
    m_current = std::move(control);
    if (busy() != wasBusy) {
        emit busyChanged(busy());
    }
}

bool JobRunner::event(QEvent* event) {
    if (event->type() != finishedEventType()) {
        return QObject::event(event);
    }
    for (auto it = m_jobs.begin(); it != m_jobs.end();) {
        Delivery delivery;
        {
            const std::lock_guard lock((*it)->mutex);
            if (!(*it)->finished) {
                ++it;
                continue;
            }
            delivery = std::move((*it)->delivery);
        }
        const std::unique_ptr<Job> job = std::move(*it);
        m_jobs.erase(it);
        job->thread.join();
        --g_activeJobs;
        if (job->control == m_current) {
            setCurrent(nullptr);
            const QPointer<JobRunner> alive(this);
            delivery.hand();
            if (!alive) {
                return true;
            }
        } else {
            discard(std::move(delivery.result));
        }
        // A delivery may have started, and even finished, other jobs.
        it = m_jobs.begin();
    }
    return true;
}

}  // namespace warpline
