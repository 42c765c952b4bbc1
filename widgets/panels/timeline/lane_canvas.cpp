// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/timeline/lane_canvas.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace warpline::timeline {

namespace {

class Canvas {
public:
    Canvas(const Geometry& geometry, const LaneLayout& layout, const CanvasStyle& style, QImage& image)
        : m_geometry(geometry),
          m_layout(layout),
          m_style(style),
          m_image(image),
          m_width(geometry.view.width),
          m_height(geometry.view.height),
          m_hair(std::max(1, static_cast<int>(std::lround(geometry.view.scale)))) {}

    void run() {
        fillBackground();
        for (const RowGeometry& row : m_geometry.rows) {
            m_top = row.top;
            if (showsValues(row.kind)) {
                drawValues(row);
                underlineMarks(row);
            } else {
                drawBars(row);
            }
        }
    }

private:
    QRgb* line(int y) { return reinterpret_cast<QRgb*>(m_image.scanLine(y)); }
    int toDevice(int viewY) const { return static_cast<int>(std::lround(viewY * m_geometry.view.scale)); }
    /// Exclusive. Rows that are high enough keep a line between them free.
    int lastLine(const RowGeometry& row) const { return row.y1 - (row.y1 - row.y0 >= 4 * m_hair ? m_hair : 0); }
    void copyLine(const std::vector<QRgb>& from, int y0, int y1) {
        for (int y = std::max(y0, m_top); y < std::min(y1, m_height); ++y) {
            std::memcpy(line(y), from.data(), static_cast<size_t>(m_width) * sizeof(QRgb));
        }
    }
    std::vector<QRgb> plainLine(const QColor& background, const QColor& grid) const {
        std::vector<QRgb> pixels(static_cast<size_t>(m_width), background.rgb());
        for (const int x : m_style.gridColumns) {
            for (int i = 0; i < m_hair; ++i) {
                if (x + i >= 0 && x + i < m_width) {
                    pixels[static_cast<size_t>(x + i)] = grid.rgb();
                }
            }
        }
        return pixels;
    }

    void fillBackground() {
        const Theme& theme = m_style.theme;
        m_background = plainLine(theme.surface, theme.grid);
        // What bars will cover is written once, not twice: a frame is mostly memory.
        std::vector<char> covered(static_cast<size_t>(m_height), 0);
        for (const RowGeometry& row : m_geometry.rows) {
            if (showsSlices(row.kind) || row.kind == RowKind::Async) {
                std::fill(covered.begin() + std::clamp(row.top, 0, m_height),
                          covered.begin() + std::clamp(lastLine(row), 0, m_height), 1);
            }
        }
        for (int y = 0; y < m_height; ++y) {
            if (covered[static_cast<size_t>(y)] == 0) {
                copyLine(m_background, y, y + 1);
            }
        }
        const std::vector<QRgb> header = plainLine(theme.raised, mixed(theme.raised, theme.grid, 0.6));
        const std::vector<QRgb> separator(static_cast<size_t>(m_width), mixed(theme.surface, theme.border, 0.55).rgb());
        const View& view = m_geometry.view;
        const std::vector<Section>& sections = m_layout.sections();
        const auto paint = [&](size_t first, size_t end) {
            for (size_t i = first; i < end; ++i) {
                const Section& section = sections[i];
                const int y0 = toDevice(view.viewY(section.y));
                const int y1 = toDevice(view.viewY(section.y) + section.height);
                if (y0 >= m_height) {
                    break;
                }
                m_top = toDevice(view.clipTop(section.y));
                if (section.kind == SectionKind::Process) {
                    copyLine(header, y0, y1);
                } else {
                    copyLine(separator, y1 - m_hair - m_hair, y1 - m_hair);
                }
            }
        };
        const size_t scrolled = m_layout.firstSectionBelow(view.frozen);
        paint(0, scrolled);
        paint(std::max(scrolled, m_layout.firstSectionBelow(view.layoutY(view.frozen))), sections.size());
        m_top = 0;
        if (view.frozen > 0) {
            const std::vector<QRgb> edge(static_cast<size_t>(m_width), theme.border.rgb());
            copyLine(edge, toDevice(view.frozen) - m_hair, toDevice(view.frozen));
        }
    }

    void drawBars(const RowGeometry& row) {
        const bool inHeader = m_layout.sections()[m_layout.rows()[row.layoutRow].section].kind == SectionKind::Process;
        m_line = m_background;
        if (inHeader) {
            std::fill(m_line.begin(), m_line.end(), m_style.theme.raised.rgb());
        }
        if (row.kind == RowKind::Instants) {
            drawInstants(row);
            return;
        }
        // Async work may be a moment that stands alone.
        const int minimum = row.kind == RowKind::Async ? 2 * m_hair : 1;
        const BarColors& all = m_style.colors;
        for (const Bar& bar : m_geometry.barsOf(row)) {
            const bool isSelected = showsSlices(row.kind) && bar.item == m_geometry.selected.value;
            const bool isFaded = (m_geometry.highlighting || bar.isQuiet) && !isSelected;
            fillSpan(bar, minimum, isFaded ? all.faded[bar.color] : all.fill[bar.color]);
        }
        for (const Bar& bar : m_geometry.marksOf(row)) {
            fillSpan(bar, 2 * m_hair, m_style.colors.fill[bar.color]);
        }
        copyLine(m_line, row.y0, lastLine(row));
        if (row.markCount > 0) {
            underlineMarks(row);
        }
    }

    /// Ticks; one that stands alone is a pin, so that it is found.
    void drawInstants(const RowGeometry& row) {
        const auto bars = m_geometry.barsOf(row);
        const QRgb color = mixed(m_style.theme.surface, m_style.theme.mutedText, 0.42).rgb();
        const QRgb strong = m_style.theme.accent.rgb();
        const int reach = 3 * m_hair;
        for (size_t i = 0; i < bars.size(); ++i) {
            const bool alone = (i == 0 || bars[i - 1].x0 < bars[i].x0 - 2 * reach) &&
                               (i + 1 == bars.size() || bars[i + 1].x0 > bars[i].x0 + 2 * reach);
            for (int x = bars[i].x0; x < bars[i].x0 + m_hair && x < m_width; ++x) {
                paintColumn(x, row.y0 + m_hair, row.y1 - m_hair, alone ? strong : color);
            }
            for (int d = alone ? reach : 0; d > 0; --d) {
                for (const int x : {bars[i].x0 - d, bars[i].x0 + m_hair - 1 + d}) {
                    if (x >= 0 && x < m_width) {
                        paintColumn(x, row.y0 + m_hair, row.y0 + m_hair + 1 + (reach - d) * 2, strong);
                    }
                }
            }
        }
        for (const Bar& mark : m_geometry.marksOf(row)) {
            for (int x = std::max(mark.x0, 0); x < std::min(mark.x0 + 2 * m_hair, m_width); ++x) {
                paintColumn(x, row.y0, row.y1, m_style.theme.highlight.rgb());
            }
        }
    }

    void fillSpan(const Bar& bar, int minimum, QRgb color) {
        const int x0 = std::max(bar.x0, 0);
        // The last pixel stays free, so that neighbours of one colour can be told apart.
        const int gap = bar.x1 - bar.x0 >= 4 * m_hair ? m_hair : 0;
        const int x1 = std::min(std::max(bar.x1 - gap, bar.x0 + minimum), m_width);
        if (x0 < x1) {
            std::fill(m_line.begin() + x0, m_line.begin() + x1, color);
        }
    }

    /// A strong line at the foot of each highlighted slice finds even those of a pixel.
    void underlineMarks(const RowGeometry& row) {
        const int bottom = row.y1 - m_hair;
        const QRgb color = m_style.theme.highlight.rgb();
        for (int y = std::max({row.top, bottom - 2 * m_hair, 0}); y < std::min(bottom, m_height); ++y) {
            for (const Bar& bar : m_geometry.marksOf(row)) {
                const int x0 = std::max(bar.x0, 0);
                const int x1 = std::min(
                    std::max(bar.x1 - (bar.x1 - bar.x0 >= 4 * m_hair ? m_hair : 0), bar.x0 + 2 * m_hair), m_width);
                if (x0 < x1) {
                    std::fill(line(y) + x0, line(y) + x1, color);
                }
            }
        }
    }

    void drawValues(const RowGeometry& row) {
        if (row.isStates) {
            drawStates(row);
            return;
        }
        const InkColors colors = inkColors(m_style.theme);
        for (uint32_t index = 0; index < row.lineCount; ++index) {
            const auto columns = m_geometry.columnsOf(row, index);
            const ValueInk style = index == 0 ? row.ink : ValueInk::Line;
            for (int x = 0; x < m_width; ++x) {
                const ColumnInk ink = inkOf(columns[static_cast<size_t>(x)], style, row.y0, row.y1, m_hair);
                paintColumn(x, ink.fillTop, ink.fillEnd, colors.fill);
                paintColumn(x, ink.bandTop, ink.bandEnd, colors.band);
                paintColumn(x, ink.lineTop, ink.lineEnd, colors.line);
            }
        }
        for (const Bar& failure : m_geometry.barsOf(row)) {
            for (int x = failure.x0; x < std::min(failure.x0 + 2 * m_hair, m_width); ++x) {
                paintColumn(x, row.y0, row.y1 - m_hair, m_style.theme.error.rgb());
            }
        }
    }

    void drawStates(const RowGeometry& row) {
        m_line = m_background;
        for (const Bar& bar : m_geometry.barsOf(row)) {
            fillSpan(bar, m_hair, m_style.colors.fill[bar.color]);
        }
        copyLine(m_line, row.y0 + m_hair, row.y1 - 2 * m_hair);
    }

    void paintColumn(int x, int y0, int y1, QRgb color) {
        for (int y = std::max(y0, m_top); y < std::min(y1, m_height); ++y) {
            line(y)[x] = color;
        }
    }

    const Geometry& m_geometry;
    const LaneLayout& m_layout;
    const CanvasStyle& m_style;
    QImage& m_image;
    const int m_width;
    const int m_height;
    const int m_hair;  ///< a logical pixel
    int m_top = 0;     ///< what is drawn now is cut off above
    std::vector<QRgb> m_background;
    std::vector<QRgb> m_line;
};

StringId nameOf(const Trace& trace, const RowGeometry& row, const Bar& bar, EventKind& kind) {
    kind = EventKind::Other;
    switch (row.kind) {
        case RowKind::Lane:
        case RowKind::Projection:
            kind = trace.slices().kind[bar.item];
            return trace.slices().name[bar.item];
        case RowKind::Async: {
            const auto slices = trace.asyncSlices();
            return bar.item < slices.size() ? slices[bar.item].name
                                            : trace.asyncInstants()[bar.item - slices.size()].name;
        }
        case RowKind::Instants:
            return trace.instants()[bar.item].name;
        case RowKind::Counter:
        case RowKind::Series:
            break;
    }
    return {};
}

}  // namespace

void renderLanes(const Geometry& geometry, const LaneLayout& layout, const CanvasStyle& style, QImage& image) {
    const QSize size(std::max(geometry.view.width, 1), std::max(geometry.view.height, 1));
    if (image.size() != size || image.format() != QImage::Format_RGB32) {
        image = QImage(size, QImage::Format_RGB32);
    }
    if (geometry.view.width > 0 && geometry.view.height > 0) {
        Canvas(geometry, layout, style, image).run();
    }
}

void renderLabels(const Geometry& geometry, const LaneLayout& layout, const Trace& trace, const TimelineModel& model,
                  const BarColors& colors, LabelCache& labels, QImage& image) {
    QPainter painter(&image);
    const int padding = static_cast<int>(std::lround(4 * geometry.view.scale));
    QRgb pen = 0;
    for (const RowGeometry& row : geometry.rows) {
        if (layout.sections()[layout.rows()[row.layoutRow].section].kind == SectionKind::Process) {
            continue;
        }
        const auto marks = geometry.marksOf(row);
        // Cut off by what is pinned.
        if (row.top > std::max(row.y0, 0)) {
            painter.setClipRect(QRect(0, row.top, geometry.view.width, row.y1 - row.top));
        } else if (painter.hasClipping()) {
            painter.setClipping(false);
        }
        for (uint32_t i = row.firstLabel; i < row.firstLabel + row.labelCount; ++i) {
            const LabelSpot& spot = geometry.labels[i];
            const Bar& bar = geometry.bars[spot.bar];
            EventKind kind = EventKind::Other;
            const StringId name = nameOf(trace, row, bar, kind);
            bool faded = geometry.highlighting || bar.isQuiet;
            if (faded) {
                const auto mark =
                    std::partition_point(marks.begin(), marks.end(), [&](const Bar& m) { return m.x1 <= bar.x0; });
                faded = (mark == marks.end() || mark->item != bar.item) &&
                        (!showsSlices(row.kind) || bar.item != geometry.selected.value);
            }
            const QRgb color = faded ? colors.fadedText[bar.color] : colors.text[bar.color];
            if (color != pen) {
                painter.setPen(QColor(color));
                pen = color;
            }
            if (row.kind == RowKind::Counter) {
                const CounterLane& lane = model.counters[layout.rows()[row.layoutRow].index];
                labels.drawText(painter, stateText(trace, lane, geometry.states[bar.item]), spot.x0 + padding,
                                spot.x1 - spot.x0 - 2 * padding, row.y0, row.y1 - 1);
                continue;
            }
            labels.draw(painter, name, trace.string(name), kind, spot.x0 + padding, spot.x1 - spot.x0 - 2 * padding,
                        row.y0, row.y1 - 1);
        }
    }
}

}  // namespace warpline::timeline
