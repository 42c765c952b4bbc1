// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/search/hits_model.h"

#include <algorithm>
#include <string>
#include <utility>

#include "core/base/units.h"
#include "core/trace/process_title.h"
#include "widgets/support/cell_text.h"
#include "widgets/support/theme.h"

namespace warpline::search {

namespace {

bool isNumber(int column) {
    return column == StartColumn || column == DurationColumn;
}

QString exactNs(int64_t ns) {
    return fromUtf8(std::to_string(ns) + " ns");
}

}  // namespace

HitsModel::HitsModel(QObject* parent) : QAbstractTableModel(parent), m_numberFont(tabularFont()) {}

void HitsModel::setHits(std::shared_ptr<const Trace> trace, Highlight hits) {
    beginResetModel();
    m_trace = std::move(trace);
    m_hits = std::move(hits);
    m_order.reset();
    endResetModel();
}

void HitsModel::setOrder(HitOrder order) {
    beginResetModel();
    m_order = std::move(order);
    m_rowOf.clear();
    if (m_order) {
        m_rowOf.resize(m_order->size());
        for (size_t row = 0; row < m_order->size(); ++row) {
            m_rowOf[(*m_order)[row]] = static_cast<uint32_t>(row);
        }
    }
    endResetModel();
}

int HitsModel::rowOf(int hit) const {
    const size_t index = static_cast<size_t>(hit);
    const size_t row = hit < 0 || !m_order ? index : index < m_rowOf.size() ? m_rowOf[index] : SIZE_MAX;
    return hit >= 0 && row < static_cast<size_t>(rowCount()) ? static_cast<int>(row) : -1;
}

void HitsModel::updateFont() {
    m_numberFont = tabularFont();
}

int HitsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(std::min(m_hits.size(), kMostRows));
}

int HitsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : HitColumnCount;
}

QString HitsModel::toolTip(const Selection& hit, int column) const {
    switch (column) {
        case StartColumn:
            return tr("%1 after the start of the trace").arg(exactNs(sinceStart(*m_trace, hit)));
        case DurationColumn: {
            const std::optional<DurationNs> duration = durationOf(*m_trace, hit);
            return !duration       ? tr("A moment, or a value: it has no duration")
                   : *duration < 0 ? tr("The file gives no end")
                                   : exactNs(*duration);
        }
        case TrackColumn:
            return hitText(*m_trace, hit, column) + "\n" + fromUtf8(processHeading(*m_trace, processOf(*m_trace, hit)));
        default:
            return hitText(*m_trace, hit, column);
    }
}

QVariant HitsModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const Selection hit = m_hits.at(hitOf(index.row()));
    switch (role) {
        case Qt::DisplayRole:
            return hitText(*m_trace, hit, index.column());
        case Qt::ToolTipRole:
            return toolTip(hit, index.column());
        case Qt::TextAlignmentRole:
            return QVariant::fromValue(Qt::AlignVCenter | (isNumber(index.column()) ? Qt::AlignRight : Qt::AlignLeft));
        case Qt::FontRole:
            return isNumber(index.column()) ? QVariant(m_numberFont) : QVariant();
        case Qt::ForegroundRole:
            return index.column() == DurationColumn && durationOf(*m_trace, hit).value_or(-1) < 0
                       ? QVariant(theme().mutedText)
                       : QVariant();
        default:
            return {};
    }
}

QVariant HitsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return QVariant::fromValue(Qt::AlignVCenter | (isNumber(section) ? Qt::AlignRight : Qt::AlignLeft));
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
        case NameColumn:
            return tr("Name");
        case KindColumn:
            return tr("Kind");
        case StartColumn:
            return tr("Start");
        case DurationColumn:
            return tr("Duration");
        case TrackColumn:
            return tr("Track");
        default:
            return {};
    }
}

}  // namespace warpline::search
