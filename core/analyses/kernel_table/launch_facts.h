// SPDX-License-Identifier: MIT
#pragma once
// How kernels were launched, each distinct way once, so that a table row can tell what its launches share.
// Plain data; one thread.

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/table/table.h"
#include "core/trace/trace.h"

namespace warpline::kernel_table {

/// kUnknownFact (-1) in what the file does not say.
struct LaunchFacts {
    FileId file;
    int64_t device = kUnknownFact;
    std::array<int32_t, 3> grid = {-1, -1, -1};
    std::array<int32_t, 3> block = {-1, -1, -1};
    int64_t registers = kUnknownFact;
    int64_t sharedBytes = kUnknownFact;
    int64_t staticBytes = kUnknownFact;
    int64_t dynamicBytes = kUnknownFact;
    int64_t localBytes = kUnknownFact;
    bool operator==(const LaunchFacts&) const = default;
};

/// Of a kernel, copy or memset.
LaunchFacts launchFactsOf(const Trace& trace, EventRow row, const KernelFacts* kernel);

/// Of them what makes a launch shape of its own: grid, block, registers, shared memory. The rest is unknown.
LaunchFacts shapeOf(const LaunchFacts& facts);
bool isShapeKnown(const LaunchFacts& facts);
/// "[8, 1, 1] blocks of [256, 1, 1] threads, 32 registers, 1.00 KiB shared"
std::string shapeText(const LaunchFacts& facts);
/// "[8, 1, 1]"; unknown unless all sides are known.
Cell sidesCell(const std::array<int32_t, 3>& sides);

class LaunchFactsIndex {
public:
    /// The number of these facts, from 0 in order of first appearance.
    uint32_t of(const LaunchFacts& facts);
    const LaunchFacts& operator[](uint32_t number) const { return m_facts[number]; }

private:
    struct Hash {
        size_t operator()(const LaunchFacts& facts) const;
    };
    std::vector<LaunchFacts> m_facts;
    std::unordered_map<LaunchFacts, uint32_t, Hash> m_numbers;
    uint32_t m_last = 0;
};

/// What all cells share: their value, unknown if none has one or some have and the rest agree with them, else that it
/// varies and between what.
Cell commonCell(std::vector<Cell> cells, const ColumnInfo& column);

}  // namespace warpline::kernel_table
