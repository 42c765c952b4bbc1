// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The hits of a search for a table view, by time or in another order. Texts are made when they are shown; nothing is
// copied. GUI thread.

#include <QAbstractTableModel>
#include <QFont>

#include <memory>
#include <vector>

#include "widgets/panels/search/hit_facts.h"
#include "widgets/panels/search/hit_order.h"
#include "widgets/support/highlight.h"

namespace warpline::search {

class HitsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    /// A view keeps something for each row, and nobody scrolls through more; the highlight has all.
    static constexpr size_t kMostRows = 1'000'000;

    explicit HitsModel(QObject* parent = nullptr);

    void setHits(std::shared_ptr<const Trace> trace, Highlight hits);
    const Highlight& hits() const { return m_hits; }
    /// Rows stand in this order until there are other hits. Null: by time.
    void setOrder(HitOrder order);
    const HitOrder& order() const { return m_order; }
    /// Of a row, its place among the hits by time. REQUIRES: it is a row.
    size_t hitOf(int row) const { return m_order ? (*m_order)[static_cast<size_t>(row)] : static_cast<size_t>(row); }
    /// -1 for one that is not listed, or less than 0.
    int rowOf(int hit) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    void updateFont();
    const std::shared_ptr<const Trace>& trace() const { return m_trace; }

private:
    QString toolTip(const Selection& hit, int column) const;

    std::shared_ptr<const Trace> m_trace;
    Highlight m_hits;
    HitOrder m_order;
    std::vector<uint32_t> m_rowOf;  ///< by hit; empty without an order
    QFont m_numberFont;
};

}  // namespace warpline::search
