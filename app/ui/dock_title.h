// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A dock's slim title bar: name, float, close. Tabbed docks need none, their tab says it.

#include <QFrame>

class QDockWidget;
class QLabel;

namespace warpline::ui {

class DockTitle : public QFrame {
    Q_OBJECT

public:
    explicit DockTitle(QDockWidget* dock);
    /// Shrinks to nothing; the dock then is moved by its tab.
    void setCollapsed(bool collapsed);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

private:
    bool m_collapsed = false;
    QLabel* m_title;
};

}  // namespace warpline::ui
