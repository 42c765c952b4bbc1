// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/drop_overlay.h"

#include <QPainter>

#include "widgets/support/theme.h"

namespace warpline::ui {

DropOverlay::DropOverlay(QWidget* window) : QWidget(window) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    hide();
}

void DropOverlay::showFor(int files) {
    m_text = files == 1 ? tr("Drop to open this file") : tr("Drop to open %1 files on one time axis").arg(files);
    setGeometry(parentWidget()->rect());
    raise();
    show();
}

void DropOverlay::paintEvent(QPaintEvent* /*event*/) {
    const Theme& look = theme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QColor veil = look.window;
    veil.setAlphaF(0.86F);
    painter.fillRect(rect(), veil);
    painter.setPen(QPen(look.accent, 2, Qt::DashLine));
    painter.drawRoundedRect(QRectF(rect()).adjusted(18, 18, -18, -18), 12, 12);
    QFont large = font();
    large.setPointSizeF(font().pointSizeF() * 1.5);
    large.setWeight(QFont::DemiBold);
    painter.setFont(large);
    painter.setPen(look.text);
    painter.drawText(rect(), Qt::AlignCenter, m_text);
}

}  // namespace warpline::ui
