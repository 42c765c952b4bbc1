// SPDX-License-Identifier: MIT
#include "app/cli/dump/dump_lists.h"
#include "core/analyses/gpu_busy/gpu_busy.h"
#include "core/analyses/kernel_table/kernel_table.h"
#include "core/analyses/op_table/op_table.h"
#include "core/base/demangle.h"
#include "core/table/table_format.h"

namespace warpline::cli {

void dumpOpTable(const DumpContext& dump) {
    dump.json.key("op_table").beginArray();
    for (const PlainOpRow& row : computePlainOpTable(dump.trace)) {
        dump.json.beginObject().key("name").text(dump.trace.string(row.name));
        dump.json.key("count").unsignedInteger(row.count);
        dump.json.key("cpu_ns").optionalInteger(row.cpu.value());
        dump.json.key("self_cpu_ns").optionalInteger(row.selfCpu.value());
        dump.json.key("device_ns").optionalInteger(row.device.value());
        dump.json.key("self_device_ns").optionalInteger(row.selfDevice.value()).endObject();
    }
    dump.json.endArray();
}

Status dumpKernelTable(const DumpContext& dump) {
    const auto result = computeKernelTable(dump.trace, TraceFilter(), dump.job);
    if (!result.ok()) {
        return result.error();
    }
    const Table& table = result.value().table;
    const auto name = table.findColumn("name");
    const auto count = table.findColumn("count");
    const auto total = table.findColumn("total_ns");
    if (!name || !count || !total) {
        return Error::failed("the kernel table lacks a column");
    }
    dump.json.key("kernel_table").beginArray();
    for (size_t row = 0; row < table.rowCount(); ++row) {
        const auto* text = std::get_if<std::string>(&table.cell(row, *name));
        const std::string shown = text != nullptr ? demangledName(*text) : std::string();
        dump.json.beginObject().key("name").text(text != nullptr ? *text : std::string());
        dump.json.key("display_name").text(shown.empty() ? "(no name)" : shown);
        dump.json.key("count").raw(cellJson(table.cell(row, *count), table.columns()[*count].info));
        dump.json.key("total_ns").raw(cellJson(table.cell(row, *total), table.columns()[*total].info)).endObject();
    }
    dump.json.endArray();
    return {};
}

Status dumpGpus(const DumpContext& dump) {
    const auto gpus = computeGpuBusy(dump.trace, TraceFilter(), dump.job);
    if (!gpus.ok()) {
        return gpus.error();
    }
    dump.json.key("gpus").beginArray();
    for (const GpuBusy& gpu : gpus.value()) {
        const Process& process = dump.trace.process(gpu.process);
        dump.json.beginObject().key("file").unsignedInteger(process.file.value).key("pid");
        dump.writeWord(process.pid);
        dump.json.key("device_ns").optionalInteger(gpu.device.value()).key("busy_ns").integer(gpu.busyNs);
        dump.json.key("span_ns").integer(gpu.spanNs).key("busy_ratio");
        if (const auto ratio = gpu.busyRatio()) {
            dump.json.real(*ratio);
        } else {
            dump.json.null();
        }
        dump.json.endObject();
    }
    dump.json.endArray();
    return {};
}

}  // namespace warpline::cli
