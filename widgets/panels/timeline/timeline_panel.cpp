// SPDX-License-Identifier: GPL-3.0-or-later
// The timeline as a panel of the window.

#include <QAction>
#include <QCoreApplication>

#include <memory>
#include <vector>

#include "widgets/panels/panel.h"
#include "widgets/panels/timeline/timeline_widget.h"

namespace warpline::panels::timeline {

namespace {

/// In the order of the menu. What is in no group stands in it by itself.
struct Group {
    const char* title;
    std::vector<const char*> ids;  ///< without "timeline."
};

const std::vector<Group>& groups() {
    static const std::vector<Group> kGroups = {
        {QT_TRANSLATE_NOOP("TimelinePanel", "&Go"),
         {"go_to_time", "back", "forward", "next_slice", "previous_slice", "next_kernel", "previous_kernel",
          "next_same_name", "previous_same_name", "flow_next", "flow_previous", "flow_last", "flow_first", "start",
          "end"}},
        {QT_TRANSLATE_NOOP("TimelinePanel", "&View"),
         {"zoom_in", "zoom_out", "pan_left", "pan_right", "fit", "fit_all", "smooth"}},
        {QT_TRANSLATE_NOOP("TimelinePanel", "A&rea"),
         {"area_from_selection", "area_all_tracks", "select_all", "clear"}},
        {QT_TRANSLATE_NOOP("TimelinePanel", "T&ool"), {"tool_select", "tool_pan", "tool_zoom", "tool_time"}},
        {QT_TRANSLATE_NOOP("TimelinePanel", "&Folding"),
         {"next_track", "previous_track", "fold", "compact", "collapse_all", "expand_all"}},
        {QT_TRANSLATE_NOOP("TimelinePanel", "&Marks"),
         {"mark", "keep_mark", "mark_note", "mark_kept", "mark_remove", "marks", "remove_marks"}},
        {QT_TRANSLATE_NOOP("TimelinePanel", "Flo&ws"), {"flows_selection", "flows_all", "flows_none"}}};
    return kGroups;
}

/// The title of the menu that an action stands in, below the timeline's; "&Go" is one of the window's.
QString groupOf(const QAction& action) {
    for (const Group& group : groups()) {
        for (const char* id : group.ids) {
            if (action.objectName() == QLatin1String("timeline.") + QLatin1String(id)) {
                return QCoreApplication::translate("TimelinePanel", group.title);
            }
        }
    }
    return {};
}

class TimelinePanel : public PanelFactory {
public:
    TimelinePanel() {
        m_info.id = QStringLiteral("timeline");
        m_info.title = QCoreApplication::translate("TimelinePanel", "Timeline");
        m_info.place = PanelPlace::Center;
        m_info.order = 0;
        m_info.description =
            QCoreApplication::translate("TimelinePanel", "All threads and GPU streams over time, to zoom and move in");
    }
    const PanelInfo& info() const override { return m_info; }
    QWidget* create(Session& session, QWidget* parent) const override {
        return new warpline::timeline::TimelineWidget(session, parent);
    }
    QList<QAction*> actions(QWidget* panel) const override {
        const QList<QAction*> all = panel->actions();
        for (QAction* action : all) {
            action->setProperty("submenu", groupOf(*action));
        }
        return all;
    }

private:
    PanelInfo m_info;
};

}  // namespace

std::unique_ptr<PanelFactory> make() {
    return std::make_unique<TimelinePanel>();
}

}  // namespace warpline::panels::timeline
