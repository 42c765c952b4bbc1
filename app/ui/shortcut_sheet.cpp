// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/shortcut_sheet.h"

#include <QAction>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

#include "widgets/support/cell_delegate.h"
#include "widgets/support/icons.h"
#include "widgets/support/theme.h"

namespace warpline::ui {

namespace {

QString plainText(const QAction* action) {
    QString text = action->text();
    text.remove('&');
    if (text.endsWith(QStringLiteral("…"))) {
        text.chop(1);
    }
    return text;
}

QString keysOf(const QAction* action) {
    QStringList keys;
    for (const QKeySequence& sequence : action->shortcuts()) {
        keys << sequence.toString(QKeySequence::NativeText);
    }
    if (const QString gesture = action->property("gesture").toString(); !gesture.isEmpty()) {
        keys << gesture;
    }
    return keys.join(QStringLiteral("  or  "));
}

}  // namespace

ShortcutSheet::ShortcutSheet(const QList<ShortcutGroup>& groups, QWidget* parent)
    : QDialog(parent), m_table(new QTableWidget(0, 3, this)) {
    setWindowTitle(tr("Keyboard shortcuts"));
    auto* search = new QLineEdit(this);
    search->setPlaceholderText(tr("Search"));
    search->setAccessibleName(tr("Search shortcuts"));
    search->addAction(icon(Icon::Search), QLineEdit::LeadingPosition);
    search->setClearButtonEnabled(true);
    m_table->setAccessibleName(tr("Keyboard shortcuts"));
    m_table->setHorizontalHeaderLabels({tr("Where"), tr("What"), tr("Keys")});
    for (int column = 0; column < 3; ++column) {
        m_table->horizontalHeaderItem(column)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    }
    m_table->horizontalHeader()->setSectionResizeMode(1, QHeaderView::Stretch);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 9);
    m_table->setItemDelegate(new CellDelegate(m_table));
    m_table->setShowGrid(false);
    m_table->setAlternatingRowColors(true);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setTabKeyNavigation(false);
    const auto addRow = [this](const QString& where, const QString& what, const QString& keys) {
        const int row = m_table->rowCount();
        m_table->insertRow(row);
        auto* place = new QTableWidgetItem(where);
        place->setForeground(theme().mutedText);
        m_table->setItem(row, 0, place);
        m_table->setItem(row, 1, new QTableWidgetItem(what));
        m_table->setItem(row, 2, new QTableWidgetItem(keys));
    };
    for (const ShortcutGroup& group : groups) {
        for (const QAction* action : group.actions) {
            const QString keys = keysOf(action);
            if (!keys.isEmpty()) {
                addRow(group.title, plainText(action), keys);
            }
        }
    }
    addRow(tr("Tables"), tr("Show the next instance of the row"), tr("Enter or double click"));
    addRow(tr("Tables"), tr("Show the previous instance of the row"), tr("Shift+Enter"));
    addRow(tr("Tables"), tr("Copy selected rows as CSV"),
           QKeySequence(QKeySequence::Copy).toString(QKeySequence::NativeText));
    addRow(tr("Details"), tr("Go to the linked slice"), tr("Enter or click"));
    m_table->resizeColumnToContents(0);
    m_table->resizeColumnToContents(2);

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(search, &QLineEdit::textChanged, this, &ShortcutSheet::filter);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->setSpacing(10);
    layout->addWidget(search);
    layout->addWidget(m_table, 1);
    layout->addWidget(buttons);
    resize(620, 560);
}

void ShortcutSheet::filter(const QString& text) {
    for (int row = 0; row < m_table->rowCount(); ++row) {
        bool matches = false;
        for (int column = 0; column < m_table->columnCount(); ++column) {
            matches = matches || m_table->item(row, column)->text().contains(text, Qt::CaseInsensitive);
        }
        m_table->setRowHidden(row, !matches);
    }
}

}  // namespace warpline::ui
