// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/search/hits_view.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QKeyEvent>

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

}  // namespace

HitsView::HitsView(HitsModel* model, QWidget* parent)
    : MessageTable(parent), m_model(model), m_copyJob(new JobRunner(this)) {
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
        setCurrentIndex(m_model->index(row, HitsModel::NameColumn));
    }
    m_showing = false;
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
        [trace = m_model->trace(), hits = m_model->hits(),
         ranges = std::move(ranges)](JobControl& job) -> Result<QString> {
            QStringList lines;
            for (const auto& [first, last] : ranges) {
                for (int row = first; row <= last && lines.size() < kMostCopied; ++row) {
                    if (job.stopRequested()) {
                        return Error::cancelled();
                    }
                    QStringList cells;
                    for (int column = 0; column < HitsModel::ColumnCount; ++column) {
                        cells << HitsModel::text(*trace, hits.at(static_cast<size_t>(row)), column);
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
    setColumnWidth(HitsModel::KindColumn, widthOf(QStringLiteral("CUDA runtime call")));
    setColumnWidth(HitsModel::StartColumn, widthOf(QStringLiteral("888.888 ms")));
    setColumnWidth(HitsModel::DurationColumn, widthOf(QStringLiteral("888.888 ms")));
    setColumnWidth(HitsModel::TrackColumn, widthOf(QStringLiteral("pt_autograd_0 (123456)")));
    int others = 0;
    for (int column = HitsModel::NameColumn + 1; column < HitsModel::ColumnCount; ++column) {
        others += columnWidth(column);
    }
    setColumnWidth(HitsModel::NameColumn, std::max(kLeastNameWidth, viewport()->width() - others));
}

}  // namespace warpline::search
