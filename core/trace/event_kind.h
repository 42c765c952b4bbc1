// SPDX-License-Identifier: MIT
#pragma once
// What a slice is, as far as analyses care. Loaders decide it, mostly by the producer's category.

#include <cstdint>
#include <string_view>

namespace warpline {

enum class EventKind : uint8_t {
    CpuOp,          ///< framework operator on the host
    Python,         ///< interpreter frame
    Annotation,     ///< user range on the host (record_function, NVTX)
    GpuAnnotation,  ///< that range projected onto the device
    Runtime,        ///< CUDA runtime API call
    Driver,         ///< CUDA driver API call
    Kernel,
    Memcpy,
    Memset,
    Sync,      ///< wait recorded on a device track; no work
    Overhead,  ///< the profiler's own cost
    Other,
};
inline constexpr int kEventKindCount = 12;

/// The word of `ops --json`: "cpu_op", "kernel", …
std::string_view eventKindName(EventKind kind);

/// Kernel, memcpy or memset: what keeps a device busy.
constexpr bool isDeviceWork(EventKind kind) {
    return kind == EventKind::Kernel || kind == EventKind::Memcpy || kind == EventKind::Memset;
}
/// Lies on a device's track, work or not.
constexpr bool isDeviceSide(EventKind kind) {
    return isDeviceWork(kind) || kind == EventKind::GpuAnnotation || kind == EventKind::Sync;
}
constexpr bool isApiCall(EventKind kind) {
    return kind == EventKind::Runtime || kind == EventKind::Driver;
}

}  // namespace warpline
