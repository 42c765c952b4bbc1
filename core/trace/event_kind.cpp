// SPDX-License-Identifier: MIT
#include "core/trace/event_kind.h"

#include <array>

namespace warpline {

std::string_view eventKindName(EventKind kind) {
    static constexpr std::array<std::string_view, kEventKindCount> kNames = {
        "cpu_op", "python", "annotation", "gpu_annotation", "runtime",  "driver",
        "kernel", "memcpy", "memset",     "sync",           "overhead", "other"};
    return kNames[static_cast<size_t>(kind)];
}

}  // namespace warpline
