// SPDX-License-Identifier: MIT
#include "core/analyses/area_rows.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>
#include <utility>

#include "core/analyses/area_scan.h"
#include "core/analyses/row_titles.h"
#include "core/base/stoppable.h"

namespace warpline {

namespace {

using Place = std::pair<uint32_t, StringId>;  ///< process, title

/// Fails only when stopped.
bool sumAsync(const Trace& trace, TimeRange range, std::span<const RowTitle> rows, StopPoll& poll, RowsArea& out) {
    const AsyncRows places(trace);
    std::map<Place, size_t> rowOf;  // in out.async
    const auto rowOfPlace = [&](TrackId track, StringId name, StringId category) -> AsyncRowArea* {
        const StringId title = places.titleOf(track, name, category);
        const uint32_t process = places.processOf(track).value;
        const auto [at, isNew] = rowOf.try_emplace({process, title}, SIZE_MAX);
        for (size_t i = 0; isNew && i < rows.size(); ++i) {
            if (rows[i].kind == RowTitle::Kind::Async && rows[i].process.value == process &&
                rows[i].title == asyncRowTitle(trace, title)) {
                const auto same = std::ranges::find(out.async, i, &AsyncRowArea::row);
                at->second = static_cast<size_t>(same - out.async.begin());
                if (same == out.async.end()) {
                    out.async.push_back({i, {}, 0});
                }
            }
        }
        return at->second == SIZE_MAX ? nullptr : &out.async[at->second];
    };
    std::vector<std::unordered_map<uint32_t, size_t>> placeOfName;
    const TimeNs traceEnd = trace.range().value_or(TimeRange{}).end;
    for (const AsyncSlice& slice : trace.asyncSlices()) {
        if (poll.stopRequested()) {
            return false;
        }
        if (slice.begin >= range.end) {
            break;  // by begin
        }
        AsyncRowArea* row = rowOfPlace(slice.track, slice.name, slice.category);
        const bool hasEnd = !slice.unfinished && slice.duration >= 0;
        const TimeNs end = hasEnd ? addSaturated(slice.begin, slice.duration) : std::max(slice.begin, traceEnd);
        if (row == nullptr || !touches(range, slice.begin, end)) {
            continue;
        }
        placeOfName.resize(out.async.size());
        auto& known = placeOfName[static_cast<size_t>(row - out.async.data())];
        const auto [place, isNew] = known.try_emplace(slice.name.value, row->names.size());
        if (isNew) {
            row->names.push_back({slice.name});
        }
        AsyncNameSum& sum = row->names[place->second];
        ++sum.count;
        if (!hasEnd) {
            ++sum.unknownCount;
            continue;
        }
        sum.insideNs += TimeRange{slice.begin, end}.intersected(range).length();
        sum.minNs = std::min(sum.minNs.value_or(slice.duration), slice.duration);
        sum.maxNs = std::max(sum.maxNs.value_or(slice.duration), slice.duration);
    }
    for (const AsyncInstant& instant : trace.asyncInstants()) {
        if (poll.stopRequested()) {
            return false;
        }
        if (instant.time >= range.end) {
            break;
        }
        AsyncRowArea* row = rowOfPlace(instant.track, instant.name, instant.category);
        if (row != nullptr && instant.time >= range.begin) {
            ++row->instants;
        }
    }
    for (AsyncRowArea& row : out.async) {
        std::ranges::sort(row.names, [&](const AsyncNameSum& a, const AsyncNameSum& b) {
            if (a.insideNs != b.insideNs) {
                return a.insideNs > b.insideNs;
            }
            return a.count != b.count ? a.count > b.count : trace.string(a.name) < trace.string(b.name);
        });
    }
    std::ranges::sort(out.async, {}, &AsyncRowArea::row);
    return true;
}

}  // namespace

CounterRowArea counterInRange(const CounterSeries& series, TimeRange range, TimeNs traceEnd) {
    CounterRowArea out;
    const std::vector<TimeNs>& times = series.time;
    const auto inside = std::ranges::lower_bound(times, range.begin);
    const auto end = std::ranges::lower_bound(times, range.end);
    out.samples = static_cast<uint64_t>(std::max<std::ptrdiff_t>(end - inside, 0));
    if (range.empty()) {
        return out;
    }
    // What holds when the time begins is of the sample before, unless one is there just then.
    const bool begins = inside != times.end() && *inside == range.begin;
    auto at = inside != times.begin() && !begins ? inside - 1 : inside;
    double weighted = 0, weight = 0;
    for (; at < end; ++at) {
        const double value = series.value[static_cast<size_t>(at - times.begin())];
        out.last = std::isnan(value) ? std::nullopt : std::optional(value);
        if (std::isnan(value)) {
            continue;
        }
        const TimeNs until = at + 1 == times.end() ? std::max(*at, traceEnd) : *(at + 1);
        const bool isBefore = *at < range.begin;
        const auto held = static_cast<double>(TimeRange{*at, until}.intersected(range).length());
        if (isBefore && held == 0) {
            out.last.reset();  // it holds no longer
            continue;
        }
        out.min = std::min(out.min.value_or(value), value);
        out.max = std::max(out.max.value_or(value), value);
        weighted += value * held;
        weight += held;
    }
    if (weight > 0) {
        out.mean = weighted / weight;
    }
    return out;
}

Result<RowsArea> computeRowsArea(const Trace& trace, TimeRange range, std::span<const RowTitle> rows, JobControl& job) {
    RowsArea out;
    StopPoll poll(job);
    const auto hasKind = [&](RowTitle::Kind kind) {
        return std::ranges::find(rows, kind, &RowTitle::kind) != rows.end();
    };
    if (job.stopRequested() ||
        (hasKind(RowTitle::Kind::Async) && !range.empty() && !sumAsync(trace, range, rows, poll, out))) {
        return Error::cancelled();
    }
    if (!hasKind(RowTitle::Kind::Counter)) {
        return out;
    }
    const TimeNs traceEnd = trace.range().value_or(TimeRange{}).end;
    std::map<std::pair<uint32_t, std::string>, std::vector<const CounterSeries*>> series;
    for (const Counter& counter : trace.counters()) {
        for (const CounterSeries& one : counter.series) {
            series[{counter.process.value, counterRowTitle(trace, counter, one)}].push_back(&one);
        }
    }
    for (size_t i = 0; i < rows.size(); ++i) {
        if (job.stopRequested()) {
            return Error::cancelled();
        }
        const auto found = rows[i].kind == RowTitle::Kind::Counter ? series.find({rows[i].process.value, rows[i].title})
                                                                   : series.end();
        if (found != series.end()) {
            for (const CounterSeries* one : found->second) {
                out.counters.push_back(counterInRange(*one, range, traceEnd));
                out.counters.back().row = i;
            }
        }
    }
    return out;
}

}  // namespace warpline
