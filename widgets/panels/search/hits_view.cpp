// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/search/hits_view.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QKeyEvent>
#include <QMenu>

#include <algorithm>
#include <utility>
#include <vector>

#include "widgets/panels/search/hits_model.h"
#include "widgets/support/cell_delegate.h"
#include "widgets/support/table_header.h"

namespace warpline::search {

namespace {

constexpr int kMostCopied = 100'000;
constexpr int kLeastNameWidth = 140;
/// So many are sorted at once, without a moment in another order.
constexpr size_t kFew = 4'096;

}  // namespace

HitsView::HitsView(HitsModel* model, QWidget* parent)
    : MessageTable(parent), m_model(model), m_copyJob(new JobRunner(this)), m_sortJob(new JobRunner(this)) {
    setItemDelegate(new CellDelegate(this));
    setAlternatingRowColors(true);
    setShowGrid(false);
    setWordWrap(false);
    // What tells kernels of one template apart stands at the end.
    setTextElideMode(Qt::ElideMiddle);
    setSelectionBehavior(SelectRows);
    setSelectionMode(ExtendedSelection);
    setEditTriggers(NoEditTriggers);
    setHorizontalScrollMode(ScrollPerPixel);
    setTabKeyNavigation(false);
    setCornerButtonEnabled(false);
    setMouseTracking(true);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 9);
    auto* header = new TableHeader(this);
    setHorizontalHeader(header);
    header->setHighlightSections(false);
    header->setSectionsClickable(true);
    header->setSortIndicatorShown(true);
    header->setSortIndicator(m_sort.column, Qt::AscendingOrder);
    connect(header, &QHeaderView::sectionClicked, this, &HitsView::sortBy);
    setModel(model);
    setAccessibleName(tr("Hits"));
    connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& current) {
        if (!m_showing && current.isValid()) {
            emit rowRequested(current.row());
        }
    });
    // Of the row that is current already.
    connect(this, &QAbstractItemView::clicked, this, [this](const QModelIndex& index) {
        if (QApplication::keyboardModifiers() == Qt::NoModifier) {
            emit rowRequested(index.row());
        }
    });
    fitColumns();
}

void HitsView::showRow(int row) {
    m_showing = true;
    if (row < 0 || row >= m_model->rowCount()) {
        selectionModel()->clear();
    } else if (row != currentIndex().row()) {
        setCurrentIndex(m_model->index(row, NameColumn));
    }
    m_showing = false;
}

void HitsView::sortBy(int column) {
    // What one looks for first: the longest, the first name, the earliest.
    const bool isFirstDescending = column == DurationColumn;
    m_sort = {column, m_sort.column == column ? !m_sort.isDescending : isFirstDescending};
    horizontalHeader()->setSortIndicator(column, m_sort.isDescending ? Qt::DescendingOrder : Qt::AscendingOrder);
    sortAnew();
}

void HitsView::sortAnew() {
    const auto use = [this](HitOrder order) {
        m_showing = true;
        m_model->setOrder(std::move(order));
        m_showing = false;
        emit sorted();
    };
    m_sortJob->cancel();
    const Highlight& hits = m_model->hits();
    if (m_sort.isByTime() || hits.empty()) {
        if (m_model->order()) {
            use(nullptr);
        }
        return;
    }
    if (hits.size() <= kFew) {
        JobControl noStop;
        use(sortedHits(*m_model->trace(), hits, m_sort, noStop).value_or(nullptr));
        return;
    }
    m_sortJob->start<HitOrder>(
        [trace = m_model->trace(), hits, sort = m_sort](JobControl& job) -> Result<HitOrder> {
            std::optional<HitOrder> order = sortedHits(*trace, hits, sort, job);
            return order ? Result<HitOrder>(std::move(*order)) : Error::cancelled();
        },
        [use](Result<HitOrder> order) {
            if (order.ok()) {
                use(std::move(order).value());
            }
        });
}

/// The way to the headings without a mouse.
void HitsView::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu;
    QMenu* sort = menu.addMenu(tr("Sort by"));
    for (int column = 0; column < HitColumnCount; ++column) {
        sort->addAction(m_model->headerData(column, Qt::Horizontal).toString(), this,
                        [this, column] { sortBy(column); });
    }
    QAction* copy = menu.addAction(tr("Copy selected rows"), this, [this] { copySelected(); });
    copy->setEnabled(selectionModel()->hasSelection());
    menu.exec(event->globalPos());
}

void HitsView::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy)) {
        copySelected();
    } else if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        emit stepRequested((event->modifiers() & Qt::ShiftModifier) != 0 ? -1 : +1);
    } else if (event->key() == Qt::Key_Escape) {
        emit leaveRequested();
    } else {
        MessageTable::keyPressEvent(event);
    }
}

/// On a thread: a hundred thousand rows take a second to be written.
void HitsView::copySelected() {
    std::vector<std::pair<int, int>> ranges;
    for (const QItemSelectionRange& range : selectionModel()->selection()) {
        ranges.emplace_back(range.top(), range.bottom());
    }
    if (ranges.empty() || !m_model->trace()) {
        return;
    }
    m_copyJob->start<QString>(
        [trace = m_model->trace(), hits = m_model->hits(), order = m_model->order(),
         ranges = std::move(ranges)](JobControl& job) -> Result<QString> {
            QStringList lines;
            for (const auto& [first, last] : ranges) {
                for (int row = first; row <= last && lines.size() < kMostCopied; ++row) {
                    if (job.stopRequested()) {
                        return Error::cancelled();
                    }
                    QStringList cells;
                    for (int column = 0; column < HitColumnCount; ++column) {
                        const auto place = static_cast<size_t>(row);
                        cells << hitText(*trace, hits.at(order ? (*order)[place] : place), column);
                    }
                    lines << cells.join('\t');
                }
            }
            return lines.join('\n');
        },
        [](Result<QString> text) {
            if (text.ok()) {
                QApplication::clipboard()->setText(text.value());
            }
        });
}

void HitsView::resizeEvent(QResizeEvent* event) {
    MessageTable::resizeEvent(event);
    fitColumns();
}

void HitsView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) {
        verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 9);
        m_model->updateFont();
        fitColumns();
    }
    MessageTable::changeEvent(event);
}

/// Widths for the longest texts that these columns usually have; names take the room that is left.
void HitsView::fitColumns() {
    const auto widthOf = [this](const QString& text) { return fontMetrics().horizontalAdvance(text) + 26; };
    setColumnWidth(KindColumn, widthOf(QStringLiteral("CUDA runtime call")));
    setColumnWidth(StartColumn, widthOf(QStringLiteral("888.888 ms")));
    setColumnWidth(DurationColumn, widthOf(QStringLiteral("888.888 ms")));
    setColumnWidth(TrackColumn, widthOf(QStringLiteral("pt_autograd_0 (123456)")));
    int others = 0;
    for (int column = NameColumn + 1; column < HitColumnCount; ++column) {
        others += columnWidth(column);
    }
    setColumnWidth(NameColumn, std::max(kLeastNameWidth, viewport()->width() - others));
}

}  // namespace warpline::search
