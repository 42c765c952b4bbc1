// SPDX-License-Identifier: MIT
#include "app/cli/recorded_files.h"

#include <filesystem>

#include "app/cli/convert.h"
#include "app/cli/exit_code.h"
#include "app/cli/terminal.h"
#include "core/record/agent/cycle_splitter.h"

namespace warpline::cli {

namespace {

namespace fs = std::filesystem;

/// "run.json.gz", 2 -> "run.2.json.gz"
std::string numbered(const std::string& path, uint32_t number) {
    const size_t name = path.rfind('/') + 1;
    const size_t dot = path.find('.', name + 1);
    const size_t at = dot == std::string::npos ? path.size() : dot;
    return path.substr(0, at) + "." + std::to_string(number) + path.substr(at);
}

/// What is there in the end.
std::string converted(const std::string& capture, const std::string& path) {
    if (capture == path) {
        return path;
    }
    if (convertFile(capture, path) != kDone) {
        printError("the recording is kept as " + capture);
        return capture;
    }
    std::error_code ignored;
    fs::remove(capture, ignored);
    return path;
}

}  // namespace

std::vector<std::string> makeRecordedFiles(const std::string& capture, const std::string& path, bool hasTurns) {
    if (hasTurns) {
        const auto turns = record::splitCycles(capture, [&](uint32_t cycle) { return numbered(capture, cycle); });
        if (!turns.ok()) {
            printError(turns.error().message + "; the turns stay in one file");
        } else if (!turns.value().empty()) {
            std::vector<std::string> files;
            for (uint32_t i = 0; i < turns.value().size(); ++i) {
                const std::string wanted = capture == path ? turns.value()[i] : numbered(path, i + 1);
                files.push_back(converted(turns.value()[i], wanted));
            }
            std::error_code ignored;
            fs::remove(capture, ignored);
            return files;
        }
    }
    return {converted(capture, path)};
}

}  // namespace warpline::cli
