// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/support/table_panel.h"

#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QItemSelectionModel>
#include <QLabel>
#include <QMenu>
#include <QSaveFile>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

#include "core/base/units.h"
#include "widgets/support/cell_text.h"
#include "widgets/support/discard.h"
#include "widgets/support/empty_state.h"
#include "widgets/support/highlight_stepper.h"
#include "widgets/support/icons.h"
#include "widgets/support/passed_keys.h"
#include "widgets/support/save_file.h"
#include "widgets/support/session.h"
#include "widgets/support/settings.h"
#include "widgets/support/table_filter_bar.h"
#include "widgets/support/table_model.h"
#include "widgets/support/table_view.h"
#include "widgets/support/theme.h"

namespace warpline {

namespace {

constexpr int kBusyAfterMs = 120;

QToolButton* barButton(Icon which, const QString& name, QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setIcon(icon(which));
    button->setToolTip(name);
    button->setAccessibleName(name);
    button->setProperty("flat", true);
    button->setPopupMode(QToolButton::InstantPopup);
    return button;
}

Result<std::vector<size_t>> orderOf(const Table& table, const QString& sortSpec) {
    const bool descending = sortSpec.startsWith('-');
    const std::string id = (descending ? sortSpec.mid(1) : sortSpec).toStdString();
    if (id.empty() || !table.findColumn(id).has_value()) {
        // The remembered column need not be in a table of another grouping: then its own order holds.
        return std::vector<size_t>{};
    }
    return table.sortedRows(id, descending);
}

std::vector<size_t> columnsOf(const Table& table, const QStringList& ids) {
    std::vector<size_t> columns;
    for (const QString& id : ids) {
        if (const auto column = table.findColumn(id.toStdString())) {
            columns.push_back(*column);
        }
    }
    return columns;
}

std::optional<size_t> findRow(const Table& table, const std::vector<size_t>& columns, const std::vector<Cell>& cells) {
    if (columns.size() != cells.size()) {
        return std::nullopt;
    }
    for (size_t row = 0; row < table.rowCount(); ++row) {
        size_t same = 0;
        while (same < columns.size() && table.cell(row, columns[same]) == cells[same]) {
            ++same;
        }
        if (same == columns.size()) {
            return row;
        }
    }
    return std::nullopt;
}

}  // namespace

TablePanel::TablePanel(Session& session, std::shared_ptr<const Analysis> analysis, TablePanelSpec spec, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_analysis(std::move(analysis)),
      m_spec(std::move(spec)),
      m_model(new TableModel(this)),
      m_filter(new TableFilterBar(session, m_spec.id, m_analysis->info().groupings, m_spec.withCategories, m_spec.scope,
                                  this)),
      m_view(new TableView(m_model, m_spec.id, m_spec.defaultSort, this)),
      m_stack(new QStackedWidget(this)),
      m_empty(new EmptyState(this)),
      m_error(new QLabel(this)),
      m_footer(new QLabel(this)),
      m_busy(new QLabel(tr("Computing…"), this)),
      m_stepper(new HighlightStepper(session, this)) {
    m_view->setAccessibleName(fromUtf8(m_analysis->info().title));
    new PassedKeys(m_view, session);
    m_error->setProperty("role", "error");
    m_error->setContentsMargins(10, 5, 10, 5);
    m_error->setWordWrap(true);
    m_error->hide();
    m_footer->setFont(tabularFont());
    m_busy->setProperty("role", "muted");
    m_busy->hide();

    QToolButton* copy = barButton(Icon::Copy, tr("Copy the table"), this);
    auto* copyMenu = new QMenu(copy);
    connect(copyMenu->addAction(tr("Copy as CSV")), &QAction::triggered, this,
            [this] { emit m_view->copyRequested(TableFormat::Csv, false); });
    connect(copyMenu->addAction(tr("Copy as Markdown")), &QAction::triggered, this,
            [this] { emit m_view->copyRequested(TableFormat::Markdown, false); });
    copy->setMenu(copyMenu);
    QToolButton* save = barButton(Icon::Export, tr("Export the table to a file"), this);
    connect(save, &QToolButton::clicked, this, &TablePanel::exportTable);
    QToolButton* columns = barButton(Icon::Columns, tr("Choose and sort columns"), this);
    auto* columnMenu = new QMenu(columns);
    connect(columnMenu, &QMenu::aboutToShow, this, [this, columnMenu] {
        columnMenu->clear();
        m_view->fillColumnMenu(columnMenu);
    });
    columns->setMenu(columnMenu);
    for (QToolButton* button : {copy, save, columns}) {
        m_filter->trailing()->addWidget(button);
    }

    auto* footer = new QFrame(this);
    footer->setProperty("role", "footer");
    auto* footerLayout = new QHBoxLayout(footer);
    footerLayout->setContentsMargins(10, 3, 6, 3);
    footerLayout->addWidget(m_footer);
    footerLayout->addStretch(1);
    footerLayout->addWidget(m_busy);
    footerLayout->addWidget(m_stepper);
    footer->setMinimumHeight(fontMetrics().height() + 14);

    auto* page = new QWidget(this);
    auto* pageLayout = new QVBoxLayout(page);
    pageLayout->setContentsMargins(0, 0, 0, 0);
    pageLayout->setSpacing(0);
    pageLayout->addWidget(m_filter);
    pageLayout->addWidget(m_error);
    pageLayout->addWidget(m_view, 1);
    pageLayout->addWidget(footer);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(page);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);
    setFocusProxy(m_view);

    m_empty->setContent(Icon::Table, tr("No trace is open"), m_spec.noTraceSentence);
    m_busySoon.setSingleShot(true);
    m_busySoon.setInterval(kBusyAfterMs);
    connect(&m_busySoon, &QTimer::timeout, this, [this] { m_busy->setVisible(m_job.busy()); });
    connect(&m_job, &JobRunner::busyChanged, this, [this](bool busy) {
        if (busy) {
            m_busySoon.start();
        } else {
            m_busySoon.stop();
            m_busy->hide();
        }
    });

    connect(m_filter, &TableFilterBar::changed, this, &TablePanel::recompute);
    connect(m_view, &TableView::sortRequested, this, &TablePanel::sort);
    connect(m_view, &TableView::rowActivated, this, [this](int row, Qt::KeyboardModifiers modifiers) {
        onCurrentRowChanged(row);
        m_session.stepHighlight(modifiers.testFlag(Qt::ShiftModifier) ? -1 : +1);
    });
    connect(m_view, &TableView::copyRequested, this, [this](TableFormat format, bool selectedOnly) {
        writeText(format, selectedOnly,
                  [](const std::string& text) { QApplication::clipboard()->setText(fromUtf8(text)); });
    });
    connect(m_view->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                if (!m_restoring && current.isValid()) {
                    onCurrentRowChanged(current.row());
                }
            });
    connect(&m_session, &Session::traceChanged, this, &TablePanel::onTraceChanged);
    connect(&m_session, &Session::highlightChanged, this, &TablePanel::onHighlightChanged);
    connect(&m_session, &Session::panelStatesRestored, this,
            [this] { m_filter->setState(m_session.panelStates().value(m_spec.id)); });
    onTraceChanged();
}

QString TablePanel::footerText() const {
    return m_footer->text();
}

QString TablePanel::errorText() const {
    return m_error->text();
}

void TablePanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_session.trace() && !m_result && !m_job.busy()) {
        recompute();
    }
}

void TablePanel::onTraceChanged() {
    m_job.cancel();
    m_sortJob.cancel();
    m_categoriesJob.cancel();
    m_result.reset();
    if (!m_session.keepsView()) {
        m_selectedKey.reset();
        m_filter->resetGrouping();
    }
    // The session has cleared the highlight: the row that is chosen makes it anew.
    m_ownEvents = {};
    m_ownTitle.clear();
    m_restoring = true;
    m_model->setTable(nullptr);
    m_restoring = false;
    m_stack->setCurrentIndex(m_session.trace() ? 1 : 0);
    m_error->hide();
    showFooter();
    if (!m_session.trace()) {
        return;
    }
    if (m_spec.withCategories) {
        const std::shared_ptr<const Trace> trace = m_session.trace();
        m_categoriesJob.start<std::vector<CategoryCount>>(
            [trace](JobControl& job) { return countCategories(*trace, job); },
            [this](Result<std::vector<CategoryCount>> counts) {
                if (counts.ok()) {
                    m_filter->setCategories(std::move(counts).value());
                }
            });
    }
    recompute();
}

void TablePanel::recompute() {
    if (!m_session.trace()) {
        return;
    }
    m_session.setPanelState(m_spec.id, m_filter->state());
    std::optional<AnalysisOptions> options = m_filter->options();
    if (!options.has_value()) {
        m_job.cancel();
        m_result.reset();
        m_model->setTable(nullptr);
        m_view->setMessage(
            m_filter->lack() == TableFilterBar::Lack::Area
                ? tr("No area is selected. Drag over the timeline to select one.")
            : m_filter->lack() == TableFilterBar::Lack::RowsAlone
                ? tr("The selected area is of async work or counters alone: it has no slices of threads or streams.")
                : tr("The filter of all panels leaves nothing of this part of the trace."));
        showFooter();
        return;
    }
    const std::shared_ptr<const Trace> trace = m_session.trace();
    const std::shared_ptr<const Analysis> analysis = m_analysis;
    const QString sortSpec = m_view->sortSpec();
    const Highlight& highlight = m_session.highlight();
    EventRow current;
    if (m_selectedKey && highlight.current >= 0) {
        current = highlight.events[static_cast<size_t>(highlight.current)];  // its own has no points
    } else if (m_selectedKey && highlight.events.empty()) {
        current = m_session.selectedEvent();  // after a reload, which keeps the selection
    }
    m_job.start<Outcome>(
        [trace, analysis, options = std::move(*options), sortSpec, ids = m_spec.keyColumns, selected = m_selectedKey,
         current](JobControl& job) -> Result<Outcome> {
            Result<AnalysisResult> result = analysis->run(*trace, options, job);
            if (!result.ok()) {
                return result.error();
            }
            Outcome outcome;
            outcome.result = makeDiscarded(std::move(result).value());
            outcome.groupBy = options.groupBy;
            Result<std::vector<size_t>> order = orderOf(outcome.result->table, sortSpec);
            if (!order.ok()) {
                return order.error();
            }
            outcome.order = std::move(order).value();
            findAgain(selected, ids, current, outcome);
            return outcome;
        },
        [this](Result<Outcome> outcome) {
            if (outcome.ok()) {
                apply(std::move(outcome).value());
            } else if (!outcome.error().isCancelled()) {
                fail(fromUtf8(outcome.error().message));
            }
        });
}

void TablePanel::findAgain(const std::optional<RowKey>& selected, const QStringList& keyColumns, EventRow current,
                           Outcome& outcome) {
    outcome.selectedKey = selected;
    if (!selected || selected->groupBy != outcome.groupBy) {
        return;
    }
    const Table& table = outcome.result->table;
    const std::optional<size_t> tableRow = findRow(table, columnsOf(table, keyColumns), selected->cells);
    if (!tableRow) {
        return;
    }
    const auto place = std::find(outcome.order.begin(), outcome.order.end(), *tableRow);
    outcome.selectedRow = static_cast<int>(outcome.order.empty() ? static_cast<std::ptrdiff_t>(*tableRow)
                                                                 : place - outcome.order.begin());
    const auto events = outcome.result->instances.of(*tableRow);
    const auto found = current.valid() ? std::find(events.begin(), events.end(), current) : events.end();
    outcome.current = found == events.end() ? -1 : static_cast<int>(found - events.begin());
}

void TablePanel::apply(Outcome outcome) {
    m_error->hide();
    m_error->clear();
    m_filter->setTextError({});
    m_result = std::move(outcome.result);
    m_groupBy = std::move(outcome.groupBy);
    m_sortJob.cancel();
    m_restoring = true;
    // The table shares ownership of the whole result.
    m_model->setTable(std::shared_ptr<const Table>(m_result, &m_result->table), std::move(outcome.order));
    m_restoring = false;
    if (m_selectedKey && m_selectedKey != outcome.selectedKey) {
        // Another row was chosen meanwhile.
        outcome.order = m_model->order();
        outcome.result = m_result;
        outcome.groupBy = m_groupBy;
        findAgain(m_selectedKey, m_spec.keyColumns, EventRow::none(), outcome);
    }
    if (m_selectedKey) {
        restoreSelection(outcome.selectedRow, outcome.current);
    }
    showMessage();
    showFooter();
}

void TablePanel::fail(const QString& reason) {
    m_filter->setTextError(reason);
    m_error->setText(reason);
    m_error->show();
}

void TablePanel::showMessage() {
    QString message;
    if (m_result && m_result->table.rowCount() == 0) {
        message = m_filter->restricts() ? tr("Nothing passes the filter.")
                  : !m_session.filter().empty()
                      ? tr("Nothing of it is in the part of the trace that counts: see the filter above.")
                      : m_spec.noRowsSentence;
    }
    m_view->setMessage(message);
}

void TablePanel::sort(const QString& spec) {
    if (!m_result) {
        return;
    }
    const std::shared_ptr<const AnalysisResult> result = m_result;
    m_sortJob.start<std::vector<size_t>>(
        [result, spec](JobControl& /*job*/) { return orderOf(result->table, spec); },
        [this, result](Result<std::vector<size_t>> order) {
            if (order.ok() && result == m_result && order.value().size() == result->table.rowCount()) {
                m_model->setOrder(std::move(order).value());
                m_view->scrollTo(m_view->currentIndex());
            }
        });
}

QString TablePanel::nameOf(size_t tableRow) const {
    const int column = m_model->columnOf(m_spec.nameColumn);
    if (column < 0) {
        return QString("");
    }
    const auto* name = std::get_if<std::string>(&m_result->table.cell(tableRow, static_cast<size_t>(column)));
    return name != nullptr ? fromUtf8(*name) : QString("");
}

void TablePanel::onCurrentRowChanged(int row) {
    if (m_result && row >= 0 && row < m_model->rowCount()) {
        highlightRow(row, -1);
    }
}

void TablePanel::highlightRow(int row, int current) {
    const size_t tableRow = m_model->tableRow(row);
    Highlight highlight{nameOf(tableRow), SharedRows(m_result, m_result->instances.of(tableRow)), current};
    const Highlight& before = m_session.highlight();
    if (m_selectedKey && before.title == highlight.title && before.events == highlight.events) {
        return;  // stepping goes on where it was
    }
    RowKey key{m_groupBy, {}};
    for (const size_t column : columnsOf(m_result->table, m_spec.keyColumns)) {
        key.cells.push_back(m_result->table.cell(tableRow, column));
    }
    m_selectedKey = std::move(key);
    m_ownEvents = highlight.events;
    m_ownTitle = highlight.title;
    m_settingHighlight = true;
    m_session.setHighlight(std::move(highlight));
    m_settingHighlight = false;
}

void TablePanel::onHighlightChanged() {
    const Highlight& highlight = m_session.highlight();
    if (m_settingHighlight || !m_selectedKey ||
        (highlight.events == m_ownEvents && !highlight.points && highlight.title == m_ownTitle)) {
        return;
    }
    m_selectedKey.reset();
    m_ownEvents = {};
    m_restoring = true;
    m_view->selectionModel()->clear();
    m_restoring = false;
}

void TablePanel::restoreSelection(std::optional<int> row, int current) {
    if (!row) {
        return;  // what is highlighted stays so; the row is selected again when a filter lets it through
    }
    m_restoring = true;
    m_view->setCurrentIndex(m_model->index(*row, std::max(0, m_model->columnOf(m_spec.nameColumn))));
    m_restoring = false;
    highlightRow(*row, current);
}

void TablePanel::showFooter() {
    if (!m_result) {
        m_footer->clear();
        return;
    }
    const size_t rows = m_result->table.rowCount();
    QStringList parts = {rows == 1 ? tr("1 row") : tr("%1 rows").arg(fromUtf8(formatCount(rows)))};
    // What the filter shows stands before what it is a part of.
    std::vector<const Total*> totals;
    for (const Total& total : m_result->totals) {
        totals.push_back(&total);
    }
    std::ranges::stable_partition(totals, [](const Total* total) { return total->info.id.starts_with("shown_"); });
    for (const Total* total : totals) {
        parts.append(fromUtf8(total->info.title) + " " + shownCellText(total->value, total->info));
    }
    m_footer->setText(parts.join(QStringLiteral("   \u00b7   ")));
}

void TablePanel::writeText(TableFormat format, bool selectedOnly, std::function<void(const std::string&)> use) {
    if (!m_result) {
        return;
    }
    TableFormatOptions options;
    options.columns = m_view->shownColumns();
    options.rows = m_model->order();
    if (selectedOnly) {
        std::vector<int> rows;
        for (const QModelIndex& index : m_view->selectionModel()->selectedRows()) {
            rows.push_back(index.row());
        }
        std::sort(rows.begin(), rows.end());
        options.rows->clear();
        for (const int row : rows) {
            options.rows->push_back(m_model->tableRow(row));
        }
    }
    const std::shared_ptr<const AnalysisResult> result = m_result;
    m_textJob.start<std::string>(
        [result, format, options](JobControl& /*job*/) -> Result<std::string> {
            return formatTable(result->table, format, options);
        },
        [this, use = std::move(use)](Result<std::string> text) {
            if (text.ok()) {
                use(text.value());
            } else {
                fail(fromUtf8(text.error().message));
            }
        });
}

void TablePanel::exportTable() {
    if (!m_result) {
        return;
    }
    const QString folder = settings::store().value(settings::kExportFolder).toString();
    const QString path =
        askSavePath(this, tr("Export table"), suggestedPath(m_session.trace().get(), folder, m_spec.id, ".csv"),
                    {{tr("CSV"), ".csv"}, {tr("Markdown"), ".md"}, {tr("JSON"), ".json"}});
    if (path.isEmpty()) {
        return;
    }
    settings::store().setValue(settings::kExportFolder, QFileInfo(path).absolutePath());
    const QString ending = QFileInfo(path).suffix().toLower();
    const TableFormat format = ending == "md"     ? TableFormat::Markdown
                               : ending == "json" ? TableFormat::JsonRows
                                                  : TableFormat::Csv;
    writeText(format, false, [this, path](const std::string& text) {
        QSaveFile file(path);
        const bool written =
            file.open(QIODevice::WriteOnly) &&
            file.write(text.data(), static_cast<qint64>(text.size())) == static_cast<qint64>(text.size()) &&
            file.commit();
        if (!written) {
            m_error->setText(tr("%1 could not be written: %2").arg(path, file.errorString()));
            m_error->show();
        } else {
            m_session.tell(tr("Table saved as %1").arg(QDir::toNativeSeparators(path)));
        }
    });
}

}  // namespace warpline
