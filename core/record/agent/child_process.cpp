// SPDX-License-Identifier: MIT
#include "core/record/agent/child_process.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>

namespace warpline::record {

namespace {

/// The environment with what is set anew, as execvpe() takes it; the strings live in `store`.
std::vector<char*> environmentOf(const ProgramCall& call, std::vector<std::string>& store) {
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string_view text = *entry;
        const std::string_view key = text.substr(0, text.find('='));
        if (std::ranges::find(call.environment, key, [](const auto& set) { return std::string_view(set.first); }) ==
            call.environment.end()) {
            store.emplace_back(text);
        }
    }
    // What is set twice is as it was set last.
    for (auto set = call.environment.begin(); set != call.environment.end(); ++set) {
        if (std::find_if(set + 1, call.environment.end(),
                         [&](const auto& later) { return later.first == set->first; }) == call.environment.end()) {
            store.push_back(set->first + "=" + set->second);
        }
    }
    std::vector<char*> pointers;
    for (std::string& entry : store) {
        pointers.push_back(entry.data());
    }
    pointers.push_back(nullptr);
    return pointers;
}

int codeOf(int status) {
    constexpr int kSignalBase = 128;
    return WIFSIGNALED(status) ? kSignalBase + WTERMSIG(status) : WEXITSTATUS(status);
}

/// Somebody else has waited for it, or the system waits for children by itself.
constexpr int kUnknown = 127;

struct Failure {
    int error = 0;
    bool isFolder = false;
};

/// In the child: only what may be called after a fork.
[[noreturn]] void become(const ProgramCall& call, char* const* arguments, char* const* environment, int report) {
    Failure failure;
    if (!call.folder.empty() && chdir(call.folder.c_str()) != 0) {
        failure = {errno, true};
    } else {
        if (call.hasNoInput) {
            const int empty = open("/dev/null", O_RDONLY);
            dup2(empty, STDIN_FILENO);
        }
        if (call.output >= 0) {
            dup2(call.output, STDOUT_FILENO);
        }
        if (call.errors >= 0) {
            dup2(call.errors, STDERR_FILENO);
        }
        // What the recording side ignores or blocks for itself is not the program's.
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, nullptr);
        std::signal(SIGPIPE, SIG_DFL);
        std::signal(SIGXFSZ, SIG_DFL);
        execvpe(arguments[0], arguments, environment);
        failure = {errno, false};
    }
    [[maybe_unused]] const ssize_t written = write(report, &failure, sizeof failure);
    _exit(127);
}

}  // namespace

Result<ChildProcess> ChildProcess::start(const ProgramCall& call) {
    std::vector<std::string> store;
    const std::vector<char*> environment = environmentOf(call, store);
    std::vector<char*> arguments;
    for (const std::string& argument : call.arguments) {
        arguments.push_back(const_cast<char*>(argument.c_str()));
    }
    arguments.push_back(nullptr);

    int report[2] = {-1, -1};
    if (pipe2(report, O_CLOEXEC) != 0) {
        return Error::failed(std::string("no pipe can be made: ") + std::strerror(errno));
    }
    const pid_t pid = fork();
    if (pid == 0) {
        close(report[0]);
        become(call, arguments.data(), environment.data(), report[1]);
    }
    const int forkError = errno;
    close(report[1]);
    Failure failure;
    ssize_t got = 0;
    while (pid > 0 && (got = read(report[0], &failure, sizeof failure)) < 0 && errno == EINTR) {
    }
    close(report[0]);
    if (pid < 0) {
        return Error::failed(std::string("no process can be started: ") + std::strerror(forkError));
    }
    if (got == sizeof failure) {
        while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
        }
        return Error::failed((failure.isFolder ? call.folder : call.arguments.front()) + ": " +
                             std::strerror(failure.error));
    }
    return ChildProcess(pid);
}

std::optional<int> ChildProcess::poll() {
    int status = 0;
    if (!m_code) {
        const pid_t ended = waitpid(m_pid, &status, WNOHANG);
        if (ended == m_pid) {
            m_code = codeOf(status);
        } else if (ended < 0 && errno != EINTR) {
            m_code = kUnknown;
        }
    }
    return m_code;
}

int ChildProcess::wait() {
    int status = 0;
    while (!m_code) {
        const pid_t ended = waitpid(m_pid, &status, 0);
        if (ended == m_pid) {
            m_code = codeOf(status);
        } else if (errno != EINTR) {
            m_code = kUnknown;
        }
    }
    return *m_code;
}

void ChildProcess::signal(int number) {
    if (!m_code) {
        kill(m_pid, number);
    }
}

}  // namespace warpline::record
