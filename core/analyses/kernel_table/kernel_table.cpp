// SPDX-License-Identifier: MIT
#include "core/analyses/kernel_table/kernel_table.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "core/analyses/kernel_table/kernel_groups.h"
#include "core/analyses/kernel_table/launch_facts.h"
#include "core/analyses/merge_runs.h"
#include "core/analyses/row_index.h"
#include "core/analyses/slice_filter.h"
#include "core/base/demangle.h"
#include "core/base/sum.h"
#include "core/devices/kernel_occupancy.h"
#include "core/trace/device_work.h"

namespace warpline {

namespace {

using namespace kernel_table;

constexpr uint32_t kCancelStride = 1U << 16;
constexpr std::array<std::pair<std::string_view, KernelGrouping>, 4> kGroupings = {
    {{"name", KernelGrouping::Name},
     {"shape", KernelGrouping::Shape},
     {"stack", KernelGrouping::Stack},
     {"annotation", KernelGrouping::Annotation}}};

struct Row {
    StringId name;
    EventKind kind = EventKind::Kernel;
    std::vector<EventRow> events;
    Sum total;  ///< ns
    uint32_t group = 0;
    std::vector<uint32_t> launches;  ///< distinct ways in which it was launched: numbers of LaunchFactsIndex
    std::set<int64_t> streams;
    int64_t lastStream = kUnknownFact;
};

class KernelTableBuilder {
public:
    KernelTableBuilder(const Trace& trace, SliceFilter filter, KernelGrouping grouping, JobControl& job)
        : m_trace(trace),
          m_slices(trace.slices()),
          m_filter(std::move(filter)),
          m_groups(trace, grouping),
          m_job(job) {}

    Result<AnalysisResult> build() {
        if (!collect()) {
            return Error::cancelled();
        }
        std::stable_sort(m_rows.begin(), m_rows.end(), [&](const Row& a, const Row& b) {
            return a.total != b.total ? a.total > b.total : m_trace.string(a.name) < m_trace.string(b.name);
        });
        AnalysisResult out;
        out.table = Table("name");
        addColumns(out.table);
        out.totals = {
            {{"total_ns", "Total", "Sum of the durations of all rows", ColumnType::Integer, Unit::Nanoseconds},
             toCell(m_total.value())}};
        out.instances.offsets.push_back(0);
        std::vector<EventRow> scratch;
        for (Row& row : m_rows) {
            if (m_job.stopRequested()) {
                return Error::cancelled();
            }
            mergeRuns(std::span(row.events), scratch,
                      [&](EventRow a, EventRow b) { return m_slices.begin[a.value] < m_slices.begin[b.value]; });
            addRow(out.table, row);
            out.instances.events.insert(out.instances.events.end(), row.events.begin(), row.events.end());
            out.instances.offsets.push_back(static_cast<uint32_t>(out.instances.events.size()));
        }
        return out;
    }

private:
    bool collect() {
        RowIndex rowOfKey;
        RowIndex launchOfRow;
        const auto facts = m_trace.kernelFacts();
        auto fact = facts.begin();
        for (uint32_t event = 0; event < m_slices.size(); ++event) {
            if (event % kCancelStride == 0 && m_job.stopRequested()) {
                return false;
            }
            if (!isDeviceWork(m_slices.kind[event]) || !m_filter.accepts(EventRow(event))) {
                continue;
            }
            while (fact != facts.end() && fact->row.value < event) {
                ++fact;
            }
            const KernelFacts* kernel = fact != facts.end() && fact->row.value == event ? &*fact : nullptr;
            const LaunchFacts launch = launchFactsOf(m_trace, EventRow(event), kernel);
            const RowKey key{m_slices.name[event].value, m_groups.of(EventRow(event), launch)};
            const uint32_t index = rowOfKey.of(key);
            if (index == m_rows.size()) {
                m_rows.emplace_back();
                m_rows.back().name = m_slices.name[event];
                m_rows.back().kind = m_slices.kind[event];
                m_rows.back().group = key.extra;
            }
            Row& row = m_rows[index];
            row.events.push_back(EventRow(event));
            row.total += m_slices.summedDuration(event);
            m_total += m_slices.summedDuration(event);
            addStream(row, EventRow(event), kernel);
            const uint32_t number = m_launches.of(launch);
            const size_t known = launchOfRow.keys().size();
            if (launchOfRow.of({index, number}) == known) {
                row.launches.push_back(number);
            }
        }
        return true;
    }

    void addStream(Row& row, EventRow event, const KernelFacts* kernel) {
        const CopyFacts* copy = kernel == nullptr ? m_trace.findCopyFacts(event) : nullptr;
        const int64_t stream = kernel != nullptr ? kernel->stream : copy != nullptr ? copy->stream : kUnknownFact;
        // Mostly the same as last time.
        if (stream != kUnknownFact && (row.streams.empty() || row.lastStream != stream)) {
            row.streams.insert(stream);
            row.lastStream = stream;
        }
    }

    void addColumns(Table& table) const {
        using enum ColumnType;
        const auto column = [&](const char* id, const char* title, const char* tooltip, ColumnType type, Unit unit,
                                bool shown = true) {
            table.addColumn({id, title, tooltip, type, unit, shown});
        };
        column("name", "Name", "The kernel's name in full", Text, Unit::None);
        m_groups.addColumn(table);
        column("short_name", "Short name", "Without namespaces, template arguments and parameters", Text, Unit::None,
               false);
        column("kind", "Kind", "Kernel, copy or memset", Text, Unit::None, false);
        column("count", "Count", "How often it ran", Integer, Unit::Count);
        column("total_ns", "Total", "Sum of durations", Integer, Unit::Nanoseconds);
        column("total_ratio", "Total %", "Total over that of all rows", Real, Unit::Ratio);
        column("min_ns", "Min", "Shortest", Integer, Unit::Nanoseconds);
        column("median_ns", "Median", "Half are shorter; the mean of the middle two for an even count", Real,
               Unit::Nanoseconds);
        column("mean_ns", "Mean", "Total over count", Real, Unit::Nanoseconds);
        column("p95_ns", "p95", "95 % are no longer than this", Integer, Unit::Nanoseconds);
        column("max_ns", "Max", "Longest", Integer, Unit::Nanoseconds);
        column("stddev_ns", "Std dev", "Standard deviation of the durations", Real, Unit::Nanoseconds);
        column("device", "Device", "The GPU's number", Integer, Unit::None);
        column("streams", "Streams", "Streams that it ran on", Json, Unit::None);
        column("grid", "Grid", "Blocks of the launch (x, y, z)", Json, Unit::None);
        column("block", "Block", "Threads of a block (x, y, z)", Json, Unit::None);
        column("launch_shapes", "Launch shapes", "How many combinations of grid, block, registers and shared memory",
               Integer, Unit::Count, false);
        column("registers", "Registers", "Registers a thread", Integer, Unit::None);
        column("shared_bytes", "Shared mem", "Shared memory a block, static and dynamic", Integer, Unit::Bytes);
        column("static_shared_bytes", "Static shared", "Static shared memory a block", Integer, Unit::Bytes, false);
        column("dynamic_shared_bytes", "Dynamic shared", "Dynamic shared memory a block", Integer, Unit::Bytes, false);
        column("local_bytes_per_thread", "Local mem", "Local memory a thread", Integer, Unit::Bytes, false);
        column("occupancy", "Occupancy",
               "Warps that fit on a multiprocessor by launch shape and resources, over the "
               "most it holds: a ceiling, not a measurement",
               Real, Unit::Ratio);
        column("occupancy_limiter", "Limited by", "What keeps the occupancy from being higher", Text, Unit::None);
        column("waves", "Waves", "Blocks of the grid over the blocks that fit on the device at once", Real, Unit::None);
        column("launch_delay_median_ns", "Launch delay", "Median from the start of the launch call to the kernel's",
               Real, Unit::Nanoseconds);
    }

    void addRow(Table& table, Row& row) const {
        std::vector<int64_t> durations;
        std::vector<int64_t> delays;
        for (const EventRow event : row.events) {
            const DurationNs duration = m_slices.knownDuration(event.value);
            if (duration != kUnknownDuration) {
                durations.push_back(duration);
            }
            if (const auto delay = launchDelayNs(m_trace, event)) {
                delays.push_back(*delay);
            }
        }
        std::optional<DurationStatistics> stats;
        if (!durations.empty()) {
            stats = durationStatistics(durations);
        }
        const auto statistic = [&](auto member) { return stats ? Cell((*stats).*member) : Cell(); };

        std::string streams = "[";
        for (const int64_t stream : row.streams) {
            streams += (streams.size() > 1 ? ", " : "") + std::to_string(stream);
        }
        streams += ']';

        const std::string_view name = m_trace.string(row.name);
        const bool isKernel = row.kind == EventKind::Kernel;
        std::vector<Cell> cells = {std::string(name)};
        m_groups.addCell(cells, row.group);
        cells.insert(cells.end(), {isKernel ? shortName(name) : std::string(name), std::string(eventKindName(row.kind)),
                                   static_cast<int64_t>(row.events.size()), toCell(row.total.value()),
                                   toCell(ratioOf(row.total, m_total)), statistic(&DurationStatistics::minNs),
                                   statistic(&DurationStatistics::medianNs), statistic(&DurationStatistics::meanNs),
                                   statistic(&DurationStatistics::p95Ns), statistic(&DurationStatistics::maxNs),
                                   statistic(&DurationStatistics::stddevNs)});
        // Each is of what the launches share.
        const auto common = [&](const char* column, auto cellOf) {
            std::vector<Cell> all;
            all.reserve(row.launches.size());
            for (const uint32_t launch : row.launches) {
                all.push_back(cellOf(m_launches[launch]));
            }
            cells.push_back(commonCell(std::move(all), table.columns()[table.findColumn(column).value()].info));
        };
        const auto commonFact = [&](const char* column, int64_t LaunchFacts::*fact) {
            common(column, [fact](const LaunchFacts& f) { return f.*fact >= 0 ? Cell(f.*fact) : Cell(); });
        };
        commonFact("device", &LaunchFacts::device);
        cells.push_back(row.streams.empty() ? Cell() : Cell(streams));
        common("grid", [](const LaunchFacts& f) { return sidesCell(f.grid); });
        common("block", [](const LaunchFacts& f) { return sidesCell(f.block); });
        cells.push_back(launchShapes(row));
        commonFact("registers", &LaunchFacts::registers);
        commonFact("shared_bytes", &LaunchFacts::sharedBytes);
        commonFact("static_shared_bytes", &LaunchFacts::staticBytes);
        commonFact("dynamic_shared_bytes", &LaunchFacts::dynamicBytes);
        commonFact("local_bytes_per_thread", &LaunchFacts::localBytes);
        common("occupancy", [this](const LaunchFacts& f) {
            const auto occupancy = occupancyOf(f).occupancy;
            return occupancy ? Cell(occupancy->ratio) : Cell();
        });
        common("occupancy_limiter", [this](const LaunchFacts& f) {
            const auto occupancy = occupancyOf(f).occupancy;
            return occupancy ? Cell(std::string(occupancyLimiterName(occupancy->limiter))) : Cell();
        });
        common("waves", [this](const LaunchFacts& f) { return toCell(occupancyOf(f).waves); });
        cells.push_back(delays.empty() ? Cell() : Cell(medianOf(delays)));
        table.addRow(std::move(cells));
    }

    Cell launchShapes(const Row& row) const {
        LaunchFactsIndex shapes;
        uint32_t count = 0;
        for (const uint32_t launch : row.launches) {
            if (isShapeKnown(m_launches[launch])) {
                count = std::max(count, shapes.of(shapeOf(m_launches[launch])) + 1);
            }
        }
        return count > 0 ? Cell(int64_t{count}) : Cell();
    }

    KernelOccupancy occupancyOf(const LaunchFacts& launch) const {
        KernelFacts facts;
        facts.device = static_cast<int32_t>(launch.device);
        facts.grid = launch.grid;
        facts.block = launch.block;
        facts.registersPerThread = static_cast<int32_t>(launch.registers);
        facts.sharedBytes = launch.sharedBytes;
        return kernelOccupancy(m_trace, launch.file, facts);
    }

    const Trace& m_trace;
    const SliceColumns& m_slices;
    SliceFilter m_filter;
    KernelGroups m_groups;
    JobControl& m_job;
    LaunchFactsIndex m_launches;
    std::vector<Row> m_rows;
    Sum m_total;
};

class KernelTableAnalysis final : public Analysis {
public:
    const AnalysisInfo& info() const override {
        static const AnalysisInfo kInfo = {"kernel_table", "Kernel table", {"name", "shape", "stack", "annotation"}};
        return kInfo;
    }
    Result<AnalysisResult> run(const Trace& trace, const AnalysisOptions& options, JobControl& job) const override {
        const auto* grouping = std::find_if(kGroupings.begin(), kGroupings.end(),
                                            [&](const auto& known) { return known.first == options.groupBy; });
        if (grouping == kGroupings.end()) {
            return Error::failed("cannot group by \"" + options.groupBy + "\": name, shape, stack or annotation");
        }
        return computeKernelTable(trace, options.filter, job, grouping->second);
    }
};

}  // namespace

Result<AnalysisResult> computeKernelTable(const Trace& trace, const TraceFilter& traceFilter, JobControl& job,
                                          KernelGrouping groupBy) {
    Result<SliceFilter> filter = SliceFilter::compile(trace, traceFilter, job);
    if (!filter) {
        return filter.error();
    }
    if (job.stopRequested()) {
        return Error::cancelled();
    }
    return KernelTableBuilder(trace, std::move(filter).value(), groupBy, job).build();
}

std::unique_ptr<Analysis> analyses::kernel_table::make() {
    return std::make_unique<KernelTableAnalysis>();
}

}  // namespace warpline
