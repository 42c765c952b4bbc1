// SPDX-License-Identifier: MIT
#pragma once
// Sets of moments as disjoint pieces of time: when a device or a stream was busy, when it was not. Pure; any thread.
// Pieces are half-open, so what is empty adds nothing, and pieces that touch are one.

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "core/base/job_control.h"
#include "core/base/time.h"

namespace warpline {

/// By begin; none is empty, between two is always a gap. Two columns, because that is what LodPyramid reads.
struct Intervals {
    std::vector<TimeNs> begin;
    std::vector<DurationNs> duration;

    size_t size() const { return begin.size(); }
    bool empty() const { return begin.empty(); }
    TimeRange operator[](size_t i) const { return {begin[i], begin[i] + duration[i]}; }
    bool operator==(const Intervals&) const = default;

    /// Adds a piece, to the last one where they touch or overlap. Empty ones are left out.
    /// REQUIRES: `piece` begins nowhere before the last one does, and its length fits in a DurationNs.
    void append(TimeRange piece);
};

/// The length of a union alone, of ranges that come by begin.
class UnionLength {
public:
    /// REQUIRES: `range` begins nowhere before the one added last, and lies in what a trace holds. One that ends where
    /// or before it begins adds nothing.
    void add(TimeRange range) {
        m_ns += std::max<DurationNs>(0, range.end - std::max(m_reached, range.begin));
        m_reached = std::max(m_reached, range.end);
    }
    DurationNs ns() const { return m_ns; }
    /// Where the last of them ends; kEarliestTime before the first.
    TimeNs reached() const { return m_reached; }

private:
    DurationNs m_ns = 0;
    TimeNs m_reached = kEarliestTime;
};

/// Stable. Quick where `ranges` are a few ascending runs, as the lanes of a track are. False when stopped.
bool sortByBegin(std::vector<TimeRange>& ranges, const JobControl& job);

/// Of ranges in any order, which it sorts. nullopt when stopped.
std::optional<Intervals> unionOf(std::vector<TimeRange>& ranges, const JobControl& job);

// Each takes time by the number of pieces, some 50 ms for ten million.
Intervals intersectionOf(const Intervals& a, const Intervals& b);
/// The moments of `range` that are not in `a`. REQUIRES: the length of `range` fits in a DurationNs.
Intervals complementOf(const Intervals& a, TimeRange range);
/// The moments of `a` in `range`.
Intervals clipped(const Intervals& a, TimeRange range);
DurationNs lengthOf(const Intervals& a);
/// Of what lies in `range`; finds its first piece by a binary search.
DurationNs lengthOf(const Intervals& a, TimeRange range);

}  // namespace warpline
