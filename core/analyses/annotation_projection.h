// SPDX-License-Identifier: MIT
#pragma once
// Ranges that a program named on the host (record_function, NVTX push/pop) projected on the devices: from the start of
// the first to the end of the last piece of device work launched from inside (definitions.md 4.5: "NVTX projection =
// first to last enclosed GPU op"). A launch is inside if its call begins inside, on the annotation's track; so ranges
// that were begun on one thread and ended on another (NVTX start/end: async slices) have no projection.
// Pure functions of a sealed trace; any thread.
//
// How it relates to what a file itself has: Kineto writes a gpu_user_annotation for each stream and for the innermost
// annotation only, one nanosecond longer at both ends; annotations around others get none. So `inFile` says which
// annotations the file projects itself, and `fileHasOwn` which devices have such rows at all.

#include <cstdint>
#include <vector>

#include "core/base/ids.h"
#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/base/time.h"
#include "core/trace/trace.h"

namespace warpline {

struct ProjectedRange {
    TimeNs begin = 0;
    DurationNs duration = 0;
    EventRow annotation;   ///< on the host
    uint32_t lane = 0;     ///< row to draw on, from 0: below what holds it wholly, and free of overlap
    uint64_t work = 0;     ///< kernels, copies and memsets launched from inside that ran on this device
    bool inFile = false;   ///< the file has a gpu_user_annotation of this annotation on this device
    bool openEnd = false;  ///< the file gives no end for some of that work, so the range may reach further
};

/// A process that holds device work; in a profiler's trace that is one GPU.
struct DeviceProjection {
    ProcessId device;
    std::vector<ProjectedRange> ranges;  ///< by begin, then longer first, then the outer annotation first
    uint32_t laneCount = 0;
    bool fileHasOwn = false;  ///< the device has gpu_user_annotation rows in the file
};

struct AnnotationProjection {
    std::vector<DeviceProjection> devices;  ///< in the order of Trace::processes(); those with a range
    uint64_t annotations = 0;               ///< on the host
    uint64_t withoutWork = 0;               ///< of them: nothing was launched from inside
};

/// Of all annotations. Time and memory: n log n of calls that launch and annotations. Fails only when cancelled.
Result<AnnotationProjection> projectAnnotations(const Trace& trace, JobControl& job);

/// Of one slice of the host, whatever its kind; `lane` is 0. By device, in the order of Trace::processes(). Takes time
/// by the slices inside it. Fails only when cancelled.
struct SliceProjection {
    ProcessId device;
    ProjectedRange range;
};
Result<std::vector<SliceProjection>> projectSlice(const Trace& trace, EventRow host, JobControl& job);

}  // namespace warpline
