// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/timeline/arrow_canvas.h"

#include <QPointF>

#include <algorithm>
#include <cmath>

namespace warpline::timeline {

namespace {

constexpr double kThickness = 1.2;  ///< logical pixels
constexpr double kHeadLength = 6;   ///< logical pixels
constexpr double kHeadHalf = 3;     ///< half its height
constexpr double kFewest = 40;      ///< up to so many arrows are drawn at full strength
constexpr double kStrong = 0.85;    ///< opacity of few arrows …
constexpr double kFaint = 0.6;      ///< … and of as many as there may be
constexpr double kMostArrows = 400;

/// Of lines that are drawn, in device pixels.
struct Segment {
    double x0, y0, x1, y1;
    uint32_t arrow;
};

constexpr int kOne = 256;  ///< a pixel, and full cover

/// Curves are cut into lines, and lines are drawn band by band: a steep line through the whole image touches memory
/// that is far apart at each pixel, hundreds of them one after the other do it from anew.
class Canvas {
public:
    Canvas(const std::vector<Arrow>& arrows, const Theme& theme, double scale, QImage& image)
        : m_arrows(arrows),
          m_bits(reinterpret_cast<QRgb*>(image.bits())),
          m_stride(image.bytesPerLine() / static_cast<qsizetype>(sizeof(QRgb))),
          m_width(image.width()),
          m_height(image.height()),
          m_scale(scale),
          m_theme(theme) {}

    void draw(double opacity) {
        m_opacity = static_cast<int>(opacity * kOne);
        m_bands.resize(static_cast<size_t>((m_height + kBand - 1) / kBand));
        for (uint32_t i = 0; i < m_arrows.size(); ++i) {
            cut(i);
        }
        for (size_t band = 0; band < m_bands.size(); ++band) {
            m_top = static_cast<int>(band) * kBand;
            m_bottom = std::min(m_top + kBand, m_height);
            for (const uint32_t segment : m_bands[band]) {
                const Segment& line = m_segments[segment];
                m_color = arrowColor(m_theme, m_arrows[line.arrow].kind).rgb();
                std::abs(line.y1 - line.y0) > std::abs(line.x1 - line.x0) ? steep(line) : flat(line);
            }
        }
        m_top = 0;
        m_bottom = m_height;
        for (const Arrow& arrow : m_arrows) {
            m_color = arrowColor(m_theme, arrow.kind).rgb();
            head(arrow.x1 * m_scale, arrow.y1 * m_scale);
        }
    }

private:
    static constexpr int kBand = 64;

    void cut(uint32_t number) {
        const Arrow& arrow = m_arrows[number];
        const QPointF from(arrow.x0 * m_scale, arrow.y0 * m_scale);
        const QPointF tip(arrow.x1 * m_scale, arrow.y1 * m_scale);
        const QPointF to = tip - QPointF(kHeadLength * m_scale, 0);
        const double bend = std::clamp(std::abs(tip.x() - from.x()) / 2, 6 * m_scale, 120 * m_scale);
        const QPointF c0 = from + QPointF(bend, 0);
        const QPointF c1 = to - QPointF(bend, 0);
        const double length = std::hypot(to.x() - from.x(), to.y() - from.y()) + bend;
        const int steps = std::clamp(static_cast<int>(length / (12 * m_scale)), 8, 48);
        QPointF last = from;
        for (int i = 1; i <= steps; ++i) {
            const double t = static_cast<double>(i) / steps;
            const double s = 1 - t;
            const QPointF next = s * s * s * from + 3 * s * s * t * c0 + 3 * s * t * t * c1 + t * t * t * to;
            add({last.x(), last.y(), next.x(), next.y(), number});
            last = next;
        }
    }

    void add(const Segment& line) {
        const double margin = kThickness * m_scale;
        const double top = std::min(line.y0, line.y1) - margin;
        const double bottom = std::max(line.y0, line.y1) + margin;
        if (bottom < 0 || top >= m_height || std::max(line.x0, line.x1) < -margin ||
            std::min(line.x0, line.x1) > m_width + margin) {
            return;
        }
        const auto first = static_cast<size_t>(std::max(top, 0.0)) / kBand;
        const size_t last =
            std::min(static_cast<size_t>(std::min(bottom, static_cast<double>(m_height))) / kBand, m_bands.size() - 1);
        for (size_t band = first; band <= last; ++band) {
            m_bands[band].push_back(static_cast<uint32_t>(m_segments.size()));
        }
        m_segments.push_back(line);
    }

    /// REQUIRES: in the image.
    void blend(QRgb& pixel, int cover) const {
        const auto weight = static_cast<uint32_t>(cover * m_opacity / kOne);
        constexpr uint32_t kRedBlue = 0xff00ff;
        constexpr uint32_t kGreen = 0x00ff00;
        const uint32_t rest = kOne - weight;
        const uint32_t redBlue = ((pixel & kRedBlue) * rest + (m_color & kRedBlue) * weight) >> 8 & kRedBlue;
        const uint32_t green = ((pixel & kGreen) * rest + (m_color & kGreen) * weight) >> 8 & kGreen;
        pixel = 0xff000000U | redBlue | green;
    }

    /// [low, high) along a row or a column of `limit` pixels that stand `step` apart; in 256ths of a pixel.
    void cover(QRgb* line, qsizetype step, int low, int high, int firstPixel, int limit) const {
        const int first = std::max(low >> 8, firstPixel);
        const int last = std::min((high + kOne - 1) >> 8, limit);
        for (int at = first; at < last; ++at) {
            const int share = std::min(high, (at + 1) * kOne) - std::max(low, at * kOne);
            if (share > 0) {
                blend(line[at * step], share);
            }
        }
    }

    /// What a line covers across, at the middle of each pixel along it.
    struct Across {
        double begin, slope;
        int half;
        int at(int along) const { return static_cast<int>((begin + slope * along) * kOne); }
    };
    /// `b` is later along the line than `a`, or at the same place.
    Across across(double alongA, double acrossA, double alongB, double acrossB) const {
        const double length = alongB - alongA;
        const double slope = length > 1e-9 ? (acrossB - acrossA) / length : 0;
        const double half = kThickness * m_scale * std::sqrt(1 + slope * slope) / 2;
        return {acrossA + (0.5 - alongA) * slope, slope, static_cast<int>(half * kOne)};
    }
    /// The first pixel whose middle is not before `along`: lines that follow one another do not overlap.
    static int firstFrom(double along, int low, int high) {
        return static_cast<int>(
            std::clamp(std::ceil(along - 0.5), static_cast<double>(low), static_cast<double>(high)));
    }

    void steep(Segment line) {
        if (line.y0 > line.y1) {
            std::swap(line.x0, line.x1);
            std::swap(line.y0, line.y1);
        }
        const Across x = across(line.y0, line.x0, line.y1, line.x1);
        const int last = firstFrom(line.y1, m_top, m_bottom);
        for (int y = firstFrom(line.y0, m_top, m_bottom); y < last; ++y) {
            const int middle = x.at(y);
            cover(m_bits + y * m_stride, 1, middle - x.half, middle + x.half, 0, m_width);
        }
    }

    void flat(Segment line) {
        if (line.x0 > line.x1) {
            std::swap(line.x0, line.x1);
            std::swap(line.y0, line.y1);
        }
        const Across y = across(line.x0, line.y0, line.x1, line.y1);
        const int last = firstFrom(line.x1, 0, m_width);
        for (int x = firstFrom(line.x0, 0, m_width); x < last; ++x) {
            const int middle = y.at(x);
            cover(m_bits + x, m_stride, middle - y.half, middle + y.half, m_top, m_bottom);
        }
    }

    void head(double tipX, double tipY) {
        const double length = kHeadLength * m_scale;
        if (tipX < 0 || tipX - length > m_width || tipY < -length || tipY > m_height + length) {
            return;
        }
        const int last = std::min(static_cast<int>(std::floor(tipX)), m_width);
        for (int x = std::max(static_cast<int>(std::ceil(tipX - length)), 0); x < last; ++x) {
            const double half = (tipX - x - 0.5) / length * kHeadHalf * m_scale;
            cover(m_bits + x, m_stride, static_cast<int>((tipY - half) * kOne), static_cast<int>((tipY + half) * kOne),
                  m_top, m_bottom);
        }
    }

    const std::vector<Arrow>& m_arrows;
    QRgb* m_bits;
    qsizetype m_stride;
    int m_width, m_height;
    double m_scale;
    const Theme& m_theme;
    std::vector<Segment> m_segments;
    std::vector<std::vector<uint32_t>> m_bands;  ///< indices into m_segments
    int m_top = 0, m_bottom = 0;                 ///< of the band that is drawn
    QRgb m_color = 0;
    int m_opacity = kOne;
};

}  // namespace

QColor arrowColor(const Theme& theme, ArrowKind kind) {
    switch (kind) {
        case ArrowKind::Launch:
            break;
        case ArrowKind::Backward:
            return theme.arrowBackward;
        case ArrowKind::Flow:
            return theme.arrowFlow;
    }
    return theme.arrow;
}

void drawArrows(const std::vector<Arrow>& arrows, const Theme& theme, double scale, QImage& image) {
    if (arrows.empty() || image.isNull()) {
        return;
    }
    const double crowd = (static_cast<double>(arrows.size()) - kFewest) / (kMostArrows - kFewest);
    const double opacity = kStrong + (kFaint - kStrong) * std::clamp(crowd, 0.0, 1.0);
    Canvas(arrows, theme, scale, image).draw(opacity);
}

}  // namespace warpline::timeline
