// SPDX-License-Identifier: MIT
#include "core/analyses/area_table/area_table.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/analyses/area_filter.h"
#include "core/analyses/duration_statistics.h"
#include "core/analyses/row_index.h"
#include "core/base/demangle.h"
#include "core/base/parallel.h"
#include "core/base/stoppable.h"
#include "core/trace/process_title.h"

namespace warpline {

namespace {

constexpr std::array<std::pair<std::string_view, AreaGrouping>, 3> kGroupings = {
    {{"name", AreaGrouping::Name}, {"kind", AreaGrouping::Kind}, {"track", AreaGrouping::Track}}};

struct Row {
    RowKey key;
    uint32_t first = 0;  ///< of its events in the list of all
    uint32_t count = 0;
    uint32_t unknownCount = 0;  ///< of these, without an end
    Sum inside;                 ///< ns
    DurationSummary whole;      ///< of those with an end, if there are any

    bool isKnown() const { return unknownCount < count; }
    std::optional<int64_t> insideNs() const { return isKnown() ? inside.value() : std::nullopt; }
};

class AreaTableBuilder {
public:
    AreaTableBuilder(const Trace& trace, const AreaFilter& filter, AreaGrouping grouping, JobControl& job)
        : m_trace(trace), m_slices(trace.slices()), m_filter(filter), m_grouping(grouping), m_job(job) {}

    Result<AnalysisResult> build() {
        if (!collect() || !summarize()) {
            return Error::cancelled();
        }
        std::vector<uint32_t> order(m_rows.size());
        std::iota(order.begin(), order.end(), 0U);
        std::ranges::stable_sort(order, [&](uint32_t a, uint32_t b) { return isBefore(m_rows[a], m_rows[b]); });
        AnalysisResult out;
        addColumns(out.table);
        out.instances.offsets.push_back(0);
        out.instances.events.reserve(m_events.size());
        Sum inside;
        for (const uint32_t index : order) {
            const Row& row = m_rows[index];
            if (m_job.stopRequested()) {
                return Error::cancelled();
            }
            addRow(out.table, row);
            inside += row.inside;
            const auto events = eventsOf(row);
            out.instances.events.insert(out.instances.events.end(), events.begin(), events.end());
            out.instances.offsets.push_back(static_cast<uint32_t>(out.instances.events.size()));
        }
        using enum ColumnType;
        out.totals = {
            {{"range_ns", "Range", "Length of the area", Integer, Unit::Nanoseconds}, toCell(rangeNs())},
            {{"count", "Count", "Slices that touch the area", Integer, Unit::Count},
             static_cast<int64_t>(m_events.size())},
            {{"inside_ns", "Inside", "Time inside of all rows", Integer, Unit::Nanoseconds}, toCell(inside.value())}};
        return out;
    }

private:
    RowKey keyOf(uint32_t event) const {
        switch (m_grouping) {
            case AreaGrouping::Kind:
                return {0, 0, static_cast<uint8_t>(m_slices.kind[event])};
            case AreaGrouping::Track:
                return {0, m_slices.track[event].value, 0};
            case AreaGrouping::Name:
                break;
        }
        return {m_slices.name[event].value, 0, static_cast<uint8_t>(m_slices.kind[event])};
    }
    std::span<EventRow> eventsOf(const Row& row) { return std::span(m_events).subspan(row.first, row.count); }

    /// The events of each row together, and in order of their rows in the trace.
    bool collect() {
        StopPoll poll(m_job);
        RowIndex index;
        std::vector<EventRow> events;
        std::vector<uint32_t> rowOf;
        for (const RowSpan& span : m_filter.spans()) {
            for (uint32_t event = span.first; event < span.last; ++event) {
                if (poll.stopRequested()) {
                    return false;
                }
                if ((m_slices.flags[event] & kSliceIsSum) != 0 || !m_filter.takes(EventRow(event))) {
                    continue;
                }
                const uint32_t row = index.of(keyOf(event));
                if (row == m_rows.size()) {
                    m_rows.push_back({index.keys()[row]});
                }
                ++m_rows[row].count;
                events.push_back(EventRow(event));
                rowOf.push_back(row);
            }
        }
        std::vector<uint32_t> next;
        for (uint32_t end = 0; Row & row : m_rows) {
            row.first = end;
            next.push_back(end);
            end += row.count;
        }
        m_events.resize(events.size());
        for (size_t i = 0; i < events.size(); ++i) {
            if (poll.stopRequested()) {
                return false;
            }
            m_events[next[rowOf[i]]++] = events[i];
        }
        return !m_job.stopRequested();
    }

    bool summarize() {
        // Long ones first, so that no thread is left alone with one at the end.
        std::vector<uint32_t> order(m_rows.size());
        std::iota(order.begin(), order.end(), 0U);
        std::ranges::sort(order, [&](uint32_t a, uint32_t b) { return m_rows[a].count > m_rows[b].count; });
        std::atomic<bool> isStopped{m_job.stopRequested()};
        parallelFor(order.size(), usableThreads(), [&](size_t i) {
            if (!isStopped && !summarize(m_rows[order[i]])) {
                isStopped = true;
            }
        });
        return !isStopped;
    }

    bool summarize(Row& row) {
        StopPoll poll(m_job);
        const std::span<EventRow> events = eventsOf(row);
        if (!stableSortByKeyUnlessStopped(
                events, [&](EventRow event) { return m_slices.begin[event.value]; }, m_job)) {
            return false;
        }
        std::vector<int64_t> durations;
        durations.reserve(events.size());
        for (const EventRow event : events) {
            if (poll.stopRequested()) {
                return false;
            }
            const DurationNs inside = insideNs(m_slices, event, m_filter.range());
            if (inside == kUnknownDuration) {
                ++row.unknownCount;
                continue;
            }
            row.inside += inside;
            durations.push_back(m_slices.duration[event.value]);
        }
        if (m_job.stopRequested()) {
            return false;
        }
        if (!durations.empty()) {
            row.whole = durationSummary(durations);
        }
        return true;
    }

    bool isBefore(const Row& a, const Row& b) const {
        if (a.inside != b.inside) {
            return a.inside > b.inside;
        }
        if (a.count != b.count) {
            return a.count > b.count;
        }
        const auto nameOf = [&](const Row& row) { return m_trace.string(StringId(row.key.name)); };
        return a.key.name != b.key.name ? nameOf(a) < nameOf(b)
                                        : std::pair(a.key.kind, a.key.extra) < std::pair(b.key.kind, b.key.extra);
    }

    std::optional<int64_t> rangeNs() const {
        const auto range = m_filter.range() ? m_filter.range() : m_trace.range();
        return range ? std::optional(range->length()) : std::nullopt;
    }

    void addColumns(Table& table) const {
        using enum ColumnType;
        const auto column = [&](const char* id, const char* title, const char* tooltip, ColumnType type, Unit unit,
                                bool shown = true) {
            table.addColumn({id, title, tooltip, type, unit, shown});
        };
        switch (m_grouping) {
            case AreaGrouping::Name:
                table = Table("name");
                column("name", "Name", "The slices' name in full", Text, Unit::None);
                column("short_name", "Short name", "Of kernels: without namespaces, template arguments and parameters",
                       Text, Unit::None, false);
                column("kind", "Kind", "What they are: operator, kernel, copy …", Text, Unit::None);
                break;
            case AreaGrouping::Kind:
                table = Table("kind");
                column("kind", "Kind", "What they are: operator, kernel, copy …", Text, Unit::None);
                break;
            case AreaGrouping::Track:
                table = Table("track");
                column("track", "Track", "Thread or stream that they lie on", Text, Unit::None);
                column("process", "Process", "The process that the track belongs to", Text, Unit::None);
                break;
        }
        column("count", "Count", "Slices that touch the area (tables of a range count those that begin inside)",
               Integer, Unit::Count);
        column("inside_ns", "Inside",
               "The part of their time that lies inside the area; nested and parallel ones count each", Integer,
               Unit::Nanoseconds);
        column("share", "Share", "Time inside over the length of the area; more than 100 % where they nest or overlap",
               Real, Unit::Ratio);
        column("total_ns", "Total", "Sum of their durations, also of what lies outside of the area", Integer,
               Unit::Nanoseconds);
        column("mean_ns", "Mean", "Of whole durations", Real, Unit::Nanoseconds);
        column("median_ns", "Median", "Half are shorter; the mean of the middle two for an even count", Real,
               Unit::Nanoseconds);
        column("min_ns", "Min", "The shortest, in whole", Integer, Unit::Nanoseconds);
        column("max_ns", "Max", "The longest, in whole", Integer, Unit::Nanoseconds);
        column("no_end_count", "Without an end", "Of the count, those whose duration is unknown: in no time", Integer,
               Unit::Count, false);
    }

    void addRow(Table& table, const Row& row) const {
        std::vector<Cell> cells;
        const auto kind = static_cast<EventKind>(row.key.kind);
        switch (m_grouping) {
            case AreaGrouping::Name: {
                const std::string_view name = m_trace.string(StringId(row.key.name));
                cells = {std::string(name), kind == EventKind::Kernel ? shortName(name) : std::string(name),
                         std::string(eventKindName(kind))};
                break;
            }
            case AreaGrouping::Kind:
                cells = {std::string(eventKindName(kind))};
                break;
            case AreaGrouping::Track: {
                const Track& track = m_trace.track(TrackId(row.key.extra));
                cells = {std::string(m_trace.string(track.label)), processTitle(m_trace, track.process)};
                break;
            }
        }
        const bool isKnown = row.isKnown();
        const auto whole = [&](auto member) { return isKnown ? Cell(row.whole.*member) : Cell(); };
        const auto inside = isKnown ? row.inside : Sum::unknown();
        const auto length = rangeNs();
        cells.insert(cells.end(), {int64_t{row.count}, toCell(row.insideNs()),
                                   toCell(ratioOf(inside, length ? Sum(*length) : Sum::unknown())),
                                   isKnown ? toCell(row.whole.total.value()) : Cell(), whole(&DurationSummary::meanNs),
                                   whole(&DurationSummary::medianNs), whole(&DurationSummary::minNs),
                                   whole(&DurationSummary::maxNs), int64_t{row.unknownCount}});
        table.addRow(std::move(cells));
    }

    const Trace& m_trace;
    const SliceColumns& m_slices;
    const AreaFilter& m_filter;
    AreaGrouping m_grouping;
    JobControl& m_job;
    std::vector<Row> m_rows;
    std::vector<EventRow> m_events;
};

class AreaTableAnalysis final : public Analysis {
public:
    const AnalysisInfo& info() const override {
        static const AnalysisInfo kInfo = {"area_table", "Area", {"name", "kind", "track"}};
        return kInfo;
    }
    Result<AnalysisResult> run(const Trace& trace, const AnalysisOptions& options, JobControl& job) const override {
        const auto* grouping = std::find_if(kGroupings.begin(), kGroupings.end(),
                                            [&](const auto& known) { return known.first == options.groupBy; });
        if (grouping == kGroupings.end()) {
            return Error::failed("cannot group by \"" + options.groupBy + "\": name, kind or track");
        }
        return computeAreaTable(trace, options.filter, grouping->second, job);
    }
};

}  // namespace

Result<AnalysisResult> computeAreaTable(const Trace& trace, const TraceFilter& filter, AreaGrouping groupBy,
                                        JobControl& job) {
    const auto compiled = AreaFilter::compile(trace, filter, job);
    if (!compiled) {
        return compiled.error();
    }
    if (job.stopRequested()) {
        return Error::cancelled();
    }
    return AreaTableBuilder(trace, compiled.value(), groupBy, job).build();
}

std::unique_ptr<Analysis> analyses::area_table::make() {
    return std::make_unique<AreaTableAnalysis>();
}

}  // namespace warpline
