// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/timeline/readout.h"

#include <QCoreApplication>

#include "core/base/units.h"
#include "core/trace/process_title.h"
#include "widgets/panels/timeline/value_readout.h"

namespace warpline::timeline {

namespace {

/// The context of what is translated here.
struct Text {
    Q_DECLARE_TR_FUNCTIONS(Readout)
};

QString text(std::string_view utf8) {
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

QString idAndPlace(const Trace& trace, const std::optional<EventId>& id, const QString& place) {
    return id ? Text::tr("id %1  ·  %2").arg(text(trace.idText(*id)), place) : place;
}

}  // namespace

std::optional<Readout> makeReadout(const ReadoutInput& in, const Hit& hit, double x) {
    constexpr qsizetype kLongest = 400;
    const TimeNs start = in.trace.range().value_or(TimeRange{}).begin;
    const auto since = [start](TimeNs time) { return text(formatDuration(distanceSaturated(start, time))); };
    const Section& section = in.layout.sections()[in.layout.rows()[in.geometry.rows[hit.row].layoutRow].section];
    QString place = text(processHeading(in.trace, section.process));
    const auto trackPlace = [&](TrackId track) {
        const QString title = text(trackTitle(in.trace, track));
        // A process's main thread is often named like it.
        return place.startsWith(title) ? place : title + QStringLiteral(" · ") + place;
    };
    const TimeNs at = xToTime(in.geometry.view.axis, x);
    Readout readout;
    switch (hit.kind) {
        case RowKind::Lane: {
            const EventRow row(hit.bar->item);
            const SliceColumns& slices = in.trace.slices();
            readout.title = text(in.trace.sliceName(row)).left(kLongest);
            const DurationNs duration = slices.knownDuration(row.value);
            if (duration == kUnknownDuration) {
                readout.lines << Text::tr("duration unknown: the file gives no end");
            } else {
                const DurationNs self = in.trace.selfDuration(row);
                QString line = text(formatDuration(duration));
                if (self != kUnknownDuration && self != duration) {
                    line += Text::tr("  ·  self %1").arg(text(formatDuration(self)));
                }
                readout.lines << line;
            }
            readout.lines << Text::tr("starts at %1").arg(since(slices.begin[row.value]));
            if (const KernelFacts* facts = in.trace.findKernelFacts(row); facts != nullptr && facts->hasLaunchShape()) {
                readout.lines << Text::tr("grid %1 × %2 × %3  ·  block %4 × %5 × %6")
                                     .arg(facts->grid[0])
                                     .arg(facts->grid[1])
                                     .arg(facts->grid[2])
                                     .arg(facts->block[0])
                                     .arg(facts->block[1])
                                     .arg(facts->block[2]);
            }
            if (const CopyFacts* copy = in.trace.findCopyFacts(row); copy != nullptr && copy->bytes >= 0) {
                readout.lines << text(formatBytes(static_cast<double>(copy->bytes)));
            }
            readout.lines << trackPlace(slices.track[row.value]);
            if (hit.bar->count > 1) {
                readout.lines << Text::tr("the longest of %1 in this pixel: zoom in").arg(hit.bar->count);
            }
            return readout;
        }
        case RowKind::Async: {
            const auto async = in.trace.asyncSlices();
            if (hit.bar->item < async.size()) {
                const AsyncSlice& slice = async[hit.bar->item];
                readout.title = text(in.trace.string(slice.name)).left(kLongest);
                readout.lines << (slice.unfinished ? Text::tr("no end in the file")
                                                   : text(formatDuration(slice.duration)))
                              << Text::tr("starts at %1").arg(since(slice.begin))
                              << idAndPlace(in.trace, slice.id, place);
            } else {
                const AsyncInstant& instant = in.trace.asyncInstants()[hit.bar->item - async.size()];
                readout.title = text(in.trace.string(instant.name)).left(kLongest);
                readout.lines << Text::tr("at %1").arg(since(instant.time)) << idAndPlace(in.trace, instant.id, place);
            }
            return readout;
        }
        case RowKind::Instants: {
            const Instant& instant = in.trace.instants()[hit.bar->item];
            readout.title = text(in.trace.string(instant.name)).left(kLongest);
            readout.lines << Text::tr("instant at %1").arg(since(instant.time)) << trackPlace(instant.track);
            if (hit.bar->count > 1) {
                readout.lines << Text::tr("the first of %1 in this pixel: zoom in").arg(hit.bar->count);
            }
            return readout;
        }
        case RowKind::Projection:
            return projectionReadout({in.trace, in.model, in.derived}, section.index, *hit.bar, place);
        case RowKind::Counter:
            return counterReadout({in.trace, in.model, in.derived}, section.index, at, place);
        case RowKind::Series: {
            const TimeRange shown = visibleRange(in.geometry.view.axis, in.geometry.lanesWidth());
            return seriesReadout({in.trace, in.model, in.derived}, section.index, at, shown, hit.bar, place);
        }
    }
    return std::nullopt;
}

}  // namespace warpline::timeline
