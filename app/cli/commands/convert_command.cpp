// SPDX-License-Identifier: MIT
// `warpline convert`: writes a file in another format, named by its ending.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>

#include "app/cli/command.h"
#include "app/cli/convert.h"
#include "app/cli/exit_code.h"
#include "app/cli/inputs.h"
#include "app/cli/interrupt.h"
#include "app/cli/progress_line.h"
#include "app/cli/terminal.h"
#include "core/base/units.h"
#include "core/exporters/chrome_trace/chrome_trace_writer.h"
#include "core/exporters/slice_csv/slice_csv_writer.h"
#include "core/loaders/capture/repack.h"

namespace warpline::cli {

namespace {

struct ConvertOptions {
    InputOptions input;
    std::string out;
};

enum class OutputFormat { ChromeTrace, ChromeTraceGzip, SliceCsv, Capture };

/// Ignoring case; `ending` is lower case.
bool endsWith(const std::string& text, std::string_view ending) {
    const auto isSame = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; };
    return text.size() > ending.size() &&
           std::equal(ending.begin(), ending.end(), text.end() - static_cast<std::ptrdiff_t>(ending.size()),
                      [&](char b, char a) { return isSame(a, b); });
}

std::optional<OutputFormat> formatOf(const std::string& path) {
    if (endsWith(path, ".json")) {
        return OutputFormat::ChromeTrace;
    }
    if (endsWith(path, ".json.gz")) {
        return OutputFormat::ChromeTraceGzip;
    }
    if (endsWith(path, ".wcap")) {
        return OutputFormat::Capture;
    }
    return endsWith(path, ".csv") ? std::optional(OutputFormat::SliceCsv) : std::nullopt;
}

/// A capture holds records that a trace has no place for, so it is written of the file itself.
Status writeCapture(const InputOptions& input, const std::string& path, JobControl& job) {
    auto source = openTextSource(input.paths.front(), job, input.load.maxPipedBytes);
    if (!source.ok()) {
        return source.error();
    }
    source.value()->stopWith(&job);
    auto file = makeAtomicFileSink(path);
    if (!file.ok()) {
        return file.error();
    }
    ByteSink& sink = *file.value();
    const auto write = [&](std::string_view bytes) { return sink.write(bytes); };
    if (Status status = loaders::capture::repack(*source.value(), write, job); !status.ok()) {
        return status;
    }
    return sink.finish();
}

/// What had to be left out.
Result<exporters::ChromeTraceLosses> writeTrace(const Trace& trace, const std::string& path, OutputFormat format,
                                                JobControl& job) {
    auto file = makeAtomicFileSink(path);
    if (!file.ok()) {
        return file.error();
    }
    std::unique_ptr<ByteSink> sink = std::move(file).value();
    if (format == OutputFormat::ChromeTraceGzip) {
        sink = makeGzipSink(std::move(sink));
    }
    const FileId only(0U);
    exporters::ChromeTraceLosses losses;
    if (format == OutputFormat::SliceCsv) {
        if (Status status = exporters::writeSliceCsv(trace, only, *sink, job); !status.ok()) {
            return status.error();
        }
    } else {
        auto written = exporters::writeChromeTrace(trace, only, *sink, job);
        if (!written.ok()) {
            return written.error();
        }
        losses = std::move(written).value();
    }
    if (const Status status = sink->finish(); !status.ok()) {
        return status.error();
    }
    return losses;
}

int runConvert(const ConvertOptions& options) {
    const auto format = formatOf(options.out);
    if (!format) {
        printError(options.out +
                   ": the ending says no format; known are .json, .json.gz (Chrome trace), .csv and .wcap");
        return kWrongUsage;
    }
    std::error_code error;
    if (std::filesystem::equivalent(options.input.paths.front(), options.out, error)) {
        printError(options.out + ": is the input itself, which is never overwritten");
        return kWrongUsage;
    }
    const auto trace = loadInputs(options.input);
    if (!trace.ok()) {
        return fail(trace.error());
    }
    JobControl& job = interruptibleJob();
    if (*format == OutputFormat::Capture) {
        if (trace.value()->files().front().format != "capture" || options.input.paths.front() == "-") {
            printError(options.out + ": only a capture in a file can be written as a capture; " +
                       options.input.paths.front() + " is " + trace.value()->files().front().format);
            return kWrongUsage;
        }
        const Status written = [&] {
            const OrderlyEnd orderly;
            const ProgressLine progress(job);
            return writeCapture(options.input, options.out, job);
        }();
        return written.ok() ? finish(*trace.value(), options.input) : fail(written.error());
    }
    const Result<exporters::ChromeTraceLosses> leftOut = [&] {
        const OrderlyEnd orderly;
        const ProgressLine progress(job);
        return writeTrace(*trace.value(), options.out, *format, job);
    }();
    if (!leftOut.ok()) {
        return fail(leftOut.error());
    }
    if (const uint64_t ends = leftOut.value().arrowEnds; ends > 0) {
        printError(options.out + ": " + formatCountOf(ends, "arrow end") +
                   " without a partner not written: an arrow has the same id");
    }
    for (const Issue& issue : leftOut.value().args) {
        printError(trace.value()->files()[issue.file.value].path + ": " + issue.message);
    }
    return finish(*trace.value(), options.input);
}

}  // namespace

bool isConvertible(const std::string& path) {
    return formatOf(path).has_value();
}

int convertFile(const std::string& in, const std::string& out) {
    ConvertOptions options;
    options.input.paths = {in};
    options.input.noCache = true;
    options.out = out;
    return runConvert(options);
}

void addConvert(CLI::App& app, Choice& choice) {
    auto* command = app.add_subcommand("convert", "Write a file in another format, named by its ending");
    auto options = std::make_shared<ConvertOptions>();
    addInputOptions(*command, options->input, false);
    command
        ->add_option("OUT", options->out,
                     "file to write: .json, .json.gz (Chrome trace), .csv (slices), .wcap (a capture, packed)")
        ->required()
        ->type_name("");
    command->footer(
        "An existing OUT is replaced when all is written.\nExample: warpline convert trace.json.gz slices.csv");
    command->callback([&choice, options] { choice.run = [options] { return runConvert(*options); }; });
}

}  // namespace warpline::cli
