// SPDX-License-Identifier: MIT
#include "core/loaders/chrome_trace/chrome_trace_loader.h"

#include <string>
#include <string_view>

#include "core/loaders/chrome_trace/event_source.h"
#include "core/loaders/chrome_trace/json_text.h"
#include "core/loaders/chrome_trace/kineto_dialect.h"
#include "core/loaders/chrome_trace/text_head.h"
#include "core/loaders/chrome_trace/xla_dialect.h"
#include "core/loaders/damage_report.h"

namespace warpline::loaders::chrome_trace {

namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

void reportNotes(const HeaderFacts& facts, FileId file, ImportReport& report) {
    for (const std::string& key : facts.notShown) {
        report.add(file, "not_shown", Severity::Warning, std::nullopt, OffsetSpace::File, key);
    }
    for (const std::string& note : facts.errorNotes) {
        report.add(file, "recorder_note", Severity::Warning, std::nullopt, OffsetSpace::File, note);
    }
    for (const std::string& note : facts.warningNotes) {
        report.add(file, "recorder_note", Severity::Info, std::nullopt, OffsetSpace::File, note);
    }
}

constexpr std::string_view kXlaFormat = "jax-json";

std::string_view formatOf(const HeaderFacts& facts, const BatchAppender& events) {
    return facts.isTimeTrace                      ? "clang-time-trace"
           : facts.isKineto || events.sawKineto() ? "kineto-json"
           : events.sawJax()                      ? kXlaFormat
           : events.sawProton()                   ? "proton-chrome-trace"
           : events.sawNode()                     ? "node-json"
                                                  : "chrome-json";
}

/// Why a text with nothing usable in it cannot be opened.
Error unusable(const DocumentReader& reader, bool hasTooLong, const LoadOptions& options) {
    if (hasTooLong) {
        return Error::failed("no event in it is short enough: longer than " + std::to_string(options.maxEventBytes) +
                                 " bytes are dropped; raise the limit (--limit-event-bytes SIZE, or Settings)",
                             "event_too_long");
    }
    if (reader.endedEarly()) {
        return Error::failed("the file ends before its first event is whole", "truncated");
    }
    if (!reader.foundList()) {
        return Error::failed("this is JSON, but no trace: it has no traceEvents", "unsupported");
    }
    return Error::failed("this is JSON, but no trace: nothing in its list is an event", "unsupported");
}

}  // namespace

const LoaderInfo& ChromeTraceLoader::info() const {
    static const LoaderInfo kInfo{
        "chrome_trace", "Chrome trace (Kineto, JAX and TensorFlow, Trace Event JSON)", {".json", ".chrome_trace"}};
    return kInfo;
}

int ChromeTraceLoader::sniff(const SniffData& data) const {
    std::string_view head = data.head;
    if (looksLikeUtf16(head)) {
        return 10;  // load() says what is wrong with it
    }
    if (head.starts_with(kByteOrderMark)) {
        head.remove_prefix(kByteOrderMark.size());
    }
    const size_t first = skipBlank(head, 0);
    constexpr size_t kLongBlank = 32768;
    if (first >= head.size() && first >= kLongBlank) {
        return 10;  // what comes behind so many blanks is for load() to find out
    }
    if (first >= head.size() || (head[first] != '{' && head[first] != '[')) {
        constexpr int kFaint = 15;
        return looksLikeDamagedTrace(head) ? kFaint : 0;
    }
    if (head.find("\"traceEvents\"") != std::string_view::npos) {
        return 95;
    }
    return head.find("\"ph\"") != std::string_view::npos ? 90 : 20;
}

Status ChromeTraceLoader::load(const std::shared_ptr<TextSource>& source, FileId file, TraceBuilder& builder,
                               const LoadOptions& options, JobControl& job) const {
    job.setPhase("Reading events");
    FileInfo& info = builder.file(file);
    info.compression = source->compression();
    info.bytes = source->storedBytes();
    info.offsetSpace = source->offsetSpace();

    HeaderFacts facts;
    const uint64_t lostBefore = builder.report().lostCount();
    const uint64_t tooLongBefore = builder.report().countOf("event_too_long");
    DocumentReader reader(*source, file, builder, options, m_limits, job,
                          [&](std::string_view key, const std::string& value) {
                              return readHeaderMember(key, value, builder.file(file), facts);
                          });
    if (Status status = reader.read(); !status) {
        return status;
    }
    ImportReport& report = builder.report();
    reportDamage(*source, reader.endedEarly(), file, report);
    const BatchAppender& events = reader.appended();
    const bool hasLoss = report.lostCount() != lostBefore || reader.endedEarly();
    if (events.objects() == 0 && (hasLoss || !reader.foundList()) && facts.devices.empty()) {
        return unusable(reader, report.countOf("event_too_long") != tooLongBefore, options);
    }

    reportNotes(facts, file, report);
    if (facts.sums == "\"timed\"" || facts.sums == "\"untimed\"") {
        const bool hasTimes = facts.sums == "\"timed\"";
        builder.markSums(file);
        report.add(file, hasTimes ? "no_timeline" : "no_times", hasTimes ? Severity::Info : Severity::Warning,
                   std::nullopt, OffsetSpace::File);
    }
    for (DeviceInfo& device : facts.devices) {
        device.file = file;
        builder.addDevice(std::move(device));
    }
    const std::string_view format = formatOf(facts, events);
    builder.file(file).format = format;
    builder.file(file).source = makeEventSource(source, options);
    if (format == kXlaFormat) {
        builder.setTrackRoles(file, xlaTrackRole);
    }
    return Status::success();
}

Result<std::shared_ptr<const EventSource>> ChromeTraceLoader::reopen(const std::shared_ptr<const TextSource>& source,
                                                                     std::string_view /*facts*/,
                                                                     const LoadOptions& options) const {
    return makeEventSource(source, options);
}

std::unique_ptr<Loader> make() {
    return std::make_unique<ChromeTraceLoader>();
}

}  // namespace warpline::loaders::chrome_trace
