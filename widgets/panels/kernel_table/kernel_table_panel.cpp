// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/kernel_table/kernel_table_panel.h"

#include <QCoreApplication>

#include "core/analyses/kernel_table/kernel_table.h"
#include "widgets/support/table_panel.h"

namespace warpline::panels::kernel_table {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("KernelTablePanel", text);
}

class Factory : public PanelFactory {
public:
    const PanelInfo& info() const override { return m_info; }
    QWidget* create(Session& session, QWidget* parent) const override {
        TablePanelSpec spec;
        spec.id = m_info.id;
        spec.nameColumn = "name";
        spec.keyColumns = {"name", "kind", "launch_shape", "stack", "annotation"};
        spec.defaultSort = "-total_ns";  // the table's own order, said in its heading
        spec.withCategories = false;
        spec.noTraceSentence = tr("Open a trace to see its kernels: how often, how long, and how they were launched.");
        spec.noRowsSentence = tr("This trace has no kernels, copies or memsets: nothing of the device was recorded.");
        return new TablePanel(session, std::shared_ptr<const Analysis>(analyses::kernel_table::make()), spec, parent);
    }

private:
    PanelInfo m_info{"kernel_table", tr("Kernels"), PanelPlace::Bottom, 20,
                     tr("Statistics and launch configuration by kernel name")};
};

}  // namespace

std::unique_ptr<PanelFactory> make() {
    return std::make_unique<Factory>();
}

}  // namespace warpline::panels::kernel_table
