// SPDX-License-Identifier: MIT
#pragma once
// What a slice of the host was called from, as a number for each distinct stack and back as a cell: the Python
// functions around it if the trace has any, else the operators and annotations; innermost first, five at most. Refers
// to trace and names, which must outlive it. One thread.

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/analyses/key_names.h"
#include "core/table/table.h"
#include "core/trace/trace.h"

namespace warpline {

class HostStacks {
public:
    HostStacks(const Trace& trace, const KeyNames& names);

    /// 0: nothing is around it.
    uint32_t around(uint32_t row) { return ofTop(m_frameAbove[row]); }
    /// The same with the slice itself innermost, if it is one of those that make a stack.
    uint32_t from(uint32_t row) { return ofTop(isFrame(row) ? row : m_frameAbove[row]); }
    /// A list of names as JSON; [] for 0.
    Cell cell(uint32_t stack) const;

private:
    static constexpr size_t kStackDepth = 5;
    using Frames = std::array<uint32_t, kStackDepth>;  ///< key names + 1, innermost first, 0 = end

    bool isFrame(uint32_t row) const;
    uint32_t ofTop(uint32_t top);

    const SliceColumns& m_slices;
    const KeyNames& m_names;
    bool m_framesArePython = false;
    std::vector<uint32_t> m_frameAbove;  ///< by row: that of the innermost frame around it, or EventRow::kNoneValue
    struct FramesHash {
        size_t operator()(const Frames& frames) const;
    };
    std::vector<uint32_t> m_stackOfTop;  ///< by row of the innermost frame: stack + 1, 0 = not asked yet
    std::unordered_map<Frames, uint32_t, FramesHash> m_stackIds;
    std::vector<Frames> m_stacks;  ///< by number; 0 is the empty one
};

}  // namespace warpline
