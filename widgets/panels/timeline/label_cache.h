// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Names as glyphs with their advances, shaped once each: a label is then drawn, and cut to its bar, without shaping
// text in paint. Sizes are device pixels. GUI thread only.

#include <QFont>
#include <QGlyphRun>
#include <QRawFont>
#include <QString>

#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/ids.h"
#include "core/trace/event_kind.h"

class QPainter;

namespace warpline::timeline {

class LabelCache {
public:
    /// Forgets everything. `font`: as for logical pixels.
    void reset(const QFont& font, double scale);
    bool isFor(const QFont& font, double scale) const { return m_font == font && m_scale == scale; }

    /// Draws as much of the name as fits `width`, vertically centred in [y0, y1); nothing if that is less than three
    /// letters. The painter's pen gives the colour.
    void draw(QPainter& painter, StringId id, std::string_view name, EventKind kind, int x, int width, int y0, int y1);

    /// The same for what is no name of the trace: not kept, so for few.
    void drawText(QPainter& painter, const QString& text, int x, int width, int y0, int y1) const;

private:
    struct Label {
        QString text;
        std::vector<quint32> glyphs;
        std::vector<QPointF> positions;
        std::vector<float> ends;  ///< right edge of each glyph
        bool simple = false;      ///< the font has every glyph, so glyph runs do
        int qualifier = 0;        ///< letters of "aten::", left out where there is no room for all
    };
    const Label& find(StringId id, std::string_view name, EventKind kind);

    QFont m_font;
    QFont m_deviceFont;
    double m_scale = 0;
    QRawFont m_raw;
    quint32 m_ellipsis = 0;
    float m_ellipsisWidth = 0;
    std::unordered_map<uint64_t, Label> m_labels;
    std::vector<quint32> m_cutGlyphs;
};

/// What a bar says: a kernel without "void ", an interpreter frame as "function (file.py:12)".
QString barLabel(std::string_view name, EventKind kind);
/// Letters up to the last "::" that stands before any "<" or "(": 6 for "aten::mm", 0 for "relu".
qsizetype qualifierLength(const QString& label);

}  // namespace warpline::timeline
