// SPDX-License-Identifier: MIT
#pragma once
// The tree of torch.profiler's tables: host slices by thread, nested, single children of their parent's name folded.

#include <cstdint>
#include <vector>

#include "core/analyses/key_names.h"
#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/base/sum.h"
#include "core/trace/trace.h"

namespace warpline::op_table {

inline constexpr uint32_t kNoNode = 0xffffffffU;

/// Nodes of one thread are contiguous, parents before children, by begin. A folded node's sums are 0 or its target's.
struct OpTree {
    std::vector<uint32_t> row;         ///< row of the slice
    std::vector<uint32_t> parent;      ///< node, never a folded one; kNoNode at the top
    std::vector<uint32_t> foldedInto;  ///< the node that counts for it: itself unless folded
    std::vector<DurationNs> selfCpu;   ///< >= 0
    std::vector<Sum> selfDevice;
    std::vector<Sum> device;          ///< with the children's
    std::vector<uint32_t> nodeOfRow;  ///< by slice row; kNoNode for what is not in the tree
    bool readsOther = false;          ///< there was no operator, annotation or API call: slices of kind Other stand in

    uint32_t size() const { return static_cast<uint32_t>(row.size()); }
    bool counts(uint32_t node) const { return foldedInto[node] == node; }
};

/// Fails only when cancelled.
Result<OpTree> buildOpTree(const Trace& trace, const KeyNames& names, JobControl& job);

/// Bytes that each node allocated and freed, by torch's rule: all memory events inside its interval, ends included,
/// whatever their thread. Empty columns if the trace has no memory events.
struct OpMemory {
    std::vector<Sum> cpu, device;          ///< by node
    std::vector<Sum> selfCpu, selfDevice;  ///< minus the children's
    std::vector<uint8_t> covered;          ///< by memory event: inside a node's interval
    bool known() const { return !covered.empty(); }
};
/// Fails only when cancelled.
Result<OpMemory> computeOpMemory(const Trace& trace, const OpTree& tree, const JobControl& job);

}  // namespace warpline::op_table
