// SPDX-License-Identifier: MIT
#pragma once
// How Nsight Systems numbers and names things, and how the rest of the program names them (as Kineto does). Pure.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/trace/event_kind.h"

namespace warpline::loaders::nsys_sqlite {

/// A global id packs, from the top: machine, 24 bits of process, 24 bits of thread.
constexpr int64_t processOf(int64_t globalId) {
    return globalId >> 24 & 0xffffff;
}
constexpr int64_t threadOf(int64_t globalId) {
    return globalId & 0xffffff;
}
/// The same for all threads of a process on a machine.
constexpr int64_t processKey(int64_t globalId) {
    return globalId >> 24;
}

/// "cudaLaunchKernel_v7000" -> "cudaLaunchKernel".
std::string_view apiName(std::string_view name);
/// By its name: cuda… is the runtime's, cu… the driver's, others are neither.
EventKind apiKind(std::string_view name);

/// Names of an ENUM_ table by number.
using EnumNames = std::map<int64_t, std::string>;
/// What the exporter's own tables say where a file lacks them.
const EnumNames& knownCopyKinds();    ///< "CUDA_MEMCPY_KIND_HTOD", …
const EnumNames& knownMemoryKinds();  ///< labels: "Pageable", …
const EnumNames& knownSyncTypes();    ///< labels: "Stream sync", …

/// "CUDA_MEMCPY_KIND_HTOD", "Pinned", "Device" -> "Memcpy HtoD (Pinned -> Device)".
std::string copyName(std::string_view copyKind, std::string_view from, std::string_view to);
/// "Device" -> "Memset (Device)".
std::string memsetName(std::string_view memoryKind);

}  // namespace warpline::loaders::nsys_sqlite
