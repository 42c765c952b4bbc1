// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/timeline/svg_picture.h"

#include <QFontInfo>
#include <QFontMetrics>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "widgets/panels/timeline/arrow_canvas.h"
#include "widgets/panels/timeline/elided_title.h"
#include "widgets/panels/timeline/label_cache.h"
#include "widgets/panels/timeline/timeline_palette.h"
#include "widgets/support/cell_text.h"

namespace warpline::timeline {

namespace {

QString hex(QRgb color) {
    return QColor(color).name(QColor::HexRgb);
}

class Writer {
public:
    explicit Writer(const SvgInput& input)
        : m_in(input), m_colors(barColors(input.theme)), m_x(input.lanes.left()), m_y(input.lanes.top()) {}

    QByteArray run() {
        const int width = m_in.lanes.right() + 1;
        const int height = m_in.lanes.bottom() + 1;
        m_out = QStringLiteral(
                    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%1\" height=\"%2\" viewBox=\"0 0 %1 %2\" "
                    "font-family=\"%3, sans-serif\" shape-rendering=\"crispEdges\">\n")
                    .arg(width)
                    .arg(height)
                    .arg(xmlText(QFontInfo(m_in.font).family()));
        rect(QRect(0, 0, width, height), m_in.theme.surface);
        m_out +=
            QStringLiteral("<clipPath id=\"lanes\"><rect x=\"%1\" y=\"%2\" width=\"%3\" height=\"%4\"/></clipPath>\n")
                .arg(m_x)
                .arg(m_y)
                .arg(m_in.lanes.width())
                .arg(m_in.lanes.height());
        grid();
        m_out += "<g clip-path=\"url(#lanes)\">\n";
        headers();
        bars();
        values();
        labels();
        if (m_in.area) {
            area(*m_in.area);
        }
        arrows();
        m_out += "</g>\n";
        heads();
        ruler();
        m_out += "</svg>\n";
        return m_out.toUtf8();
    }

private:
    void rect(const QRect& r, const QColor& color, double opacity = 1) {
        m_out += QStringLiteral("<rect x=\"%1\" y=\"%2\" width=\"%3\" height=\"%4\" fill=\"%5\"%6/>\n")
                     .arg(r.x())
                     .arg(r.y())
                     .arg(r.width())
                     .arg(r.height())
                     .arg(hex(color.rgb()))
                     .arg(opacity < 1 ? QStringLiteral(" fill-opacity=\"%1\"").arg(opacity) : QString());
    }
    void text(int x, int baseline, const QString& what, const QColor& color, const QFont& font, bool isBold = false) {
        m_out += QStringLiteral("<text x=\"%1\" y=\"%2\" font-size=\"%3\" fill=\"%4\"%5>%6</text>\n")
                     .arg(x)
                     .arg(baseline)
                     .arg(QFontInfo(font).pixelSize())
                     .arg(hex(color.rgb()))
                     .arg(isBold ? QStringLiteral(" font-weight=\"bold\"") : QString(), xmlText(what));
    }
    static int baselineIn(const QFont& font, int top, int height) {
        const QFontMetrics metrics(font);
        return top + (height - metrics.height()) / 2 + metrics.ascent();
    }
    void path(const QString& d, const QColor& color) {
        if (!d.isEmpty()) {
            m_out += QStringLiteral("<path fill=\"%1\" d=\"%2\"/>\n").arg(hex(color.rgb()), d);
        }
    }
    static QString box(int x0, int y0, int x1, int y1) {
        return QStringLiteral("M%1 %2h%3v%4h%5z").arg(x0).arg(y0).arg(x1 - x0).arg(y1 - y0).arg(x0 - x1);
    }

    void grid() {
        QString lines;
        for (const RulerTick& tick : m_in.ticks.ticks) {
            if (!tick.label.empty()) {
                lines += box(m_x + tick.x, m_y, m_x + tick.x + 1, m_in.lanes.bottom() + 1);
            }
        }
        path(lines, m_in.theme.grid);
    }

    void headers() {
        for (const Section& section : m_in.layout.sections()) {
            if (section.kind == SectionKind::Process) {
                const int top = std::max(m_in.geometry.view.viewY(section.y), m_in.geometry.view.clipTop(section.y));
                const int bottom = m_in.geometry.view.viewY(section.y) + section.height;
                if (top < bottom) {
                    rect(QRect(m_x, m_y + top, m_in.lanes.width(), bottom - top), m_in.theme.raised);
                }
            }
        }
    }

    void bars() {
        std::map<QRgb, QString> byColor;
        for (const RowGeometry& row : m_in.geometry.rows) {
            const bool isStates = row.kind == RowKind::Counter && row.isStates;
            if (showsValues(row.kind) && !isStates) {
                continue;
            }
            const int bottom = row.y1 - (row.y1 - row.y0 >= 4 ? 1 : 0);
            const auto add = [&](const Bar& bar, QRgb color) {
                // As painted: a pixel of a wide bar stays free, so that neighbours of one colour can be told apart.
                const int x0 = std::max(bar.x0, 0);
                const int x1 = std::min(bar.x1 - (bar.x1 - bar.x0 >= 4 ? 1 : 0), m_in.geometry.view.width);
                if (x0 < x1) {
                    byColor[color] += box(m_x + x0, m_y + row.top, m_x + x1, m_y + std::max(bottom, row.top));
                }
            };
            for (const Bar& bar : m_in.geometry.barsOf(row)) {
                const bool isStrong = (!m_in.geometry.highlighting && !bar.isQuiet) ||
                                      (showsSlices(row.kind) && bar.item == m_in.geometry.selected.value);
                add(bar, row.kind == RowKind::Instants ? m_in.theme.accent.rgb()
                         : isStrong                    ? m_colors.fill[bar.color]
                                                       : m_colors.faded[bar.color]);
            }
            for (const Bar& bar : m_in.geometry.marksOf(row)) {
                add(bar, m_colors.fill[bar.color]);
            }
        }
        for (const auto& [color, d] : byColor) {
            path(d, QColor(color));
        }
    }

    void values() {
        for (const RowGeometry& row : m_in.geometry.rows) {
            if (!showsValues(row.kind) || row.isStates) {
                continue;
            }
            QString fill, band, line, failures;
            const auto add = [&](QString& to, int x, int top, int end) {
                top = std::max(top, row.top);
                if (top < end) {
                    to += box(m_x + x, m_y + top, m_x + x + 1, m_y + end);
                }
            };
            for (uint32_t index = 0; index < row.lineCount; ++index) {
                const auto columns = m_in.geometry.columnsOf(row, index);
                const ValueInk style = index == 0 ? row.ink : ValueInk::Line;
                for (int x = 0; x < m_in.geometry.view.width; ++x) {
                    const ColumnInk ink = inkOf(columns[static_cast<size_t>(x)], style, row.y0, row.y1, 1);
                    add(fill, x, ink.fillTop, ink.fillEnd);
                    add(band, x, ink.bandTop, ink.bandEnd);
                    add(line, x, ink.lineTop, ink.lineEnd);
                }
            }
            for (const Bar& failure : m_in.geometry.barsOf(row)) {
                add(failures, failure.x0, row.y0, row.y1 - 1);
            }
            const InkColors colors = inkColors(m_in.theme);
            path(fill, QColor(colors.fill));
            path(band, QColor(colors.band));
            path(line, QColor(colors.line));
            path(failures, m_in.theme.error);
        }
    }

    QString nameOf(const RowGeometry& row, const Bar& bar) const {
        const Trace& trace = m_in.trace;
        if (showsSlices(row.kind)) {
            return barLabel(trace.sliceName(EventRow(bar.item)), trace.slices().kind[bar.item]);
        }
        if (row.kind == RowKind::Async) {
            const auto slices = trace.asyncSlices();
            const StringId name =
                bar.item < slices.size() ? slices[bar.item].name : trace.asyncInstants()[bar.item - slices.size()].name;
            return fromUtf8(trace.string(name));
        }
        if (row.kind == RowKind::Counter && m_in.model != nullptr) {
            return stateText(trace, m_in.model->counters[m_in.layout.rows()[row.layoutRow].index],
                             m_in.geometry.states[bar.item]);
        }
        return {};
    }

    void labels() {
        constexpr int kPadding = 4;
        const QFontMetrics metrics(m_in.smallFont);
        for (const RowGeometry& row : m_in.geometry.rows) {
            if (m_in.layout.sections()[m_in.layout.rows()[row.layoutRow].section].kind == SectionKind::Process ||
                (m_in.geometry.view.frozen > 0 && row.top - row.y0 > kMostCut)) {
                continue;
            }
            for (uint32_t i = row.firstLabel; i < row.firstLabel + row.labelCount; ++i) {
                const LabelSpot& spot = m_in.geometry.labels[i];
                const Bar& bar = m_in.geometry.bars[spot.bar];
                const QString shown =
                    metrics.elidedText(nameOf(row, bar), Qt::ElideRight, spot.x1 - spot.x0 - 2 * kPadding);
                if (shown.size() > 2) {
                    text(m_x + spot.x0 + kPadding, baselineIn(m_in.smallFont, m_y + row.y0, row.y1 - row.y0 - 1), shown,
                         QColor(m_in.geometry.highlighting || bar.isQuiet ? m_colors.fadedText[bar.color]
                                                                          : m_colors.text[bar.color]),
                         m_in.smallFont);
                }
            }
        }
    }

    void area(TimeRange range) {
        const TimeAxis& axis = m_in.geometry.view.axis;
        const double width = m_in.lanes.width();
        const int x0 = static_cast<int>(std::clamp(timeToX(axis, range.begin), 0.0, width));
        const int x1 = static_cast<int>(std::clamp(timeToX(axis, range.end), 0.0, width));
        rect(QRect(m_x + x0, m_y, std::max(x1 - x0, 1), m_in.lanes.height()), m_in.theme.areaFill,
             m_in.theme.areaFill.alphaF());
    }

    void arrows() {
        for (const Arrow& arrow : m_in.arrows) {
            const double bend = std::max(20.0, std::abs(arrow.x1 - arrow.x0) / 3);
            m_out += QStringLiteral(
                         "<path fill=\"none\" stroke=\"%1\" shape-rendering=\"auto\" d=\"M%2 %3C%4 %3 %5 %6 %7 "
                         "%6\"/>\n")
                         .arg(hex(arrowColor(m_in.theme, arrow.kind).rgb()))
                         .arg(m_x + arrow.x0)
                         .arg(m_y + arrow.y0)
                         .arg(m_x + arrow.x0 + bend)
                         .arg(m_x + arrow.x1 - bend)
                         .arg(m_y + arrow.y1)
                         .arg(m_x + arrow.x1);
        }
    }

    void heads() {
        rect(QRect(0, m_y, m_in.headWidth, m_in.lanes.height()), m_in.theme.surface);
        const QFontMetrics metrics(m_in.font);
        const auto widthOf = [&metrics](const QString& shown) { return metrics.horizontalAdvance(shown); };
        for (size_t i = 0; i < m_in.layout.sections().size(); ++i) {
            const Section& section = m_in.layout.sections()[i];
            const View& view = m_in.geometry.view;
            const int top = m_y + view.viewY(section.y);
            const int shownTop = std::max(top, m_y + view.clipTop(section.y));
            if (top + section.height <= shownTop || top > m_in.lanes.bottom()) {
                continue;
            }
            const bool isProcess = section.kind == SectionKind::Process;
            if (isProcess) {
                rect(QRect(0, shownTop, m_in.headWidth, top + section.height - shownTop), m_in.theme.raised);
            }
            if (view.frozen > 0 && shownTop - top > kMostCut) {
                continue;  // its title would lie on what is pinned
            }
            const int left = isProcess ? 8 : 22;
            const HeadScale* scale = findScale(m_in.scales, static_cast<uint32_t>(i));
            const int reserved = scale != nullptr ? scaleOf(*scale, top) : 0;
            text(left, baselineIn(m_in.font, top, std::min(section.height, kLaneHeight + 2)),
                 elidedTitle(fromUtf8(section.title), titlesBeside(m_in.layout, i),
                             m_in.headWidth - left - std::max(reserved, 6), widthOf),
                 m_in.theme.text, m_in.font, isProcess);
        }
        rect(QRect(m_in.headWidth - 1, 0, 1, m_in.lanes.bottom() + 1), m_in.theme.border);
    }

    /// Draws it; returns the room it takes of the head's right side.
    int scaleOf(const HeadScale& scale, int top) {
        const QFontMetrics metrics(m_in.smallFont);
        int widest = 0;
        for (const ScaleLabel& label : scaleLabels(scale, metrics.height())) {
            const int width = metrics.horizontalAdvance(label.text);
            text(m_in.headWidth - kScaleMargin - width, baselineIn(m_in.smallFont, top + label.y, label.height),
                 label.text, m_in.theme.mutedText, m_in.smallFont);
            widest = std::max(widest, width + 2 * kScaleMargin);
        }
        return widest;
    }

    void ruler() {
        rect(QRect(0, 0, m_in.lanes.right() + 1, m_in.rulerHeight), m_in.theme.raised);
        QString marks;
        for (const RulerTick& tick : m_in.ticks.ticks) {
            const int x = m_x + tick.x;
            if (tick.x >= 0 && tick.x < m_in.lanes.width()) {
                marks += box(x, m_in.rulerHeight - (tick.major ? 10 : 4), x + 1, m_in.rulerHeight);
            }
            if (!tick.label.empty()) {
                text(x + kRulerLabelInset, baselineIn(m_in.smallFont, 0, m_in.rulerHeight - 5), fromUtf8(tick.label),
                     m_in.theme.rulerText, m_in.smallFont);
            }
        }
        path(marks, mixed(m_in.theme.raised, m_in.theme.rulerText, 0.6));
        if (!m_in.ticks.baseLabel.empty()) {
            text(8, baselineIn(m_in.smallFont, 0, m_in.rulerHeight), fromUtf8(m_in.ticks.baseLabel),
                 m_in.theme.rulerText, m_in.smallFont);
        }
    }

    /// Texts lose so much at most to what is pinned above them; there is one clip for all.
    static constexpr int kMostCut = 4;

    const SvgInput& m_in;
    const BarColors m_colors;
    const int m_x, m_y;
    QString m_out;
};

}  // namespace

QString xmlText(const QString& text) {
    QString out;
    out.reserve(text.size());
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar c = text[i];
        if (c == '&') {
            out += "&amp;";
        } else if (c == '<') {
            out += "&lt;";
        } else if (c == '>') {
            out += "&gt;";
        } else if (c == '"') {
            out += "&quot;";
        } else if (c == '\'') {
            out += "&apos;";
        } else if (c.isHighSurrogate() && i + 1 < text.size() && text[i + 1].isLowSurrogate()) {
            out += c;
            out += text[++i];
        } else if (c.isSurrogate() || c.unicode() >= 0xfffe ||
                   (c.unicode() < 0x20 && c != '\t' && c != '\n' && c != '\r')) {
            out += QChar::ReplacementCharacter;
        } else {
            out += c;
        }
    }
    return out;
}

QByteArray timelineSvg(const SvgInput& input) {
    return Writer(input).run();
}

}  // namespace warpline::timeline
