// SPDX-License-Identifier: MIT
#include "core/trace/process_title.h"

#include <algorithm>
#include <string_view>

namespace warpline {

namespace {

bool isInteger(std::string_view text) {
    text.remove_prefix(text.starts_with('-') ? 1 : 0);
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

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

std::string processHeading(const Trace& trace, ProcessId id) {
    const Process& process = trace.process(id);
    std::string title(trace.string(process.label));
    if (!process.name && isInteger(title)) {
        title = "process " + title;
    }
    const std::string labels(trace.string(process.labels));
    const std::string tag = fileTag(trace, process.file);
    const std::string front = tag.empty() ? tag : tag + " · ";
    const bool isDevice = std::any_of(process.tracks.begin(), process.tracks.end(),
                                      [&](TrackId track) { return trace.track(track).isDevice; });
    if (isDevice && !labels.empty()) {
        // A device's "pid" is its number, which its label has too.
        return front + (title.starts_with(labels) ? title : labels + " · " + title);
    }
    if (process.name && process.pid && trace.string(*process.pid) != title) {
        title += " (" + std::string(trace.string(*process.pid)) + ")";
    }
    return front + (labels.empty() ? title : title + " · " + labels);
}

std::string trackTitle(const Trace& trace, TrackId id) {
    const Track& track = trace.track(id);
    std::string title(trace.string(track.label));
    while (!title.empty() && title.back() == ' ') {
        title.pop_back();
    }
    if (!track.name && isInteger(title)) {
        return (track.isDevice ? "stream " : "thread ") + title;
    }
    // "thread 2622 (pt_autograd_0)": what tells threads apart comes first.
    constexpr std::string_view kThread = "thread ";
    const size_t open = title.find(" (");
    if (title.starts_with(kThread) && open != std::string::npos && title.ends_with(")") &&
        isInteger(std::string_view(title).substr(kThread.size(), open - kThread.size()))) {
        const std::string name = title.substr(open + 2, title.size() - open - 3);
        return name + " (" + title.substr(kThread.size(), open - kThread.size()) + ")";
    }
    return title;
}

}  // namespace warpline
