// SPDX-License-Identifier: MIT
#pragma once
// CUPTI's and NVML's numbers in the words that Kineto has for them, so that a capture reads as its traces do. Pure.

#include <cstdint>
#include <string>
#include <string_view>

#include "core/capture/records.h"

namespace warpline::loaders::capture {

/// warpline::capture is what a capture holds; this namespace is the loader's.
namespace wire = warpline::capture;

/// "cudaLaunchKernel_v7000" -> "cudaLaunchKernel".
std::string_view callName(std::string_view name);
/// "Memcpy HtoD (Pinned -> Device)".
std::string copyName(uint8_t kind, uint8_t sourceKind, uint8_t targetKind);
/// "Memset (Device)".
std::string memsetName(uint32_t memoryKind);
/// "Pinned", "Device", …; "Unknown" for a number that CUPTI does not have.
std::string_view memoryKindName(uint32_t kind);
/// Pageable and pinned memory is the host's.
bool isHostMemory(uint32_t kind);
/// "Stream Sync", …; "Sync" for a number that CUPTI does not have.
std::string_view syncName(uint32_t kind);
/// "Activity Buffer Request", …
std::string overheadName(uint32_t kind);
/// "JIT compile PTX to cubin", "JIT cache load", …
std::string compilationName(uint32_t entry, uint32_t operation);
/// "SM clock [MHz]", …; "" for a kind that is none.
std::string_view sampleName(wire::SampleKind kind);
/// Of NVML's bits: "power cap, thermal slowdown"; bits without a name as "reason 0x400".
std::string throttleNames(uint64_t bits);
/// What was lost, in a few words.
std::string_view lossName(wire::LossKind kind);
/// "kernels", "calls", …; "records" for 0 and what holds none.
std::string_view frameName(uint32_t type);
/// "0x7f00".
std::string hexText(uint64_t value);
/// The last part of a path.
std::string_view programName(std::string_view path);

}  // namespace warpline::loaders::capture
