// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the pyramids of lanes gave for a view, kept while it is moved: at one zoom the bars of a stretch of time stay
// what they are, so only what comes into view is collected. GUI thread.

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/base/time.h"
#include "core/trace/lod_pyramid.h"
#include "core/trace/trace.h"

namespace warpline::timeline {

class LaneBars {
public:
    /// Of another trace all is other. Needed before the trace goes.
    void clear() { m_entries.clear(); }
    /// The bars of a lane that touch `range`, as LodPyramid::collect() has them; within two pixels of its ends they may
    /// be put together otherwise. Valid until the next call.
    std::span<const LodBar> of(const Trace& trace, uint32_t lane, TimeRange range, double nsPerPixel);

private:
    struct Entry {
        TimeRange covered;  ///< empty: nothing is known
        std::vector<LodBar> bars;
    };
    struct Query;
    static void extend(Entry& entry, const Query& query);

    double m_nsPerPixel = 0;
    std::unordered_map<uint32_t, Entry> m_entries;  ///< by lane
    std::vector<LodBar> m_strip;
};

}  // namespace warpline::timeline
