// SPDX-License-Identifier: MIT
#pragma once
// Why a GPU's clocks are where they are ("clocks event reasons"), in words. Pure.

#include <cstdint>
#include <string>
#include <vector>

namespace warpline::record {

/// The driver's bits.
enum ThrottleReason : uint64_t {
    kGpuIdle = 0x1,
    kApplicationClocks = 0x2,
    kSoftwarePowerCap = 0x4,
    kHardwareSlowdown = 0x8,
    kSyncBoost = 0x10,
    kSoftwareThermalSlowdown = 0x20,
    kHardwareThermalSlowdown = 0x40,
    kPowerBrake = 0x80,
    kDisplayClocks = 0x100,
};

/// Each set bit in words, lowest first; one that is not known by its number. Empty: nothing holds the clocks back.
std::vector<std::string> throttleReasonNames(uint64_t bits);
/// Those that make equal work take longer: heat, power and hardware slowdowns. Neither idling nor what a user has set.
uint64_t slowingReasons(uint64_t bits);
/// The names in a row, "none" without any.
std::string throttleReasonText(uint64_t bits);

}  // namespace warpline::record
