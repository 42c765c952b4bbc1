// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/search/hit_facts.h"

#include <QCoreApplication>

#include "core/base/demangle.h"
#include "core/base/units.h"
#include "core/trace/process_title.h"
#include "widgets/support/cell_text.h"
#include "widgets/support/kind_title.h"

namespace warpline::search {

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

QString hitText(const Trace& trace, const Selection& hit, int column) {
    switch (column) {
        case NameColumn:
            return fromUtf8(demangledName(nameOf(trace, hit)));
        case KindColumn:
            switch (hit.kind) {
                case Selection::Kind::Slice:
                    return kindTitle(trace.slices().kind[hit.index]);
                case Selection::Kind::AsyncSlice:
                    return QCoreApplication::translate("HitsModel", "Async slice");
                case Selection::Kind::AsyncInstant:
                    return QCoreApplication::translate("HitsModel", "Async instant");
                case Selection::Kind::Instant:
                    return QCoreApplication::translate("HitsModel", "Instant");
                case Selection::Kind::CounterSample:
                    return QCoreApplication::translate("HitsModel", "Counter");
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

}  // namespace warpline::search
