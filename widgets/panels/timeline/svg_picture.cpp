// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/timeline/svg_picture.h"

#include <QFontInfo>
#include <QFontMetrics>

#include <algorithm>
#include <cmath>
#include <map>

#include "widgets/panels/timeline/arrow_canvas.h"
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
        sections();
        bars();
        values();
        labels();
        arrows();
        m_out += "</g>\n";
        m_out += m_in.around + "</svg>\n";
        return m_out.toUtf8();
    }

private:
    void rect(const QRect& r, const QColor& color) {
        m_out += QStringLiteral("<rect x=\"%1\" y=\"%2\" width=\"%3\" height=\"%4\" fill=\"%5\"/>\n")
                     .arg(r.x())
                     .arg(r.y())
                     .arg(r.width())
                     .arg(r.height())
                     .arg(hex(color.rgb()));
    }
    void text(int x, int baseline, const QString& what, const QColor& color, const QFont& font) {
        m_out += QStringLiteral("<text x=\"%1\" y=\"%2\" font-size=\"%3\" fill=\"%4\">%5</text>\n")
                     .arg(x)
                     .arg(baseline)
                     .arg(QFontInfo(font).pixelSize())
                     .arg(hex(color.rgb()), xmlText(what));
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

    void sections() {
        const View& view = m_in.geometry.view;
        QString separators;
        for (const Section& section : m_in.layout.sections()) {
            const int bottom = view.viewY(section.y) + section.height;
            const int top = std::max(view.viewY(section.y), view.clipTop(section.y));
            if (top >= bottom || top > m_in.lanes.height()) {
                continue;
            }
            if (section.kind == SectionKind::Process) {
                rect(QRect(m_x, m_y + top, m_in.lanes.width(), bottom - top), m_in.theme.raised);
            } else {
                separators += box(m_x, m_y + bottom - 2, m_in.lanes.right() + 1, m_y + bottom - 1);
            }
        }
        path(separators, mixed(m_in.theme.surface, m_in.theme.border, 0.55));
        if (view.frozen > 0) {
            rect(QRect(m_x, m_y + view.frozen - 1, m_in.lanes.width(), 1), m_in.theme.border);
        }
    }

    void bars() {
        std::map<QRgb, QString> byColor;
        QString instants, pins, found;
        for (const RowGeometry& row : m_in.geometry.rows) {
            const bool isStates = row.kind == RowKind::Counter && row.isStates;
            if (row.kind == RowKind::Instants) {
                addInstants(row, instants, pins, found);
                continue;
            }
            if (showsValues(row.kind) && !isStates) {
                continue;
            }
            const int top = std::max(row.top, row.y0 + (isStates ? 1 : 0));
            const int bottom = row.y1 - (isStates ? 2 : row.y1 - row.y0 >= 4 ? 1 : 0);
            const int least = row.kind == RowKind::Async ? 2 : 1;
            for (const Bar& bar : m_in.geometry.barsOf(row)) {
                const bool isStrong = (!m_in.geometry.highlighting && !bar.isQuiet) || isStates ||
                                      (showsSlices(row.kind) && bar.item == m_in.geometry.selected.value);
                byColor[isStrong ? m_colors.fill[bar.color] : m_colors.faded[bar.color]] +=
                    boxOf(bar, least, top, bottom);
            }
            for (const Bar& bar : m_in.geometry.marksOf(row)) {
                byColor[m_colors.fill[bar.color]] += boxOf(bar, 2, top, bottom);
                found += boxOf(bar, 2, std::max(row.top, row.y1 - 3), row.y1 - 1);
            }
        }
        for (const auto& [color, d] : byColor) {
            path(d, QColor(color));
        }
        path(instants, mixed(m_in.theme.surface, m_in.theme.mutedText, 0.42));
        path(pins, m_in.theme.accent);
        path(found, m_in.theme.highlight);
    }

    /// As painted: a pixel of a wide bar stays free, so that neighbours of one colour can be told apart.
    QString boxOf(const Bar& bar, int least, int top, int bottom) const {
        const int x0 = std::max(bar.x0, 0);
        const int end = std::max(bar.x1 - (bar.x1 - bar.x0 >= 4 ? 1 : 0), bar.x0 + least);
        const int x1 = std::min(end, m_in.geometry.view.width);
        return x0 < x1 && top < bottom ? box(m_x + x0, m_y + top, m_x + x1, m_y + bottom) : QString();
    }

    /// Ticks; one that stands alone is a pin.
    void addInstants(const RowGeometry& row, QString& ticks, QString& pins, QString& found) const {
        constexpr int kReach = 3;
        const auto bars = m_in.geometry.barsOf(row);
        for (size_t i = 0; i < bars.size(); ++i) {
            const int x = bars[i].x0, top = std::max(row.top, row.y0 + 1);
            const bool isAlone = (i == 0 || bars[i - 1].x0 < x - 2 * kReach) &&
                                 (i + 1 == bars.size() || bars[i + 1].x0 > x + 2 * kReach);
            if (x < 0 || top >= row.y1 - 1) {
                continue;
            }
            (isAlone ? pins : ticks) += box(m_x + x, m_y + top, m_x + x + 1, m_y + row.y1 - 1);
            for (int d = isAlone ? kReach : 0; d > 0; --d) {
                const int end = std::max(top, row.y0 + 2 + (kReach - d) * 2);
                pins += box(m_x + x - d, m_y + top, m_x + x - d + 1, m_y + end) +
                        box(m_x + x + d, m_y + top, m_x + x + d + 1, m_y + end);
            }
        }
        for (const Bar& mark : m_in.geometry.marksOf(row)) {
            found += box(m_x + mark.x0, m_y + row.top, m_x + mark.x0 + 2, m_y + row.y1);
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
                add(failures, failure.x0 + 1, row.y0, row.y1 - 1);
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
        const QFontMetrics metrics(m_in.font);
        for (const RowGeometry& row : m_in.geometry.rows) {
            if (m_in.layout.sections()[m_in.layout.rows()[row.layoutRow].section].kind == SectionKind::Process ||
                (m_in.geometry.view.frozen > 0 && row.top - row.y0 > kMostCut)) {
                continue;
            }
            for (uint32_t i = row.firstLabel; i < row.firstLabel + row.labelCount; ++i) {
                const LabelSpot& spot = m_in.geometry.labels[i];
                const Bar& bar = m_in.geometry.bars[spot.bar];
                const auto marks = m_in.geometry.marksOf(row);
                const bool isFaded =
                    (m_in.geometry.highlighting || bar.isQuiet) &&
                    std::none_of(marks.begin(), marks.end(), [&](const Bar& mark) { return mark.item == bar.item; }) &&
                    (!showsSlices(row.kind) || bar.item != m_in.geometry.selected.value);
                const QString shown =
                    metrics.elidedText(nameOf(row, bar), Qt::ElideRight, spot.x1 - spot.x0 - 2 * kPadding);
                if (shown.size() > 2) {
                    text(m_x + spot.x0 + kPadding, baselineIn(m_in.font, m_y + row.y0, row.y1 - row.y0 - 1), shown,
                         QColor(isFaded ? m_colors.fadedText[bar.color] : m_colors.text[bar.color]), m_in.font);
                }
            }
        }
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
