// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Remembers where the window stands and how its panels are arranged: a moment after either has changed, so that a crash
// loses little, and at once when the window or the user's session ends. GUI thread only.

#include <QObject>
#include <QTimer>

class QWidget;

namespace warpline::ui {

class Workspace;

/// Between the last change and its being saved.
inline constexpr int kSaveLayoutAfterMs = 2000;

class LayoutKeeper : public QObject {
    Q_OBJECT

public:
    /// Owned by `window`, which `workspace` is a part of and does not outlive.
    LayoutKeeper(QWidget* window, const Workspace* workspace);

    /// At once, and onto the disk. What cannot be written is said on standard error, once.
    void save();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// Into the settings, which write themselves when the event loop is idle.
    void store();

    QWidget* m_window;
    const Workspace* m_workspace;
    QTimer m_soon;
    bool m_failureSaid = false;
};

}  // namespace warpline::ui
