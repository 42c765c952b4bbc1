// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/layout_keeper.h"

#include <QDockWidget>
#include <QEvent>
#include <QGuiApplication>

#include "app/ui/workspace.h"
#include "widgets/support/settings.h"

namespace warpline::ui {

LayoutKeeper::LayoutKeeper(QWidget* window, const Workspace* workspace)
    : QObject(window), m_window(window), m_workspace(workspace) {
    m_soon.setSingleShot(true);
    m_soon.setInterval(kSaveLayoutAfterMs);
    connect(&m_soon, &QTimer::timeout, this, [this] {
        // Docks that hang at the pointer are in a window that is gone once they are let go.
        if (QGuiApplication::mouseButtons() != Qt::NoButton) {
            m_soon.start();
        } else {
            store();
        }
    });
    // The session may end without the window being closed first.
    connect(qGuiApp, &QGuiApplication::commitDataRequest, this, &LayoutKeeper::save, Qt::DirectConnection);
    const auto start = qOverload<>(&QTimer::start);
    window->installEventFilter(this);
    for (const Workspace::Dock& entry : workspace->docks()) {
        entry.dock->installEventFilter(this);
        connect(entry.dock, &QDockWidget::dockLocationChanged, &m_soon, start);
        connect(entry.dock, &QDockWidget::topLevelChanged, &m_soon, start);
        connect(entry.dock, &QDockWidget::visibilityChanged, &m_soon, start);
    }
}

bool LayoutKeeper::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
        case QEvent::Move:
        case QEvent::Resize:
        case QEvent::WindowStateChange:
            m_soon.start();
            break;
        default:
            break;
    }
    return QObject::eventFilter(watched, event);
}

void LayoutKeeper::store() {
    m_soon.stop();
    settings::store().setValue(settings::kGeometry, m_window->saveGeometry());
    m_workspace->saveLayout();
}

void LayoutKeeper::save() {
    store();
    settings::store().sync();
    if (settings::store().status() != QSettings::NoError && !m_failureSaid) {
        m_failureSaid = true;
        qWarning("warpline-ui: the window's layout could not be saved in %s",
                 qUtf8Printable(settings::store().fileName()));
    }
}

}  // namespace warpline::ui
