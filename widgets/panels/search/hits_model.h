// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The hits of a search for a table view, by time. Texts are made when they are shown; nothing is copied. GUI thread.

#include <QAbstractTableModel>
#include <QFont>

#include <memory>

#include "widgets/support/highlight.h"

namespace warpline::search {

class HitsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { NameColumn, KindColumn, StartColumn, DurationColumn, TrackColumn, ColumnCount };
    /// A view keeps something for each row, and nobody scrolls through more; the highlight has all.
    static constexpr size_t kMostRows = 1'000'000;

    explicit HitsModel(QObject* parent = nullptr);

    void setHits(std::shared_ptr<const Trace> trace, Highlight hits);
    const Highlight& hits() const { return m_hits; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    void updateFont();
    const std::shared_ptr<const Trace>& trace() const { return m_trace; }
    /// What a cell shows. Pure; any thread.
    static QString text(const Trace& trace, const Selection& hit, int column);

private:
    QString toolTip(const Selection& hit, int column) const;

    std::shared_ptr<const Trace> m_trace;
    Highlight m_hits;
    QFont m_numberFont;
};

}  // namespace warpline::search
