// SPDX-License-Identifier: MIT
#include "core/analyses/wait_calls.h"

#include <algorithm>
#include <array>

#include "core/base/stoppable.h"

namespace warpline {

namespace {

/// "StreamSynchronize" of "cudaStreamSynchronize_v3020"; "" if it is no call of CUDA or HIP.
std::string_view bareName(std::string_view call) {
    for (const std::string_view prefix : {"cuda", "cu", "hip"}) {
        if (call.starts_with(prefix)) {
            call.remove_prefix(prefix.size());
            return call.substr(0, call.find('_'));
        }
    }
    return {};
}

bool isCopy(std::string_view bareName) {
    return bareName.starts_with("Memcpy");
}
bool isAsync(std::string_view bareName) {
    return bareName.find("Async") != std::string_view::npos;
}

}  // namespace

std::optional<WaitOn> waitOnByName(std::string_view call) {
    struct Known {
        std::string_view name;
        WaitOn on;
    };
    static constexpr std::array kKnown = {
        Known{"StreamSynchronize", WaitOn::Stream}, Known{"DeviceSynchronize", WaitOn::Device},
        Known{"ThreadSynchronize", WaitOn::Device}, Known{"CtxSynchronize", WaitOn::Device},
        Known{"EventSynchronize", WaitOn::Event},
    };
    const std::string_view name = bareName(call);
    for (const Known& known : kKnown) {
        if (name == known.name) {
            return known.on;
        }
    }
    // Copies between devices do not wait: CUDA calls them asynchronous to the host.
    const bool isPeer = name.find("Peer") != std::string_view::npos;
    return isCopy(name) && !isAsync(name) && !isPeer ? std::optional(WaitOn::OwnCopy) : std::nullopt;
}

bool mayWait(std::string_view call) {
    return waitOnByName(call).has_value() || isCopy(bareName(call));
}

std::optional<WaitOn> waitOn(const Trace& trace, EventRow call) {
    const SliceColumns& slices = trace.slices();
    if (!isApiCall(slices.kind[call.value])) {
        return std::nullopt;
    }
    const std::string_view name = trace.sliceName(call);
    if (const std::optional<WaitOn> known = waitOnByName(name)) {
        return known;
    }
    const std::string_view bare = bareName(name);
    if (!isCopy(bare) || !isAsync(bare)) {
        return std::nullopt;
    }
    for (const EventRow copy : trace.deviceWorkOf(call)) {
        const bool isPageable = trace.sliceName(copy).find("ageable") != std::string_view::npos;
        if (isPageable && slices.knownDuration(copy.value) != kUnknownDuration &&
            slices.end(copy.value) <= slices.end(call.value)) {
            return WaitOn::OwnCopy;
        }
    }
    return std::nullopt;
}

Result<WaitsInside> waitsInside(const Trace& trace, EventRow host, size_t maxListed, JobControl& job,
                                uint64_t maxSlices) {
    if (job.stopRequested()) {
        return Error::cancelled();
    }
    const SliceColumns& slices = trace.slices();
    WaitsInside out;
    std::vector<EventRow> found;
    StopPoll poll(job);
    uint64_t visited = 0;
    std::vector<EventRow> toVisit = {host};
    while (!toVisit.empty()) {
        if (poll.stopRequested()) {
            return Error::cancelled();
        }
        if (visited++ == maxSlices) {
            out.isComplete = false;
            break;
        }
        const EventRow row = toVisit.back();
        toVisit.pop_back();
        if (waitOn(trace, row)) {
            out.total += slices.summedDuration(row.value);
            found.push_back(row);
            continue;
        }
        const auto children = trace.childrenOf(row);
        toVisit.insert(toVisit.end(), children.rbegin(), children.rend());
    }
    out.count = found.size();
    const auto longer = [&](EventRow a, EventRow b) {
        const DurationNs left = slices.summedDuration(a.value);
        const DurationNs right = slices.summedDuration(b.value);
        return left != right ? left > right : a < b;
    };
    const size_t listed = std::min(maxListed, found.size());
    std::ranges::partial_sort(found, found.begin() + static_cast<std::ptrdiff_t>(listed), longer);
    found.resize(listed);
    out.longest = std::move(found);
    return out;
}

}  // namespace warpline
