// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/timeline/label_cache.h"

#include <QFontMetrics>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace warpline::timeline {

namespace {

/// Beyond this many letters no screen is wide enough.
constexpr qsizetype kMaxLetters = 400;
constexpr size_t kMaxLabels = 60'000;
/// Fewer letters of a longer name say nothing.
constexpr int kLeastLetters = 3;

}  // namespace

QString barLabel(std::string_view name, EventKind kind) {
    constexpr std::string_view kVoid = "void ";
    if (name.starts_with(kVoid)) {
        name.remove_prefix(kVoid.size());
    }
    if (kind == EventKind::Python) {
        // "torch/nn/modules/module.py(1779): _call_impl"
        const size_t colon = name.rfind("): ");
        const size_t open = colon == std::string_view::npos ? colon : name.rfind('(', colon);
        if (open != std::string_view::npos && open > 0 && colon + 3 < name.size()) {
            std::string_view file = name.substr(0, open);
            file = file.substr(file.find_last_of("/\\") + 1);
            const std::string_view line = name.substr(open + 1, colon - open - 1);
            const std::string_view function = name.substr(colon + 3);
            return QString::fromUtf8(function.data(), static_cast<qsizetype>(function.size())) + QLatin1String(" (") +
                   QString::fromUtf8(file.data(), static_cast<qsizetype>(file.size())) + QLatin1Char(':') +
                   QString::fromUtf8(line.data(), static_cast<qsizetype>(line.size())) + QLatin1Char(')');
        }
    }
    QString text = QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
    for (QChar& c : text) {
        if (c < QLatin1Char(' ')) {
            c = QLatin1Char(' ');
        }
    }
    return text;
}

qsizetype qualifierLength(const QString& label) {
    qsizetype end = label.size();
    for (const QChar stop : {QLatin1Char('<'), QLatin1Char('('), QLatin1Char(' ')}) {
        const qsizetype at = label.indexOf(stop);
        end = at >= 0 ? std::min(end, at) : end;
    }
    const qsizetype colons = label.left(end).lastIndexOf(QLatin1String("::"));
    // "x::" is a name of its own.
    return colons < 0 || colons + 2 >= label.size() ? 0 : colons + 2;
}

void LabelCache::reset(const QFont& font, double scale) {
    m_font = font;
    m_scale = scale;
    m_deviceFont = font;
    const int pixels = font.pixelSize() > 0 ? font.pixelSize() : QFontMetrics(font).height() * 3 / 4;
    m_deviceFont.setPixelSize(std::max(1, static_cast<int>(std::lround(pixels * scale))));
    m_raw = QRawFont::fromFont(m_deviceFont);
    m_labels.clear();
    const QList<quint32> glyphs = m_raw.glyphIndexesForString(QString(QChar(0x2026)));
    m_ellipsis = glyphs.isEmpty() ? 0 : glyphs.front();
    m_ellipsisWidth = m_ellipsis != 0 ? static_cast<float>(m_raw.advancesForGlyphIndexes({m_ellipsis}).front().x()) : 0;
}

const LabelCache::Label& LabelCache::find(StringId id, std::string_view name, EventKind kind) {
    const uint64_t key = (static_cast<uint64_t>(id.value) << 1) | (kind == EventKind::Python ? 1 : 0);
    const auto it = m_labels.find(key);
    if (it != m_labels.end()) {
        return it->second;
    }
    if (m_labels.size() >= kMaxLabels) {
        m_labels.clear();
    }
    Label& label = m_labels[key];
    label.text = barLabel(name, kind).left(kMaxLetters);
    const QList<quint32> glyphs = m_raw.glyphIndexesForString(label.text);
    label.simple = m_raw.isValid() && m_ellipsis != 0 && glyphs.size() == label.text.size() &&
                   !glyphs.contains(quint32(0)) && !label.text.isRightToLeft();
    label.qualifier = static_cast<int>(qualifierLength(label.text));
    if (label.simple) {
        const QList<QPointF> advances = m_raw.advancesForGlyphIndexes(glyphs);
        label.glyphs.assign(glyphs.begin(), glyphs.end());
        float x = 0;
        for (const QPointF& advance : advances) {
            label.positions.emplace_back(x, 0);
            x += static_cast<float>(advance.x());
            label.ends.push_back(x);
        }
        label.positions.emplace_back(x, 0);  // so that the whole but one letter can end in an ellipsis too
    }
    return label;
}

void LabelCache::draw(QPainter& painter, StringId id, std::string_view name, EventKind kind, int x, int width, int y0,
                      int y1) {
    const Label& label = find(id, name, kind);
    const double lineHeight = m_raw.ascent() + m_raw.descent();
    const double baseline = std::round(y0 + (y1 - y0 - lineHeight) / 2 + m_raw.ascent());
    if (!label.simple) {
        painter.setFont(m_deviceFont);
        painter.drawText(QRect(x, y0, width, y1 - y0), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                         QFontMetrics(m_deviceFont).elidedText(label.text, Qt::ElideRight, width));
        return;
    }
    if (label.ends.empty()) {
        return;
    }
    QGlyphRun run;
    run.setRawFont(m_raw);
    const auto letters = static_cast<int>(label.ends.size());
    if (label.ends.back() <= static_cast<float>(width)) {
        run.setRawData(label.glyphs.data(), label.positions.data(), letters);
        painter.drawGlyphRun(QPointF(x, baseline), run);
        return;
    }
    const int first = label.qualifier;
    const float skipped = first > 0 ? label.ends[static_cast<size_t>(first) - 1] : 0;
    const QPointF origin(x - static_cast<double>(skipped), baseline);
    if (label.ends.back() - skipped <= static_cast<float>(width)) {
        run.setRawData(label.glyphs.data() + first, label.positions.data() + first, letters - first);
        painter.drawGlyphRun(origin, run);
        return;
    }
    const float room = static_cast<float>(width) - m_ellipsisWidth + skipped;
    const auto fit =
        static_cast<int>(std::upper_bound(label.ends.begin() + first, label.ends.end(), room) - label.ends.begin());
    if (fit - first < kLeastLetters) {
        return;
    }
    m_cutGlyphs.assign(label.glyphs.begin() + first, label.glyphs.begin() + fit);
    m_cutGlyphs.push_back(m_ellipsis);
    // The ellipsis stands where the first letter left out would have.
    run.setRawData(m_cutGlyphs.data(), label.positions.data() + first, fit - first + 1);
    painter.drawGlyphRun(origin, run);
}

void LabelCache::drawText(QPainter& painter, const QString& text, int x, int width, int y0, int y1) const {
    const QString shown = QFontMetrics(m_deviceFont).elidedText(text, Qt::ElideRight, width);
    if (shown.size() < std::min<qsizetype>(text.size(), kLeastLetters)) {
        return;
    }
    painter.setFont(m_deviceFont);
    painter.drawText(QRect(x, y0, width, y1 - y0), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, shown);
}

}  // namespace warpline::timeline
