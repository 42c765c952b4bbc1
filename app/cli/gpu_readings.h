// SPDX-License-Identifier: MIT
#pragma once
// What devices are and do now, as a table and as JSON: the same in `doctor` and `clocks`.

#include <vector>

#include "core/record/nvml/nvml_snapshot.h"
#include "core/table/table.h"

namespace warpline {
class JsonWriter;
}

namespace warpline::cli {

/// A row a device.
Table readingsTable(const std::vector<record::DeviceSnapshot>& devices);
/// Keys and values of one device into an open object; what is not known is null.
void writeReadings(JsonWriter& json, const record::DeviceSnapshot& device);

}  // namespace warpline::cli
