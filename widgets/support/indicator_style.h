// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Fusion, but for check boxes and radio buttons: it takes their outlines from the window's colour, on which they cannot
// be seen in a dark look. GUI thread only.

#include <QProxyStyle>

namespace warpline {

class IndicatorStyle : public QProxyStyle {
public:
    IndicatorStyle();
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override;
};

}  // namespace warpline
