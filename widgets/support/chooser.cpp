// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/support/chooser.h"

#include <QPainter>
#include <QStyleOptionToolButton>
#include <QStylePainter>

#include <algorithm>

#include "widgets/support/theme.h"

namespace warpline {

namespace {

constexpr int kArrowRoom = 18;
constexpr int kTextMargin = 2;

void drawArrow(QWidget* widget) {
    QPainter painter(widget);
    painter.setRenderHint(QPainter::Antialiasing);
    const QColor color = widget->isEnabled() ? theme().mutedText : theme().disabledText;
    painter.setPen(QPen(color, 1.4, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    const qreal x = widget->width() - 13.0;
    const qreal y = widget->height() / 2.0;
    painter.drawPolyline(QPolygonF({{x - 3.5, y - 1.6}, {x, y + 1.9}, {x + 3.5, y - 1.6}}));
}

}  // namespace

QSize Chooser::sizeHint() const {
    QSize hint = QComboBox::sizeHint();
    QStyleOptionComboBox option;
    initStyleOption(&option);
    option.rect = QRect(QPoint(0, 0), hint);
    const int field = style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this).width();
    int longest = 0;
    for (int i = 0; i < count(); ++i) {
        longest = std::max(longest, fontMetrics().horizontalAdvance(itemText(i)));
    }
    hint.rwidth() += std::max(0, longest + 2 * kTextMargin - field);
    return hint;
}

void Chooser::paintEvent(QPaintEvent* /*event*/) {
    QStyleOptionComboBox option;
    initStyleOption(&option);
    QStylePainter painter(this);
    painter.drawComplexControl(QStyle::CC_ComboBox, option);
    const QRect field = style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this);
    option.currentText = option.fontMetrics.elidedText(option.currentText, Qt::ElideRight, field.width() - kTextMargin);
    painter.drawControl(QStyle::CE_ComboBoxLabel, option);
    drawArrow(this);
}

MenuButton::MenuButton(QWidget* parent) : QToolButton(parent) {
    setPopupMode(QToolButton::InstantPopup);
}

QSize MenuButton::sizeHint() const {
    return QToolButton::sizeHint() + QSize(kArrowRoom, 0);
}

void MenuButton::paintEvent(QPaintEvent* /*event*/) {
    QStyleOptionToolButton option;
    initStyleOption(&option);
    const QString text = option.text;
    option.text.clear();
    QStylePainter painter(this);
    painter.drawComplexControl(QStyle::CC_ToolButton, option);
    painter.setPen(isEnabled() ? theme().text : theme().disabledText);
    painter.drawText(rect().adjusted(9, 0, -kArrowRoom, 0), Qt::AlignVCenter | Qt::AlignLeft, text);
    drawArrow(this);
}

}  // namespace warpline
