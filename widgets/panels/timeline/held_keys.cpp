// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/timeline/held_keys.h"

#include <cmath>
#include <initializer_list>

namespace warpline::timeline {

namespace {

constexpr double kPanPerSecond = 1100;    ///< pixels
constexpr double kScrollPerSecond = 660;  ///< pixels
constexpr double kZoomPerSecond = 2.4;    ///< exponent

}  // namespace

bool HeldKeys::moves(int key) {
    switch (key) {
        case Qt::Key_W:
        case Qt::Key_S:
        case Qt::Key_A:
        case Qt::Key_D:
        case Qt::Key_Left:
        case Qt::Key_Right:
        case Qt::Key_Up:
        case Qt::Key_Down:
            return true;
        default:
            return false;
    }
}

bool HeldKeys::press(int key) {
    if (m_keys.contains(key)) {
        return false;
    }
    m_keys.insert(key);
    return true;
}

bool HeldKeys::release(int key) {
    return m_keys.remove(key);
}

HeldKeys::Motion HeldKeys::motion(double seconds) const {
    const auto sign = [this](std::initializer_list<int> forward, std::initializer_list<int> back) {
        const auto held = [this](std::initializer_list<int> keys) {
            for (const int key : keys) {
                if (m_keys.contains(key)) {
                    return 1;
                }
            }
            return 0;
        };
        return held(forward) - held(back);
    };
    Motion motion;
    motion.pan = sign({Qt::Key_D, Qt::Key_Right}, {Qt::Key_A, Qt::Key_Left}) * kPanPerSecond * seconds;
    motion.zoom = std::exp(sign({Qt::Key_S}, {Qt::Key_W}) * kZoomPerSecond * seconds);
    motion.scroll = sign({Qt::Key_Down}, {Qt::Key_Up}) * static_cast<int>(kScrollPerSecond * seconds);
    return motion;
}

}  // namespace warpline::timeline
