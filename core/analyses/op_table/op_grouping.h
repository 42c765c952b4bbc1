// SPDX-License-Identifier: MIT
#pragma once
// What besides name and kind makes a row of the op table: the shapes, the stack, or the annotation around a slice, as
// a number and back as a cell. 0 is "none".

#include <optional>
#include <vector>

#include "core/analyses/host_stacks.h"
#include "core/analyses/op_table/op_table.h"
#include "core/analyses/op_table/op_tree.h"

namespace warpline::op_table {

class OpGroups {
public:
    OpGroups(const Trace& trace, const KeyNames& names, const OpTree& tree, OpGrouping grouping);

    uint32_t ofNode(uint32_t node);
    /// For a slice of a device's track: that of the operator or call that launched it.
    uint32_t ofDeviceSide(uint32_t row);
    /// For a slice of no tree: a Python function.
    uint32_t ofPython(uint32_t row) { return m_grouping == OpGrouping::Stack ? m_stacks->around(row) : 0; }

    /// "shapes", "stack", "annotation" or "".
    const char* columnId() const;
    Cell cell(uint32_t group) const;

private:
    const Trace& m_trace;
    const SliceColumns& m_slices;
    const KeyNames& m_names;
    const OpTree& m_tree;
    OpGrouping m_grouping;
    std::vector<uint32_t> m_annotation;  ///< by node: key name + 1 of the one around it
    std::optional<HostStacks> m_stacks;  ///< if grouped by them
};

}  // namespace warpline::op_table
