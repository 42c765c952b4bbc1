// SPDX-License-Identifier: GPL-3.0-or-later
// The window's title and status bar.

#include <QDockWidget>
#include <QHBoxLayout>
#include <QLabel>
#include <QStatusBar>
#include <QToolButton>

#include "app/ui/load_page.h"
#include "app/ui/main_window.h"
#include "app/ui/trace_opener.h"
#include "app/ui/workspace.h"
#include "core/base/units.h"
#include "widgets/support/cell_text.h"

namespace warpline::ui {

void MainWindow::makeStatusBar() {
    m_statusFile = new QLabel(this);
    m_statusCounts = new QLabel(this);
    m_statusCounts->setProperty("role", "muted");
    auto* panels = new QWidget(this);
    m_statusPanels = panels;
    auto* buttons = new QHBoxLayout(panels);
    buttons->setContentsMargins(0, 0, 6, 0);
    buttons->setSpacing(4);
    m_statusFile->setContentsMargins(8, 0, 8, 0);
    statusBar()->addWidget(m_statusFile);
    statusBar()->addWidget(m_statusCounts);
    statusBar()->addPermanentWidget(panels);
    statusBar()->setSizeGripEnabled(false);
    for (const Workspace::Dock& entry : m_workspace->docks()) {
        auto* button = new QToolButton(panels);
        button->setProperty("flat", true);
        button->setToolTip(tr("Show %1").arg(entry.factory->info().title));
        buttons->addWidget(button);
        const PanelFactory* factory = entry.factory;
        QWidget* panel = entry.panel;
        const auto refresh = [button, factory, panel] {
            const QString text = factory->statusText(panel);
            button->setText(text);
            button->setVisible(!text.isEmpty());
        };
        connect(panel, &QWidget::windowTitleChanged, button, refresh);
        connect(&m_session, &Session::traceChanged, button, refresh);
        const QString id = factory->info().id;
        connect(button, &QToolButton::clicked, this, [this, id] { m_workspace->raisePanel(id); });
        refresh();
    }
}

void MainWindow::refreshTitle() {
    setWindowTitle(m_openPaths.isEmpty() ? QStringLiteral("Warpline")
                                         : QStringLiteral("%1 \u2013 Warpline").arg(shortNames(m_openPaths)));
}

void MainWindow::refreshStatus() {
    const std::shared_ptr<const Trace>& trace = m_session.trace();
    // An open trace's figures under the error of another file would be taken for that file's.
    const bool told = trace && page() != Page::Failed;
    m_statusPanels->setVisible(told);
    if (!told) {
        m_statusFile->clear();
        m_statusFile->setToolTip({});
        m_statusCounts->clear();
        return;
    }
    m_statusFile->setText(shortNames(m_openPaths));
    QStringList lines = m_openPaths;
    if (m_opener->isFromCache()) {
        lines << tr("Opened from the cache");
    }
    m_statusFile->setToolTip(lines.join('\n'));
    const QString separator = QStringLiteral("   \u00b7   ");
    QStringList parts;
    parts << (trace->range().has_value() ? fromUtf8(formatDuration(trace->range()->length())) : tr("no time span"));
    parts << countText(trace->counts().slices, "slice");
    const size_t processes = trace->processOrder().size();
    parts << countText(processes, "process", "processes");
    m_statusCounts->setText(parts.join(separator));
}

QString MainWindow::statusText() const {
    return m_statusFile->text() + " " + m_statusCounts->text();
}

}  // namespace warpline::ui
