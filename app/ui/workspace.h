// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The part of the window with the panels: a dock for each that was built in, a layout that is remembered. Knows no
// panel by name; what it needs to know stands in PanelInfo.

#include <QList>
#include <QMainWindow>
#include <QStringList>

#include <memory>
#include <vector>

#include "widgets/panels/panel.h"

namespace warpline {
class Session;
}

namespace warpline::ui {

class DockTitle;

class Workspace : public QMainWindow {
    Q_OBJECT

public:
    struct Dock {
        const PanelFactory* factory;
        QDockWidget* dock;
        QWidget* panel;
        DockTitle* title;
    };

    explicit Workspace(Session& session, QWidget* parent = nullptr);
    ~Workspace() override;

    /// By place, then order.
    const std::vector<Dock>& docks() const { return m_docks; }
    const Dock* findDock(const QString& id) const;
    void resetLayout();
    void restoreLayout();
    /// Nothing before it was shown: until then sizes are not what the user would see.
    void saveLayout() const;
    /// Brings the panel to the front, and back if it was closed.
    void raisePanel(const QString& id);
    /// Hides the panels below the timeline, or brings back those that it hid (all, if it hid none).
    void toggleDrawer();
    /// To the filter of the table that was used last, or of the first one that is seen; raises one if none is.
    void focusFilter();
    /// Puts a text into that filter.
    void filterTable(const QString& text, bool isRegex);
    /// Hides all others.
    void showOnly(const QString& id);

protected:
    void setVisible(bool visible) override;
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void addPanel(const PanelFactory& factory, Session& session);
    const Dock* tableToFilter() const;
    void shareRoom();
    /// Takes the saved sizes over, at the size that the window has now.
    void restoreSizes();
    void setRightWidth(int width);
    void restoreDrawerHeight();
    int separatorExtent() const;
    void updateTitles();
    /// The first dock of a place that stands there, seen and not afloat; null if none.
    QDockWidget* dockAt(PanelPlace place) const;

    std::vector<std::unique_ptr<PanelFactory>> m_factories;
    std::vector<Dock> m_docks;
    QStringList m_drawer;               ///< ids of the panels that toggleDrawer() hid, the one in front first
    int m_drawerHeight = 0;             ///< with the tabs, when it was hidden
    const Dock* m_lastTable = nullptr;  ///< in m_docks; the table that had the focus last
    bool m_shareRoomWhenShown = false;
    QByteArray m_stateWhenShown;  ///< its sizes are to be restored once there is a size to restore them at
    bool m_wasShown = false;
    QSize m_arrangedSize;  ///< of the last resize that was answered
    int m_rightWidth = 0;  ///< of the right column at that size, or as the user has drawn it since
};

}  // namespace warpline::ui
