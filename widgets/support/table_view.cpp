// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/support/table_view.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>

#include <algorithm>

#include "widgets/support/cell_delegate.h"
#include "widgets/support/cell_text.h"
#include "widgets/support/settings.h"
#include "widgets/support/table_header.h"
#include "widgets/support/table_model.h"

namespace warpline {

namespace {
constexpr int kFirstTextWidth = 270;
constexpr int kMaxFirstWidth = 900;
constexpr int kMaxOtherWidth = 260;
constexpr int kRatioWidth = 92;
constexpr int kSampledRows = 60;
constexpr int kPadding = 22;
}  // namespace

TableView::TableView(TableModel* model, const QString& settingsId, const QString& defaultSort, QWidget* parent)
    : MessageTable(parent), m_model(model), m_settingsId(settingsId) {
    m_sortSpec = settings::store().value(settings::tableKey(settingsId, settings::kSortColumn), defaultSort).toString();
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
    auto* header = new TableHeader(this);
    setHorizontalHeader(header);
    header->setSectionsClickable(true);
    header->setHighlightSections(false);
    header->setContextMenuPolicy(Qt::CustomContextMenu);
    header->setMinimumSectionSize(40);
    connect(header, &QHeaderView::sectionClicked, this, &TableView::sortBy);
    connect(header, &QHeaderView::sectionResized, this,
            [this](int column, int /*before*/, int width) { rememberWidth(column, width); });
    connect(header, &QWidget::customContextMenuRequested, this, [this, header](const QPoint& at) {
        QMenu menu;
        fillColumnMenu(&menu);
        menu.exec(header->mapToGlobal(at));
    });
    connect(this, &QAbstractItemView::activated, this,
            [this](const QModelIndex& index) { emit rowActivated(index.row(), QApplication::keyboardModifiers()); });
    setModel(model);
    connect(model, &QAbstractItemModel::modelReset, this, &TableView::onModelReset);
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 9);
    onModelReset();
}

void TableView::setSortSpec(const QString& spec) {
    m_sortSpec = spec;
    settings::store().setValue(settings::tableKey(m_settingsId, settings::kSortColumn), spec);
    showSortIndicator();
    emit sortRequested(spec);
}

void TableView::sortBy(int column) {
    const ColumnInfo& info = m_model->columnInfo(column);
    const QString id = fromUtf8(info.id);
    // What one looks for first: the biggest number, the first name.
    const QString first = isNumeric(info) ? "-" + id : id;
    const QString second = isNumeric(info) ? id : "-" + id;
    setSortSpec(m_sortSpec == first ? second : first);
}

void TableView::showSortIndicator() {
    const bool descending = m_sortSpec.startsWith('-');
    const int column = m_model->columnOf(descending ? m_sortSpec.mid(1) : m_sortSpec);
    QHeaderView* header = horizontalHeader();
    header->setSortIndicatorShown(column >= 0);
    if (column >= 0) {
        header->setSortIndicator(column, descending ? Qt::DescendingOrder : Qt::AscendingOrder);
    }
}

void TableView::onModelReset() {
    const QString hiddenKey = settings::tableKey(m_settingsId, settings::kHiddenColumns);
    const QString shownKey = settings::tableKey(m_settingsId, settings::kShownColumns);
    const QStringList hidden = settings::store().value(hiddenKey).toStringList();
    const QStringList shown = settings::store().value(shownKey).toStringList();
    const QVariantMap widths =
        settings::store().value(settings::tableKey(m_settingsId, settings::kColumnWidths)).toMap();
    m_widthChosen = widths.keys();
    m_restoring = true;
    for (int column = 0; column < m_model->columnCount(); ++column) {
        const ColumnInfo& info = m_model->columnInfo(column);
        const QString id = fromUtf8(info.id);
        const bool show = (info.shownByDefault && !hidden.contains(id)) || shown.contains(id);
        setColumnHidden(column, !show);
        if (show) {
            const int remembered = widths.value(id).toInt();
            setColumnWidth(column, remembered > 0 ? remembered : defaultWidth(column));
        }
    }
    m_restoring = false;
    fitFirstColumn();
    showSortIndicator();
}

void TableView::fitFirstColumn() {
    if (m_model->columnCount() == 0 || isColumnHidden(0) || isNumeric(m_model->columnInfo(0)) ||
        m_widthChosen.contains(fromUtf8(m_model->columnInfo(0).id))) {
        return;
    }
    int others = 0;
    for (int column = 1; column < m_model->columnCount(); ++column) {
        others += isColumnHidden(column) ? 0 : columnWidth(column);
    }
    m_restoring = true;
    setColumnWidth(0, std::clamp(viewport()->width() - others, kFirstTextWidth, kMaxFirstWidth));
    m_restoring = false;
}

void TableView::resizeEvent(QResizeEvent* event) {
    MessageTable::resizeEvent(event);
    fitFirstColumn();
}

int TableView::defaultWidth(int column) const {
    const ColumnInfo& info = m_model->columnInfo(column);
    const int heading = fontMetrics().horizontalAdvance(fromUtf8(info.title)) + kPadding + TableHeader::kArrowRoom;
    if (column == 0 && !isNumeric(info)) {
        return std::max(heading, kFirstTextWidth);
    }
    if (info.unit == Unit::Ratio) {
        return std::max(heading, kRatioWidth);
    }
    int widest = heading;
    for (int row = 0; row < std::min(m_model->rowCount(), kSampledRows); ++row) {
        const QString text = m_model->index(row, column).data().toString();
        widest = std::max(widest, fontMetrics().horizontalAdvance(text) + kPadding);
    }
    return std::min(widest, std::max(heading, kMaxOtherWidth));
}

void TableView::rememberWidth(int column, int width) {
    if (m_restoring || width <= 0 || column >= m_model->columnCount()) {
        return;
    }
    const QString key = settings::tableKey(m_settingsId, settings::kColumnWidths);
    QVariantMap widths = settings::store().value(key).toMap();
    widths.insert(fromUtf8(m_model->columnInfo(column).id), width);
    settings::store().setValue(key, widths);
    m_widthChosen = widths.keys();
}

void TableView::setColumnShown(int column, bool shown) {
    const ColumnInfo& info = m_model->columnInfo(column);
    const QString id = fromUtf8(info.id);
    const QString hiddenKey = settings::tableKey(m_settingsId, settings::kHiddenColumns);
    const QString shownKey = settings::tableKey(m_settingsId, settings::kShownColumns);
    QStringList hiddenIds = settings::store().value(hiddenKey).toStringList();
    QStringList shownIds = settings::store().value(shownKey).toStringList();
    hiddenIds.removeAll(id);
    shownIds.removeAll(id);
    if (shown != info.shownByDefault) {
        (shown ? shownIds : hiddenIds).append(id);
    }
    settings::store().setValue(hiddenKey, hiddenIds);
    settings::store().setValue(shownKey, shownIds);
    m_restoring = true;
    setColumnHidden(column, !shown);
    if (shown) {
        setColumnWidth(column, defaultWidth(column));
    }
    m_restoring = false;
}

std::vector<size_t> TableView::shownColumns() const {
    std::vector<size_t> columns;
    for (int visual = 0; visual < m_model->columnCount(); ++visual) {
        const int column = horizontalHeader()->logicalIndex(visual);
        if (!isColumnHidden(column)) {
            columns.push_back(static_cast<size_t>(column));
        }
    }
    return columns;
}

void TableView::fillColumnMenu(QMenu* menu) {
    QMenu* sort = menu->addMenu(tr("Sort by"));
    menu->addSeparator();
    const size_t shownCount = shownColumns().size();
    for (int column = 0; column < m_model->columnCount(); ++column) {
        const ColumnInfo& info = m_model->columnInfo(column);
        const QString title = fromUtf8(info.title);
        const bool shown = !isColumnHidden(column);
        QAction* show = menu->addAction(title);
        show->setCheckable(true);
        show->setChecked(shown);
        show->setToolTip(fromUtf8(info.tooltip));
        // A table without columns could not be brought back by its header.
        show->setEnabled(!(shown && shownCount == 1));
        connect(show, &QAction::toggled, this, [this, column](bool on) { setColumnShown(column, on); });
        if (shown) {
            connect(sort->addAction(title), &QAction::triggered, this, [this, column] { sortBy(column); });
        }
    }
    menu->setToolTipsVisible(true);
    menu->addSeparator();
    connect(menu->addAction(tr("Reset columns")), &QAction::triggered, this, [this] {
        for (const char* what : {settings::kHiddenColumns, settings::kShownColumns, settings::kColumnWidths}) {
            settings::store().remove(settings::tableKey(m_settingsId, what));
        }
        onModelReset();
    });
}

void TableView::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy)) {
        emit copyRequested(TableFormat::Csv, true);
        return;
    }
    MessageTable::keyPressEvent(event);
}

void TableView::contextMenuEvent(QContextMenuEvent* event) {
    if (m_model->rowCount() == 0) {
        return;
    }
    const QModelIndex index = event->reason() == QContextMenuEvent::Mouse ? indexAt(event->pos()) : currentIndex();
    QMenu menu;
    if (index.isValid()) {
        const QString text = index.data(TableModel::RawRole).toString();
        QAction* cell = menu.addAction(tr("Copy cell"));
        cell->setEnabled(!text.isEmpty());
        connect(cell, &QAction::triggered, this, [text] { QApplication::clipboard()->setText(text); });
        const int row = index.row();
        connect(menu.addAction(tr("Show next instance")), &QAction::triggered, this,
                [this, row] { emit rowActivated(row, Qt::NoModifier); });
        menu.addSeparator();
    }
    connect(menu.addAction(tr("Copy selected rows as CSV")), &QAction::triggered, this,
            [this] { emit copyRequested(TableFormat::Csv, true); });
    connect(menu.addAction(tr("Copy selected rows as Markdown")), &QAction::triggered, this,
            [this] { emit copyRequested(TableFormat::Markdown, true); });
    connect(menu.addAction(tr("Copy table as CSV")), &QAction::triggered, this,
            [this] { emit copyRequested(TableFormat::Csv, false); });
    connect(menu.addAction(tr("Copy table as Markdown")), &QAction::triggered, this,
            [this] { emit copyRequested(TableFormat::Markdown, false); });
    menu.addSeparator();
    fillColumnMenu(menu.addMenu(tr("Columns")));
    menu.exec(event->globalPos());
}

void TableView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) {
        verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 9);
    }
    MessageTable::changeEvent(event);
}

}  // namespace warpline
