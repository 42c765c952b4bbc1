// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Titles that are too long for their heads, cut so that neighbours with a long common beginning (or end) do not look
// alike. Pure but for the measure, so GUI thread where that is a font's.

#include <QString>

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "widgets/panels/timeline/lane_layout.h"

namespace warpline::timeline {

/// Pixels that a text takes.
using TextWidth = std::function<int(const QString&)>;

/// `title` if it fits into `width`; else cut in the middle, or where that hides what tells it from one of `neighbours`,
/// around that: "void at::nat…<float, 4>" beside "void at::nat…<double, 4>".
QString elidedTitle(const QString& title, std::span<const QString> neighbours, int width, const TextWidth& widthOf);

/// Titles of the sections that stand next to one: of a process the processes, of others those beside it.
std::vector<QString> titlesBeside(const LaneLayout& layout, size_t section);

/// What elidedTitle() gave for the sections of one layout in one font: a frame asks for all heads in view.
class ElidedTitles {
public:
    void clear() { m_shown.clear(); }
    /// REQUIRES: clear() when the layout or the font changed.
    const QString& of(const LaneLayout& layout, size_t section, int width, const TextWidth& widthOf);

private:
    struct Shown {
        int width = -1;
        QString text;
    };
    std::vector<Shown> m_shown;  ///< by section
};

}  // namespace warpline::timeline
