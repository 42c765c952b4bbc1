// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One dock of the window. Panels live in a folder each under widgets/panels and are listed by registry.h; the window
// builds its docks from that list and knows no panel by name.

#include <QList>
#include <QString>

#include <memory>

class QAction;
class QWidget;

namespace warpline {

class Session;

enum class PanelPlace { Center, Bottom, Right };

struct PanelInfo {
    QString id;     ///< folder, namespace and registry id: "op_table"; also --panel's argument
    QString title;  ///< tab text, translatable
    PanelPlace place = PanelPlace::Bottom;
    int order = 0;        ///< among panels of one place, lowest first
    QString description;  ///< one sentence: tooltip of its entry in the View menu
};

/// Lifecycle: the factory is made at start-up and lives as long as the window; create() is called once a window, on the
/// GUI thread. The widget follows `session` by its signals, shows a designed empty state without a trace, and is
/// destroyed before `session`.
class PanelFactory {
public:
    virtual ~PanelFactory() = default;
    virtual const PanelInfo& info() const = 0;
    virtual QWidget* create(Session& session, QWidget* parent) const = 0;
    /// Actions of a created widget for the window's menus (zoom, fit, …); owned by the widget. May be empty.
    /// They are made known to keyBindings() under their ids, which gives them their keys. Properties: "gesture" names
    /// what the mouse does to the same end ("Ctrl+wheel"), for the sheet of keys; "unlisted" keeps one out of the
    /// menus; "submenu" is the title of the menu below the panel's in which it stands ("&Go": the window's own).
    virtual QList<QAction*> actions(QWidget* panel) const;
    /// A few words for the status bar, where they raise the panel ("3 import issues"); "" for none. Asked again when
    /// the widget's window title changes; that title, where there is one, is shown in the dock's tab.
    virtual QString statusText(QWidget* panel) const;
};

}  // namespace warpline
