// SPDX-License-Identifier: MIT
#include "core/analyses/op_table/op_grouping.h"

namespace warpline::op_table {

OpGroups::OpGroups(const Trace& trace, const KeyNames& names, const OpTree& tree, OpGrouping grouping)
    : m_trace(trace), m_slices(trace.slices()), m_names(names), m_tree(tree), m_grouping(grouping) {
    if (grouping == OpGrouping::Annotation) {
        m_annotation.assign(tree.size(), 0);
        for (uint32_t node = 0; node < tree.size(); ++node) {
            const uint32_t parent = tree.parent[node];
            if (parent != kNoNode) {
                const uint32_t row = tree.row[parent];
                m_annotation[node] = m_slices.kind[row] == EventKind::Annotation ? names.of(m_slices.name[row]) + 1
                                                                                 : m_annotation[parent];
            }
        }
    } else if (grouping == OpGrouping::Stack) {
        m_stacks.emplace(trace, names);
    }
}

uint32_t OpGroups::ofNode(uint32_t node) {
    switch (m_grouping) {
        case OpGrouping::Shape:
            return m_slices.shapes[m_tree.row[node]].value;
        case OpGrouping::Stack:
            return m_stacks->around(m_tree.row[node]);
        case OpGrouping::Annotation:
            return m_annotation[node];
        case OpGrouping::Name:
            break;
    }
    return 0;
}

uint32_t OpGroups::ofDeviceSide(uint32_t row) {
    if (m_grouping == OpGrouping::Name || m_grouping == OpGrouping::Shape) {
        return 0;
    }
    // The launching call stands innermost; without it the operator that the file names.
    EventRow host = m_trace.launchOf(EventRow(row));
    if (!host) {
        host = m_trace.opOf(EventRow(row));
    }
    if (!host) {
        return 0;
    }
    if (m_grouping == OpGrouping::Stack) {
        return m_stacks->from(host.value);
    }
    if (m_slices.kind[host.value] == EventKind::Annotation) {
        return m_names.of(m_slices.name[host.value]) + 1;
    }
    const uint32_t node = m_tree.nodeOfRow[host.value];
    return node == kNoNode ? 0 : m_annotation[node];
}

const char* OpGroups::columnId() const {
    switch (m_grouping) {
        case OpGrouping::Shape:
            return "shapes";
        case OpGrouping::Stack:
            return "stack";
        case OpGrouping::Annotation:
            return "annotation";
        case OpGrouping::Name:
            break;
    }
    return "";
}

Cell OpGroups::cell(uint32_t group) const {
    if (group == 0) {
        return std::monostate();
    }
    if (m_grouping == OpGrouping::Shape) {
        return std::string(m_trace.string(StringId(group)));
    }
    if (m_grouping == OpGrouping::Annotation) {
        return std::string(m_names.text(group - 1));
    }
    return m_stacks->cell(group);
}

}  // namespace warpline::op_table
