// SPDX-License-Identifier: MIT
#pragma once
// In what state the GPUs were when a recording began, as facts of a capture.

#include <string>
#include <utility>
#include <vector>

#include "core/record/clocks/clock_notes.h"
#include "core/record/nvml/nvml_snapshot.h"

namespace warpline::record {

/// Keys: "nvml" ("580.95.05", or why there is none), and for each device by NVML's number "gpu.0.uuid", ".name",
/// ".pci",
/// ".sm_clock_mhz", ".memory_clock_mhz", ".max_sm_clock_mhz", ".application_sm_clock_mhz", ".clock_lock", ".throttle",
/// ".temperature_c", ".power_limit_watts", ".persistence", ".mig". What is not known reads "n/a: " and why. Pure.
std::vector<std::pair<std::string, std::string>> clockFacts(const NvmlSnapshot& snapshot, const ClockNotes& notes);

}  // namespace warpline::record
