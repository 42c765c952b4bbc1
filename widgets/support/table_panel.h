// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A panel around one analysis: filter bar, table, footer with totals. Computes off the GUI thread; the rows on screen
// stay until newer ones are there. Selecting a row highlights its instances, Enter or a double click goes through them.

#include <QString>
#include <QTimer>
#include <QWidget>

#include <memory>
#include <string>
#include <vector>

#include "core/analyses/analysis.h"
#include "core/table/table_format.h"
#include "widgets/support/job_runner.h"

class QLabel;
class QStackedWidget;

namespace warpline {

class EmptyState;
class HighlightStepper;
class Session;
class TableFilterBar;
class TableModel;
class TableView;

/// How one table differs from the others.
struct TablePanelSpec {
    QString id;           ///< the panel's; names its settings
    QString nameColumn;   ///< id of the column whose text names a highlight
    QString defaultSort;  ///< column id, "-id" descending; "" the analysis's own order
    bool withCategories = true;
    QString noTraceSentence;  ///< what will stand here once a trace is open
    QString noRowsSentence;   ///< why a trace may have no such rows
};

class TablePanel : public QWidget {
    Q_OBJECT

public:
    TablePanel(Session& session, std::shared_ptr<const Analysis> analysis, TablePanelSpec spec, QWidget* parent);

    TableModel* model() const { return m_model; }
    TableView* view() const { return m_view; }
    TableFilterBar* filterBar() const { return m_filter; }
    QString footerText() const;
    QString errorText() const;
    bool busy() const { return m_job.busy(); }

protected:
    void showEvent(QShowEvent* event) override;

private:
    struct Outcome {
        std::shared_ptr<const AnalysisResult> result;
        std::vector<size_t> order;
    };
    void onTraceChanged();
    void recompute();
    void apply(Outcome outcome);
    void fail(const QString& reason);
    void sort(const QString& spec);
    void onCurrentRowChanged(int row);
    void onHighlightChanged();
    void restoreSelection(const QString& name);
    void showFooter();
    void showMessage();
    void exportTable();
    void writeText(TableFormat format, bool selectedOnly, std::function<void(const std::string&)> use);
    QString nameOf(size_t tableRow) const;

    Session& m_session;
    std::shared_ptr<const Analysis> m_analysis;
    TablePanelSpec m_spec;
    TableModel* m_model;
    TableFilterBar* m_filter;
    TableView* m_view;
    QStackedWidget* m_stack;
    EmptyState* m_empty;
    QLabel* m_error;
    QLabel* m_footer;
    QLabel* m_busy;
    HighlightStepper* m_stepper;
    std::shared_ptr<const AnalysisResult> m_result;
    QString m_selectedName;  ///< of the row whose instances are highlighted; null if none of ours are
    bool m_settingHighlight = false;
    bool m_restoring = false;
    QTimer m_busySoon;  ///< short work should not flash
    JobRunner m_job;
    JobRunner m_categoriesJob;
    JobRunner m_sortJob;
    JobRunner m_textJob;
};

}  // namespace warpline
