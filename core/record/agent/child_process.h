// SPDX-License-Identifier: MIT
#pragma once
// A program that is started, watched and told to end.

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace warpline::record {

struct ProgramCall {
    std::vector<std::string> arguments;                            ///< the first is the program, looked for in PATH
    std::vector<std::pair<std::string, std::string>> environment;  ///< set on top of this process's
    std::string folder;                                            ///< working directory; "": this process's
    bool hasNoInput = false;                                       ///< its standard input is empty; else this process's
    int output = -1, errors = -1;  ///< descriptors for its standard output and errors; -1: this process's
};

/// One thread.
class ChildProcess {
public:
    /// Fails with why the program cannot be run. REQUIRES: at least one argument.
    static Result<ChildProcess> start(const ProgramCall& call);

    pid_t pid() const { return m_pid; }
    /// The exit code, 128 + n for signal n; nullopt: it runs.
    std::optional<int> poll();
    int wait();
    void signal(int number);

private:
    explicit ChildProcess(pid_t pid) : m_pid(pid) {}

    pid_t m_pid;
    std::optional<int> m_code;
};

}  // namespace warpline::record
