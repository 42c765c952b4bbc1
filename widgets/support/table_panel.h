// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A panel around one analysis: filter bar, table, footer with totals. Computes off the GUI thread; the rows on screen
// stay until newer ones are there. Selecting a row highlights its instances, Enter or a double click goes through them.

#include <QString>
#include <QStringList>
#include <QTimer>
#include <QWidget>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/analyses/analysis.h"
#include "core/table/table_format.h"
#include "widgets/support/job_runner.h"
#include "widgets/support/shared_rows.h"
#include "widgets/support/table_filter_bar.h"

class QLabel;
class QStackedWidget;

namespace warpline {

class EmptyState;
class HighlightStepper;
class Session;
class TableModel;
class TableView;

/// How one table differs from the others.
struct TablePanelSpec {
    QString id;              ///< the panel's; names its settings
    QString nameColumn;      ///< id of the column whose text names a highlight
    QStringList keyColumns;  ///< ids of those that tell rows apart within one grouping; those missing do not count
    QString defaultSort;     ///< column id, "-id" descending; "" the analysis's own order
    bool withCategories = true;
    TableFilterBar::Scope scope = TableFilterBar::Scope::Trace;  ///< to begin with
    QString noTraceSentence;                                     ///< what will stand here once a trace is open
    QString noRowsSentence;                                      ///< why a trace may have no such rows
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
    /// What makes a row the same one after a recompute: the grouping, and the cells of the columns that name it.
    struct RowKey {
        std::string groupBy;
        std::vector<Cell> cells;
        bool operator==(const RowKey&) const = default;
    };
    struct Outcome {
        std::shared_ptr<const AnalysisResult> result;
        std::vector<size_t> order;
        std::string groupBy;
        std::optional<RowKey> selectedKey;  ///< of the row that was selected when the work began
        std::optional<int> selectedRow;     ///< where it is now, in `order`
        int current = -1;                   ///< in its instances: the one that the user had stepped to
    };
    void onTraceChanged();
    void recompute();
    /// Any thread. Where the selected row and the current instance are in a new result. REQUIRES: all else is set.
    static void findAgain(const std::optional<RowKey>& selected, const QStringList& keyColumns, EventRow current,
                          Outcome& outcome);
    void apply(Outcome outcome);
    void fail(const QString& reason);
    void sort(const QString& spec);
    void onCurrentRowChanged(int row);
    void onHighlightChanged();
    void restoreSelection(std::optional<int> row, int current);
    void highlightRow(int row, int current);
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
    std::string m_groupBy;                ///< of m_result
    std::optional<RowKey> m_selectedKey;  ///< of the row whose instances are highlighted; nullopt if none of ours are
    SharedRows m_ownEvents;               ///< what this panel has highlighted, and its title
    QString m_ownTitle;
    bool m_settingHighlight = false;
    bool m_restoring = false;
    QTimer m_busySoon;  ///< short work should not flash
    JobRunner m_job;
    JobRunner m_categoriesJob;
    JobRunner m_sortJob;
    JobRunner m_textJob;
};

}  // namespace warpline
