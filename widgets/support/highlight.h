// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Events that belong together: the instances of a table row, the hits of a search. A value that a Session holds.

#include <QString>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/trace/trace.h"
#include "widgets/support/selection.h"
#include "widgets/support/shared_rows.h"

namespace warpline {

/// An event that is no slice, and its place among the slices.
struct HighlightPoint {
    uint32_t slicesBefore = 0;
    Selection::Kind kind = Selection::Kind::Instant;
    uint32_t index = 0;   ///< in what the kind names
    uint32_t series = 0;  ///< of a counter
};
/// By time; never changes. Null: none.
using HighlightPoints = std::shared_ptr<const std::vector<HighlightPoint>>;

struct Highlight {
    QString title;      ///< "aten::mm"; shown with the count and position
    SharedRows events;  ///< slices, by begin
    int current = -1;   ///< counts slices and points by time; -1 none yet
    HighlightPoints points = {};
    bool startsInView = false;  ///< the first step goes to what begins in the visible range, not to the first of all

    bool empty() const { return size() == 0; }
    size_t size() const { return events.size() + (points ? points->size() : 0); }
    /// Cost: a binary search over the points. REQUIRES: index < size().
    Selection at(size_t index) const;
    bool hasSameEvents(const Highlight& other) const { return events == other.events && points == other.points; }
    bool operator==(const Highlight&) const = default;

private:
    size_t placeOf(size_t point) const { return (*points)[point].slicesBefore + point; }
};

/// When an event begins; a counter, at the sample that is meant. REQUIRES: it is in the trace, and not None.
TimeNs beginOf(const Trace& trace, const Selection& event);
/// The first that begins at `time` or later; size() if none does. Cost: a binary search.
size_t firstFrom(const Trace& trace, const Highlight& highlight, TimeNs time);
/// Where an event is; nullopt if it is not in it. Cost: a binary search and those of the same begin.
std::optional<size_t> indexOf(const Trace& trace, const Highlight& highlight, const Selection& event);

}  // namespace warpline
