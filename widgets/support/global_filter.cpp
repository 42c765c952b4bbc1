// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/support/global_filter.h"

#include <QCoreApplication>

#include <algorithm>
#include <vector>

#include "core/base/units.h"
#include "core/trace/process_title.h"
#include "widgets/support/cell_text.h"

namespace warpline {

std::optional<TraceFilter> narrowed(TraceFilter own, const GlobalFilter& global) {
    own.leastDuration = std::max(own.leastDuration, global.leastDuration);
    if (!global.area) {
        return own;
    }
    own.range = own.range ? own.range->intersected(global.area->range) : global.area->range;
    if (own.range->empty()) {
        return std::nullopt;
    }
    if (global.area->isOfRowsAlone()) {
        return std::nullopt;
    }
    const std::vector<TrackId>& tracks = global.area->tracks;
    if (own.tracks.empty()) {
        own.tracks = tracks;
    } else if (!tracks.empty()) {
        std::erase_if(own.tracks,
                      [&tracks](TrackId track) { return std::ranges::find(tracks, track) == tracks.end(); });
        if (own.tracks.empty()) {
            return std::nullopt;
        }
    }
    return own;
}

AreaSelection filterOf(AreaSelection area) {
    area.rows.clear();
    return area;
}

QString filterText(const Trace& trace, const GlobalFilter& filter) {
    const auto tr = [](const char* text) { return QCoreApplication::translate("GlobalFilter", text); };
    const QString least = filter.leastDuration > 0
                              ? tr("events of %1 and more").arg(fromUtf8(formatDuration(filter.leastDuration)))
                              : QString();
    if (!filter.area) {
        return least;
    }
    const TimeNs start = trace.range().value_or(TimeRange{}).begin;
    const TimeRange& range = filter.area->range;
    QString text = tr("%1 from %2 on")
                       .arg(fromUtf8(formatDuration(range.length())),
                            fromUtf8(formatDuration(distanceSaturated(start, range.begin))));
    const std::vector<TrackId>& tracks = filter.area->tracks;
    if (!tracks.empty()) {
        const QString first = fromUtf8(trackTitle(trace, tracks.front()));
        text +=
            tracks.size() == 1 ? tr(", on %1").arg(first) : tr(", on %1 and %2 more").arg(first).arg(tracks.size() - 1);
    }
    if (const std::vector<SectionRef>& rows = filter.area->rows; filter.area->isOfRowsAlone()) {
        const QString first = fromUtf8(rows.front().title);
        text += rows.size() == 1 ? tr(", on %1").arg(first) : tr(", on %1 and %2 more").arg(first).arg(rows.size() - 1);
    }
    return least.isEmpty() ? text : text + QStringLiteral("; ") + least;
}

}  // namespace warpline
