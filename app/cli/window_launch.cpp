// SPDX-License-Identifier: MIT
#include "app/cli/window_launch.h"

#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>

#include "app/cli/exit_code.h"
#include "app/cli/terminal.h"

namespace warpline::cli {

int launchWindow(const std::vector<std::string>& arguments) {
    static constexpr const char* kProgram = "warpline-ui";
    std::vector<std::string> texts = {kProgram};
    texts.insert(texts.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& text : texts) {
        argv.push_back(text.data());
    }
    argv.push_back(nullptr);

    // The window starts as if from a shell; a signal that is ignored stays so over exec.
    ::signal(SIGPIPE, SIG_DFL);
    ::signal(SIGXFSZ, SIG_DFL);
    std::error_code error;
    const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
    if (!error) {
        const std::string beside = (self.parent_path() / kProgram).string();
        ::execv(beside.c_str(), argv.data());
        if (errno != ENOENT) {
            printError(beside + ": " + std::strerror(errno));
            return kUnusable;
        }
    }
    ::execvp(kProgram, argv.data());
    if (errno != ENOENT) {
        printError(std::string(kProgram) + ": " + std::strerror(errno));
        return kUnusable;
    }
    printError("the window (warpline-ui) is not installed here, neither beside warpline nor in PATH; `warpline info " +
               arguments.front() + "` shows what is in the file without it");
    return kUnusable;
}

}  // namespace warpline::cli
