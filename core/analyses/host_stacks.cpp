// SPDX-License-Identifier: MIT
#include "core/analyses/host_stacks.h"

#include <algorithm>

#include "core/base/json_writer.h"

namespace warpline {

HostStacks::HostStacks(const Trace& trace, const KeyNames& names) : m_slices(trace.slices()), m_names(names) {
    m_framesArePython = std::find(m_slices.kind.begin(), m_slices.kind.end(), EventKind::Python) != m_slices.kind.end();
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

size_t HostStacks::FramesHash::operator()(const Frames& frames) const {
    uint64_t hash = 0;
    for (const uint32_t frame : frames) {
        hash = (hash ^ frame) * 0x9e3779b97f4a7c15ULL;
        hash ^= hash >> 32U;
    }
    return static_cast<size_t>(hash);
}

bool HostStacks::isFrame(uint32_t row) const {
    const EventKind kind = m_slices.kind[row];
    return m_framesArePython ? kind == EventKind::Python : kind == EventKind::CpuOp || kind == EventKind::Annotation;
}

uint32_t HostStacks::ofTop(uint32_t top) {
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

Cell HostStacks::cell(uint32_t stack) const {
    std::string json = "[";
    for (const uint32_t frame : m_stacks[stack]) {
        if (frame != 0) {
            json += (json.size() > 1 ? ", " : "") + jsonString(m_names.text(frame - 1));
        }
    }
    return json + "]";
}

}  // namespace warpline
