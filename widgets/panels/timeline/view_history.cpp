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

bool ViewHistory::carry(const std::function<std::optional<ViewPoint>(const ViewPoint&)>& carried) {
    std::vector<ViewPoint> views;
    size_t at = 0;
    bool isThere = false;
    for (size_t i = 0; i < m_views.size(); ++i) {
        const std::optional<ViewPoint> view = carried(m_views[i]);
        if (view && (views.empty() || views.back() != *view)) {
            views.push_back(*view);
        }
        if (i <= m_at) {
            at = views.empty() ? 0 : views.size() - 1;
            isThere = view.has_value();
        }
    }
    m_views = std::move(views);
    m_at = at;
    return isThere;
}

void ViewHistory::clear() {
    m_views.clear();
    m_at = 0;
}

}  // namespace warpline::timeline
