// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/workspace.h"

#include <QApplication>
#include <QDockWidget>
#include <QPointer>
#include <QResizeEvent>
#include <QStackedWidget>
#include <QStyle>
#include <QTimer>

#include <algorithm>

#include "app/ui/dock_title.h"
#include "widgets/panels/registry.h"
#include "widgets/support/session.h"
#include "widgets/support/settings.h"
#include "widgets/support/table_filter_bar.h"
#include "widgets/support/table_panel.h"

namespace warpline::ui {

namespace {

/// To be raised when a saved layout no longer fits the docks there are.
constexpr int kLayoutVersion = 1;
constexpr double kCenterShare = 0.58;
constexpr double kRightShare = 0.25;
constexpr int kRightMin = 330;
constexpr int kRightMax = 460;
/// As low as a panel can be drawn. What it holds does not count: borders must not move when that changes.
constexpr int kPanelMinHeight = 130;
/// However small the window becomes, the timeline keeps the rest.
constexpr double kRightMaxShare = 0.6;

TablePanel* tableOf(const Workspace::Dock& entry) {
    return qobject_cast<TablePanel*>(entry.panel);
}

}  // namespace

Workspace::Workspace(Session& session, QWidget* parent) : QMainWindow(parent), m_factories(panels::all()) {
    setWindowFlags(Qt::Widget);
    setDockOptions(AllowTabbedDocks | AllowNestedDocks | GroupedDragging);
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    setDocumentMode(true);
    std::vector<const PanelFactory*> sorted;
    for (const auto& factory : m_factories) {
        sorted.push_back(factory.get());
    }
    std::stable_sort(sorted.begin(), sorted.end(), [](const PanelFactory* a, const PanelFactory* b) {
        const PanelInfo& left = a->info();
        const PanelInfo& right = b->info();
        return left.place != right.place ? left.place < right.place : left.order < right.order;
    });
    for (const PanelFactory* factory : sorted) {
        addPanel(*factory, session);
    }
    restoreLayout();
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget* /*before*/, QWidget* now) {
        for (const Dock& entry : m_docks) {
            if (now != nullptr && tableOf(entry) != nullptr && entry.panel->isAncestorOf(now)) {
                m_lastTable = &entry;
            }
        }
    });
}

Workspace::~Workspace() {
    // Panels refer to their factories and to the session.
    for (const Dock& entry : m_docks) {
        delete entry.dock;
    }
}

void Workspace::addPanel(const PanelFactory& factory, Session& session) {
    const PanelInfo& info = factory.info();
    auto* dock = new QDockWidget(info.title, this);
    dock->setObjectName(info.id);
    dock->setAccessibleName(info.title);
    QWidget* panel = factory.create(session, dock);
    panel->setMinimumHeight(kPanelMinHeight);
    dock->setWidget(panel);
    if (!panel->windowTitle().isEmpty()) {
        dock->setWindowTitle(panel->windowTitle());
    }
    connect(panel, &QWidget::windowTitleChanged, dock, &QWidget::setWindowTitle);
    auto* title = new DockTitle(dock);
    dock->setTitleBarWidget(title);
    dock->toggleViewAction()->setToolTip(info.description);
    dock->toggleViewAction()->setStatusTip(info.description);
    m_docks.push_back({&factory, dock, panel, title});
    if (info.place == PanelPlace::Right) {
        dock->installEventFilter(this);
    }
    // Whether docks share tabs is settled only after the layout has run.
    const auto soon = [this] { QTimer::singleShot(0, this, &Workspace::updateTitles); };
    connect(dock, &QDockWidget::dockLocationChanged, this, soon);
    connect(dock, &QDockWidget::topLevelChanged, this, soon);
    connect(dock, &QDockWidget::visibilityChanged, this, soon);
}

const Workspace::Dock* Workspace::findDock(const QString& id) const {
    for (const Dock& entry : m_docks) {
        if (entry.factory->info().id == id) {
            return &entry;
        }
    }
    return nullptr;
}

void Workspace::resetLayout() {
    QDockWidget* center = nullptr;
    QDockWidget* bottom = nullptr;
    QDockWidget* right = nullptr;
    for (const Dock& entry : m_docks) {
        entry.dock->setFloating(false);
        removeDockWidget(entry.dock);
    }
    const auto place = [this](QDockWidget*& first, QDockWidget* dock, Qt::DockWidgetArea area, QDockWidget* above) {
        if (first != nullptr) {
            tabifyDockWidget(first, dock);
            return;
        }
        first = dock;
        if (above != nullptr) {
            splitDockWidget(above, dock, Qt::Vertical);
        } else {
            addDockWidget(area, dock);
        }
    };
    for (const Dock& entry : m_docks) {
        switch (entry.factory->info().place) {
            case PanelPlace::Center:
                place(center, entry.dock, Qt::LeftDockWidgetArea, nullptr);
                break;
            case PanelPlace::Bottom:
                place(bottom, entry.dock, Qt::LeftDockWidgetArea, center);
                break;
            case PanelPlace::Right:
                place(right, entry.dock, Qt::RightDockWidgetArea, nullptr);
                break;
        }
        entry.dock->show();
    }
    for (QDockWidget* first : {center, bottom, right}) {
        if (first != nullptr) {
            first->raise();
        }
    }
    if (isVisible()) {
        shareRoom();
    } else {
        m_shareRoomWhenShown = true;
    }
    updateTitles();
}

void Workspace::shareRoom() {
    QList<QDockWidget*> column;
    QList<QDockWidget*> row;
    for (const PanelPlace place : {PanelPlace::Center, PanelPlace::Bottom, PanelPlace::Right}) {
        for (const Dock& entry : m_docks) {
            if (entry.factory->info().place == place) {
                (place == PanelPlace::Right ? row : column).append(entry.dock);
                break;
            }
        }
    }
    const int rightWidth = std::clamp(static_cast<int>(width() * kRightShare), kRightMin, kRightMax);
    if (column.size() == 2) {
        const int top = static_cast<int>(height() * kCenterShare);
        resizeDocks(column, {top, height() - top}, Qt::Vertical);
    }
    if (!column.isEmpty() && !row.isEmpty()) {
        resizeDocks({column.first(), row.first()}, {width() - rightWidth, rightWidth}, Qt::Horizontal);
    }
}

/// A page that is shown for the first time is laid out at an interim size first, which would squeeze the docks.
void Workspace::setVisible(bool visible) {
    const auto* stack = qobject_cast<QStackedWidget*>(parentWidget());
    if (visible && stack != nullptr) {
        setGeometry(stack->contentsRect());
    }
    QMainWindow::setVisible(visible);
}

void Workspace::showEvent(QShowEvent* event) {
    QMainWindow::showEvent(event);
    m_wasShown = true;
    if (m_shareRoomWhenShown) {
        m_shareRoomWhenShown = false;
        shareRoom();
        // Docks that were never shown take part only once this event is over.
        QTimer::singleShot(0, this, &Workspace::shareRoom);
    } else if (!m_stateWhenShown.isEmpty()) {
        restoreSizes();
        QTimer::singleShot(0, this, [this] {
            restoreSizes();
            m_stateWhenShown.clear();
        });
    }
}

void Workspace::restoreSizes() {
    // Docks are hidden and shown again on the way, by which whatever stands behind them would get the keys.
    const QPointer<QWidget> focus = window()->focusWidget();
    restoreState(m_stateWhenShown, kLayoutVersion);
    if (focus != nullptr && focus->isVisible() && isAncestorOf(focus)) {
        focus->setFocus(Qt::OtherFocusReason);
    }
    // The window may have another size than the one that was left, and what it gains or loses is the timeline's.
    if (const int width = settings::store().value(settings::kRightWidth).toInt(); width > 0) {
        m_rightWidth = width;
        setRightWidth(width);
    }
}

void Workspace::setRightWidth(int wanted) {
    QDockWidget* center = dockAt(PanelPlace::Center);
    QDockWidget* right = dockAt(PanelPlace::Right);
    if (wanted > 0 && center != nullptr && right != nullptr) {
        const int given = std::min(wanted, static_cast<int>(width() * kRightMaxShare));
        resizeDocks({center, right}, {std::max(1, width() - given - separatorExtent()), given}, Qt::Horizontal);
    }
}

int Workspace::separatorExtent() const {
    return style()->pixelMetric(QStyle::PM_DockWidgetSeparatorExtent, nullptr, this);
}

QDockWidget* Workspace::dockAt(PanelPlace place) const {
    for (const Dock& entry : m_docks) {
        const bool isRight = dockWidgetArea(entry.dock) == Qt::RightDockWidgetArea;
        if (entry.factory->info().place == place && entry.dock->isVisible() && !entry.dock->isFloating() &&
            isRight == (place == PanelPlace::Right)) {
            return entry.dock;
        }
    }
    return nullptr;
}

/// Left to itself, the window gives all that it gains or loses to its last column. The timeline is what wants the room.
void Workspace::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    m_arrangedSize = event->size();
    setRightWidth(m_rightWidth);
}

bool Workspace::eventFilter(QObject* watched, QEvent* event) {
    // While the window itself changes, its layout has come first: that width is nobody's wish.
    if (event->type() == QEvent::Resize && m_stateWhenShown.isEmpty() && size() == m_arrangedSize &&
        watched == dockAt(PanelPlace::Right)) {
        m_rightWidth = static_cast<QResizeEvent*>(event)->size().width();
    }
    return QMainWindow::eventFilter(watched, event);
}

void Workspace::restoreLayout() {
    resetLayout();
    const QByteArray state = settings::store().value(settings::kLayout).toByteArray();
    if (!state.isEmpty() && restoreState(state, kLayoutVersion)) {
        m_shareRoomWhenShown = false;
        m_stateWhenShown = state;
    }
}

void Workspace::saveLayout() const {
    if (m_wasShown && m_stateWhenShown.isEmpty()) {
        settings::store().setValue(settings::kLayout, saveState(kLayoutVersion));
        settings::store().setValue(settings::kRightWidth, m_rightWidth);
    }
}

void Workspace::raisePanel(const QString& id) {
    if (const Dock* entry = findDock(id)) {
        entry->dock->show();
        entry->dock->raise();
        entry->panel->setFocus(Qt::OtherFocusReason);
    }
}

void Workspace::toggleDrawer() {
    QStringList open;
    QDockWidget* center = dockAt(PanelPlace::Center);
    bool hadFocus = false;
    for (const Dock& entry : m_docks) {
        if (entry.factory->info().place == PanelPlace::Bottom && !entry.dock->isHidden() && !entry.dock->isFloating()) {
            const bool inFront = !entry.panel->visibleRegion().isEmpty();
            open.insert(inFront ? 0 : open.size(), entry.factory->info().id);
            hadFocus = hadFocus || entry.dock->isAncestorOf(QApplication::focusWidget());
        }
    }
    if (!open.isEmpty()) {
        // Tabs are a part of it, and of no dock.
        m_drawerHeight = center == nullptr ? 0 : height() - center->height() - separatorExtent();
        for (const QString& id : open) {
            findDock(id)->dock->hide();
        }
        m_drawer = open;
        if (hadFocus && center != nullptr) {
            center->widget()->setFocus(Qt::OtherFocusReason);
        }
        return;
    }
    for (const Dock& entry : m_docks) {
        const QString& id = entry.factory->info().id;
        if (m_drawer.isEmpty() ? entry.factory->info().place == PanelPlace::Bottom : m_drawer.contains(id)) {
            entry.dock->show();
        }
    }
    if (QDockWidget* front = m_drawer.isEmpty() ? dockAt(PanelPlace::Bottom) : findDock(m_drawer.first())->dock) {
        front->raise();
    }
    m_drawer.clear();
    restoreDrawerHeight();
    // Tabs take their room only once this event is over.
    QTimer::singleShot(0, this, &Workspace::restoreDrawerHeight);
}

void Workspace::restoreDrawerHeight() {
    QDockWidget* center = dockAt(PanelPlace::Center);
    QDockWidget* bottom = dockAt(PanelPlace::Bottom);
    if (m_drawerHeight > 0 && center != nullptr && bottom != nullptr) {
        const int rest = std::max(1, height() - m_drawerHeight - separatorExtent());
        resizeDocks({center, bottom}, {rest, m_drawerHeight}, Qt::Vertical);
    }
}

const Workspace::Dock* Workspace::tableToFilter() const {
    const auto isSeen = [](const Dock& entry) { return !entry.panel->visibleRegion().isEmpty(); };
    if (m_lastTable != nullptr && isSeen(*m_lastTable)) {
        return m_lastTable;
    }
    const Dock* first = nullptr;
    for (const Dock& entry : m_docks) {
        if (tableOf(entry) == nullptr) {
            continue;
        }
        if (isSeen(entry)) {
            return &entry;
        }
        first = first == nullptr ? &entry : first;
    }
    return m_lastTable != nullptr ? m_lastTable : first;
}

void Workspace::focusFilter() {
    if (const Dock* chosen = tableToFilter()) {
        raisePanel(chosen->factory->info().id);
        tableOf(*chosen)->filterBar()->focusText();
    }
}

void Workspace::filterTable(const QString& text, bool isRegex) {
    if (const Dock* chosen = tableToFilter()) {
        raisePanel(chosen->factory->info().id);
        tableOf(*chosen)->filterBar()->setText(text, isRegex);
    }
}

void Workspace::showOnly(const QString& id) {
    for (const Dock& entry : m_docks) {
        entry.dock->setVisible(entry.factory->info().id == id);
    }
    updateTitles();
}

void Workspace::updateTitles() {
    for (const Dock& entry : m_docks) {
        const QList<QDockWidget*> mates = tabifiedDockWidgets(entry.dock);
        const bool tabbed =
            std::any_of(mates.begin(), mates.end(), [](QDockWidget* mate) { return !mate->isHidden(); });
        entry.title->setCollapsed(tabbed && !entry.dock->isFloating());
    }
}

}  // namespace warpline::ui
