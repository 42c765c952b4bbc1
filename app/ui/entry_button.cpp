// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/entry_button.h"

#include <QPainter>

#include "widgets/support/theme.h"

namespace warpline::ui {

namespace {
constexpr int kMargin = 10;
constexpr int kIconSize = 18;
}  // namespace

EntryButton::EntryButton(Icon which, const QString& title, const QString& sentence, QWidget* parent)
    : QAbstractButton(parent), m_which(which), m_sentence(sentence) {
    setText(title);
    setAccessibleName(title);
    setAccessibleDescription(sentence);
    setToolTip(sentence);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setCursor(Qt::PointingHandCursor);
}

QSize EntryButton::sizeHint() const {
    return {320, 2 * fontMetrics().height() + 2 * kMargin};
}

QSize EntryButton::minimumSizeHint() const {
    return {160, sizeHint().height()};
}

void EntryButton::paintEvent(QPaintEvent* /*event*/) {
    const Theme& look = theme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool lit = isEnabled() && (underMouse() || isDown());
    if (lit || hasFocus()) {
        painter.setBrush(isDown() ? look.selection : lit ? look.hovered : QBrush(Qt::NoBrush));
        painter.setPen(hasFocus() ? QPen(look.accent, 1) : QPen(Qt::NoPen));
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    }
    const QRect iconRect(kMargin, (height() - kIconSize) / 2, kIconSize, kIconSize);
    warpline::icon(m_which).paint(&painter, iconRect, Qt::AlignCenter, isEnabled() ? QIcon::Normal : QIcon::Disabled);
    const QRect text = rect().adjusted(2 * kMargin + kIconSize, kMargin - 1, -kMargin, -kMargin + 1);
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    painter.setFont(bold);
    painter.setPen(isEnabled() ? look.text : look.disabledText);
    painter.drawText(text, Qt::AlignTop | Qt::AlignLeft,
                     QFontMetrics(bold).elidedText(this->text(), Qt::ElideMiddle, text.width()));
    painter.setFont(font());
    painter.setPen(isEnabled() ? look.mutedText : look.disabledText);
    painter.drawText(text, Qt::AlignBottom | Qt::AlignLeft,
                     fontMetrics().elidedText(m_sentence, m_elide, text.width()));
}

}  // namespace warpline::ui
