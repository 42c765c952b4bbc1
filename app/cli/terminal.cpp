// SPDX-License-Identifier: MIT
#include "app/cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>

namespace warpline::cli {

size_t outputWidth() {
    if (::isatty(STDOUT_FILENO) == 0) {
        return 0;
    }
    winsize size{};
    constexpr size_t kUsualWidth = 80;
    return ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : kUsualWidth;
}

bool errorsGoToTerminal() {
    return ::isatty(STDERR_FILENO) != 0;
}

std::string oneLine(std::string_view text) {
    std::string line(text);
    for (char& c : line) {
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
            c = '?';
        }
    }
    return line;
}

void printError(std::string_view text) {
    const std::string line = "warpline: " + oneLine(text) + "\n";
    std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace warpline::cli
