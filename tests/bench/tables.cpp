// SPDX-License-Identifier: MIT
// How long the tables take over a made trace of 3 million slices (or as many as the first argument says): training
// steps of nested operators, launches and kernels on two host threads and two streams. Prints a JSON line a figure.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>
#include <string>
#include <vector>

#include "core/analyses/area_table/area_table.h"
#include "core/analyses/gpu_busy/gpu_busy.h"
#include "core/analyses/kernel_table/kernel_table.h"
#include "core/analyses/op_table/op_table.h"
#include "core/trace/trace_builder.h"

using namespace warpline;

namespace {

std::shared_ptr<const Trace> makeTrace(uint64_t slices) {
    TraceBuilder builder;
    const FileId file = builder.addFile({});
    std::mt19937_64 random(1);
    std::vector<StringId> ops, kernels, shapes;
    for (int i = 0; i < 400; ++i) {
        ops.push_back(builder.intern("aten::operation_" + std::to_string(i)));
        kernels.push_back(builder.intern("void at::native::kernel_" + std::to_string(i) + "<float>(float*)"));
        shapes.push_back(builder.intern("[[" + std::to_string(i + 1) + ", 64], [64, 64]]"));
    }
    const StringId launchName = builder.intern("cudaLaunchKernel");
    const ProcessId host = builder.process(file, "100");
    const ProcessId gpu = builder.process(file, "0");
    uint64_t id = 1;
    uint64_t made = 0;
    for (int thread = 0; thread < 2; ++thread) {
        const TrackId track = builder.track(host, std::to_string(100 + thread));
        const TrackId stream = builder.track(gpu, std::to_string(7 + thread));
        TimeNs now = 0;
        const uint64_t end = slices * static_cast<uint64_t>(thread + 1) / 2;
        const auto add = [&](TrackId on, EventKind kind, StringId name, TimeNs begin, DurationNs duration,
                             uint64_t correlation) {
            SliceRecord slice;
            slice.track = on;
            slice.kind = kind;
            slice.name = name;
            slice.begin = begin;
            slice.duration = duration;
            slice.correlation = correlation;
            slice.externalId = id;
            slice.shapes = kind == EventKind::CpuOp ? shapes[(name.value + random() % 4) % shapes.size()] : StringId();
            ++made;
            return builder.addSlice(slice);
        };
        while (made < end) {
            // An operator that calls another, which launches a kernel.
            const size_t which = random() % ops.size();
            add(track, EventKind::CpuOp, ops[which], now, 10000, 0);
            ++id;
            add(track, EventKind::CpuOp, ops[(which + 1) % ops.size()], now + 1000, 8000, 0);
            add(track, EventKind::Runtime, launchName, now + 3000, 4000, id);
            KernelFacts facts;
            facts.device = 0;
            facts.stream = 7 + thread;
            builder.addKernelFacts(add(stream, EventKind::Kernel, kernels[which], now + 8000, 9000, id), facts);
            ++id;
            now += 10000 + static_cast<TimeNs>(random() % 3000);
        }
    }
    JobControl job;
    return builder.seal(job).value();
}

void print(const char* what, uint64_t slices, const char* metric, std::vector<double>& ms) {
    std::sort(ms.begin(), ms.end());
    std::printf(
        "{\"bench\": \"tables\", \"case\": \"%s, %llu slices\", \"metric\": \"%s\", \"value\": %.1f, \"unit\": "
        "\"ms\"}\n",
        what, static_cast<unsigned long long>(slices), metric, ms[ms.size() / 2]);
}

/// Medians of five runs. Processor time too: it changes less when the machine does other things.
template <class Run>
void measure(const char* what, uint64_t slices, Run run) {
    std::vector<double> wallMs, cpuMs;
    for (int i = 0; i < 5; ++i) {
        const auto start = std::chrono::steady_clock::now();
        const std::clock_t cpuStart = std::clock();
        if (!run()) {
            std::fprintf(stderr, "%s failed\n", what);
            std::exit(1);
        }
        cpuMs.push_back(1e3 * static_cast<double>(std::clock() - cpuStart) / CLOCKS_PER_SEC);
        wallMs.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    }
    print(what, slices, "wall", wallMs);
    print(what, slices, "cpu", cpuMs);
}

}  // namespace

int main(int argc, char** argv) {
    const uint64_t slices = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 3'000'000;
    if (slices == 0) {
        std::fprintf(stderr, "usage: tables [SLICES]\n");
        return 2;
    }
    const auto trace = makeTrace(slices);
    JobControl job;
    for (const auto& [name, grouping] :
         {std::pair("op table by name", OpGrouping::Name), std::pair("op table by shape", OpGrouping::Shape),
          std::pair("op table by annotation", OpGrouping::Annotation)}) {
        OpTableOptions options;
        options.groupBy = grouping;
        measure(name, slices, [&] { return computeOpTable(*trace, options, job).ok(); });
    }
    measure("kernel table", slices, [&] { return computeKernelTable(*trace, {}, job).ok(); });
    TraceFilter tenth;
    tenth.range = TimeRange{0, trace->range().value().end / 10};
    for (const auto& [name, grouping] :
         {std::pair("by name", AreaGrouping::Name), std::pair("by kind", AreaGrouping::Kind)}) {
        const std::string what = std::string("area table ") + name;
        measure(what.c_str(), slices, [&] { return computeAreaTable(*trace, {}, grouping, job).ok(); });
        measure((what + ", a tenth").c_str(), slices,
                [&] { return computeAreaTable(*trace, tenth, grouping, job).ok(); });
    }
    measure("device activity", slices, [&] { return computeGpuBusy(*trace, {}, job).ok(); });
    return 0;
}
