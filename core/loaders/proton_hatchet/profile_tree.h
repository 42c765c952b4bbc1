// SPDX-License-Identifier: MIT
#pragma once
// A tree of summed times, and its layout as a flame graph. Knows nothing of the file's format.

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "core/base/time.h"

namespace warpline::loaders::proton_hatchet {

/// A stretch of the file's text; empty if there is none.
struct TextRange {
    uint64_t offset = 0;
    uint64_t length = 0;
};

struct ProfileNode {
    static constexpr uint32_t kNoParent = std::numeric_limits<uint32_t>::max();

    std::string name;  ///< "" where the file gives none
    uint32_t parent = kNoParent;
    DurationNs own = 0;         ///< without its children's
    bool isDeviceWork = false;  ///< a kernel, as it ran `count` times
    uint64_t offset = 0;        ///< of its text; ascending
    TextRange metrics;
};

struct NodePlace {
    TimeNs begin = 0;
    DurationNs duration = 0;  ///< its own time and that of all below it
};

/// Parents before children; siblings in the order of the file.
using ProfileTree = std::vector<ProfileNode>;

/// Roots stand one behind the other from 0 on, children one behind the other from their parent's begin on; a parent's
/// own time is what is left at its end. REQUIRES: all own times are >= 0 and their sum fits in 64 bits.
std::vector<NodePlace> layOut(const ProfileTree& tree);

}  // namespace warpline::loaders::proton_hatchet
