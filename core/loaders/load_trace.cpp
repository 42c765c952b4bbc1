// SPDX-License-Identifier: MIT
#include "core/loaders/load_trace.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "core/base/page_memory.h"
#include "core/base/time_text.h"
#include "core/loaders/registry.h"
#include "core/loaders/text_source.h"

namespace warpline {

namespace {

constexpr size_t kHeadBytes = size_t{64} << 10;

/// Gives the bytes that were read for sniffing once more, then the rest. Positioned reads go to the source itself.
class RewoundSource final : public TextSource {
public:
    RewoundSource(std::shared_ptr<TextSource> source, std::string head)
        : m_source(std::move(source)), m_head(std::move(head)) {}

    Result<size_t> readNext(std::span<char> buffer) override {
        const size_t fromHead = std::min(buffer.size(), m_head.size() - m_used);
        std::copy_n(m_head.data() + m_used, fromHead, buffer.data());
        m_used += fromHead;
        if (fromHead == buffer.size()) {
            return fromHead;
        }
        auto rest = m_source->readNext(buffer.subspan(fromHead));
        if (!rest) {
            return rest;
        }
        return fromHead + rest.value();
    }
    void stopWith(const JobControl* job) override { m_source->stopWith(job); }
    Result<std::string> read(uint64_t offset, size_t length) const override { return m_source->read(offset, length); }
    std::shared_ptr<const StoredBytes> plainBytes() const override { return m_source->plainBytes(); }
    void seek(uint64_t offset) override {
        m_used = m_head.size();
        m_source->seek(offset);
    }
    Status checkUnchanged() const override { return m_source->checkUnchanged(); }
    uint64_t storedBytes() const override { return m_source->storedBytes(); }
    uint64_t storedPosition() const override { return m_source->storedPosition(); }
    std::string compression() const override { return m_source->compression(); }
    std::vector<Damage> damage() const override { return m_source->damage(); }

private:
    std::shared_ptr<TextSource> m_source;
    std::string m_head;
    size_t m_used = 0;
};

struct Input {
    std::string path;
    std::shared_ptr<TextSource> source;
    std::unique_ptr<Loader> loader;
};

std::string shownName(const std::string& path) {
    return path == "-" ? "standard input" : path;
}

Error withPath(const std::string& path, Error error) {
    const std::string shown = shownName(path);
    if (!error.isCancelled() && !error.message.starts_with(shown)) {
        error.message = shown + ": " + error.message;
    }
    return error;
}

bool looksLikePickle(std::string_view head) {
    return head.size() >= 2 && head[0] == '\x80' && head[1] >= 2 && head[1] <= 5;
}

bool looksLikeHtml(std::string_view head) {
    const size_t first = head.find_first_not_of(" \t\r\n\xef\xbb\xbf");
    std::string start(head.substr(std::min(first, head.size()), 9));
    std::ranges::transform(start, start.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
    return start.starts_with("<html") || start.starts_with("<!doctype") || start.starts_with("<!--");
}

/// Which export made the page, and which of its other exports can be read.
std::string htmlMessage(std::string_view head) {
    const auto has = [&](std::string_view text) { return head.find(text) != std::string_view::npos; };
    if (has("data:image/png;base64")) {
        return "unsupported: an HTML page with a picture in it, not its numbers; PyTorch's export_memory_timeline() "
               "writes those to a path that ends in .json or .raw.json.gz";
    }
    if (has("systrace") || has("trace-viewer") || has("Trace Viewer") || has("Android System Trace") ||
        has("catapult")) {
        return "unsupported: an HTML page of systrace or Trace Viewer; save the trace as JSON instead";
    }
    return "unsupported: an HTML page, not a trace";
}

std::string unsupportedMessage(std::string_view head) {
    if (looksLikePickle(head)) {
        return "unsupported: a Python pickle; no loader here reads it";
    }
    if (head.starts_with("\x89PNG")) {
        return "unsupported: a PNG picture, not a trace";
    }
    if (looksLikeHtml(head)) {
        return htmlMessage(head);
    }
    return "unsupported: not a trace in any format that can be read";
}

Result<Input> openInput(const std::string& path, const LoadOptions& options, JobControl& job) {
    auto source = openTextSource(path, job, options.maxPipedBytes);
    if (!source) {
        return withPath(path, source.error());
    }
    source.value()->stopWith(&job);
    std::string head(kHeadBytes, '\0');
    const auto count = source.value()->readNext(head);
    if (!count) {
        return withPath(path, count.error());
    }
    head.resize(count.value());
    if (head.empty()) {
        const auto damage = source.value()->damage();
        const bool isCut = !damage.empty() && damage.front().code == "truncated";
        const bool isBroken = !damage.empty() && damage.front().code.starts_with("invalid_");
        return withPath(path, isCut      ? Error::failed("the compressed file ends before any text", "truncated")
                              : isBroken ? Error::failed("not readable as " + source.value()->compression() + ": " +
                                                             damage.front().detail,
                                                         "unsupported")
                                         : Error::failed("the file is empty", "unsupported"));
    }
    Input input{path, nullptr, nullptr};
    int best = 0;
    for (auto& loader : loaders::all()) {
        const int score = loader->sniff({head, path});
        if (score > best) {
            best = score;
            input.loader = std::move(loader);
        }
    }
    if (input.loader == nullptr) {
        return withPath(path, Error::failed(unsupportedMessage(head), "unsupported"));
    }
    input.source = std::make_shared<RewoundSource>(std::move(source.value()), std::move(head));
    return input;
}

/// One file twice would be counted twice in every sum.
Status checkDistinct(const std::vector<std::string>& paths) {
    for (size_t i = 0; i < paths.size(); ++i) {
        for (size_t k = 0; k < i; ++k) {
            std::error_code error;
            if (paths[i] == paths[k]) {
                return Error::failed(shownName(paths[i]) + ": is given twice; every file is opened once");
            }
            if (std::filesystem::equivalent(paths[i], paths[k], error)) {
                return Error::failed(paths[i] + ": is the same file as " + paths[k] + "; every file is opened once");
            }
        }
    }
    return Status::success();
}

/// Whether all of them, moved by that, are times that a trace holds.
bool isHeldWhenMoved(const std::optional<TimeRange>& times, DurationNs offset) {
    TimeNs begin = 0, end = 0;
    return !times || (!__builtin_add_overflow(times->begin, offset, &begin) &&
                      !__builtin_add_overflow(times->end, offset, &end) && isHeldTime(begin) && isHeldTime(end));
}

/// Puts all files on the axis of the first: by hand where the user said so, else by the clocks.
Status alignFiles(const std::vector<FileId>& files, const FileOffsets& offsets, TraceBuilder& builder) {
    if (files.size() == 1) {
        return Status::success();
    }
    const FileInfo& first = builder.file(files.front());
    const std::vector<std::optional<TimeRange>> times = builder.ownRanges();
    for (size_t i = 1; i < files.size(); ++i) {
        FileInfo& info = builder.file(files[i]);
        const std::string number = std::to_string(i + 1);
        const std::string advice = "; --offset " + number + ":TIME places file " + number + " by hand";
        if (const auto given = offsets.find(i); given != offsets.end()) {
            info.axisOffsetNs = given->second;
            info.placedByHand = true;
            if (!isHeldWhenMoved(times[files[i].value], info.axisOffsetNs)) {
                return Error::failed(shownName(info.path) + ": moved by " + timeText(given->second) +
                                         ", its events lie farther from those of " + shownName(first.path) +
                                         " than one time axis reaches" + advice + " at another time",
                                     "clock_mismatch");
            }
            continue;
        }
        if (!first.baseTimeNs || !info.baseTimeNs) {
            const FileInfo& lacking = first.baseTimeNs ? info : first;
            const FileInfo& other = first.baseTimeNs ? first : info;
            return Error::failed(shownName(lacking.path) +
                                     ": gives no base time (wall clock), so its place in time beside " +
                                     shownName(other.path) + " is not known" + advice,
                                 "clock_mismatch");
        }
        if (__builtin_sub_overflow(*info.baseTimeNs, *first.baseTimeNs, &info.axisOffsetNs) ||
            !isHeldWhenMoved(times[files[i].value], info.axisOffsetNs)) {
            return Error::failed(shownName(info.path) + ": its base time lies too far from that of " +
                                     shownName(first.path) + " for one time axis" + advice,
                                 "clock_mismatch");
        }
    }
    return Status::success();
}

/// Ranks that cannot be, or that two files give: what is told apart by them is not what it says.
void checkRanks(const std::vector<FileId>& files, TraceBuilder& builder) {
    for (size_t i = 0; i < files.size(); ++i) {
        const FileInfo info = builder.file(files[i]);
        if (!info.rank) {
            continue;
        }
        const std::string rank = "rank " + std::to_string(*info.rank);
        const auto report = [&](std::string_view code, Severity severity, const std::string& detail) {
            builder.report().add(files[i], code, severity, std::nullopt, OffsetSpace::File, detail);
        };
        if (*info.rank < 0 || (info.worldSize && *info.rank >= *info.worldSize)) {
            report("odd_rank", Severity::Warning,
                   rank + (info.worldSize ? " of " + std::to_string(*info.worldSize) : std::string()));
        }
        const auto same = std::find_if(files.begin(), files.begin() + static_cast<std::ptrdiff_t>(i),
                                       [&](FileId other) { return builder.file(other).rank == info.rank; });
        if (same != files.begin() + static_cast<std::ptrdiff_t>(i)) {
            // By its number, as the report is kept in images of traces, whatever files are called.
            report("duplicate_rank", Severity::Warning, rank + ", as file " + std::to_string(same - files.begin() + 1));
        }
    }
}

/// What was read of a file that changes meanwhile may be of two states of it. A pipe was taken before. Fails as
/// `loaded` does.
Status sayIfChanged(const Input& input, FileId file, const Status& loaded, ImportReport& report) {
    const bool isChanged = input.path != "-" && !input.source->checkUnchanged();
    if (!loaded) {
        const Error& error = loaded.error();
        return isChanged && !error.isCancelled()
                   ? Error::failed("the file changed while it was read: " + error.message, "file_changed")
                   : error;
    }
    if (isChanged) {
        report.add(file, "file_changed", Severity::Warning, std::nullopt, OffsetSpace::File);
        report.setIncomplete();
    }
    return loaded;
}

Error tooLarge(const LoadOptions& options, const JobControl& job) {
    const auto mib = [](uint64_t bytes) { return std::to_string(bytes >> 20) + " MiB"; };
    return Error::failed("its trace takes more memory than allowed (" + mib(options.traceBytes()) + ", after " +
                             mib(job.done()) + " of " + mib(job.total()) +
                             "); raise the limit (--limit-memory SIZE, or Settings)",
                         "too_large");
}

}  // namespace

uint64_t LoadOptions::traceBytes() const {
    return maxTraceBytes != 0 ? maxTraceBytes : physicalMemoryBytes() / 2;
}

Result<std::shared_ptr<const Trace>> loadTrace(const std::vector<std::string>& paths, const LoadOptions& options,
                                               JobControl& whole, const FileOffsets& offsets) {
    if (paths.empty()) {
        return Error::failed("no file was given");
    }
    if (const Status distinct = checkDistinct(paths); !distinct) {
        return distinct.error();
    }
    JobControl job(&whole);  // which the limit on memory stops
    job.setPhase("Opening");
    std::vector<Input> inputs;
    uint64_t totalBytes = 0;
    for (const std::string& path : paths) {
        if (job.stopRequested()) {
            return Error::cancelled();
        }
        auto input = openInput(path, options, job);
        if (!input) {
            return input.error();
        }
        totalBytes += input.value().source->storedBytes();
        inputs.push_back(std::move(input.value()));
    }
    TraceBuilder builder;
    builder.limitBytes(options.traceBytes(), job);
    std::vector<FileId> files;
    uint64_t doneBytes = 0;
    for (const Input& input : inputs) {
        FileInfo info;
        info.path = input.path;
        info.compression = input.source->compression();
        info.bytes = input.source->storedBytes();
        info.offsetSpace = input.source->offsetSpace();
        const FileId file = builder.addFile(std::move(info));
        files.push_back(file);
        job.setProgress(doneBytes, totalBytes);
        const Status status = input.loader->load(input.source, file, builder, options, job);
        input.source->stopWith(nullptr);
        if (builder.isFull() && !whole.stopRequested()) {
            return withPath(input.path, tooLarge(options, job));
        }
        if (const Status said = sayIfChanged(input, file, status, builder.report()); !said) {
            return withPath(input.path, said.error());
        }
        builder.setBytesOfLoader(0);
        doneBytes += input.source->storedBytes();
    }
    job.setProgress(totalBytes, totalBytes);
    if (const Status aligned = alignFiles(files, offsets, builder); !aligned) {
        return aligned.error();
    }
    checkRanks(files, builder);
    return builder.seal(job, options.threads);
}

}  // namespace warpline
