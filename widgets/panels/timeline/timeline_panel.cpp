// SPDX-License-Identifier: GPL-3.0-or-later
// The timeline as a panel of the window.

#include <QAction>
#include <QCoreApplication>

#include <memory>

#include "widgets/panels/panel.h"
#include "widgets/panels/timeline/timeline_widget.h"

namespace warpline::panels::timeline {

namespace {

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
    QList<QAction*> actions(QWidget* panel) const override { return panel->actions(); }

private:
    PanelInfo m_info;
};

}  // namespace

std::unique_ptr<PanelFactory> make() {
    return std::make_unique<TimelinePanel>();
}

}  // namespace warpline::panels::timeline
