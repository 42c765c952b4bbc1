// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/timeline/view_motion.h"

#include <cmath>

namespace warpline::timeline {

namespace {

constexpr double kTimeConstant = 0.040;  ///< seconds in which all but a third is done
constexpr double kLeastZoom = 0.0005;
constexpr double kLeastPixels = 0.5;

/// Takes a part of what is left, or all of it where little is.
double take(double& left, double part, double least) {
    const double taken = std::abs(left) <= least ? left : left * part;
    left -= taken;
    if (std::abs(left) <= least) {
        const double rest = left;
        left = 0;
        return taken + rest;
    }
    return taken;
}

}  // namespace

void ViewMotion::zoom(double factor, double anchorX) {
    m_logZoom += std::log(factor);
    m_anchorX = anchorX;
}

ViewMotion::Step ViewMotion::advance(double seconds) {
    const double part = 1 - std::exp(-seconds / kTimeConstant);
    Step step;
    step.anchorX = m_anchorX;
    step.zoom = std::exp(take(m_logZoom, part, kLeastZoom));
    step.pan = take(m_pan, part, kLeastPixels);
    // Rows stand at whole pixels, so each step moves one at least.
    if (std::abs(m_scroll) < 1) {
        step.scroll = static_cast<int>(std::lround(m_scroll));
        m_scroll = 0;
    } else {
        step.scroll = static_cast<int>(std::copysign(std::ceil(std::floor(std::abs(m_scroll)) * part), m_scroll));
        m_scroll -= step.scroll;
    }
    return step;
}

double WholePixels::take(double pixels, double scale) {
    const double all = (m_rest + pixels) * scale;
    const double whole = std::round(all);
    m_rest = (all - whole) / scale;
    return whole / scale;
}

}  // namespace warpline::timeline
