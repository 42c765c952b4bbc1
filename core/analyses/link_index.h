// SPDX-License-Identifier: MIT
#pragma once
// All arrows of a trace (launch -> device work, and the flows of its files), sorted so that those of a stretch of time
// are found without a look at the others. Built once by a job, as it takes seconds where arrows are millions; then
// immutable, for any thread. Memory: 13 bytes an arrow, and once more as much while it is built.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/base/event_column.h"
#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/trace/trace.h"

namespace warpline {

enum class LinkKind : uint8_t {
    Launch,    ///< call -> kernel, copy, memset
    Backward,  ///< forward op -> backward op
    Flow,      ///< any other of the file
};

struct Link {
    EventRow from;
    EventRow to;
};

/// What a flow of the file stands for. Not whether it repeats a launch.
LinkKind kindOf(const Trace& trace, const FlowArrow& flow);
/// When an arrow leaves: at the end of its slice, but not after it arrives, nor before its slice begins.
TimeNs departure(const SliceColumns& slices, Link link);
/// When it arrives: at the begin of its slice.
inline TimeNs arrival(const SliceColumns& slices, Link link) {
    return slices.begin[link.to.value];
}

/// Arrows of one kind from one track to another: the links [first, first + count) of the index, by departure.
struct LinkBundle {
    LinkKind kind = LinkKind::Launch;
    TrackId from;
    TrackId to;
    uint32_t first = 0;
    uint32_t count = 0;
    uint32_t end() const { return first + count; }
};

class LinkIndex {
public:
    /// A flow that repeats a launch is in it once, as the launch. Fails when cancelled.
    static Result<LinkIndex> build(std::shared_ptr<const Trace> trace, const JobControl& job);
    /// How many arrows there are to look at.
    static uint64_t cost(const Trace& trace);

    /// Those of most links first.
    std::span<const LinkBundle> bundles() const { return m_bundles; }
    uint32_t size() const { return static_cast<uint32_t>(m_links.size()); }
    const Link& link(uint32_t i) const { return m_links[i]; }
    /// The links of a bundle by arrival stand at the same places [first, first + count) of a second order.
    uint32_t byArrival(uint32_t place) const { return m_byArrival[place]; }
    TimeNs departureAt(uint32_t place) const { return departure(m_trace->slices(), m_links[place]); }
    TimeNs arrivalAt(uint32_t place) const { return arrival(m_trace->slices(), m_links[m_byArrival[place]]); }
    /// The first place in [from, bundle.end()) whose link departs (arrives) at `time` or later; else bundle.end().
    /// Cost: a binary search.
    uint32_t firstDeparture(const LinkBundle& bundle, TimeNs time, uint32_t from) const;
    uint32_t firstArrival(const LinkBundle& bundle, TimeNs time, uint32_t from) const;
    /// What it holds, without the trace.
    uint64_t memoryBytes() const;

private:
    class Builder;
    /// A search over times that stand apart touches memory that was not touched before at each step; over each
    /// sixteenth of them, packed, it does not.
    static constexpr uint32_t kFence = 16;

    std::shared_ptr<const Trace> m_trace;
    std::vector<LinkBundle> m_bundles;
    EventColumn<Link> m_links;             ///< by bundle, then departure
    EventColumn<uint32_t> m_byArrival;     ///< indices into m_links, by bundle, then arrival
    EventColumn<TimeNs> m_departureFence;  ///< of the places 0, 16, 32, …
    EventColumn<TimeNs> m_arrivalFence;
};

}  // namespace warpline
