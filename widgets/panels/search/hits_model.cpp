// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/search/hits_model.h"

#include <algorithm>
#include <string>
#include <utility>

#include "core/base/demangle.h"
#include "core/base/units.h"
#include "core/trace/process_title.h"
#include "widgets/support/cell_text.h"
#include "widgets/support/kind_title.h"
#include "widgets/support/theme.h"

namespace warpline::search {

namespace {

std::string_view nameOf(const Trace& trace, const Selection& hit) {
    switch (hit.kind) {
        case Selection::Kind::Slice:
            return trace.sliceName(EventRow(hit.index));
        case Selection::Kind::AsyncSlice:
            return trace.string(trace.asyncSlices()[hit.index].name);
        case Selection::Kind::AsyncInstant:
            return trace.string(trace.asyncInstants()[hit.index].name);
        case Selection::Kind::Instant:
            return trace.string(trace.instants()[hit.index].name);
        case Selection::Kind::CounterSample:
            return trace.string(trace.counters()[hit.index].name);
        case Selection::Kind::None:
            break;
    }
    return {};
}

/// None for a counter, which belongs to a process.
TrackId trackOf(const Trace& trace, const Selection& hit) {
    switch (hit.kind) {
        case Selection::Kind::Slice:
            return trace.slices().track[hit.index];
        case Selection::Kind::AsyncSlice:
            return trace.asyncSlices()[hit.index].track;
        case Selection::Kind::AsyncInstant:
            return trace.asyncInstants()[hit.index].track;
        case Selection::Kind::Instant:
            return trace.instants()[hit.index].track;
        case Selection::Kind::CounterSample:
        case Selection::Kind::None:
            break;
    }
    return {};
}

ProcessId processOf(const Trace& trace, const Selection& hit) {
    const TrackId track = trackOf(trace, hit);
    return track.valid() ? trace.track(track).process : trace.counters()[hit.index].process;
}

/// nullopt: it is no stretch of time.
std::optional<DurationNs> durationOf(const Trace& trace, const Selection& hit) {
    switch (hit.kind) {
        case Selection::Kind::Slice:
            return trace.slices().knownDuration(hit.index);
        case Selection::Kind::AsyncSlice: {
            const AsyncSlice& slice = trace.asyncSlices()[hit.index];
            return slice.unfinished ? kUnknownDuration : slice.duration;
        }
        default:
            return std::nullopt;
    }
}

DurationNs sinceStart(const Trace& trace, const Selection& hit) {
    return distanceSaturated(trace.range().value_or(TimeRange{}).begin, beginOf(trace, hit));
}

bool isNumber(int column) {
    return column == HitsModel::StartColumn || column == HitsModel::DurationColumn;
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
    endResetModel();
}

void HitsModel::updateFont() {
    m_numberFont = tabularFont();
}

int HitsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(std::min(m_hits.size(), kMostRows));
}

int HitsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QString HitsModel::text(const Trace& trace, const Selection& hit, int column) {
    switch (column) {
        case NameColumn:
            return fromUtf8(demangledName(nameOf(trace, hit)));
        case KindColumn:
            switch (hit.kind) {
                case Selection::Kind::Slice:
                    return kindTitle(trace.slices().kind[hit.index]);
                case Selection::Kind::AsyncSlice:
                    return tr("Async slice");
                case Selection::Kind::AsyncInstant:
                    return tr("Async instant");
                case Selection::Kind::Instant:
                    return tr("Instant");
                case Selection::Kind::CounterSample:
                    return tr("Counter");
                case Selection::Kind::None:
                    return {};
            }
            return {};
        case StartColumn:
            return fromUtf8(formatDuration(sinceStart(trace, hit)));
        case DurationColumn: {
            const std::optional<DurationNs> duration = durationOf(trace, hit);
            if (!duration) {
                return QStringLiteral("\u2013");
            }
            return *duration < 0 ? notAvailable() : fromUtf8(formatDuration(*duration));
        }
        case TrackColumn: {
            const TrackId track = trackOf(trace, hit);
            return fromUtf8(track.valid() ? trackTitle(trace, track) : processTitle(trace, processOf(trace, hit)));
        }
        default:
            return {};
    }
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
            return text(*m_trace, hit, column) + "\n" + fromUtf8(processHeading(*m_trace, processOf(*m_trace, hit)));
        default:
            return text(*m_trace, hit, column);
    }
}

QVariant HitsModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const Selection hit = m_hits.at(static_cast<size_t>(index.row()));
    switch (role) {
        case Qt::DisplayRole:
            return text(*m_trace, hit, index.column());
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
