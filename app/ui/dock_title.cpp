// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/dock_title.h"

#include <QDockWidget>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include "widgets/support/icons.h"

namespace warpline::ui {

DockTitle::DockTitle(QDockWidget* dock) : QFrame(dock), m_title(new QLabel(dock->windowTitle(), this)) {
    setProperty("role", "bar");
    QFont font = m_title->font();
    font.setWeight(QFont::DemiBold);
    m_title->setFont(font);
    auto* close = new QToolButton(this);
    close->setIcon(icon(Icon::Close));
    close->setIconSize(QSize(11, 11));
    close->setProperty("flat", true);
    close->setToolTip(tr("Close (View menu brings it back)"));
    close->setAccessibleName(tr("Close %1").arg(dock->windowTitle()));
    close->setFocusPolicy(Qt::TabFocus);
    connect(close, &QToolButton::clicked, dock, &QDockWidget::close);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 1, 4, 1);
    layout->addWidget(m_title, 1);
    layout->addWidget(close);
    connect(dock, &QWidget::windowTitleChanged, m_title, &QLabel::setText);
}

void DockTitle::setCollapsed(bool collapsed) {
    if (collapsed != m_collapsed) {
        m_collapsed = collapsed;
        setMaximumHeight(collapsed ? 0 : QWIDGETSIZE_MAX);
        updateGeometry();
    }
}

QSize DockTitle::sizeHint() const {
    return m_collapsed ? QSize(0, 0) : QFrame::sizeHint();
}

QSize DockTitle::minimumSizeHint() const {
    return m_collapsed ? QSize(0, 0) : QFrame::minimumSizeHint();
}

}  // namespace warpline::ui
