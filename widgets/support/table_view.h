// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Shows a TableModel: columns that are chosen by the header's menu and remembered by id, sorting by any of them,
// copying. Sorting is asked for by a signal, so that the owner can do it off the GUI thread.

#include <QStringList>

#include "core/table/table_format.h"
#include "widgets/support/message_table.h"

class QMenu;

namespace warpline {

class TableModel;

class TableView : public MessageTable {
    Q_OBJECT

public:
    /// `settingsId` names this table in the settings; `defaultSort` is a column id, "-id" for descending, or "".
    TableView(TableModel* model, const QString& settingsId, const QString& defaultSort, QWidget* parent = nullptr);

    /// As in Table::sortedRows(): "-id" is descending; "" is the table's own order.
    const QString& sortSpec() const { return m_sortSpec; }
    void setSortSpec(const QString& spec);
    /// Table column numbers, in the order shown.
    std::vector<size_t> shownColumns() const;
    /// Adds what chooses and sorts columns; for keyboard users it is also behind a button.
    void fillColumnMenu(QMenu* menu);

signals:
    void sortRequested(const QString& spec);
    void copyRequested(warpline::TableFormat format, bool selectedOnly);
    void rowActivated(int row, Qt::KeyboardModifiers modifiers);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void onModelReset();
    void sortBy(int column);
    void showSortIndicator();
    void setColumnShown(int column, bool shown);
    int defaultWidth(int column) const;
    void rememberWidth(int column, int width);
    /// Names take the room that is left over, until somebody drags their edge.
    void fitFirstColumn();

    TableModel* m_model;
    QString m_settingsId;
    QString m_sortSpec;
    QStringList m_widthChosen;  ///< column ids
    bool m_restoring = false;
};

}  // namespace warpline
