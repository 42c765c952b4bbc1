// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/support/message_table.h"

#include <QPainter>

#include "widgets/support/theme.h"

namespace warpline {

void MessageTable::setMessage(const QString& message) {
    setAccessibleDescription(message);  // it is painted, which no screen reader hears
    if (message != m_message) {
        m_message = message;
        viewport()->update();
    }
}

void MessageTable::paintEvent(QPaintEvent* event) {
    QTableView::paintEvent(event);
    if (!m_message.isEmpty()) {
        QPainter painter(viewport());
        painter.setPen(theme().mutedText);
        painter.drawText(viewport()->rect().adjusted(24, 16, -24, -16),
                         Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap, m_message);
    }
}

}  // namespace warpline
