// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The panel about the selected area: what the devices did in it, what the host waited for, and statistics of what is in
// it by name, kind or track. GUI thread.

#include <QWidget>

#include <memory>
#include <vector>

#include "core/analyses/area_summary.h"
#include "core/analyses/wait_summary.h"
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
    void sumRows();
    void showFacts();
    void fitFacts();
    bool showWait(const QString& link);

    Session& m_session;
    TablePanel* m_table;
    QLabel* m_facts;
    QScrollArea* m_room;
    std::shared_ptr<const std::vector<DeviceArea>> m_devices;  ///< null until they are known
    std::shared_ptr<const WaitSummary> m_waits;                ///< the same; takes longer in large traces
    QString m_rowsText;                                        ///< of the area's rows of async work and counters
    std::vector<TrackId> m_tracks;                             ///< that these are of
    JobRunner m_job;
    JobRunner m_waitJob;
    JobRunner m_rowsJob;
};

}  // namespace area

namespace panels::area {
std::unique_ptr<PanelFactory> make();
}

}  // namespace warpline
