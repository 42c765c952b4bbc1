// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/support/indicator_style.h"

#include <QPainter>
#include <QStyleFactory>
#include <QStyleOption>

#include <algorithm>

#include "widgets/support/theme.h"

namespace warpline {

IndicatorStyle::IndicatorStyle() : QProxyStyle(QStyleFactory::create("Fusion")) {}

void IndicatorStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                                   const QWidget* widget) const {
    const bool isCheck = element == PE_IndicatorCheckBox;
    if (!isCheck && element != PE_IndicatorRadioButton) {
        QProxyStyle::drawPrimitive(element, option, painter, widget);
        return;
    }
    const Theme& look = theme();
    const bool isEnabled = option->state.testFlag(State_Enabled);
    const bool isOn = option->state.testFlag(State_On) || option->state.testFlag(State_NoChange);
    const bool isMarked = option->state.testFlag(State_HasFocus) || option->state.testFlag(State_MouseOver);
    const QColor fill = !isOn ? look.surface : isEnabled ? look.accent : look.disabledText;
    const QColor edge = !isEnabled ? look.disabledText : isMarked || isOn ? look.accent : look.mutedText;
    const QColor mark = isEnabled ? look.accentText : look.surface;
    constexpr double kHalf = 0.5;
    const double side = std::min(option->rect.width(), option->rect.height()) - 1;
    QRectF box(0, 0, side, side);
    box.moveCenter(QRectF(option->rect).center());
    box.moveTopLeft(QPointF(box.topLeft().toPoint()) + QPointF(kHalf, kHalf));
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(edge);
    painter->setBrush(fill);
    if (isCheck) {
        constexpr double kRadius = 3;
        painter->drawRoundedRect(box, kRadius, kRadius);
    } else {
        painter->drawEllipse(box);
    }
    if (isOn) {
        const auto at = [&](double x, double y) { return box.topLeft() + QPointF(x, y) * side; };
        constexpr double kStroke = 0.14;
        painter->setPen(QPen(mark, side * kStroke, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter->setBrush(mark);
        if (option->state.testFlag(State_NoChange)) {
            painter->drawLine(at(0.27, 0.5), at(0.73, 0.5));
        } else if (isCheck) {
            const QPointF points[] = {at(0.25, 0.53), at(0.43, 0.7), at(0.75, 0.32)};
            painter->drawPolyline(points, 3);
        } else {
            constexpr double kDot = 0.14;
            painter->drawEllipse(box.center(), side * kDot, side * kDot);
        }
    }
    painter->restore();
}

}  // namespace warpline
