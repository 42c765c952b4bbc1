// SPDX-License-Identifier: MIT
#include "core/loaders/nsys_sqlite/names.h"

#include <algorithm>

namespace warpline::loaders::nsys_sqlite {

std::string_view apiName(std::string_view name) {
    const size_t mark = name.rfind("_v");
    if (mark == std::string_view::npos || mark == 0 || mark + 2 == name.size()) {
        return name;
    }
    const std::string_view digits = name.substr(mark + 2);
    const bool isVersion = std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; });
    // "cuMemAlloc_v2" is a name of its own, "cudaMalloc_v3020" the version that it came with.
    constexpr size_t kFewestDigits = 4;
    return isVersion && digits.size() >= kFewestDigits ? name.substr(0, mark) : name;
}

EventKind apiKind(std::string_view name) {
    if (name.starts_with("cuda")) {
        return EventKind::Runtime;
    }
    const bool isDriver = name.size() > 2 && name.starts_with("cu") && name[2] >= 'A' && name[2] <= 'Z';
    return isDriver ? EventKind::Driver : EventKind::Other;
}

const EnumNames& knownCopyKinds() {
    static const EnumNames kNames = {
        {1, "CUDA_MEMCPY_KIND_HTOD"},      {2, "CUDA_MEMCPY_KIND_DTOH"},      {3, "CUDA_MEMCPY_KIND_HTOA"},
        {4, "CUDA_MEMCPY_KIND_ATOH"},      {5, "CUDA_MEMCPY_KIND_ATOA"},      {6, "CUDA_MEMCPY_KIND_ATOD"},
        {7, "CUDA_MEMCPY_KIND_DTOA"},      {8, "CUDA_MEMCPY_KIND_DTOD"},      {9, "CUDA_MEMCPY_KIND_HTOH"},
        {10, "CUDA_MEMCPY_KIND_PTOP"},     {11, "CUDA_MEMCPY_KIND_UVM_HTOD"}, {12, "CUDA_MEMCPY_KIND_UVM_DTOH"},
        {13, "CUDA_MEMCPY_KIND_UVM_DTOD"},
    };
    return kNames;
}

const EnumNames& knownMemoryKinds() {
    static const EnumNames kNames = {{0, "Pageable"}, {1, "Pinned"},        {2, "Device"},        {3, "Array"},
                                     {4, "Managed"},  {5, "Device Static"}, {6, "Managed Static"}};
    return kNames;
}

const EnumNames& knownSyncTypes() {
    static const EnumNames kNames = {
        {1, "Event sync"}, {2, "Stream wait sync"}, {3, "Stream sync"}, {4, "Context sync"}};
    return kNames;
}

std::string copyName(std::string_view copyKind, std::string_view from, std::string_view to) {
    constexpr std::string_view kPrefix = "CUDA_MEMCPY_KIND_";
    std::string way;
    if (copyKind.starts_with(kPrefix)) {
        std::string_view rest = copyKind.substr(kPrefix.size());
        std::string_view unified;
        if (rest.starts_with("UVM_")) {
            unified = "Unified ";
            rest.remove_prefix(4);
        }
        if (rest.size() == 4 && rest.substr(1, 2) == "TO") {
            way = std::string(unified) + rest[0] + "to" + rest[3];
        }
    }
    std::string name = way.empty() ? "Memcpy" : "Memcpy " + way;
    if (!from.empty() && !to.empty()) {
        name += " (" + std::string(from) + " -> " + std::string(to) + ")";
    }
    return name;
}

std::string memsetName(std::string_view memoryKind) {
    return memoryKind.empty() ? "Memset" : "Memset (" + std::string(memoryKind) + ")";
}

}  // namespace warpline::loaders::nsys_sqlite
