// SPDX-License-Identifier: MIT
#pragma once
// The theoretical occupancy of a launch that is in a trace: its facts and its device's put together, for tables and
// details alike. Pure; any thread.

#include <optional>

#include "core/devices/occupancy.h"
#include "core/trace/trace.h"

namespace warpline {

/// Why an occupancy is not known.
enum class OccupancyGap : uint8_t {
    None,
    Device,     ///< the file does not say which, does not describe it, or it is of a generation that is not known here
    Block,      ///< the block's size is not in the file, or no block at all
    Resources,  ///< registers or shared memory are not in the file
    Limits,     ///< by what is known of the device not one block fits, yet it ran
};

struct KernelOccupancy {
    OccupancyGap gap = OccupancyGap::None;
    std::optional<Occupancy> occupancy;  ///< known unless there is a gap
    std::optional<double> waves;         ///< needs the grid and the number of multiprocessors as well
};

/// REQUIRES: `facts` of a kernel of `file`; its row is not looked at, so that the facts that many launches share will
/// do.
KernelOccupancy kernelOccupancy(const Trace& trace, FileId file, const KernelFacts& facts);

}  // namespace warpline
