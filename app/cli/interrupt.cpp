// SPDX-License-Identifier: MIT
#include "app/cli/interrupt.h"

#include <csignal>

namespace warpline::cli {

namespace {

JobControl g_job;

// Only stores to a lock-free atomic, which a signal handler may do.
extern "C" void stopJob(int) {
    g_job.requestStop();
}

}  // namespace

JobControl& interruptibleJob() {
    static const bool installed = [] {
        struct sigaction action {};
        action.sa_handler = stopJob;
        action.sa_flags = static_cast<int>(SA_RESETHAND);
        return ::sigaction(SIGINT, &action, nullptr) == 0;
    }();
    static_cast<void>(installed);
    return g_job;
}

}  // namespace warpline::cli
