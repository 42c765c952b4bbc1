// SPDX-License-Identifier: MIT
#include "app/cli/interrupt.h"

#include <time.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <string_view>

#include "app/cli/exit_code.h"
#include "app/cli/terminal.h"

namespace warpline::cli {

namespace {

/// What is left to end in order, which mostly is to free memory, may take so long.
constexpr long kGraceNs = 20'000'000;

JobControl g_job;
std::atomic<bool> g_isEnding{false};
std::atomic<int> g_orderlyEnds{0};
timer_t g_timer{};
bool g_hasTimer = false;
bool g_hasTerminal = false;

// The handlers use lock-free atomics and calls that are safe in a signal handler, and nothing else.
extern "C" void stopJob(int) {
    g_job.requestStop();
    if (g_hasTimer) {
        const itimerspec once{{}, {0, kGraceNs}};
        ::timer_settime(g_timer, 0, &once, nullptr);
    }
}

extern "C" void endNow(int) {
    if (g_orderlyEnds.load() != 0 || g_isEnding.exchange(true)) {
        return;
    }
    constexpr std::string_view kClearLine = "\r\033[K";
    constexpr std::string_view kMessage = "warpline: interrupted\n";
    ssize_t written = 0;
    if (g_hasTerminal) {
        written += ::write(STDERR_FILENO, kClearLine.data(), kClearLine.size());
    }
    written += ::write(STDERR_FILENO, kMessage.data(), kMessage.size());
    static_cast<void>(written);
    ::_exit(kInterrupted);
}

void installHandlers() {
    g_hasTerminal = errorsGoToTerminal();
    struct sigaction action {};
    action.sa_handler = endNow;
    sigevent event{};
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGALRM;
    g_hasTimer = ::sigaction(SIGALRM, &action, nullptr) == 0 && ::timer_create(CLOCK_MONOTONIC, &event, &g_timer) == 0;
    action.sa_handler = stopJob;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    ::sigaction(SIGINT, &action, nullptr);
}

}  // namespace

JobControl& interruptibleJob() {
    static const bool installed = (installHandlers(), true);
    static_cast<void>(installed);
    return g_job;
}

void exitInterrupted() {
    if (!g_isEnding.exchange(true)) {
        printError("interrupted");
    }
    std::_Exit(kInterrupted);
}

OrderlyEnd::OrderlyEnd() {
    ++g_orderlyEnds;
}

OrderlyEnd::~OrderlyEnd() {
    --g_orderlyEnds;
}

}  // namespace warpline::cli
