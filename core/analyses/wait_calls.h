// SPDX-License-Identifier: MIT
#pragma once
// Calls of the host that wait for the device: which they are, and those inside of a slice. Pure; any thread.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/base/sum.h"
#include "core/trace/trace.h"

namespace warpline {

/// What a call that waits waits on.
enum class WaitOn : uint8_t { Stream, Device, Event, OwnCopy };

/// By the name of a runtime or driver call of CUDA or HIP: "cudaStreamSynchronize", "cuCtxSynchronize", "hipMemcpy",
/// with nsys' version behind it ("…_v3020") or without; nullopt if it does not wait. Asynchronous copies do not.
std::optional<WaitOn> waitOnByName(std::string_view call);
/// The same of a slice. A cudaMemcpyAsync waits if it copies from or to pageable memory and that copy ended before
/// the call did: the driver then stages it and returns afterwards.
std::optional<WaitOn> waitOn(const Trace& trace, EventRow call);

/// Whether waitOn() may find a wait in a call of this name; false is certain.
bool mayWait(std::string_view call);

/// The calls inside of a host slice, or itself, that wait.
struct WaitsInside {
    uint64_t count = 0;
    Sum total;                      ///< ns: their durations
    std::vector<EventRow> longest;  ///< as many as were asked for, longest first
    bool isComplete = true;         ///< else the walk ended early: there may be more
};

/// Walks the slices inside of `host`, `maxSlices` of them at most; what stands inside a call that waits is not looked
/// at. Fails only when cancelled.
Result<WaitsInside> waitsInside(const Trace& trace, EventRow host, size_t maxListed, JobControl& job,
                                uint64_t maxSlices = 1'000'000);

}  // namespace warpline
