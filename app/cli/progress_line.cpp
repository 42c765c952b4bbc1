// SPDX-License-Identifier: MIT
#include "app/cli/progress_line.h"

#include <chrono>
#include <cstdio>
#include <string>

#include "app/cli/terminal.h"

namespace warpline::cli {

namespace {

std::string progressText(const JobControl& job) {
    const uint64_t done = job.done();
    const uint64_t total = job.total();
    std::string text = job.phase();
    if (text.empty()) {
        text = "working";
    }
    if (total > 0) {
        const double percent = 100.0 * static_cast<double>(done) / static_cast<double>(total);
        text += ' ' + std::to_string(static_cast<int>(percent < 100 ? percent : 100)) + " %";
    }
    return text;
}

}  // namespace

ProgressLine::ProgressLine(const JobControl& job) : m_job(job) {
    if (errorsGoToTerminal()) {
        m_thread = std::thread([this] { watch(); });
    }
}

ProgressLine::~ProgressLine() {
    if (m_thread.joinable()) {
        {
            const std::lock_guard lock(m_mutex);
            m_end = true;
        }
        m_ended.notify_all();
        m_thread.join();
    }
}

void ProgressLine::watch() {
    using std::chrono_literals::operator""ms;
    std::unique_lock lock(m_mutex);
    bool shown = false;
    while (!m_ended.wait_for(lock, shown ? 100ms : 400ms, [this] { return m_end; })) {
        std::fprintf(stderr, "\r\033[K%s", progressText(m_job).c_str());
        std::fflush(stderr);
        shown = true;
    }
    if (shown) {
        std::fputs("\r\033[K", stderr);
        std::fflush(stderr);
    }
}

}  // namespace warpline::cli
