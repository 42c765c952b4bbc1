// SPDX-License-Identifier: MIT
#include "core/analyses/op_table/op_table.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <unordered_map>

#include "core/analyses/merge_runs.h"
#include "core/analyses/op_table/op_flops.h"
#include "core/analyses/op_table/op_grouping.h"
#include "core/analyses/op_table/op_tree.h"
#include "core/analyses/row_index.h"
#include "core/analyses/slice_filter.h"
#include "core/base/stoppable.h"
#include "core/base/sum.h"

namespace warpline {

namespace {

using namespace op_table;

constexpr uint32_t kCancelStride = 1U << 16;
constexpr std::string_view kMemoryCategory = "cpu_instant_event";
constexpr std::string_view kMemoryRow = "[memory]";
constexpr std::string_view kOutOfMemoryRow = "[OutOfMemory]";

struct Sums {
    uint32_t count = 0;
    Sum cpu, selfCpu, device, selfDevice;
    Sum cpuBytes, selfCpuBytes, deviceBytes, selfDeviceBytes;
    bool bytesKnown = false;
    std::optional<Sum> flops;
};

/// An event of the table and the row it counts in.
struct Instance {
    TimeNs begin;
    uint32_t event;
    uint32_t row;
};

class Flops {
public:
    explicit Flops(const Trace& trace) : m_trace(trace), m_hasFormula(trace.stringCount(), 0) {
        for (uint32_t id = 0; id < trace.stringCount(); ++id) {
            m_hasFormula[id] = hasFlopsFormula(trace.string(StringId(id))) ? 1 : 0;
        }
    }
    std::optional<int64_t> of(uint32_t row) {
        const SliceColumns& slices = m_trace.slices();
        const StringId name = slices.name[row];
        const StringId shapes = slices.shapes[row];
        if (m_hasFormula[name.value] == 0 || slices.kind[row] != EventKind::CpuOp || shapes.empty()) {
            return std::nullopt;
        }
        const auto [place, isNew] = m_known.emplace(uint64_t{name.value} << 32U | shapes.value, std::nullopt);
        if (isNew) {
            place->second = computeFlops(m_trace.string(name), m_trace.string(shapes));
        }
        return place->second;
    }

private:
    const Trace& m_trace;
    std::vector<uint8_t> m_hasFormula;  ///< by StringId
    std::unordered_map<uint64_t, std::optional<int64_t>> m_known;
};

class OpTableBuilder {
public:
    OpTableBuilder(const Trace& trace, const OpTableOptions& options, const KeyNames& names, const OpTree& tree,
                   const OpMemory& memory, SliceFilter filter, JobControl& job)
        : m_trace(trace),
          m_slices(trace.slices()),
          m_options(options),
          m_names(names),
          m_tree(tree),
          m_filter(std::move(filter)),
          m_job(job),
          m_memory(memory),
          m_groups(trace, names, tree, options.groupBy) {}

    Result<AnalysisResult> build() {
        if (!addNodes() || !addDeviceSide()) {
            return Error::cancelled();
        }
        if (m_options.withPython && !addPython()) {
            return Error::cancelled();
        }
        return finish();
    }

private:
    Sums& add(uint32_t event, uint32_t group) {
        const RowKey key{m_names.of(m_slices.name[event]), group, static_cast<uint8_t>(m_slices.kind[event])};
        const uint32_t row = m_index.of(key);
        m_instances.push_back({m_slices.begin[event], event, row});
        m_sums.resize(m_index.keys().size());
        ++m_sums[row].count;
        return m_sums[row];
    }

    bool addNodes() {
        Flops flops(m_trace);
        m_instances.reserve(m_filter.restricts() ? 0 : m_slices.size());
        for (uint32_t node = 0; node < m_tree.size(); ++node) {
            if (node % kCancelStride == 0 && m_job.stopRequested()) {
                return false;
            }
            const uint32_t event = m_tree.row[node];
            if (!m_tree.counts(node)) {
                continue;
            }
            if (m_filter.isInScope(EventRow(event))) {
                m_totalSelfCpu += m_tree.selfCpu[node];
            }
            if (!m_filter.accepts(EventRow(event))) {
                continue;
            }
            Sums& sums = add(event, m_groups.ofNode(node));
            sums.cpu += m_slices.summedDuration(event);
            sums.selfCpu += m_tree.selfCpu[node];
            m_shownSelfCpu += m_tree.selfCpu[node];
            const EventKind kind = m_slices.kind[event];
            if (!isApiCall(kind) && kind != EventKind::Overhead) {
                sums.device += m_tree.device[node];
                sums.selfDevice += m_tree.selfDevice[node];
            }
            if (m_memory.known()) {
                sums.bytesKnown = true;
                sums.cpuBytes += m_memory.cpu[node];
                sums.deviceBytes += m_memory.device[node];
                sums.selfCpuBytes += m_memory.selfCpu[node];
                sums.selfDeviceBytes += m_memory.selfDevice[node];
            }
            if (const auto n = flops.of(event)) {
                sums.flops = sums.flops.value_or(Sum()) += *n;
            }
        }
        return true;
    }

    bool addDeviceSide() {
        for (uint32_t event = 0; event < m_slices.size(); ++event) {
            if (event % kCancelStride == 0 && m_job.stopRequested()) {
                return false;
            }
            const EventKind kind = m_slices.kind[event];
            if (!isDeviceSide(kind) || m_names.hidden(m_slices.name[event])) {
                continue;
            }
            if (kind != EventKind::GpuAnnotation && m_filter.isInScope(EventRow(event))) {
                m_totalSelfDevice += m_slices.summedDuration(event);
            }
            const bool isShown = m_filter.accepts(EventRow(event));
            if (kind != EventKind::GpuAnnotation && (isShown || isOfShownOp(event))) {
                m_shownSelfDevice += m_slices.summedDuration(event);
            }
            if (!isShown) {
                continue;
            }
            Sums& sums = add(event, m_groups.ofDeviceSide(event));
            const DurationNs duration = m_slices.summedDuration(event);
            sums.device += duration;
            sums.selfDevice += duration;
        }
        return true;
    }

    /// Whether its time is also that of an operator that passes the filter.
    bool isOfShownOp(uint32_t event) const {
        const EventRow op = isDeviceWork(m_slices.kind[event]) || m_slices.kind[event] == EventKind::Sync
                                ? m_trace.opOf(EventRow(event))
                                : EventRow::none();
        if (!op || m_tree.nodeOfRow[op.value] == kNoNode) {
            return false;
        }
        const uint32_t counting = m_tree.row[m_tree.foldedInto[m_tree.nodeOfRow[op.value]]];
        const EventKind kind = m_slices.kind[counting];
        return !isApiCall(kind) && kind != EventKind::Overhead && m_filter.accepts(EventRow(counting));
    }

    /// Python functions nest among themselves only, so that they change no other row.
    bool addPython() {
        StopPoll poll(m_job);
        std::vector<EventRow> functionAround(m_slices.size());  // a parent's row is before its children's
        std::unordered_map<uint32_t, Sum> ofChildren;
        for (uint32_t event = 0; event < m_slices.size(); ++event) {
            if (poll.stopRequested()) {
                return false;
            }
            if (const EventRow parent = m_slices.parent[event]) {
                const bool isFunction = m_slices.kind[parent.value] == EventKind::Python;
                functionAround[event] = isFunction ? parent : functionAround[parent.value];
            }
            if (functionAround[event] && m_slices.kind[event] == EventKind::Python) {
                ofChildren[functionAround[event].value] += m_slices.summedDuration(event);
            }
        }
        for (uint32_t event = 0; event < m_slices.size(); ++event) {
            if (poll.stopRequested()) {
                return false;
            }
            if (m_slices.kind[event] != EventKind::Python || !m_filter.accepts(EventRow(event))) {
                continue;
            }
            Sums& sums = add(event, m_groups.ofPython(event));
            const DurationNs duration = m_slices.summedDuration(event);
            const auto children = ofChildren.find(event);
            Sum self(duration);
            if (children != ofChildren.end()) {
                self -= children->second;
            }
            sums.cpu += duration;
            // More than 64 bits of children leave nothing over.
            sums.selfCpu += std::max<DurationNs>(0, self.value().value_or(0));
        }
        return true;
    }

    Result<AnalysisResult> finish() {
        AnalysisResult out;
        addColumns(out.table);
        const std::vector<RowKey>& keys = m_index.keys();
        std::vector<uint32_t> order(keys.size());
        std::iota(order.begin(), order.end(), 0U);
        std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
            const Sums& x = m_sums[a];
            const Sums& y = m_sums[b];
            if (x.selfDevice != y.selfDevice) {
                return x.selfDevice > y.selfDevice;
            }
            if (x.selfCpu != y.selfCpu) {
                return x.selfCpu > y.selfCpu;
            }
            const int byName = m_names.text(keys[a].name).compare(m_names.text(keys[b].name));
            return byName != 0 ? byName < 0 : a < b;
        });
        for (const uint32_t row : order) {
            if (m_job.stopRequested()) {
                return Error::cancelled();
            }
            addRow(out.table, m_names.text(keys[row].name), eventKindName(static_cast<EventKind>(keys[row].kind)),
                   keys[row].extra, m_sums[row]);
        }
        if (!addMemoryRows(out.table) || !fillInstances(out, order)) {
            return Error::cancelled();
        }
        const auto total = [](const char* id, const char* title, const char* tooltip, Sum sum) {
            return Total{{id, title, tooltip, ColumnType::Integer, Unit::Nanoseconds}, toCell(sum.value())};
        };
        out.totals = {total("total_self_cpu_ns", "Total self CPU",
                            "Sum of Self CPU of all rows, of those hidden by the filter too", m_totalSelfCpu),
                      total("total_self_device_ns", "Total self GPU",
                            "Sum of the durations of all device work, annotations left out; whatever the filter shows",
                            m_totalSelfDevice)};
        const TraceFilter& filter = m_options.filter;
        if (!filter.text.empty() || !filter.categories.empty() || filter.leastDuration > 0) {
            out.totals.push_back(total("shown_self_cpu_ns", "Self CPU shown",
                                       "Sum of Self CPU of the rows that pass the filter, Python functions left out",
                                       m_shownSelfCpu));
            out.totals.push_back(total("shown_self_device_ns", "Self GPU shown",
                                       "Durations of the device work that passes the filter, or was launched by an "
                                       "operator that does; each piece once, annotations left out",
                                       m_shownSelfDevice));
        }
        return out;
    }

    void addColumns(Table& table) const {
        using enum ColumnType;
        const auto column = [&](const char* id, const char* title, const char* tooltip, ColumnType type, Unit unit,
                                bool shown = true) {
            table.addColumn({id, title, tooltip, type, unit, shown});
        };
        column("key", "Name", "The event's name; ProfilerStep#N counts as ProfilerStep*", Text, Unit::None);
        column("kind", "Kind", "What the event is", Text, Unit::None);
        column("count", "Calls", "Number of events; a single child of its parent's name counts with the parent",
               Integer, Unit::Count);
        column("self_cpu_ns", "Self CPU", "Time on the host without the time of what was called", Integer,
               Unit::Nanoseconds);
        column("self_cpu_ratio", "Self CPU %",
               "Self CPU over the sum of all Self CPU, of rows hidden by the filter too", Real, Unit::Ratio);
        column("cpu_ns", "CPU total", "Time on the host", Integer, Unit::Nanoseconds);
        column("cpu_ratio", "CPU total %", "CPU total over the sum of all Self CPU, of rows hidden by the filter too",
               Real, Unit::Ratio, false);
        column("cpu_avg_ns", "CPU avg", "CPU total over calls", Real, Unit::Nanoseconds);
        column("self_device_ns", "Self GPU",
               "Time of the device work that this launched itself; work that ran at the "
               "same time is added up",
               Integer, Unit::Nanoseconds);
        column("self_device_ratio", "Self GPU %",
               "Self GPU over the sum of all device work; a device row and the operator that launched it both show it",
               Real, Unit::Ratio);
        column("device_ns", "GPU total", "Time of the device work that was launched under this", Integer,
               Unit::Nanoseconds);
        column("device_avg_ns", "GPU avg", "GPU total over calls", Real, Unit::Nanoseconds);
        const bool memory = m_memory.known();
        column("self_cpu_bytes", "Self CPU mem", "Host memory taken less what was freed, without what was called",
               Integer, Unit::Bytes, memory);
        column("cpu_bytes", "CPU mem", "Host memory taken less what was freed", Integer, Unit::Bytes, false);
        column("self_device_bytes", "Self GPU mem", "Device memory taken less what was freed, without what was called",
               Integer, Unit::Bytes, memory);
        column("device_bytes", "GPU mem", "Device memory taken less what was freed", Integer, Unit::Bytes, false);
        const bool flops = std::any_of(m_sums.begin(), m_sums.end(), [](const Sums& s) { return s.flops.has_value(); });
        column("flops", "FLOPs", "Floating-point operations by the input shapes, where the operator has a formula",
               Integer, Unit::Flops, flops);
        column("shapes", "Input shapes", "Shapes of the inputs, when grouped by them", Json, Unit::None,
               m_options.groupBy == OpGrouping::Shape);
        if (m_options.groupBy == OpGrouping::Stack) {
            column("stack", "Stack", "What it was called from, innermost first, five at most", Json, Unit::None);
        } else if (m_options.groupBy == OpGrouping::Annotation) {
            column("annotation", "Annotation", "The innermost annotation around it, or around its launch", Text,
                   Unit::None);
        }
    }

    void addRow(Table& table, std::string_view key, std::string_view kind, uint32_t group, const Sums& sums) const {
        const auto ratio = [](Sum part, Sum whole) { return toCell(ratioOf(part, whole)); };
        const auto average = [&](Sum total) { return toCell(ratioOf(total, Sum(sums.count))); };
        const auto bytes = [&](Sum n) { return sums.bytesKnown ? toCell(n.value()) : Cell(); };
        // Python's time is the same time as that of the operators it calls.
        const bool shareOfCpu = kind != eventKindName(EventKind::Python);
        std::vector<Cell> cells = {std::string(key),
                                   std::string(kind),
                                   int64_t{sums.count},
                                   toCell(sums.selfCpu.value()),
                                   shareOfCpu ? ratio(sums.selfCpu, m_totalSelfCpu) : Cell(),
                                   toCell(sums.cpu.value()),
                                   shareOfCpu ? ratio(sums.cpu, m_totalSelfCpu) : Cell(),
                                   average(sums.cpu),
                                   toCell(sums.selfDevice.value()),
                                   ratio(sums.selfDevice, m_totalSelfDevice),
                                   toCell(sums.device.value()),
                                   average(sums.device),
                                   bytes(sums.selfCpuBytes),
                                   bytes(sums.cpuBytes),
                                   bytes(sums.selfDeviceBytes),
                                   bytes(sums.deviceBytes),
                                   sums.flops ? toCell(sums.flops->value()) : Cell(),
                                   m_options.groupBy == OpGrouping::Shape ? m_groups.cell(group) : Cell()};
        if (m_options.groupBy == OpGrouping::Stack || m_options.groupBy == OpGrouping::Annotation) {
            cells.push_back(m_groups.cell(group));
        }
        table.addRow(std::move(cells));
    }

    bool addMemoryRows(Table& table) const {
        Sums outside;
        Sums failed;
        outside.bytesKnown = true;
        const auto events = m_trace.memoryEvents();
        StopPoll poll(m_job);
        for (size_t i = 0; i < events.size(); ++i) {
            if (poll.stopRequested()) {
                return false;
            }
            const MemoryEvent& event = events[i];
            const std::string_view name = event.outOfMemory ? kOutOfMemoryRow : kMemoryRow;
            if ((!event.outOfMemory && m_memory.covered[i] != 0) ||
                !m_filter.accepts(event.time, name, kMemoryCategory)) {
                continue;
            }
            if (event.outOfMemory) {
                ++failed.count;
                continue;
            }
            ++outside.count;
            if (event.deviceType == MemoryDeviceType::Cpu) {
                outside.cpuBytes += event.bytes;
            } else if (event.deviceType == MemoryDeviceType::Cuda) {
                outside.deviceBytes += event.bytes;
            }
        }
        outside.selfCpuBytes = outside.cpuBytes;
        outside.selfDeviceBytes = outside.deviceBytes;
        if (outside.count > 0) {
            addRow(table, kMemoryRow, eventKindName(EventKind::Other), 0, outside);
        }
        if (failed.count > 0) {
            addRow(table, kOutOfMemoryRow, eventKindName(EventKind::Other), 0, failed);
        }
        return true;
    }

    bool fillInstances(AnalysisResult& out, const std::vector<uint32_t>& order) {
        std::vector<uint32_t> place(order.size());
        for (uint32_t i = 0; i < order.size(); ++i) {
            place[order[i]] = i;
        }
        // The rows about memory events come last and have no slices.
        out.instances.offsets.assign(out.table.rowCount() + 1, static_cast<uint32_t>(m_instances.size()));
        std::vector<uint32_t> next(order.size() + 1, 0);
        for (const uint32_t row : order) {
            next[place[row] + 1] = m_sums[row].count;
        }
        std::partial_sum(next.begin(), next.end(), next.begin());
        std::copy(next.begin(), next.end(), out.instances.offsets.begin());
        std::vector<Instance> sorted(m_instances.size());
        for (const Instance& instance : m_instances) {
            sorted[next[place[instance.row]]++] = instance;
        }
        for (size_t i = 0; i < order.size(); ++i) {
            if (m_job.stopRequested()) {
                return false;
            }
            const uint32_t first = out.instances.offsets[i];
            mergeRuns(std::span(sorted).subspan(first, out.instances.offsets[i + 1] - first), m_instances,
                      [](const Instance& a, const Instance& b) { return a.begin < b.begin; });
        }
        out.instances.events.reserve(sorted.size());
        for (const Instance& instance : sorted) {
            out.instances.events.push_back(EventRow(instance.event));
        }
        return !m_job.stopRequested();
    }

    const Trace& m_trace;
    const SliceColumns& m_slices;
    const OpTableOptions& m_options;
    const KeyNames& m_names;
    const OpTree& m_tree;
    SliceFilter m_filter;
    JobControl& m_job;
    const OpMemory& m_memory;
    OpGroups m_groups;
    RowIndex m_index;
    std::vector<Sums> m_sums;  ///< by number in m_index
    std::vector<Instance> m_instances;
    // Of all that the time and tracks asked for hold: a filter by name changes no share and no total.
    Sum m_totalSelfCpu;
    Sum m_totalSelfDevice;
    // Of what a filter by name lets through.
    Sum m_shownSelfCpu;
    Sum m_shownSelfDevice;
};

}  // namespace

Result<AnalysisResult> computeOpTable(const Trace& trace, const OpTableOptions& options, JobControl& job) {
    Result<SliceFilter> filter = SliceFilter::compile(trace, options.filter, job, {kMemoryRow, kOutOfMemoryRow});
    if (!filter) {
        return filter.error();
    }
    const KeyNames names(trace);
    const Result<OpTree> tree = buildOpTree(trace, names, job);
    if (!tree) {
        return tree.error();
    }
    const Result<OpMemory> memory = computeOpMemory(trace, tree.value(), job);
    if (!memory) {
        return memory.error();
    }
    return OpTableBuilder(trace, options, names, tree.value(), memory.value(), std::move(filter).value(), job).build();
}

}  // namespace warpline
