// SPDX-License-Identifier: MIT
#include "core/record/nvml/nvml_snapshot.h"

namespace warpline::record {

NvmlSnapshot takeSnapshot(const Nvml& nvml) {
    NvmlSnapshot snapshot;
    snapshot.libraryPath = nvml.libraryPath();
    snapshot.driverVersion = nvml.driverVersion();
    snapshot.nvmlVersion = nvml.nvmlVersion();
    snapshot.cudaVersion = nvml.cudaVersion();
    const uint32_t count = nvml.deviceCount().value.value_or(0);
    for (uint32_t index = 0; index < count; ++index) {
        snapshot.devices.push_back({nvml.identity(index), nvml.state(index)});
    }
    return snapshot;
}

NvmlSnapshot takeSnapshot(const Result<std::shared_ptr<const Nvml>>& opened) {
    if (opened.ok()) {
        return takeSnapshot(*opened.value());
    }
    NvmlSnapshot snapshot;
    snapshot.error = opened.error();
    return snapshot;
}

}  // namespace warpline::record
