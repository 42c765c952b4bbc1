// SPDX-License-Identifier: MIT
#include "app/cli/kernel_text.h"

#include "core/base/json_writer.h"
#include "core/base/units.h"

namespace warpline::cli {

namespace {

std::string defaultText(const KernelParameter& parameter) {
    std::string text = parameter.name + "=" + std::to_string(parameter.defaultValue);
    return parameter.unit.empty() ? text : text + " " + parameter.unit;
}

void optionalCount(JsonWriter& json, const std::optional<uint64_t>& value) {
    if (value) {
        json.unsignedInteger(*value);
    } else {
        json.null();
    }
}

void optionalReal(JsonWriter& json, const std::optional<double>& value) {
    if (value) {
        json.real(*value);
    } else {
        json.null();
    }
}

void writeWork(JsonWriter& json, const KernelWork& work) {
    json.key("flops_per_launch");
    optionalCount(json, work.flops);
    json.key("bytes_per_launch");
    optionalCount(json, work.bytes);
}

void writeLedger(JsonWriter& json, const LaunchLedger& ledger) {
    json.key("kernels").beginObject();
    for (const auto& [name, count] : ledger.kernels) {
        json.key(name).unsignedInteger(count);
    }
    json.endObject();
    json.key("kernel_count").unsignedInteger(ledger.kernelCount());
    json.key("graph_launches").unsignedInteger(ledger.graphLaunches);
    json.key("host_copies").unsignedInteger(ledger.hostCopies);
    json.key("device_copies").unsignedInteger(ledger.deviceCopies);
    json.key("memsets").unsignedInteger(ledger.memsets);
    json.key("allocations").unsignedInteger(ledger.allocations);
    json.key("frees").unsignedInteger(ledger.frees);
}

/// What both kinds of result begin with.
void writeHead(JsonWriter& json, const ChosenKernel& chosen, const GpuFacts& gpu,
               const std::optional<KernelCheck>& check) {
    const SampleKernelInfo& info = chosen.kernel->info();
    json.key("kernel").text(info.id).key("version").text(chosen.version.id).key("dtype").text(info.dtype);
    json.key("parameters").beginObject();
    for (const auto& [name, value] : chosen.values.all()) {
        json.key(name).integer(value);
    }
    json.endObject();
    json.key("device").beginObject().key("id").integer(gpu.ordinal).key("name").text(gpu.name);
    json.key("compute_capability").text(std::to_string(gpu.computeMajor) + "." + std::to_string(gpu.computeMinor));
    json.key("sm_count").integer(gpu.smCount).endObject();
    json.key("check");
    if (check) {
        json.beginObject().key("passed").boolean(check->passed).key("compared").unsignedInteger(check->compared);
        json.key("worst_error").real(check->worstError).key("tolerance").real(check->tolerance);
        json.key("method").text(check->method).endObject();
    } else {
        json.null();
    }
    writeWork(json, chosen.kernel->work(chosen.values));
}

/// nullopt unless each of the run's parts is what KernelWork speaks of.
std::optional<uint64_t> timesPerRun(const LaunchLedger& run) {
    if (run.hostCopies + run.memsets + run.allocations > 0) {
        return std::nullopt;
    }
    return run.kernelCount() + run.deviceCopies;
}

std::string wrapped(const std::string& label, const std::string& text) {
    std::string line = label;
    line.resize(std::max<size_t>(label.size() + 1, 13), ' ');
    return line + text + "\n";
}

}  // namespace

std::string kernelListText(const std::vector<std::unique_ptr<SampleKernel>>& kernels) {
    std::string out;
    for (const auto& kernel : kernels) {
        const SampleKernelInfo& info = kernel->info();
        out += info.id + " - " + info.title + " (" + info.dtype + ")\n";
        size_t width = 0;
        for (const KernelVersion& version : info.versions) {
            width = std::max(width, version.id.size());
        }
        for (const KernelVersion& version : info.versions) {
            std::string id = ":" + version.id;
            id.resize(width + 1, ' ');
            out += "  " + id + "  " + version.meaning + (version.needsHopper ? " (compute capability 9.0 alone)" : "") +
                   (&version == &info.versions.front() && info.versions.size() > 1 ? " [default]" : "") + "\n";
        }
        for (const KernelParameter& parameter : info.parameters) {
            out += "    --param " + defaultText(parameter) + ": " + parameter.meaning + " (" +
                   std::to_string(parameter.least) + " to " + std::to_string(parameter.most) +
                   (parameter.multipleOf > 1 ? ", multiples of " + std::to_string(parameter.multipleOf) : "") + ")\n";
        }
        out += "\n";
    }
    if (!out.empty()) {
        out.pop_back();
    }
    return out;
}

std::string kernelListJson(const std::vector<std::unique_ptr<SampleKernel>>& kernels) {
    std::string out;
    JsonWriter json(out, 3);
    json.beginObject().key("kernels").beginArray();
    for (const auto& kernel : kernels) {
        const SampleKernelInfo& info = kernel->info();
        json.beginObject().key("id").text(info.id).key("title").text(info.title).key("dtype").text(info.dtype);
        json.key("versions").beginArray();
        for (const KernelVersion& version : info.versions) {
            json.beginObject().key("id").text(version.id).key("meaning").text(version.meaning);
            json.key("only_compute_capability");
            if (version.needsHopper) {
                json.text("9.0");
            } else {
                json.null();
            }
            json.endObject();
        }
        json.endArray().key("parameters").beginArray();
        for (const KernelParameter& parameter : info.parameters) {
            json.beginObject().key("name").text(parameter.name).key("default").integer(parameter.defaultValue);
            json.key("least").integer(parameter.least).key("most").integer(parameter.most);
            json.key("multiple_of").integer(parameter.multipleOf).key("unit").text(parameter.unit);
            json.key("meaning").text(parameter.meaning).endObject();
        }
        json.endArray();
        if (const auto defaults = ParameterValues::parse(info.parameters, {}); defaults.ok()) {
            writeWork(json, kernel->work(defaults.value()));
        }
        json.endObject();
    }
    json.endArray().endObject();
    out += '\n';
    return out;
}

EventReport eventReport(const ChosenKernel& chosen, const EventOptions& options, const EventOutcome& outcome) {
    EventReport report;
    report.times = timingStatistics(outcome.samplesNs).value_or(TimingStatistics());
    const KernelWork work = chosen.kernel->work(chosen.values);
    if (const auto times = timesPerRun(outcome.oneRun)) {
        report.flopsPerRun = work.flops ? std::optional(*work.flops * *times) : std::nullopt;
        report.bytesPerRun = work.bytes ? std::optional(*work.bytes * *times) : std::nullopt;
    }
    report.flopsPerSecond = ratePerSecond(report.flopsPerRun, report.times.medianNs);
    report.bytesPerSecond = ratePerSecond(report.bytesPerRun, report.times.medianNs);
    if (!options.graphReplay && isTooShortForEvents(report.times.medianNs)) {
        const std::string reason = chosen.kernel->whyNotInGraph(chosen.version);
        report.warnings.push_back("a run takes " + formatDuration(report.times.medianNs) +
                                  ", which is too short for CUDA events: much of it may be the events' own. " +
                                  (reason.empty() ? "--graph-replay times many runs at once"
                                                  : "--graph-replay is no way out here: " + reason));
    }
    return report;
}

std::string eventText(const ChosenKernel& chosen, const EventOptions& options, const EventOutcome& outcome,
                      const EventReport& report) {
    const SampleKernelInfo& info = chosen.kernel->info();
    std::string parameters;
    for (const auto& [name, value] : chosen.values.all()) {
        parameters += (parameters.empty() ? "" : ", ") + name + "=" + std::to_string(value);
    }
    std::string out = wrapped("Kernel", info.id + ":" + chosen.version.id + " - " + info.title);
    out += wrapped("Parameters", parameters);
    out += wrapped(
        "GPU", outcome.gpu.name + ", " + formatCountOf(static_cast<uint64_t>(outcome.gpu.smCount), "multiprocessor"));
    out += wrapped("Check", outcome.check ? "passed: " + outcome.check->method : "not made");
    out += wrapped("Time", "median " + formatDuration(report.times.medianNs) + ", IQR " +
                               formatDuration(report.times.iqrNs()) + ", min " + formatDuration(report.times.minNs) +
                               " (n = " + std::to_string(report.times.count) + ")");
    if (const uint64_t kernels = outcome.oneRun.kernelCount(); kernels > 1) {
        out += wrapped("A run is", formatCountOf(kernels, "kernel"));
    }
    if (report.flopsPerSecond) {
        out += wrapped("Operations", formatRate(*report.flopsPerSecond, "FLOP/s"));
    }
    if (report.bytesPerSecond) {
        out += wrapped("Memory", formatRate(*report.bytesPerSecond, "B/s"));
    }
    out += wrapped("L2 cache", options.graphReplay ? "as the run before left it; a sample is a CUDA graph of " +
                                                         formatCountOf(outcome.runsPerSample, "run")
                               : options.flushL2 ? "overwritten before each run"
                                                 : "as the run before left it");
    for (const std::string& warning : report.warnings) {
        out += wrapped("Warning", warning);
    }
    return out;
}

std::string eventJson(const ChosenKernel& chosen, const EventOptions& options, const EventOutcome& outcome,
                      const EventReport& report) {
    std::string out;
    JsonWriter json(out, 1);
    json.beginObject();
    writeHead(json, chosen, outcome.gpu, outcome.check);
    json.key("mode").text("event").key("flush_l2").boolean(options.flushL2 && !options.graphReplay);
    json.key("graph_replay").boolean(options.graphReplay).key("runs_per_sample").unsignedInteger(outcome.runsPerSample);
    json.key("warm_up").unsignedInteger(options.warmUps).key("samples").unsignedInteger(report.times.count);
    json.key("median_ns").real(report.times.medianNs).key("iqr_ns").real(report.times.iqrNs());
    json.key("min_ns").real(report.times.minNs).key("max_ns").real(report.times.maxNs);
    json.key("first_quartile_ns").real(report.times.firstQuartileNs);
    json.key("third_quartile_ns").real(report.times.thirdQuartileNs);
    json.key("run").beginObject();
    writeLedger(json, outcome.oneRun);
    json.endObject().key("flops_per_run");
    optionalCount(json, report.flopsPerRun);
    json.key("bytes_per_run");
    optionalCount(json, report.bytesPerRun);
    json.key("flops_per_s");
    optionalReal(json, report.flopsPerSecond);
    json.key("bytes_per_s");
    optionalReal(json, report.bytesPerSecond);
    json.key("warnings").beginArray();
    for (const std::string& warning : report.warnings) {
        json.text(warning);
    }
    json.endArray().endObject();
    out += '\n';
    return out;
}

std::string runJson(const ChosenKernel& chosen, const RunOptions& options, const RunOutcome& outcome) {
    std::string out;
    JsonWriter json(out);
    json.beginObject();
    writeHead(json, chosen, outcome.gpu, outcome.check);
    json.key("prepared").beginObject();
    writeLedger(json, outcome.prepared);
    json.endObject().key("warm_up").beginObject().key("runs").unsignedInteger(options.warmUps);
    writeLedger(json, outcome.warmUp);
    json.endObject().key("measured").beginObject().key("runs").unsignedInteger(options.repetitions);
    writeLedger(json, outcome.measured);
    json.endObject().key("total").beginObject();
    writeLedger(json, outcome.total);
    json.endObject().endObject();
    out += '\n';
    return out;
}

}  // namespace warpline::cli
