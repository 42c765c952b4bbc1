// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/op_table/op_table_panel.h"

#include <QCoreApplication>

#include "core/analyses/op_table/op_table.h"
#include "widgets/support/table_panel.h"

namespace warpline::panels::op_table {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("OpTablePanel", text);
}

class Factory : public PanelFactory {
public:
    const PanelInfo& info() const override { return m_info; }
    QWidget* create(Session& session, QWidget* parent) const override {
        TablePanelSpec spec;
        spec.id = m_info.id;
        spec.nameColumn = "key";
        spec.keyColumns = {"key", "kind", "shapes", "stack", "annotation"};
        spec.defaultSort = "-self_device_ns";  // the table's own order, said in its heading
        spec.noTraceSentence = tr("Open a trace to see where its time went, operator by operator.");
        spec.noRowsSentence = tr("This trace has no operators, annotations or device work.");
        return new TablePanel(session, std::shared_ptr<const Analysis>(analyses::op_table::make()), spec, parent);
    }

private:
    PanelInfo m_info{"op_table", tr("Ops"), PanelPlace::Bottom, 10,
                     tr("Time on the host and on the device by operator, as torch.profiler counts it")};
};

}  // namespace

std::unique_ptr<PanelFactory> make() {
    return std::make_unique<Factory>();
}

}  // namespace warpline::panels::op_table
