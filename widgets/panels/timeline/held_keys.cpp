// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/timeline/held_keys.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace warpline::timeline {

namespace {

constexpr double kPanPerSecond = 1100;    ///< pixels
constexpr double kScrollPerSecond = 660;  ///< pixels
constexpr double kZoomPerSecond = 2.4;    ///< exponent

constexpr std::pair<const char*, HeldKeys::Move> kMoves[] = {
    {"timeline.zoom_in", HeldKeys::Move::ZoomIn},     {"timeline.zoom_out", HeldKeys::Move::ZoomOut},
    {"timeline.pan_left", HeldKeys::Move::PanLeft},   {"timeline.pan_right", HeldKeys::Move::PanRight},
    {"timeline.scroll_up", HeldKeys::Move::ScrollUp}, {"timeline.scroll_down", HeldKeys::Move::ScrollDown},
};

}  // namespace

std::optional<HeldKeys::Move> HeldKeys::moveOf(const QString& actionId) {
    for (const auto& [id, move] : kMoves) {
        if (actionId == QLatin1String(id)) {
            return move;
        }
    }
    return std::nullopt;
}

bool HeldKeys::press(int64_t key, Move move) {
    if (m_held.contains(key)) {
        return false;
    }
    m_held.insert(key, move);
    return true;
}

bool HeldKeys::release(int64_t key) {
    return m_held.remove(key);
}

bool HeldKeys::holds(Move move) const {
    return std::find(m_held.cbegin(), m_held.cend(), move) != m_held.cend();
}

HeldKeys::Motion HeldKeys::motion(double seconds) const {
    const auto sign = [this](Move forward, Move back) { return (holds(forward) ? 1 : 0) - (holds(back) ? 1 : 0); };
    Motion motion;
    motion.pan = sign(Move::PanRight, Move::PanLeft) * kPanPerSecond * seconds;
    motion.zoom = std::exp(sign(Move::ZoomOut, Move::ZoomIn) * kZoomPerSecond * seconds);
    motion.scroll = sign(Move::ScrollDown, Move::ScrollUp) * static_cast<int>(kScrollPerSecond * seconds);
    return motion;
}

}  // namespace warpline::timeline
