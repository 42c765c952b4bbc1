// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The keys that move the view for as long as they are held, and how far. Knows no clock and no widget.

#include <QSet>

namespace warpline::timeline {

class HeldKeys {
public:
    struct Motion {
        double pan = 0;   ///< logical pixels to the right
        double zoom = 1;  ///< factor of the time a pixel stands for
        int scroll = 0;   ///< logical pixels downwards
    };

    /// Whether a Qt::Key is one of them.
    static bool moves(int key);

    /// False if it was held already.
    bool press(int key);
    /// False if it was not held.
    bool release(int key);
    void clear() { m_keys.clear(); }
    bool empty() const { return m_keys.isEmpty(); }

    /// What `seconds` of holding the keys amount to. Opposite keys cancel out.
    Motion motion(double seconds) const;

private:
    QSet<int> m_keys;
};

}  // namespace warpline::timeline
