// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/timeline/value_readout.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

#include "core/base/units.h"
#include "core/trace/process_title.h"
#include "widgets/panels/timeline/counter_look.h"

namespace warpline::timeline {

namespace {

/// The context of what is translated here.
struct Text {
    Q_DECLARE_TR_FUNCTIONS(Readout)
};

QString utf8(const std::string& text) {
    return QString::fromStdString(text);
}

TimeRange all(const Trace& trace) {
    return trace.range().value_or(TimeRange{});
}

/// "12.3 ms – 12.5 ms (200 µs)", from the trace's start.
QString stretchText(const Trace& trace, TimeRange range) {
    const TimeNs start = all(trace).begin;
    return Text::tr("%1 – %2  (%3)")
        .arg(utf8(formatDuration(distanceSaturated(start, range.begin))),
             utf8(formatDuration(distanceSaturated(start, range.end))), utf8(formatDuration(range.length())));
}

/// "3 launches"; other units as on the scale.
QString longValueText(double value, const ValueUnit& unit) {
    if (unit.kind == ValueUnit::Kind::Count && std::isfinite(value)) {
        const std::string many = unit.suffix == "launch" ? "launches" : "";
        return utf8(formatCountOf(static_cast<uint64_t>(std::max(value, 0.0)), unit.suffix, many));
    }
    return valueText(value, unit);
}

QString unknownReason(DerivedKind kind, bool isBefore) {
    if (kind == DerivedKind::Copies) {
        return Text::tr("n/a: a copy runs whose bytes the file does not give");
    }
    return isBefore ? Text::tr("n/a: before the first memory event") : Text::tr("n/a: the memory event does not say");
}

class Series {
public:
    Series(const ValueInput& in, uint32_t row, TimeNs at)
        : m_in(in), m_row(in.model.derived[row]), m_at(at), m_unit(unitOf(m_row.kind)) {
        m_track = in.derived != nullptr ? in.derived->find(m_row) : nullptr;
    }

    bool isKnown() const { return m_track != nullptr; }
    bool isComputed() const { return m_in.derived != nullptr && m_in.derived->of(m_row.kind) != nullptr; }

    void addLines(Readout& out, TimeRange shown) const {
        if (m_track->pieces.lod != nullptr) {
            addBusy(out, shown);
            return;
        }
        for (const DerivedLine& line : m_track->lines) {
            const size_t next = line.steps.firstAfter(m_at);
            const double value = line.steps.heldBefore(next);
            const QString text =
                std::isnan(value) ? unknownReason(m_row.kind, next == 0) : longValueText(value, m_unit);
            out.lines << (line.name.empty() ? text : utf8(line.name) + QLatin1Char(' ') + text);
        }
        if (!m_track->lines.empty()) {
            out.lines << stretchText(m_in.trace, m_track->lines.front().steps.stepAt(m_at, all(m_in.trace)));
        }
        addQueues(out);
        addUnknown(out);
    }

    void addFailure(Readout& out, const Bar& failure) const {
        const auto first = m_track->failures[failure.item];
        out.lines << (failure.count == 1
                          ? Text::tr("out of memory: a request failed at %1")
                                .arg(utf8(formatDuration(distanceSaturated(all(m_in.trace).begin, first))))
                          : Text::tr("out of memory: %1 requests failed in this pixel").arg(failure.count));
    }

    QString valueAt() const {
        if (m_track->pieces.lod != nullptr) {
            return busyAt(m_track->pieces, m_at, all(m_in.trace)).isBusy ? Text::tr("busy") : Text::tr("idle");
        }
        QStringList values;
        for (const DerivedLine& line : m_track->lines) {
            values << valueText(line.steps.heldBefore(line.steps.firstAfter(m_at)), m_unit);
        }
        return values.join(QStringLiteral(" / "));
    }

private:
    void addBusy(Readout& out, TimeRange shown) const {
        const BusyAt at = busyAt(m_track->pieces, m_at, all(m_in.trace));
        out.lines << (at.isBusy ? Text::tr("busy") : Text::tr("idle"));
        out.lines << stretchText(m_in.trace, at.stretch);
        // What lies before and after the trace is no idle time.
        const TimeRange counted = shown.intersected(all(m_in.trace));
        if (!counted.empty()) {
            const BusyPieces& pieces = m_track->pieces;
            const DurationNs busy = pieces.lod->busyWithin(pieces.begin, pieces.duration, counted);
            out.lines << Text::tr("%1 of the view: %2 of %3")
                             .arg(utf8(formatRatio(static_cast<double>(busy) / static_cast<double>(counted.length()))),
                                  utf8(formatDuration(busy)), utf8(formatDuration(counted.length())));
        }
        if (m_track->activity->unknownEnds > 0) {
            out.lines << Text::tr("%1 without an end in the file: not counted")
                             .arg(utf8(formatCountOf(m_track->activity->unknownEnds, "slice")));
        }
    }

    /// Those of several streams that have some.
    void addQueues(Readout& out) const {
        if (m_row.kind != DerivedKind::Queue || m_track->activity->queues.size() < 2) {
            return;
        }
        constexpr int kMost = 6;
        int named = 0;
        for (const StreamQueue& queue : m_track->activity->queues) {
            const uint32_t depth = queue.depth.at(m_at).value_or(0);
            if (depth > 0 && ++named <= kMost) {
                out.lines << QStringLiteral("%1: %2").arg(utf8(trackTitle(m_in.trace, queue.stream))).arg(depth);
            }
        }
        if (named > kMost) {
            out.lines
                << Text::tr("and on %1 more").arg(utf8(formatCountOf(static_cast<uint64_t>(named - kMost), "stream")));
        }
    }

    void addUnknown(Readout& out) const {
        if (m_row.kind == DerivedKind::Queue) {
            uint64_t unknown = 0;
            for (const StreamQueue& queue : m_track->activity->queues) {
                unknown += queue.unknownLaunches + queue.beforeLaunch;
            }
            if (unknown > 0) {
                out.lines << Text::tr("left out: %1 whose launch is not in the trace, or later than itself")
                                 .arg(utf8(formatCountOf(unknown, "piece of work", "pieces of work")));
            }
        } else if (m_row.kind == DerivedKind::Copies && m_track->activity->unknownCopies > 0) {
            out.lines << Text::tr("%1 without bytes or duration")
                             .arg(utf8(formatCountOf(m_track->activity->unknownCopies, "copy", "copies")));
        }
    }

    const ValueInput& m_in;
    const DerivedRow& m_row;
    const TimeNs m_at;
    const ValueUnit m_unit;
    const DerivedTrack* m_track;
};

}  // namespace

BusyAt busyAt(const BusyPieces& pieces, TimeNs at, TimeRange all) {
    // Long runs of pieces that touch are not walked to their end.
    constexpr size_t kMostJoined = 4096;
    const auto next =
        static_cast<size_t>(std::upper_bound(pieces.begin.begin(), pieces.begin.end(), at) - pieces.begin.begin());
    const auto endOf = [&](size_t i) { return pieces.begin[i] + pieces.duration[i]; };
    const size_t count = pieces.begin.size();
    if (next == 0 || endOf(next - 1) <= at) {
        return {false,
                {next > 0 ? endOf(next - 1) : std::min(all.begin, at),
                 next < count ? pieces.begin[next] : std::max(all.end, at)}};
    }
    size_t first = next - 1;
    size_t last = next - 1;
    while (first > 0 && next - first < kMostJoined && endOf(first - 1) >= pieces.begin[first]) {
        --first;
    }
    while (last + 1 < count && last - next < kMostJoined && pieces.begin[last + 1] <= endOf(last)) {
        ++last;
    }
    return {true, {pieces.begin[first], endOf(last)}};
}

std::optional<Readout> counterReadout(const ValueInput& in, uint32_t counter, TimeNs at, const QString& place) {
    const CounterLane& lane = in.model.counters[counter];
    const CounterSeries& series = in.trace.counters()[lane.counter].series[lane.series];
    const StepView steps = stepsOf(in.trace, lane);
    const size_t next = steps.firstAfter(at);
    if (next == 0) {
        return std::nullopt;
    }
    const double value = series.value[next - 1];
    const ValueUnit unit = unitOf(in.trace, lane);
    Readout readout;
    readout.title = utf8(lane.title);
    QString text = std::isnan(value)       ? Text::tr("no value")
                   : !series.whole.empty() ? QString::number(series.whole[next - 1])
                                           : QString::number(value, 'g', 12);
    if (!std::isnan(value) && unit.kind != ValueUnit::Kind::Plain) {
        text = valueText(value, unit) + QStringLiteral("  (%1)").arg(text);
    } else if (!unit.suffix.empty()) {
        text += QLatin1Char(' ') + utf8(unit.suffix);
    }
    readout.lines << text;
    if (isThrottleReasons(in.trace.string(in.trace.counters()[lane.counter].name))) {
        const QString state = stateText(in.trace, lane, value);
        readout.lines << (state.isEmpty() ? Text::tr("no reason") : state);
    }
    readout.lines << stretchText(in.trace, steps.stepAt(at, all(in.trace))) << place;
    return readout;
}

Readout seriesReadout(const ValueInput& in, uint32_t row, TimeNs at, TimeRange shown, const Bar* failure,
                      const QString& place) {
    const Series series(in, row, at);
    Readout readout;
    readout.title = utf8(in.model.derived[row].title);
    if (series.isKnown()) {
        if (failure != nullptr) {
            series.addFailure(readout, *failure);
        }
        series.addLines(readout, shown);
    } else {
        readout.lines << (series.isComputed() ? Text::tr("n/a: no kernels, copies or memsets")
                                              : Text::tr("being computed"));
    }
    readout.lines << place;
    return readout;
}

std::optional<Readout> projectionReadout(const ValueInput& in, uint32_t row, const Bar& bar, const QString& place) {
    const DerivedTrack* track = in.derived != nullptr ? in.derived->find(in.model.derived[row]) : nullptr;
    const ProjectedRange* range = track != nullptr ? track->rangeOf(EventRow(bar.item)) : nullptr;
    if (range == nullptr) {
        return std::nullopt;
    }
    constexpr qsizetype kLongest = 400;
    Readout readout;
    readout.title = utf8(std::string(in.trace.sliceName(range->annotation))).left(kLongest);
    readout.lines << Text::tr("on the device: %1").arg(utf8(formatDuration(range->duration)));
    readout.lines << stretchText(in.trace, {range->begin, range->begin + range->duration});
    readout.lines << Text::tr("%1 launched from inside")
                         .arg(
                             utf8(formatCountOf(range->work, "kernel, copy or memset", "kernels, copies and memsets")));
    if (range->openEnd) {
        readout.lines << Text::tr("may reach further: the file gives no end for some of them");
    }
    const DurationNs host = in.trace.slices().knownDuration(bar.item);
    const QString thread = utf8(trackTitle(in.trace, in.trace.slices().track[bar.item]));
    readout.lines << (host == kUnknownDuration
                          ? Text::tr("on the host: duration unknown  ·  %1").arg(thread)
                          : Text::tr("on the host: %1  ·  %2").arg(utf8(formatDuration(host)), thread));
    readout.lines << place;
    if (bar.count > 1) {
        readout.lines << Text::tr("the longest of %1 in this pixel: zoom in").arg(bar.count);
    }
    return readout;
}

QString counterValueAt(const ValueInput& in, uint32_t counter, TimeNs at) {
    const CounterLane& lane = in.model.counters[counter];
    const StepView steps = stepsOf(in.trace, lane);
    const size_t next = steps.firstAfter(at);
    if (next == 0) {
        return {};
    }
    const bool isState = isThrottleReasons(in.trace.string(in.trace.counters()[lane.counter].name));
    return isState ? stateText(in.trace, lane, steps.at(next - 1))
                   : valueText(steps.at(next - 1), unitOf(in.trace, lane));
}

QString seriesValueAt(const ValueInput& in, uint32_t row, TimeNs at) {
    const Series series(in, row, at);
    return series.isKnown() ? series.valueAt() : QString();
}

}  // namespace warpline::timeline
