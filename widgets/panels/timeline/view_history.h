// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The views that were looked at, to go back to and forward from, as in a browser. Knows no widget and no clock.

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "widgets/panels/timeline/time_axis.h"
#include "widgets/support/track_arrangement.h"

namespace warpline::timeline {

struct ViewPoint {
    TimeAxis axis;
    std::optional<ScrollPlace> top;  ///< nullopt: what is at the top of all is seen
    bool operator==(const ViewPoint&) const = default;
};

class ViewHistory {
public:
    static constexpr size_t kMost = 100;

    /// The view has come to rest here. One that is the current one is no step of its own; a new one ends what could be
    /// gone forward to.
    void settle(const ViewPoint& view);
    /// The current one looks like this now: the window has another size, or fewer rows than when it was left.
    void replace(const ViewPoint& view);
    std::optional<ViewPoint> back();
    std::optional<ViewPoint> forward();
    bool canGoBack() const { return m_at > 0; }
    bool canGoForward() const { return m_at + 1 < m_views.size(); }
    void clear();
    bool empty() const { return m_views.empty(); }
    /// Each view becomes what `carried` makes of it; one that it makes nothing of is left out, and of equal ones that
    /// are beside each other then, one stays. Where the current one is left out, the one before it is current, and
    /// false is returned.
    bool carry(const std::function<std::optional<ViewPoint>(const ViewPoint&)>& carried);

private:
    std::vector<ViewPoint> m_views;
    size_t m_at = 0;  ///< the current one
};

}  // namespace warpline::timeline
