// SPDX-License-Identifier: MIT
#pragma once
// A line on standard error that follows a job, if that is a terminal and the job takes longer than a moment.

#include <condition_variable>
#include <mutex>
#include <thread>

#include "core/base/job_control.h"

namespace warpline::cli {

/// Watches from its own thread while it lives; the line is gone when it ends. `job` must outlive it.
class ProgressLine {
public:
    explicit ProgressLine(const JobControl& job);
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

private:
    void watch();

    const JobControl& m_job;
    std::mutex m_mutex;
    std::condition_variable m_ended;
    bool m_end = false;
    std::thread m_thread;
};

}  // namespace warpline::cli
