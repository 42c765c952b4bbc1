// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/timeline/svg_paint_device.h"

#include <QBuffer>
#include <QFontInfo>
#include <QImage>
#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>

#include <cmath>
#include <optional>

#include "widgets/panels/timeline/svg_picture.h"

namespace warpline::timeline {

namespace {

constexpr int kDotsPerInch = 96;

QString number(double value) {
    return QString::number(std::round(value * 100) / 100, 'g', 10);
}

QString paint(const char* what, const QColor& color) {
    QString out = QStringLiteral(" %1=\"%2\"").arg(QLatin1String(what), color.name(QColor::HexRgb));
    if (color.alpha() < 255) {
        out += QStringLiteral(" %1-opacity=\"%2\"").arg(QLatin1String(what), number(color.alphaF()));
    }
    return out;
}

QString outlineOf(const QPainterPath& path) {
    QString d;
    for (int i = 0; i < path.elementCount(); ++i) {
        const QPainterPath::Element at = path.elementAt(i);
        const QString place = number(at.x) + ' ' + number(at.y);
        switch (at.type) {
            case QPainterPath::MoveToElement:
                d += "M" + place;
                break;
            case QPainterPath::LineToElement:
                d += "L" + place;
                break;
            case QPainterPath::CurveToElement:
                d += "C" + place;
                break;
            case QPainterPath::CurveToDataElement:
                d += " " + place;
                break;
        }
    }
    return d;
}

}  // namespace

class SvgPaintEngine : public QPaintEngine {
public:
    SvgPaintEngine() : QPaintEngine(AllFeatures) {}

    QString finished() const { return m_clip ? m_out + "</g>\n" : m_out; }

    bool begin(QPaintDevice* /*device*/) override { return true; }
    bool end() override { return true; }
    Type type() const override { return User; }
    void updateState(const QPaintEngineState& /*state*/) override {}

    using QPaintEngine::drawRects;
    void drawRects(const QRectF* rects, int count) override {
        for (int i = 0; i < count; ++i) {
            const QRectF& r = rects[i];
            element(QStringLiteral("rect x=\"%1\" y=\"%2\" width=\"%3\" height=\"%4\"")
                        .arg(number(r.x()), number(r.y()), number(r.width()), number(r.height())),
                    true);
        }
    }
    void drawPath(const QPainterPath& path) override {
        element(QStringLiteral("path d=\"%1\"").arg(outlineOf(path)),
                path.fillRule() == Qt::WindingFill || !path.isEmpty());
    }
    using QPaintEngine::drawPolygon;
    void drawPolygon(const QPointF* points, int count, PolygonDrawMode mode) override {
        QPainterPath path;
        for (int i = 0; i < count; ++i) {
            i == 0 ? path.moveTo(points[i]) : path.lineTo(points[i]);
        }
        if (mode != PolylineMode) {
            path.closeSubpath();
        }
        element(QStringLiteral("path d=\"%1\"").arg(outlineOf(path)), mode != PolylineMode);
    }
    void drawTextItem(const QPointF& at, const QTextItem& item) override {
        clip();
        const QFont font = item.font();
        m_out += QStringLiteral("<text x=\"%1\" y=\"%2\" font-size=\"%3\"%4%5%6>%7</text>\n")
                     .arg(number(at.x()), number(at.y()))
                     .arg(QFontInfo(font).pixelSize())
                     .arg(paint("fill", painter()->pen().color()),
                          font.weight() >= QFont::DemiBold ? QStringLiteral(" font-weight=\"bold\"") : QString(),
                          transform(false), xmlText(item.text()));
    }
    void drawPixmap(const QRectF& to, const QPixmap& pixmap, const QRectF& from) override {
        drawImage(to, pixmap.toImage(), from, Qt::AutoColor);
    }
    void drawImage(const QRectF& to, const QImage& image, const QRectF& from,
                   Qt::ImageConversionFlags /*flags*/) override {
        QByteArray png;
        QBuffer buffer(&png);
        image.copy(from.toAlignedRect()).save(&buffer, "PNG");
        clip();
        m_out += QStringLiteral(
                     "<image x=\"%1\" y=\"%2\" width=\"%3\" height=\"%4\"%5 "
                     "href=\"data:image/png;base64,%6\"/>\n")
                     .arg(number(to.x()), number(to.y()), number(to.width()), number(to.height()), transform(false),
                          QString::fromLatin1(png.toBase64()));
    }

private:
    bool isSmooth() const { return painter()->testRenderHint(QPainter::Antialiasing); }
    QString transform(bool isStroked) const {
        QTransform matrix = painter()->combinedTransform();
        if (isStroked && !isSmooth()) {
            matrix.translate(0.5, 0.5);  // a painter's thin line fills pixels, SVG's lies between them
        }
        return matrix.isIdentity() ? QString()
                                   : QStringLiteral(" transform=\"matrix(%1 %2 %3 %4 %5 %6)\"")
                                         .arg(number(matrix.m11()), number(matrix.m12()), number(matrix.m21()),
                                              number(matrix.m22()), number(matrix.dx()), number(matrix.dy()));
    }
    /// Elements of one clip stand in one group.
    void clip() {
        std::optional<QRectF> wanted;
        if (painter()->hasClipping()) {
            wanted = painter()->combinedTransform().mapRect(painter()->clipBoundingRect());
        }
        if (wanted == m_clip) {
            return;
        }
        m_out += m_clip ? "</g>\n" : "";
        if (wanted) {
            const QString id = QStringLiteral("clip%1").arg(++m_clips);
            m_out += QStringLiteral(
                         "<clipPath id=\"%1\"><rect x=\"%2\" y=\"%3\" width=\"%4\" height=\"%5\"/></clipPath>\n"
                         "<g clip-path=\"url(#%1)\">\n")
                         .arg(id, number(wanted->x()), number(wanted->y()), number(wanted->width()),
                              number(wanted->height()));
        }
        m_clip = wanted;
    }
    void element(const QString& shape, bool canFill) {
        const QPen& pen = painter()->pen();
        const QBrush& brush = painter()->brush();
        const bool isFilled = canFill && brush.style() != Qt::NoBrush;
        const bool isStroked = pen.style() != Qt::NoPen;
        if (!isFilled && !isStroked) {
            return;
        }
        clip();
        m_out += "<" + shape + (isFilled ? paint("fill", brush.color()) : QStringLiteral(" fill=\"none\""));
        if (isStroked) {
            m_out += paint("stroke", pen.color());
            if (pen.widthF() > 1) {
                m_out += QStringLiteral(" stroke-width=\"%1\"").arg(number(pen.widthF()));
            }
            if (pen.style() != Qt::SolidLine) {
                QStringList dashes;
                for (const double dash : pen.dashPattern()) {
                    dashes << number(dash * std::max(pen.widthF(), 1.0));
                }
                m_out += QStringLiteral(" stroke-dasharray=\"%1\"").arg(dashes.join(' '));
            }
        }
        m_out += (isSmooth() ? QStringLiteral(" shape-rendering=\"geometricPrecision\"") : QString()) +
                 transform(isStroked) + "/>\n";
    }

    QString m_out;
    std::optional<QRectF> m_clip;
    int m_clips = 0;
};

SvgPaintDevice::SvgPaintDevice(QSize size) : m_size(size), m_engine(std::make_unique<SvgPaintEngine>()) {}

SvgPaintDevice::~SvgPaintDevice() = default;

QString SvgPaintDevice::elements() const {
    return m_engine->finished();
}

QPaintEngine* SvgPaintDevice::paintEngine() const {
    return m_engine.get();
}

int SvgPaintDevice::metric(PaintDeviceMetric metric) const {
    switch (metric) {
        case PdmWidth:
            return m_size.width();
        case PdmHeight:
            return m_size.height();
        case PdmWidthMM:
            return static_cast<int>(m_size.width() * 25.4 / kDotsPerInch);
        case PdmHeightMM:
            return static_cast<int>(m_size.height() * 25.4 / kDotsPerInch);
        case PdmNumColors:
            return INT_MAX;
        case PdmDepth:
            return 32;
        case PdmDevicePixelRatio:
            return 1;
        case PdmDevicePixelRatioScaled:
            return static_cast<int>(devicePixelRatioFScale());
        default:
            return kDotsPerInch;
    }
}

}  // namespace warpline::timeline
