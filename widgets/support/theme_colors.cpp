// SPDX-License-Identifier: GPL-3.0-or-later
// The two sets of colours. Slice colours have equal steps in hue and two levels of lightness, so that neighbours in the
// list differ in both; all carry the same text colour at 6:1 or better.

#include "widgets/support/theme.h"

#include <cstdint>

namespace warpline {

namespace {

Theme makeLight() {
    Theme t;
    t.dark = false;
    t.window = "#eef1f5";
    t.surface = "#ffffff";
    t.alternate = "#f7f9fb";
    t.raised = "#f3f5f8";
    t.hovered = "#eaf1fa";
    t.border = "#d5dbe3";
    t.overlay = "#ffffff";
    t.text = "#1a222c";
    t.mutedText = "#586473";
    t.disabledText = "#7d8896";
    t.link = "#0b62c4";
    t.accent = "#0f68c9";
    t.accentText = "#ffffff";
    t.selection = "#d6e6fb";
    t.bar = "#cfe0f5";
    t.info = "#0b62c4";
    t.warning = "#8f5a00";
    t.error = "#c02626";
    t.good = "#1c7440";
    t.grid = "#e3e8ee";
    t.rulerText = "#586473";
    t.selectedOutline = "#0b1a2b";
    t.hoverOutline = "#43546a";
    t.highlight = "#d6336c";
    t.dimmed = "#e1e6ec";
    t.arrow = "#b5179e";
    t.arrowBackward = "#1d4ed8";
    t.arrowFlow = "#a34700";
    t.areaFill = QColor(15, 104, 201, 34);
    t.areaEdge = "#0f68c9";
    t.counterLine = "#0f68c9";
    t.counterFill = "#cfe0f5";
    t.slices = {"#f9a1ae", "#fec0b2", "#f2ac7b", "#f7c880", "#cdc06d", "#c5dd8e", "#92d094", "#88e7c3",
                "#60d3cd", "#76e3fa", "#76c9f8", "#b7d3fc", "#b1b7fd", "#dbc5fd", "#e0a6e3", "#feb9dc"};
    t.sliceText = "#17202b";
    return t;
}

Theme makeDark() {
    Theme t;
    t.dark = true;
    t.window = "#0e1217";
    t.surface = "#151a21";
    t.alternate = "#191f27";
    t.raised = "#1d242d";
    t.hovered = "#222c38";
    t.border = "#2d3641";
    t.overlay = "#222a34";
    t.text = "#e4e9ef";
    t.mutedText = "#9fabb9";
    t.disabledText = "#7d8896";
    t.link = "#74b4ff";
    t.accent = "#4c9bf5";
    t.accentText = "#0b0f14";
    t.selection = "#1f3f66";
    t.bar = "#24405f";
    t.info = "#74b4ff";
    t.warning = "#e5b04c";
    t.error = "#ff8078";
    t.good = "#6ccf8e";
    t.grid = "#232b35";
    t.rulerText = "#9fabb9";
    t.selectedOutline = "#ffffff";
    t.hoverOutline = "#c6d0db";
    t.highlight = "#ff6b9d";
    t.dimmed = "#2a323c";
    t.arrow = "#f27be0";
    t.arrowBackward = "#6fb3ff";
    t.arrowFlow = "#ffb057";
    t.areaFill = QColor(76, 155, 245, 46);
    t.areaEdge = "#4c9bf5";
    t.counterLine = "#4c9bf5";
    t.counterFill = "#24405f";
    t.slices = {"#db7f8e", "#f49885", "#d58a55", "#ddab5a", "#afa042", "#a7c06b", "#6fb171", "#60cca5",
                "#22b5ae", "#46c7df", "#4ba9db", "#85b6fd", "#9196e5", "#c2a2f1", "#c385c6", "#ea96c2"};
    t.sliceText = "#0b0f14";
    return t;
}

uint32_t hashOf(std::string_view text) {
    uint32_t hash = 2166136261U;
    for (const char c : text) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
    }
    // FNV's low bits are weak on short texts that differ in their last character.
    hash ^= hash >> 15;
    return hash;
}

}  // namespace

QColor Theme::kind(EventKind kind) const {
    switch (kind) {
        case EventKind::CpuOp:
            return dark ? "#4ba9db" : "#1f7fb8";
        case EventKind::Python:
            return dark ? "#afa042" : "#7d7010";
        case EventKind::Annotation:
            return dark ? "#9196e5" : "#5b62c9";
        case EventKind::GpuAnnotation:
            return dark ? "#c2a2f1" : "#8557c7";
        case EventKind::Runtime:
            return dark ? "#f49885" : "#c2583f";
        case EventKind::Driver:
            return dark ? "#d58a55" : "#a5601f";
        case EventKind::Kernel:
            return dark ? "#6fb171" : "#3a8a3e";
        case EventKind::Memcpy:
            return dark ? "#22b5ae" : "#0e8781";
        case EventKind::Memset:
            return dark ? "#60cca5" : "#1b8a64";
        case EventKind::Sync:
            return dark ? "#ea96c2" : "#b8477f";
        case EventKind::Overhead:
            return dark ? "#db7f8e" : "#b94558";
        case EventKind::Other:
            return mutedText;
    }
    return mutedText;
}

const QColor& Theme::slice(std::string_view name) const {
    return slices[hashOf(name) % slices.size()];
}

const Theme& lightTheme() {
    static const Theme kLight = makeLight();
    return kLight;
}

const Theme& darkTheme() {
    static const Theme kDark = makeDark();
    return kDark;
}

}  // namespace warpline
