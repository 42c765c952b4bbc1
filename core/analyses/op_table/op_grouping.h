// SPDX-License-Identifier: MIT
#pragma once
// What besides name and kind makes a row of the op table: the shapes, the stack, or the annotation around a slice, as
// a number and back as a cell. 0 is "none".

#include <array>
#include <string>
#include <unordered_map>
#include <vector>

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
    uint32_t ofPython(uint32_t row) { return m_grouping == OpGrouping::Stack ? stackAround(row) : 0; }

    /// "shapes", "stack", "annotation" or "".
    const char* columnId() const;
    Cell cell(uint32_t group) const;

private:
    static constexpr size_t kStackDepth = 5;
    using Frames = std::array<uint32_t, kStackDepth>;  ///< key names + 1, innermost first, 0 = end

    bool isFrame(uint32_t row) const;
    uint32_t stackAround(uint32_t row);

    const Trace& m_trace;
    const SliceColumns& m_slices;
    const KeyNames& m_names;
    const OpTree& m_tree;
    OpGrouping m_grouping;
    bool m_framesArePython = false;
    std::vector<uint32_t> m_frameAbove;  ///< by row: that of the innermost frame around it, or EventRow::kNoneValue
    std::vector<uint32_t> m_annotation;  ///< by node: key name + 1 of the one around it
    struct FramesHash {
        size_t operator()(const Frames& frames) const;
    };
    std::vector<uint32_t> m_stackOfTop;  ///< by row of the innermost frame: stack + 1, 0 = not asked yet
    std::unordered_map<Frames, uint32_t, FramesHash> m_stackIds;
    std::vector<Frames> m_stacks;  ///< by id; 0 is the empty one
};

}  // namespace warpline::op_table
