// SPDX-License-Identifier: MIT
#include "core/loaders/capture/names.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace warpline::loaders::capture {

namespace {

template <size_t N>
std::string_view nameAt(const std::array<std::string_view, N>& names, uint64_t number) {
    return number < N ? names[number] : std::string_view();
}

}  // namespace

std::string hexText(uint64_t value) {
    constexpr int kHexadecimal = 16;
    std::array<char, kHexadecimal> digits{};
    const auto* const end = std::to_chars(digits.data(), digits.data() + digits.size(), value, kHexadecimal).ptr;
    return "0x" + std::string(static_cast<const char*>(digits.data()), end);
}

std::string_view callName(std::string_view name) {
    const size_t mark = name.rfind("_v");
    if (mark == std::string_view::npos || mark == 0 || mark + 2 == name.size()) {
        return name;
    }
    const bool isVersion = std::ranges::all_of(name.substr(mark + 2), [](char c) { return c >= '0' && c <= '9'; });
    return isVersion ? name.substr(0, mark) : name;
}

std::string copyName(uint8_t kind, uint8_t sourceKind, uint8_t targetKind) {
    constexpr std::array<std::string_view, 11> kWays = {"",     "HtoD", "DtoH", "HtoA", "AtoH", "AtoA",
                                                        "AtoD", "DtoA", "DtoD", "HtoH", "PtoP"};
    std::string name = "Memcpy";
    if (const std::string_view way = nameAt(kWays, kind); !way.empty()) {
        name += " " + std::string(way);
    }
    if (sourceKind != 0 && targetKind != 0) {
        name += " (" + std::string(memoryKindName(sourceKind)) + " -> " + std::string(memoryKindName(targetKind)) + ")";
    }
    return name;
}

std::string memsetName(uint32_t memoryKind) {
    return memoryKind == 0 ? "Memset" : "Memset (" + std::string(memoryKindName(memoryKind)) + ")";
}

std::string_view memoryKindName(uint32_t kind) {
    constexpr std::array<std::string_view, 8> kNames = {"Unknown", "Pageable", "Pinned",        "Device",
                                                        "Array",   "Managed",  "Device Static", "Managed Static"};
    const std::string_view name = nameAt(kNames, kind);
    return name.empty() ? kNames[0] : name;
}

bool isHostMemory(uint32_t kind) {
    constexpr uint32_t kPageable = 1;
    constexpr uint32_t kPinned = 2;
    return kind == kPageable || kind == kPinned;
}

std::string_view syncName(uint32_t kind) {
    constexpr std::array<std::string_view, 5> kNames = {"Sync", "Event Sync", "Stream Wait Event", "Stream Sync",
                                                        "Context Sync"};
    const std::string_view name = nameAt(kNames, kind);
    return name.empty() ? kNames[0] : name;
}

std::string overheadName(uint32_t kind) {
    constexpr uint32_t kDriverCompiler = 1;
    constexpr uint32_t kShift = 16;
    constexpr std::array<std::string_view, 9> kNames = {"",
                                                        "Buffer Flush",
                                                        "Instrumentation",
                                                        "Resource",
                                                        "Runtime Triggered Module Loading",
                                                        "Lazy Function Loading",
                                                        "Command Buffer Full",
                                                        "Activity Buffer Request",
                                                        "UVM Activity Init"};
    const std::string_view name = kind == kDriverCompiler               ? "Driver Compiler"
                                  : kind % (uint32_t{1} << kShift) == 0 ? nameAt(kNames, kind >> kShift)
                                                                        : std::string_view();
    return name.empty() ? "Overhead " + std::to_string(kind) : std::string(name);
}

std::string compilationName(uint32_t entry, uint32_t operation) {
    constexpr std::array<std::string_view, 4> kOperations = {"JIT", "JIT cache load", "JIT cache store", "JIT compile"};
    constexpr std::array<std::string_view, 3> kEntries = {"", " PTX to cubin", " NVVM IR to PTX"};
    const std::string_view name = nameAt(kOperations, operation);
    return std::string(name.empty() ? kOperations[0] : name) + std::string(nameAt(kEntries, entry));
}

std::string_view sampleName(wire::SampleKind kind) {
    constexpr std::array<std::string_view, 9> kNames = {"",
                                                        "SM clock [MHz]",
                                                        "Memory clock [MHz]",
                                                        "Power [W]",
                                                        "Temperature [°C]",
                                                        "Throttle reasons",
                                                        "Memory used [bytes]",
                                                        "GPU busy [%]",
                                                        "Memory used by recorded processes [bytes]"};
    return nameAt(kNames, static_cast<uint32_t>(kind));
}

std::string throttleNames(uint64_t bits) {
    constexpr std::array<std::string_view, 9> kNames = {"idle",
                                                        "application clocks",
                                                        "power cap",
                                                        "hardware slowdown",
                                                        "sync boost",
                                                        "software thermal slowdown",
                                                        "hardware thermal slowdown",
                                                        "power brake",
                                                        "display clocks"};
    std::string text;
    uint64_t others = bits;
    for (size_t i = 0; i < kNames.size(); ++i) {
        const uint64_t bit = uint64_t{1} << i;
        if ((bits & bit) != 0) {
            text += (text.empty() ? "" : ", ") + std::string(kNames[i]);
            others &= ~bit;
        }
    }
    if (others != 0) {
        text += (text.empty() ? "reason " : ", reason ") + hexText(others);
    }
    return text;
}

std::string_view lossName(wire::LossKind kind) {
    constexpr std::array<std::string_view, 10> kNames = {"for a reason that is not known here",
                                                         "dropped by CUPTI",
                                                         "no buffer was free",
                                                         "of a kind or size that the recorder cannot decode",
                                                         "the recorder could not keep up",
                                                         "another client took CUPTI over",
                                                         "the granted size was reached",
                                                         "the capture could not be written",
                                                         "the recorder's own notes of launches overflowed",
                                                         "left out as asked"};
    const std::string_view name = nameAt(kNames, static_cast<uint32_t>(kind));
    return name.empty() ? kNames[0] : name;
}

std::string_view frameName(uint32_t type) {
    using wire::FrameType;
    switch (static_cast<FrameType>(type)) {
        case FrameType::Kernels:
            return "kernels";
        case FrameType::Calls:
            return "calls";
        case FrameType::Launches:
            return "launches";
        case FrameType::Copies:
            return "copies";
        case FrameType::Sets:
            return "memsets";
        case FrameType::Memory:
            return "memory events";
        case FrameType::Pools:
            return "memory pool events";
        case FrameType::Syncs:
            return "synchronisations";
        case FrameType::Overheads:
            return "overheads";
        case FrameType::Ranges:
            return "ranges";
        case FrameType::Samples:
            return "samples";
        case FrameType::Allocations:
            return "allocator events";
        case FrameType::Module:
            return "modules";
        case FrameType::Output:
            return "output";
        default:
            return "records";
    }
}

std::string_view programName(std::string_view path) {
    const size_t slash = path.rfind('/');
    return slash == std::string_view::npos || slash + 1 == path.size() ? path : path.substr(slash + 1);
}

}  // namespace warpline::loaders::capture
