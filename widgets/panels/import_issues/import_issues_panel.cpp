// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/import_issues/import_issues_panel.h"

#include <QApplication>
#include <QClipboard>
#include <QCoreApplication>
#include <QHeaderView>
#include <QShortcut>
#include <QSortFilterProxyModel>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

#include "core/base/units.h"
#include "widgets/panels/import_issues/issues_model.h"
#include "widgets/support/cell_delegate.h"
#include "widgets/support/cell_text.h"
#include "widgets/support/empty_state.h"
#include "widgets/support/issue_text.h"
#include "widgets/support/session.h"
#include "widgets/support/table_header.h"

namespace warpline {

ImportIssuesPanel::ImportIssuesPanel(Session& session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_model(new IssuesModel(this)),
      m_sorted(new QSortFilterProxyModel(this)),
      m_stack(new QStackedWidget(this)),
      m_empty(new EmptyState(this)),
      m_view(new QTableView(this)) {
    m_sorted->setSourceModel(m_model);
    m_sorted->setSortRole(IssuesModel::kSortRole);
    m_view->setHorizontalHeader(new TableHeader(m_view));
    m_view->horizontalHeader()->setSectionsClickable(true);
    m_view->setModel(m_sorted);
    m_view->setItemDelegate(new CellDelegate(m_view));
    m_view->setMouseTracking(true);
    m_view->setAccessibleName(tr("Import issues"));
    m_view->setSortingEnabled(true);
    m_view->setAlternatingRowColors(true);
    m_view->setShowGrid(false);
    m_view->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_view->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_view->setTabKeyNavigation(false);
    m_view->verticalHeader()->hide();
    m_view->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 11);
    m_view->horizontalHeader()->setHighlightSections(false);
    m_view->horizontalHeader()->setSectionResizeMode(IssuesModel::MessageColumn, QHeaderView::Stretch);
    auto* copy = new QShortcut(QKeySequence::Copy, m_view);
    copy->setContext(Qt::WidgetShortcut);
    connect(copy, &QShortcut::activated, this, &ImportIssuesPanel::copySelected);

    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_view);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);
    setFocusProxy(m_view);
    connect(&m_session, &Session::traceChanged, this, &ImportIssuesPanel::onTraceChanged);
    onTraceChanged();
}

bool ImportIssuesPanel::showsTable() const {
    return m_stack->currentWidget() == m_view;
}

QString ImportIssuesPanel::statusText() const {
    if (!m_session.trace()) {
        return {};
    }
    const QString counts = issueCountsText(m_session.trace()->report());
    return counts.isEmpty() ? tr("No import issues") : tr("Import issues: %1").arg(counts);
}

void ImportIssuesPanel::onTraceChanged() {
    const std::shared_ptr<const Trace> trace = m_session.trace();
    m_model->setTrace(trace);
    // The report comes worst first; that order holds until a heading is clicked.
    m_sorted->sort(-1);
    m_view->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    const uint64_t count = trace ? trace->report().countFrom(Severity::Info) : 0;
    setWindowTitle(count == 0 ? tr("Import issues") : tr("Import issues (%1)").arg(fromUtf8(formatCount(count))));
    if (!trace) {
        m_empty->setContent(Icon::Info, tr("No trace is open"),
                            tr("Open a trace: whatever is odd in its file is listed here, with its place."));
        m_stack->setCurrentWidget(m_empty);
        return;
    }
    if (m_model->rowCount() == 0) {
        m_empty->setContent(Icon::Good, tr("Nothing to report"),
                            tr("The file was read completely: nothing was dropped, repaired or guessed."));
        m_stack->setCurrentWidget(m_empty);
        return;
    }
    m_view->setColumnHidden(IssuesModel::FileColumn, trace->files().size() < 2);
    for (const int column : {IssuesModel::SeverityColumn, IssuesModel::CodeColumn, IssuesModel::CountColumn,
                             IssuesModel::PlaceColumn, IssuesModel::FileColumn}) {
        m_view->resizeColumnToContents(column);
        m_view->setColumnWidth(column, std::min(m_view->columnWidth(column) + 14, 260));
    }
    m_stack->setCurrentWidget(m_view);
}

void ImportIssuesPanel::copySelected() {
    QStringList lines;
    for (const QModelIndex& row : m_view->selectionModel()->selectedRows()) {
        QStringList cells;
        for (int column = 0; column < IssuesModel::ColumnCount; ++column) {
            cells << row.siblingAtColumn(column).data().toString();
        }
        lines << cells.join('\t');
    }
    if (!lines.isEmpty()) {
        QApplication::clipboard()->setText(lines.join('\n'));
    }
}

namespace panels::import_issues {

namespace {

class Factory : public PanelFactory {
public:
    const PanelInfo& info() const override { return m_info; }
    QWidget* create(Session& session, QWidget* parent) const override { return new ImportIssuesPanel(session, parent); }
    QString statusText(QWidget* panel) const override {
        const auto* issues = qobject_cast<ImportIssuesPanel*>(panel);
        return issues != nullptr ? issues->statusText() : QString();
    }

private:
    PanelInfo m_info{
        "import_issues", QCoreApplication::translate("ImportIssuesPanel", "Import issues"), PanelPlace::Bottom, 90,
        QCoreApplication::translate("ImportIssuesPanel", "What was odd, repaired or lost while the file was read")};
};

}  // namespace

std::unique_ptr<PanelFactory> make() {
    return std::make_unique<Factory>();
}

}  // namespace panels::import_issues

}  // namespace warpline
