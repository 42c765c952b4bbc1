// SPDX-License-Identifier: MIT
#pragma once
// A GPU kernel to try the profiler on, in several versions. Kernels live in a folder each under kernels and are listed
// by registry.h. What a kernel does is known exactly: work, launches, and the right result. Lifecycle: made once;
// prepare(), then launch() and check() in any number, then release(). One thread at a time.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "kernels/launch_ledger.h"
#include "kernels/parameter_values.h"

namespace warpline {

struct KernelVersion {
    std::string id;
    std::string meaning;       ///< one line: what makes it different
    bool needsHopper = false;  ///< made for compute capability 9.0 alone
};

struct SampleKernelInfo {
    std::string id;  ///< folder, namespace and registry id: "vector_add"
    std::string title;
    std::string dtype;                    ///< of the roof that it stands under: "fp32", "fp16"
    std::vector<KernelVersion> versions;  ///< the first is the default
    std::vector<KernelParameter> parameters;
};

/// Of one launch: what the algorithm asks for, however a version goes about it. Every distinct byte read or written
/// counts once. nullopt where the number would mean nothing.
struct KernelWork {
    std::optional<uint64_t> flops;
    std::optional<uint64_t> bytes;
};

/// How the result compares with one that the CPU computed from the same inputs in double precision.
struct KernelCheck {
    bool passed = false;
    uint64_t compared = 0;  ///< values
    double worstError = 0;  ///< in the unit of `tolerance`
    double tolerance = 0;
    std::string method;  ///< what was compared with what
};

class SampleKernel {
public:
    virtual ~SampleKernel() = default;
    virtual const SampleKernelInfo& info() const = 0;

    /// Whether `version` can take these values, beyond the limits of each parameter.
    virtual Status accepts(const ParameterValues& /*values*/, const KernelVersion& /*version*/) const { return {}; }
    virtual KernelWork work(const ParameterValues& values) const = 0;
    /// Device memory that prepare() takes.
    virtual uint64_t deviceBytes(const ParameterValues& values) const = 0;
    /// Empty, or why a run cannot be captured in a CUDA graph.
    virtual std::string whyNotInGraph(const KernelVersion& /*version*/) const { return {}; }

    /// Takes memory on the current device and fills the inputs. REQUIRES: accepts() the same.
    virtual Status prepare(const ParameterValues& values, const KernelVersion& version) = 0;
    /// One run: what the kernel's title says, enqueued on `stream` (a cudaStream_t). What goes to other streams is
    /// ordered after what is on `stream` before, and before what follows there. REQUIRES: prepared.
    virtual Status launch(void* stream) = 0;
    /// Spoils the output, runs once and compares. Waits for the device. REQUIRES: prepared.
    virtual Result<KernelCheck> check() = 0;
    /// Gives back what prepare() took, also after an error.
    virtual void release() = 0;

    /// What was launched and copied since prepare() began.
    virtual const LaunchLedger& ledger() const = 0;
};

}  // namespace warpline
