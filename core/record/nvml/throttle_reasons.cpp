// SPDX-License-Identifier: MIT
#include "core/record/nvml/throttle_reasons.h"

#include <cstdio>

namespace warpline::record {

namespace {

struct Known {
    uint64_t bit;
    const char* name;
};
constexpr Known kKnown[] = {
    {kGpuIdle, "idle"},
    {kApplicationClocks, "application clocks setting"},
    {kSoftwarePowerCap, "power cap"},
    {kHardwareSlowdown, "hardware slowdown"},
    {kSyncBoost, "sync boost"},
    {kSoftwareThermalSlowdown, "thermal slowdown by the driver"},
    {kHardwareThermalSlowdown, "thermal slowdown by the hardware"},
    {kPowerBrake, "power brake"},
    {kDisplayClocks, "display clocks setting"},
};

}  // namespace

std::vector<std::string> throttleReasonNames(uint64_t bits) {
    std::vector<std::string> names;
    for (const Known& known : kKnown) {
        if ((bits & known.bit) != 0) {
            names.emplace_back(known.name);
            bits &= ~known.bit;
        }
    }
    for (; bits != 0; bits &= bits - 1) {
        char name[40];
        std::snprintf(name, sizeof name, "reason 0x%llx", static_cast<unsigned long long>(bits & (~bits + 1)));
        names.emplace_back(name);
    }
    return names;
}

uint64_t slowingReasons(uint64_t bits) {
    return bits &
           (kSoftwarePowerCap | kHardwareSlowdown | kSoftwareThermalSlowdown | kHardwareThermalSlowdown | kPowerBrake);
}

std::string throttleReasonText(uint64_t bits) {
    std::string text;
    for (const std::string& name : throttleReasonNames(bits)) {
        text += (text.empty() ? "" : ", ") + name;
    }
    return text.empty() ? "none" : text;
}

}  // namespace warpline::record
