// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The views that were looked at, to go back to and forward from, as in a browser. Knows no widget and no clock.

#include <cstddef>
#include <optional>
#include <vector>

#include "widgets/panels/timeline/time_axis.h"

namespace warpline::timeline {

struct ViewPoint {
    TimeAxis axis;
    int scrollY = 0;
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

private:
    std::vector<ViewPoint> m_views;
    size_t m_at = 0;  ///< the current one
};

}  // namespace warpline::timeline
