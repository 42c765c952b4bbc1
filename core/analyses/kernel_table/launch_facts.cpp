// SPDX-License-Identifier: MIT
#include "core/analyses/kernel_table/launch_facts.h"

#include <algorithm>

#include "core/base/units.h"
#include "core/table/table_format.h"

namespace warpline::kernel_table {

namespace {

constexpr size_t kNamedValues = 4;  ///< of texts, which have no range

std::string sidesText(const std::array<int32_t, 3>& sides) {
    const Cell cell = sidesCell(sides);
    const auto* text = std::get_if<std::string>(&cell);
    return text != nullptr ? *text : "n/a";
}

bool isUnknown(const Cell& cell) {
    return std::holds_alternative<std::monostate>(cell);
}

std::string valuesText(const std::vector<Cell>& distinct, bool someUnknown, const ColumnInfo& column) {
    std::string text = formatCountOf(distinct.size(), "value");
    if (column.type == ColumnType::Integer || column.type == ColumnType::Real) {
        text += ", " + cellText(distinct.front(), column) + " to " + cellText(distinct.back(), column);
    } else {
        for (size_t i = 0; i < std::min(distinct.size(), kNamedValues); ++i) {
            text += (i == 0 ? ": " : ", ") + cellText(distinct[i], column);
        }
        text += distinct.size() > kNamedValues ? ", …" : "";
    }
    return text + (someUnknown ? "; not known of all" : "");
}

}  // namespace

LaunchFacts launchFactsOf(const Trace& trace, EventRow row, const KernelFacts* kernel) {
    LaunchFacts out;
    out.file = trace.fileOf(trace.slices().track[row.value]);
    if (kernel == nullptr) {
        const CopyFacts* copy = trace.findCopyFacts(row);
        out.device = copy != nullptr ? copy->device : kUnknownFact;
        return out;
    }
    out.device = kernel->device;
    out.grid = kernel->grid;
    out.block = kernel->block;
    out.registers = kernel->registersPerThread;
    out.sharedBytes = kernel->sharedBytes;
    out.staticBytes = kernel->staticSharedBytes;
    out.dynamicBytes = kernel->dynamicSharedBytes;
    out.localBytes = kernel->localBytesPerThread;
    return out;
}

LaunchFacts shapeOf(const LaunchFacts& facts) {
    LaunchFacts shape;
    shape.grid = facts.grid;
    shape.block = facts.block;
    shape.registers = facts.registers;
    shape.sharedBytes = facts.sharedBytes;
    return shape;
}

bool isShapeKnown(const LaunchFacts& facts) {
    return !(shapeOf(facts) == LaunchFacts());
}

std::string shapeText(const LaunchFacts& facts) {
    return sidesText(facts.grid) + " blocks of " + sidesText(facts.block) + " threads, " +
           (facts.registers < 0 ? "n/a registers" : formatCountOf(static_cast<uint64_t>(facts.registers), "register")) +
           ", " + (facts.sharedBytes < 0 ? "n/a" : formatBytes(static_cast<double>(facts.sharedBytes))) + " shared";
}

Cell sidesCell(const std::array<int32_t, 3>& sides) {
    if (std::any_of(sides.begin(), sides.end(), [](int32_t n) { return n < 0; })) {
        return {};
    }
    return '[' + std::to_string(sides[0]) + ", " + std::to_string(sides[1]) + ", " + std::to_string(sides[2]) + ']';
}

size_t LaunchFactsIndex::Hash::operator()(const LaunchFacts& facts) const {
    uint64_t hash = facts.file.value;
    const auto add = [&hash](int64_t number) {
        hash = (hash ^ static_cast<uint64_t>(number)) * 0x9e3779b97f4a7c15ULL;
        hash ^= hash >> 32U;
    };
    for (const auto& sides : {facts.grid, facts.block}) {
        std::for_each(sides.begin(), sides.end(), add);
    }
    for (const int64_t number :
         {facts.device, facts.registers, facts.sharedBytes, facts.staticBytes, facts.dynamicBytes, facts.localBytes}) {
        add(number);
    }
    return static_cast<size_t>(hash);
}

uint32_t LaunchFactsIndex::of(const LaunchFacts& facts) {
    // Mostly the same as last time.
    if (m_facts.empty() || !(m_facts[m_last] == facts)) {
        const auto [place, isNew] = m_numbers.try_emplace(facts, static_cast<uint32_t>(m_facts.size()));
        if (isNew) {
            m_facts.push_back(facts);
        }
        m_last = place->second;
    }
    return m_last;
}

Cell commonCell(std::vector<Cell> cells, const ColumnInfo& column) {
    const auto known = std::partition(cells.begin(), cells.end(), [](const Cell& c) { return !isUnknown(c); });
    const bool someUnknown = known != cells.end();
    cells.erase(known, cells.end());
    std::sort(cells.begin(), cells.end());
    cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
    if (cells.size() > 1) {
        return Varies{valuesText(cells, someUnknown, column)};
    }
    return cells.empty() || someUnknown ? Cell() : std::move(cells.front());
}

}  // namespace warpline::kernel_table
