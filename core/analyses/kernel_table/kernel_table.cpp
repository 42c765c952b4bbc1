// SPDX-License-Identifier: MIT
#include "core/analyses/kernel_table/kernel_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>

#include "core/analyses/merge_runs.h"
#include "core/analyses/slice_filter.h"
#include "core/base/demangle.h"
#include "core/devices/kernel_occupancy.h"
#include "core/table/table_format.h"
#include "core/trace/device_work.h"

namespace warpline {

namespace {

constexpr uint32_t kCancelStride = 1U << 16;
constexpr uint32_t kNoRow = 0xffffffffU;

/// A fact that all launches of a name share, or not.
template <class T>
class Common {
public:
    void add(const std::optional<T>& fact) {
        if (m_first && m_value != fact) {
            m_varies = true;
        }
        if (!m_first) {
            m_value = fact;
            m_first = true;
        }
    }
    /// nullopt if it varies or is unknown for any of them.
    std::optional<T> value() const { return m_varies ? std::nullopt : m_value; }

private:
    bool m_first = false;
    bool m_varies = false;
    std::optional<T> m_value;
};

std::optional<int64_t> known(int64_t fact) {
    return fact >= 0 ? std::optional(fact) : std::nullopt;
}

std::optional<std::array<int32_t, 3>> known(const std::array<int32_t, 3>& shape) {
    const bool all = std::all_of(shape.begin(), shape.end(), [](int32_t n) { return n >= 0; });
    return all ? std::optional(shape) : std::nullopt;
}

Cell shapeCell(const std::optional<std::array<int32_t, 3>>& shape) {
    if (!shape) {
        return {};
    }
    const auto& s = *shape;
    return '[' + std::to_string(s[0]) + ", " + std::to_string(s[1]) + ", " + std::to_string(s[2]) + ']';
}

struct Row {
    StringId name;
    EventKind kind = EventKind::Kernel;
    std::vector<EventRow> events;
    Sum total;  ///< ns
    Common<int64_t> device, registers, sharedBytes, staticBytes, dynamicBytes, localBytes;
    Common<std::array<int32_t, 3>> grid, block;
    Common<uint32_t> file;
    std::set<int64_t> streams;
    int64_t lastStream = kUnknownFact;
};

double median(std::span<int64_t> values) {
    const size_t middle = values.size() / 2;
    const auto upper = values.begin() + static_cast<std::ptrdiff_t>(middle);
    std::nth_element(values.begin(), upper, values.end());
    if (values.size() % 2 == 1) {
        return static_cast<double>(*upper);
    }
    const int64_t lower = *std::max_element(values.begin(), upper);
    return static_cast<double>(lower) +
           static_cast<double>(static_cast<uint64_t>(*upper) - static_cast<uint64_t>(lower)) / 2;
}

class KernelTableBuilder {
public:
    KernelTableBuilder(const Trace& trace, SliceFilter filter, JobControl& job)
        : m_trace(trace), m_slices(trace.slices()), m_filter(std::move(filter)), m_job(job) {}

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
        std::vector<uint32_t> rowOfName(m_trace.stringCount(), kNoRow);
        const auto facts = m_trace.kernelFacts();
        auto fact = facts.begin();
        for (uint32_t event = 0; event < m_slices.size(); ++event) {
            if (event % kCancelStride == 0 && m_job.stopRequested()) {
                return false;
            }
            if (!isDeviceWork(m_slices.kind[event]) || !m_filter.accepts(EventRow(event))) {
                continue;
            }
            uint32_t& index = rowOfName[m_slices.name[event].value];
            if (index == kNoRow) {
                index = static_cast<uint32_t>(m_rows.size());
                m_rows.emplace_back();
                m_rows.back().name = m_slices.name[event];
                m_rows.back().kind = m_slices.kind[event];
            }
            Row& row = m_rows[index];
            row.events.push_back(EventRow(event));
            row.total += m_slices.summedDuration(event);
            m_total += m_slices.summedDuration(event);
            while (fact != facts.end() && fact->row.value < event) {
                ++fact;
            }
            addFacts(row, event, fact != facts.end() && fact->row.value == event ? &*fact : nullptr);
        }
        return true;
    }

    void addFacts(Row& row, uint32_t event, const KernelFacts* kernel) {
        static const KernelFacts kNothing;
        const KernelFacts& facts = kernel != nullptr ? *kernel : kNothing;
        int64_t device = facts.device;
        int64_t stream = facts.stream;
        if (kernel == nullptr) {
            if (const CopyFacts* copy = m_trace.findCopyFacts(EventRow(event))) {
                device = copy->device;
                stream = copy->stream;
            }
        }
        row.file.add(m_trace.fileOf(m_slices.track[event]).value);
        row.device.add(known(device));
        row.grid.add(known(facts.grid));
        row.block.add(known(facts.block));
        row.registers.add(known(facts.registersPerThread));
        row.sharedBytes.add(known(facts.sharedBytes));
        row.staticBytes.add(known(facts.staticSharedBytes));
        row.dynamicBytes.add(known(facts.dynamicSharedBytes));
        row.localBytes.add(known(facts.localBytesPerThread));
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
        column("device", "Device", "The GPU's number, where all ran on one", Integer, Unit::None);
        column("streams", "Streams", "Streams that it ran on", Json, Unit::None);
        column("grid", "Grid", "Blocks of the launch (x, y, z), where all launches agree", Json, Unit::None);
        column("block", "Block", "Threads of a block (x, y, z), where all launches agree", Json, Unit::None);
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

        const KernelOccupancy launch = occupancyOf(row);
        const std::optional<Occupancy>& occupancy = launch.occupancy;
        const std::string_view name = m_trace.string(row.name);
        const bool isKernel = row.kind == EventKind::Kernel;
        table.addRow({std::string(name),
                      isKernel ? shortName(name) : std::string(name),
                      std::string(eventKindName(row.kind)),
                      static_cast<int64_t>(row.events.size()),
                      toCell(row.total.value()),
                      toCell(ratioOf(row.total, m_total)),
                      statistic(&DurationStatistics::minNs),
                      statistic(&DurationStatistics::medianNs),
                      statistic(&DurationStatistics::meanNs),
                      statistic(&DurationStatistics::p95Ns),
                      statistic(&DurationStatistics::maxNs),
                      statistic(&DurationStatistics::stddevNs),
                      toCell(row.device.value()),
                      row.streams.empty() ? Cell() : Cell(streams),
                      shapeCell(row.grid.value()),
                      shapeCell(row.block.value()),
                      toCell(row.registers.value()),
                      toCell(row.sharedBytes.value()),
                      toCell(row.staticBytes.value()),
                      toCell(row.dynamicBytes.value()),
                      toCell(row.localBytes.value()),
                      occupancy ? Cell(occupancy->ratio) : Cell(),
                      occupancy ? Cell(std::string(occupancyLimiterName(occupancy->limiter))) : Cell(),
                      toCell(launch.waves),
                      delays.empty() ? Cell() : Cell(median(delays))});
    }

    /// Of what all launches share.
    KernelOccupancy occupancyOf(const Row& row) const {
        KernelFacts shared;
        shared.device = static_cast<int32_t>(row.device.value().value_or(-1));
        shared.grid = row.grid.value().value_or(shared.grid);
        shared.block = row.block.value().value_or(shared.block);
        shared.registersPerThread = static_cast<int32_t>(row.registers.value().value_or(-1));
        shared.sharedBytes = row.sharedBytes.value().value_or(kUnknownFact);
        const auto file = row.file.value();
        return file ? kernelOccupancy(m_trace, FileId(*file), shared)
                    : KernelOccupancy{OccupancyGap::Device, std::nullopt, std::nullopt};
    }

    const Trace& m_trace;
    const SliceColumns& m_slices;
    SliceFilter m_filter;
    JobControl& m_job;
    std::vector<Row> m_rows;
    Sum m_total;
};

class KernelTableAnalysis final : public Analysis {
public:
    const AnalysisInfo& info() const override {
        static const AnalysisInfo kInfo = {"kernel_table", "Kernel table", {}};
        return kInfo;
    }
    Result<AnalysisResult> run(const Trace& trace, const AnalysisOptions& options, JobControl& job) const override {
        return computeKernelTable(trace, options.filter, job);
    }
};

}  // namespace

Result<AnalysisResult> computeKernelTable(const Trace& trace, const TraceFilter& traceFilter, JobControl& job) {
    Result<SliceFilter> filter = SliceFilter::compile(trace, traceFilter, job);
    if (!filter) {
        return filter.error();
    }
    if (job.stopRequested()) {
        return Error::cancelled();
    }
    return KernelTableBuilder(trace, std::move(filter).value(), job).build();
}

DurationStatistics durationStatistics(std::span<int64_t> durationsNs) {
    std::sort(durationsNs.begin(), durationsNs.end());
    const size_t n = durationsNs.size();
    DurationStatistics out;
    // 2^32 slices of 2^62 ns need 94 bits.
    __extension__ using Int128 = __int128;
    Int128 total = 0;
    for (const int64_t duration : durationsNs) {
        out.total += duration;
        total += duration;
    }
    out.minNs = durationsNs.front();
    out.maxNs = durationsNs.back();
    out.p95Ns = durationsNs[(n * 95 + 99) / 100 - 1];
    out.medianNs = median(durationsNs);
    out.meanNs = static_cast<double>(total) / static_cast<double>(n);
    double squares = 0;
    for (const int64_t duration : durationsNs) {
        const double off = static_cast<double>(duration) - out.meanNs;
        squares += off * off;
    }
    out.stddevNs = std::sqrt(squares / static_cast<double>(n));
    return out;
}

std::unique_ptr<Analysis> analyses::kernel_table::make() {
    return std::make_unique<KernelTableAnalysis>();
}

}  // namespace warpline
