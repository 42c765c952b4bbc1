// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The panel about the selected area: what the devices did in it, and statistics of what is in it by name, kind or
// track. GUI thread.

#include <QWidget>

#include <memory>
#include <vector>

#include "core/analyses/area_summary.h"
#include "widgets/panels/panel.h"
#include "widgets/support/job_runner.h"

class QLabel;
class QScrollArea;

namespace warpline {

class TablePanel;

namespace area {

class AreaPanel : public QWidget {
    Q_OBJECT

public:
    AreaPanel(Session& session, const QString& id, QWidget* parent);

    TablePanel* table() const { return m_table; }
    QString factsText() const;
    /// Brings what a link of the facts stands for into view.
    void showPlace(const QString& link);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void recompute();
    void fitFacts();

    Session& m_session;
    TablePanel* m_table;
    QLabel* m_facts;
    QScrollArea* m_room;
    std::shared_ptr<const std::vector<DeviceArea>> m_devices;  ///< null until they are known
    JobRunner m_job;
};

}  // namespace area

namespace panels::area {
std::unique_ptr<PanelFactory> make();
}

}  // namespace warpline
