// SPDX-License-Identifier: MIT
#pragma once
// Everything that NVML tells at one time, as values: what checks and facts are made from, also of machines made up.

#include <optional>
#include <string>
#include <vector>

#include "core/record/nvml/nvml.h"

namespace warpline::record {

struct DeviceSnapshot {
    DeviceIdentity identity;
    DeviceState state;

    /// "GPU 0"
    std::string shortName() const { return "GPU " + std::to_string(identity.index); }
};

struct NvmlSnapshot {
    std::optional<Error> error;  ///< NVML could not be opened: nothing else is known
    std::string libraryPath;
    Reading<std::string> driverVersion;
    Reading<std::string> nvmlVersion;
    Reading<uint32_t> cudaVersion;
    std::vector<DeviceSnapshot> devices;
};

/// Takes some milliseconds a device.
NvmlSnapshot takeSnapshot(const Nvml& nvml);
/// Of what Nvml::open() gave.
NvmlSnapshot takeSnapshot(const Result<std::shared_ptr<const Nvml>>& opened);

}  // namespace warpline::record
