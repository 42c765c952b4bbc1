// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/timeline/view_history.h"

namespace warpline::timeline {

void ViewHistory::settle(const ViewPoint& view) {
    if (m_views.empty()) {
        m_views.push_back(view);
        return;
    }
    if (m_views[m_at] == view) {
        return;
    }
    m_views.resize(m_at + 1);
    m_views.push_back(view);
    if (m_views.size() > kMost) {
        m_views.erase(m_views.begin());
    }
    m_at = m_views.size() - 1;
}

void ViewHistory::replace(const ViewPoint& view) {
    if (!m_views.empty()) {
        m_views[m_at] = view;
    }
}

std::optional<ViewPoint> ViewHistory::back() {
    if (!canGoBack()) {
        return std::nullopt;
    }
    return m_views[--m_at];
}

std::optional<ViewPoint> ViewHistory::forward() {
    if (!canGoForward()) {
        return std::nullopt;
    }
    return m_views[++m_at];
}

void ViewHistory::clear() {
    m_views.clear();
    m_at = 0;
}

}  // namespace warpline::timeline
