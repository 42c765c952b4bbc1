// SPDX-License-Identifier: MIT
#include "core/trace/process_title.h"

#include <algorithm>

namespace warpline {

std::string fileTag(const Trace& trace, FileId file) {
    const auto files = trace.files();
    if (files.size() < 2) {
        return {};
    }
    const FileInfo& info = files[file.value];
    const auto ofRank = std::ranges::count_if(files, [&](const FileInfo& other) { return other.rank == info.rank; });
    if (info.rank && ofRank == 1) {
        return "rank " + std::to_string(*info.rank);
    }
    return info.path.substr(info.path.find_last_of('/') + 1);
}

std::string processTitle(const Trace& trace, ProcessId process) {
    const Process& found = trace.process(process);
    const std::string tag = fileTag(trace, found.file);
    return (tag.empty() ? "" : tag + " · ") + std::string(trace.string(found.label));
}

}  // namespace warpline
