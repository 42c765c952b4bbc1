// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The list of a ChoicePopup: what fits the letters that were typed, best first, and how a line of it is drawn.

#include <QAbstractListModel>
#include <QList>
#include <QStyledItemDelegate>

#include <vector>

#include "widgets/support/choice_popup.h"

namespace warpline {

class ChoiceModel : public QAbstractListModel {
    Q_OBJECT

public:
    using QAbstractListModel::QAbstractListModel;

    void setChoices(std::vector<Choice> choices);
    void setPattern(const QString& pattern);
    const Choice& choiceAt(int row) const { return m_choices[m_rows[static_cast<size_t>(row)].index]; }
    int indexOf(int row) const { return static_cast<int>(m_rows[static_cast<size_t>(row)].index); }
    /// Which letters of lineOf() were found.
    QList<int> placesAt(int row) const;
    /// What letters are looked for in: "Timeline: Zoom in".
    static QString lineOf(const Choice& choice);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
    struct Row {
        size_t index = 0;
        int score = 0;
    };
    void refresh();

    std::vector<Choice> m_choices;
    std::vector<Row> m_rows;
    QString m_pattern;
};

class ChoiceDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace warpline
