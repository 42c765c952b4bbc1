// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/timeline/timeline_palette.h"

#include <algorithm>
#include <cmath>

namespace warpline::timeline {

namespace {

double luminance(QRgb color) {
    const auto channel = [](int value) {
        const double v = value / 255.0;
        return v <= 0.03928 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * channel(qRed(color)) + 0.7152 * channel(qGreen(color)) + 0.0722 * channel(qBlue(color));
}

QRgb readableOn(QRgb fill, const Theme& theme) {
    const QRgb dark = theme.sliceText.rgb();
    const QRgb plain = theme.text.rgb();
    return contrast(fill, dark) >= contrast(fill, plain) ? dark : plain;
}

/// Stronger, so that a bar of one pixel still shows on white; as light as dark text needs.
QColor deeper(const QColor& color) {
    float hue = 0;
    float saturation = 0;
    float lightness = 0;
    color.getHslF(&hue, &saturation, &lightness);
    return QColor::fromHslF(hue, std::min(1.0F, saturation * 1.05F), lightness * 0.86F);
}

}  // namespace

Strength strengthOf(EventKind kind) {
    switch (kind) {
        case EventKind::Kernel:
        case EventKind::Memcpy:
        case EventKind::Memset:
            return Strength::Device;
        case EventKind::Python:
            return Strength::Muted;
        case EventKind::Sync:
        case EventKind::Overhead:
            return Strength::Grey;
        case EventKind::CpuOp:
        case EventKind::Annotation:
        case EventKind::GpuAnnotation:
        case EventKind::Runtime:
        case EventKind::Driver:
        case EventKind::Other:
            return Strength::Host;
    }
    return Strength::Host;
}

void NameColors::reset(const Trace* trace) {
    m_trace = trace;
    m_hue.assign(trace != nullptr ? trace->stringCount() : 0, kUnknown);
}

ColorKey NameColors::key(StringId name, EventKind kind) {
    uint8_t& hue = m_hue[name.value];
    if (hue == kUnknown) {
        // The theme chooses; both looks have the same order of hues.
        const QColor& color = lightTheme().slice(m_trace->string(name));
        hue = static_cast<uint8_t>(&color - lightTheme().slices.data());
    }
    return static_cast<ColorKey>(static_cast<int>(strengthOf(kind)) * kHues + hue);
}

BarColors barColors(const Theme& theme) {
    BarColors colors{};
    const QColor grey = mixed(theme.surface, theme.mutedText, theme.dark ? 0.45 : 0.38);
    for (int hue = 0; hue < kHues; ++hue) {
        const QColor& full = theme.slices[static_cast<size_t>(hue)];
        const QColor fills[] = {theme.dark ? full : deeper(full), theme.dark ? mixed(full, theme.surface, 0.16) : full,
                                mixed(full, theme.surface, theme.dark ? 0.72 : 0.62), grey};
        for (int strength = 0; strength < 4; ++strength) {
            const auto key = static_cast<size_t>(strength * kHues + hue);
            colors.fill[key] = fills[strength].rgb();
            colors.text[key] = readableOn(colors.fill[key], theme);
            colors.faded[key] = mixed(fills[strength], theme.dimmed, 0.86).rgb();
            colors.fadedText[key] = mixed(QColor(readableOn(colors.faded[key], theme)), theme.dimmed, 0.35).rgb();
        }
    }
    return colors;
}

double contrast(QRgb a, QRgb b) {
    const double la = luminance(a);
    const double lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

QColor mixed(const QColor& a, const QColor& b, double shareOfB) {
    const auto mix = [shareOfB](int x, int y) { return static_cast<int>(std::lround(x + (y - x) * shareOfB)); };
    return QColor(mix(a.red(), b.red()), mix(a.green(), b.green()), mix(a.blue(), b.blue()));
}

}  // namespace warpline::timeline
