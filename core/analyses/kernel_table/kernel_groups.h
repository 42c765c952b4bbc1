// SPDX-License-Identifier: MIT
#pragma once
// What besides the name makes a row of the kernel table, as a number and back as a cell. Refers to the trace, which
// must outlive it. One thread.

#include <optional>
#include <vector>

#include "core/analyses/host_stacks.h"
#include "core/analyses/kernel_table/kernel_table.h"
#include "core/analyses/kernel_table/launch_facts.h"
#include "core/analyses/key_names.h"

namespace warpline::kernel_table {

class KernelGroups {
public:
    KernelGroups(const Trace& trace, KernelGrouping grouping);
    KernelGroups(const KernelGroups&) = delete;
    KernelGroups& operator=(const KernelGroups&) = delete;

    uint32_t of(EventRow deviceWork, const LaunchFacts& launch);

    /// Both do nothing when grouped by name alone.
    void addColumn(Table& table) const;
    void addCell(std::vector<Cell>& cells, uint32_t group) const;

private:
    uint32_t ofHost(EventRow host);
    Cell cell(uint32_t group) const;

    const Trace& m_trace;
    KernelGrouping m_grouping;
    KeyNames m_names;
    LaunchFactsIndex m_shapes;
    std::vector<uint32_t> m_annotation;  ///< by row: key name + 1 of the innermost one around it or itself, 0 = none
    std::optional<HostStacks> m_stacks;
};

}  // namespace warpline::kernel_table
