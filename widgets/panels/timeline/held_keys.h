// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The keys that move the view for as long as they are held, and how far. Knows no clock, no widget, and which key does
// what from its caller alone.

#include <QHash>
#include <QString>

#include <cstdint>
#include <optional>

namespace warpline::timeline {

class HeldKeys {
public:
    enum class Move : uint8_t { ZoomIn, ZoomOut, PanLeft, PanRight, ScrollUp, ScrollDown };
    struct Motion {
        double pan = 0;   ///< logical pixels to the right
        double zoom = 1;  ///< factor of the time a pixel stands for
        int scroll = 0;   ///< logical pixels downwards
    };

    /// What holding a key of an action does; nullopt for actions that are done once.
    static std::optional<Move> moveOf(const QString& actionId);

    /// `key` is whatever tells the key of a press and of its release. False if it was held already.
    bool press(int64_t key, Move move);
    /// False if it was not held.
    bool release(int64_t key);
    void clear() { m_held.clear(); }
    bool empty() const { return m_held.isEmpty(); }

    /// What `seconds` of holding the keys amount to. Opposite moves cancel out; two keys of one move count once.
    Motion motion(double seconds) const;

private:
    bool holds(Move move) const;

    QHash<int64_t, Move> m_held;
};

}  // namespace warpline::timeline
