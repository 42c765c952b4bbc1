// SPDX-License-Identifier: MIT
#include "core/analyses/gpu_busy/gpu_busy.h"

#include "core/analyses/intervals.h"
#include "core/analyses/slice_filter.h"
#include "core/trace/process_title.h"

namespace warpline {

namespace {

constexpr uint32_t kCancelStride = 1U << 16;

/// REQUIRES: `work` is not empty, and by begin.
GpuBusy measure(ProcessId process, const std::vector<TimeRange>& work) {
    GpuBusy out;
    out.process = process;
    out.count = work.size();
    UnionLength busy;
    for (const TimeRange& range : work) {
        out.device += range.length();
        busy.add(range);
    }
    out.busyNs = busy.ns();
    out.spanNs = busy.reached() - work.front().begin;
    return out;
}

class GpuBusyAnalysis final : public Analysis {
public:
    const AnalysisInfo& info() const override {
        static const AnalysisInfo kInfo = {"gpu_busy", "Device activity", {}};
        return kInfo;
    }

    Result<AnalysisResult> run(const Trace& trace, const AnalysisOptions& options, JobControl& job) const override {
        const Result<std::vector<GpuBusy>> gpus = computeGpuBusy(trace, options.filter, job);
        if (!gpus) {
            return gpus.error();
        }
        AnalysisResult out;
        out.table = Table("process");
        using enum ColumnType;
        out.table.addColumn({"process", "Process", "The process that holds the device's work", Text, Unit::None});
        out.table.addColumn(
            {"file", "File", "Number of the file, from 0", Integer, Unit::None, trace.files().size() > 1});
        out.table.addColumn({"pid", "Pid", "The process's id in the file", Text, Unit::None, false});
        out.table.addColumn({"count", "Pieces of work", "Kernels, copies and memsets", Integer, Unit::Count});
        out.table.addColumn({"device_ns", "Work", "Sum of all durations", Integer, Unit::Nanoseconds});
        out.table.addColumn({"busy_ns", "Busy", "Time in which anything ran", Integer, Unit::Nanoseconds});
        out.table.addColumn({"span_ns", "Span", "First start to last end", Integer, Unit::Nanoseconds});
        out.table.addColumn({"busy_ratio", "Busy %", "Busy over span", Real, Unit::Ratio});
        for (const GpuBusy& gpu : gpus.value()) {
            const Process& process = trace.process(gpu.process);
            const auto ratio = gpu.busyRatio();
            out.table.addRow({processTitle(trace, gpu.process), int64_t{process.file.value},
                              process.pid ? Cell(std::string(trace.string(*process.pid))) : Cell(),
                              static_cast<int64_t>(gpu.count), toCell(gpu.device.value()), gpu.busyNs, gpu.spanNs,
                              toCell(ratio)});
        }
        return out;
    }
};

}  // namespace

Result<std::vector<GpuBusy>> computeGpuBusy(const Trace& trace, const TraceFilter& traceFilter, JobControl& job) {
    Result<SliceFilter> filter = SliceFilter::compile(trace, traceFilter, job);
    if (!filter) {
        return filter.error();
    }
    const SliceColumns& slices = trace.slices();
    std::vector<std::vector<TimeRange>> workOf(trace.processes().size());
    for (const Track& track : trace.tracks()) {
        for (uint32_t i = 0; i < track.sliceCount; ++i) {
            const uint32_t row = track.firstRow + i;
            if (i % kCancelStride == 0 && job.stopRequested()) {
                return Error::cancelled();
            }
            if (isDeviceWork(slices.kind[row]) && filter.value().accepts(EventRow(row))) {
                workOf[track.process.value].push_back(
                    {slices.begin[row], slices.begin[row] + slices.summedDuration(row)});
            }
        }
    }
    if (job.stopRequested()) {
        return Error::cancelled();
    }
    std::vector<GpuBusy> out;
    for (uint32_t process = 0; process < workOf.size(); ++process) {
        if (!sortByBegin(workOf[process], job)) {
            return Error::cancelled();
        }
        if (!workOf[process].empty()) {
            out.push_back(measure(ProcessId(process), workOf[process]));
        }
    }
    return out;
}

std::unique_ptr<Analysis> analyses::gpu_busy::make() {
    return std::make_unique<GpuBusyAnalysis>();
}

}  // namespace warpline
