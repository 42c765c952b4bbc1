// SPDX-License-Identifier: MIT
#pragma once
// GPUs by the names people call them, for commands that take no trace that would describe one.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/trace/file_info.h"

namespace warpline::cli {

/// A model ("H200", "nvidia h200", "RTX 4090") or a compute capability ("9.0", "sm_90"), which gives no number of
/// multiprocessors. Only what the name tells is filled in. nullopt if it is neither.
std::optional<DeviceInfo> findDeviceByName(std::string_view name);

/// The models that are known.
std::vector<std::string> knownDeviceNames();

}  // namespace warpline::cli
