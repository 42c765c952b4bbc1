// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/support/icons.h"

#include <QIconEngine>
#include <QPainter>
#include <QPainterPath>
#include <QPixmap>
#include <QPixmapCache>

#include "widgets/support/theme.h"

namespace warpline {

namespace {

/// All shapes are given on a grid of 16 by 16.
QPainterPath line(std::initializer_list<QPointF> points) {
    QPainterPath path;
    const QPointF* at = points.begin();
    path.moveTo(*at);
    for (++at; at != points.end(); ++at) {
        path.lineTo(*at);
    }
    return path;
}

QPainterPath triangle() {
    QPainterPath path = line({{8, 2}, {14.5, 13.5}, {1.5, 13.5}});
    path.closeSubpath();
    return path;
}

QPainterPath exclamation(qreal top, qreal bottom) {
    QPainterPath path = line({{8, top}, {8, bottom}});
    path.addEllipse(QPointF(8, bottom + 2.2), 0.35, 0.35);
    return path;
}

QPainterPath strokesOf(Icon which) {
    QPainterPath p;
    switch (which) {
        case Icon::App:
            break;
        case Icon::Open:
            p = line({{1.5, 13}, {1.5, 3.5}, {6, 3.5}, {7.5, 5.5}, {13, 5.5}, {13, 7.5}});
            p.addPath(line({{1.5, 13}, {4, 7.5}, {15, 7.5}, {12.5, 13}, {1.5, 13}}));
            break;
        case Icon::Close:
        case Icon::Remove:
            p = line({{4, 4}, {12, 12}});
            p.addPath(line({{12, 4}, {4, 12}}));
            break;
        case Icon::Search:
            p.addEllipse(QPointF(7, 7), 4.5, 4.5);
            p.addPath(line({{10.3, 10.3}, {14, 14}}));
            break;
        case Icon::Regex:
            p.addEllipse(QPointF(4, 12), 0.8, 0.8);
            p.addPath(line({{10, 2.5}, {10, 9.5}}));
            p.addPath(line({{7, 4.2}, {13, 7.8}}));
            p.addPath(line({{13, 4.2}, {7, 7.8}}));
            break;
        case Icon::Filter:
            p = line({{2, 3}, {14, 3}, {9.5, 8.5}, {9.5, 13.5}, {6.5, 12}, {6.5, 8.5}, {2, 3}});
            break;
        case Icon::Previous:
            p = line({{10, 3.5}, {5.5, 8}, {10, 12.5}});
            break;
        case Icon::Next:
            p = line({{6, 3.5}, {10.5, 8}, {6, 12.5}});
            break;
        case Icon::Copy:
            p.addRoundedRect(QRectF(5.5, 5.5, 8.5, 8.5), 1.5, 1.5);
            p.addPath(line({{10.5, 2}, {2, 2}, {2, 10.5}}));
            break;
        case Icon::Export:
            p = line({{8, 10}, {8, 2}});
            p.addPath(line({{4.8, 5.2}, {8, 2}, {11.2, 5.2}}));
            p.addPath(line({{2.5, 9.5}, {2.5, 13.5}, {13.5, 13.5}, {13.5, 9.5}}));
            break;
        case Icon::Columns:
        case Icon::Table:
            p.addRoundedRect(QRectF(2, 2.5, 12, 11), 1.5, 1.5);
            p.addPath(line({{2, 6}, {14, 6}}));
            p.addPath(line({{6.5, 2.5}, {6.5, 13.5}}));
            break;
        case Icon::Info:
            p.addEllipse(QPointF(8, 8), 6.3, 6.3);
            p.addPath(line({{8, 7.3}, {8, 11.4}}));
            p.addEllipse(QPointF(8, 4.9), 0.35, 0.35);
            break;
        case Icon::Warning:
            p = triangle();
            p.addPath(exclamation(6.2, 9.4));
            break;
        case Icon::DataLoss:
            p = line({{3, 1.8}, {9.5, 1.8}, {13, 5.3}, {13, 8}});
            p.addPath(line({{3, 1.8}, {3, 9.5}, {5.2, 7.8}, {7.6, 10.2}, {10.2, 7.8}, {13, 10.5}}));
            p.addPath(line({{3, 12.5}, {3, 14.2}, {13, 14.2}, {13, 13}}));
            break;
        case Icon::Error:
            p.addEllipse(QPointF(8, 8), 6.3, 6.3);
            p.addPath(line({{5.6, 5.6}, {10.4, 10.4}}));
            p.addPath(line({{10.4, 5.6}, {5.6, 10.4}}));
            break;
        case Icon::Good:
            p.addEllipse(QPointF(8, 8), 6.3, 6.3);
            p.addPath(line({{5, 8.3}, {7.2, 10.5}, {11.2, 5.8}}));
            break;
        case Icon::File:
            p = line({{3.5, 1.8}, {9.5, 1.8}, {12.8, 5.2}, {12.8, 14.2}, {3.5, 14.2}, {3.5, 1.8}});
            p.addPath(line({{9.2, 2}, {9.2, 5.5}, {12.6, 5.5}}));
            break;
        case Icon::Timeline:
            p = line({{2, 4}, {9, 4}});
            p.addPath(line({{5, 8}, {14, 8}}));
            p.addPath(line({{3, 12}, {11, 12}}));
            break;
        case Icon::Cursor:
            p = line({{3.5, 2}, {13, 8.2}, {8.6, 9.2}, {6.4, 13.4}, {3.5, 2}});
            break;
        case Icon::Busy:
            p.arcMoveTo(QRectF(2.5, 2.5, 11, 11), 90);
            p.arcTo(QRectF(2.5, 2.5, 11, 11), 90, -270);
            break;
    }
    return p;
}

QColor colorOf(Icon which, QIcon::Mode mode) {
    const Theme& look = theme();
    if (mode == QIcon::Disabled) {
        return look.disabledText;
    }
    switch (which) {
        case Icon::Info:
            return look.info;
        case Icon::Warning:
        case Icon::DataLoss:
            return look.warning;
        case Icon::Error:
            return look.error;
        case Icon::Good:
            return look.good;
        default:
            return mode == QIcon::Active ? look.text : look.mutedText;
    }
}

/// The picture of resources/icons/warpline.svg, drawn here so that it needs no SVG plugin: lanes and a roofline.
void paintApp(QPainter* painter) {
    painter->scale(1 / 16.0, 1 / 16.0);
    const auto bar = [painter](QRectF r, qreal radius, const QBrush& brush) {
        QPainterPath path;
        path.addRoundedRect(r, radius, radius);
        painter->fillPath(path, brush);
    };
    QLinearGradient ground(0, 8, 0, 248);
    ground.setColorAt(0, QColor("#24304a"));
    ground.setColorAt(1, QColor("#121a2b"));
    bar({8, 8, 240, 240}, 52, ground);
    bar({40, 82, 44, 22}, 6, QColor("#35c6b4"));
    bar({94, 82, 122, 22}, 6, QColor(0x35, 0xc6, 0xb4, 115));
    bar({40, 116, 88, 22}, 6, QColor("#5b9dff"));
    bar({138, 116, 34, 22}, 6, QColor(0x5b, 0x9d, 0xff, 115));
    bar({182, 116, 34, 22}, 6, QColor("#5b9dff"));
    bar({40, 150, 28, 22}, 6, QColor(0xa9, 0x7b, 0xff, 115));
    bar({78, 150, 138, 22}, 6, QColor("#a97bff"));
    bar({40, 184, 102, 22}, 6, QColor(0x35, 0xc6, 0xb4, 115));
    bar({152, 184, 64, 22}, 6, QColor("#35c6b4"));

    QPainterPath roof(QPointF(36, 212));
    roof.lineTo(130, 66);
    roof.quadTo(138, 53, 152, 53);
    roof.lineTo(220, 53);
    QLinearGradient gold(36, 0, 220, 0);
    gold.setColorAt(0, QColor("#ffb454"));
    gold.setColorAt(1, QColor("#ffe08a"));
    painter->strokePath(roof, QPen(QColor("#121a2b"), 24, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter->strokePath(roof, QPen(gold, 12, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
}

class StrokeEngine : public QIconEngine {
public:
    explicit StrokeEngine(Icon which) : m_which(which) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State /*state*/) override {
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        const int side = qMin(rect.width(), rect.height());
        painter->translate(rect.x() + (rect.width() - side) / 2.0, rect.y() + (rect.height() - side) / 2.0);
        painter->scale(side / 16.0, side / 16.0);
        if (m_which == Icon::App) {
            paintApp(painter);
        } else {
            // Big icons of empty states would look heavy with the weight of small ones.
            const qreal width = side > 32 ? 0.8 : 1.3;
            painter->setPen(QPen(colorOf(m_which, mode), width, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
            painter->drawPath(strokesOf(m_which));
        }
        painter->restore();
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        return scaledPixmap(size, mode, state, 1.0);
    }
    QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State state, qreal /*scale*/) override {
        // Asked for again by every change of style, for each button.
        const QString key = QStringLiteral("warpline/%1/%2x%3/%4/%5")
                                .arg(static_cast<int>(m_which))
                                .arg(size.width())
                                .arg(size.height())
                                .arg(static_cast<int>(mode))
                                .arg(theme().dark ? 1 : 0);
        QPixmap pixmap;
        if (QPixmapCache::find(key, &pixmap)) {
            return pixmap;
        }
        pixmap = QPixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect(QPoint(0, 0), size), mode, state);
        painter.end();
        QPixmapCache::insert(key, pixmap);
        return pixmap;
    }
    QIconEngine* clone() const override { return new StrokeEngine(*this); }

private:
    Icon m_which;
};

}  // namespace

QIcon icon(Icon which) {
    return QIcon(new StrokeEngine(which));
}

}  // namespace warpline
