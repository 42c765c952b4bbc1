// SPDX-License-Identifier: MIT
#pragma once
// Other programs that may hold what a recording needs: one profiler at a time. Found in /proc, as far as this user may
// look.

#include <cstdint>
#include <string>
#include <vector>

#include "core/record/doctor/system_view.h"

namespace warpline::record {

struct ProfilingClient {
    int64_t pid = 0;
    std::string program;  ///< its name, without its folder
    std::string why;      ///< "is Nsight Systems", "is run under CUDA_INJECTION64_PATH=…"
};

struct ProcessScan {
    std::vector<ProfilingClient> clients;   ///< of CUPTI and of the debugger's interface
    std::vector<ProfilingClient> counters;  ///< those that may hold the hardware's counters only
    std::vector<ProfilingClient> mps;       ///< of the multi-process service
    size_t processes = 0;
    size_t hidden = 0;  ///< whose environment may not be read
};

ProcessScan scanProcesses(const SystemView& system);

/// "nsys (4711)", several in a row, the rest as a number.
std::string describe(const std::vector<ProfilingClient>& clients);

}  // namespace warpline::record
