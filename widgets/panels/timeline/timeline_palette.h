// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The colours of bars: a hue by name, a strength by kind. Device work is strongest, interpreter frames are muted, waits
// and the profiler's own cost are grey. Each colour comes with the text colour that reads best on it.

#include <QColor>

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/ids.h"
#include "core/trace/event_kind.h"
#include "core/trace/trace.h"
#include "widgets/support/theme.h"

namespace warpline::timeline {

/// Number of a colour: strength * 16 + hue.
using ColorKey = uint8_t;

enum class Strength : uint8_t { Device, Host, Muted, Grey };
inline constexpr int kHues = 16;
inline constexpr int kColorKeys = 4 * kHues;

Strength strengthOf(EventKind kind);

/// Gives names their colour; remembers it by the trace's string ids.
class NameColors {
public:
    void reset(const Trace* trace);
    ColorKey key(StringId name, EventKind kind);

private:
    static constexpr uint8_t kUnknown = 0xff;
    const Trace* m_trace = nullptr;
    std::vector<uint8_t> m_hue;  ///< by StringId
};

/// All colours of one look. Light or dark, plain or faded.
struct BarColors {
    std::array<QRgb, kColorKeys> fill;
    std::array<QRgb, kColorKeys> text;
    std::array<QRgb, kColorKeys> faded;  ///< of bars that are not highlighted while others are
    std::array<QRgb, kColorKeys> fadedText;
};
BarColors barColors(const Theme& theme);

/// WCAG contrast, 1 to 21.
double contrast(QRgb a, QRgb b);
QColor mixed(const QColor& a, const QColor& b, double shareOfB);

}  // namespace warpline::timeline
