// SPDX-License-Identifier: MIT
#include "core/analyses/op_table/op_grouping.h"

#include <algorithm>

#include "core/base/json_writer.h"

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
        m_framesArePython =
            std::find(m_slices.kind.begin(), m_slices.kind.end(), EventKind::Python) != m_slices.kind.end();
        m_stackOfTop.assign(m_slices.size(), 0);
        m_frameAbove.assign(m_slices.size(), EventRow::kNoneValue);
        for (uint32_t row = 0; row < m_slices.size(); ++row) {
            // A parent's row is before its children's.
            if (const EventRow parent = m_slices.parent[row]) {
                m_frameAbove[row] = isFrame(parent.value) ? parent.value : m_frameAbove[parent.value];
            }
        }
        m_stacks.push_back({});
        m_stackIds.emplace(Frames{}, 0);
    }
}

size_t OpGroups::FramesHash::operator()(const Frames& frames) const {
    uint64_t hash = 0;
    for (const uint32_t frame : frames) {
        hash = (hash ^ frame) * 0x9e3779b97f4a7c15ULL;
        hash ^= hash >> 32U;
    }
    return static_cast<size_t>(hash);
}

bool OpGroups::isFrame(uint32_t row) const {
    const EventKind kind = m_slices.kind[row];
    return m_framesArePython ? kind == EventKind::Python : kind == EventKind::CpuOp || kind == EventKind::Annotation;
}

uint32_t OpGroups::stackAround(uint32_t row) {
    const uint32_t top = m_frameAbove[row];
    if (top == EventRow::kNoneValue) {
        return 0;
    }
    if (m_stackOfTop[top] == 0) {
        Frames frames{};
        uint32_t frame = top;
        for (size_t i = 0; i < kStackDepth && frame != EventRow::kNoneValue; ++i, frame = m_frameAbove[frame]) {
            frames[i] = m_names.of(m_slices.name[frame]) + 1;
        }
        const auto [known, added] = m_stackIds.emplace(frames, static_cast<uint32_t>(m_stacks.size()));
        if (added) {
            m_stacks.push_back(frames);
        }
        m_stackOfTop[top] = known->second + 1;
    }
    return m_stackOfTop[top] - 1;
}

uint32_t OpGroups::ofNode(uint32_t node) {
    switch (m_grouping) {
        case OpGrouping::Shape:
            return m_slices.shapes[m_tree.row[node]].value;
        case OpGrouping::Stack:
            return stackAround(m_tree.row[node]);
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
        return stackAround(host.value);
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
    std::string json = "[";
    for (const uint32_t frame : m_stacks[group]) {
        if (frame != 0) {
            json += (json.size() > 1 ? ", " : "") + jsonString(m_names.text(frame - 1));
        }
    }
    return json + "]";
}

}  // namespace warpline::op_table
