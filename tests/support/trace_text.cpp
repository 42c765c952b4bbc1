// SPDX-License-Identifier: MIT
#include "tests/support/trace_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/trace/trace_builder.h"

namespace warpline::test {

namespace {

EventKind kindFromWord(std::string_view word) {
    for (int i = 0; i < kEventKindCount; ++i) {
        if (eventKindName(static_cast<EventKind>(i)) == word) {
            return static_cast<EventKind>(i);
        }
    }
    throw std::runtime_error("no such kind: " + std::string(word));
}

std::string_view categoryOf(EventKind kind) {
    switch (kind) {
        case EventKind::CpuOp:
            return "cpu_op";
        case EventKind::Python:
            return "python_function";
        case EventKind::Annotation:
            return "user_annotation";
        case EventKind::GpuAnnotation:
            return "gpu_user_annotation";
        case EventKind::Runtime:
            return "cuda_runtime";
        case EventKind::Driver:
            return "cuda_driver";
        case EventKind::Kernel:
            return "kernel";
        case EventKind::Memcpy:
            return "gpu_memcpy";
        case EventKind::Memset:
            return "gpu_memset";
        case EventKind::Sync:
            return "cuda_sync";
        case EventKind::Overhead:
            return "overhead";
        case EventKind::Other:
            break;
    }
    return "";
}

EventKind hostKind(std::string_view name) {
    if (name.starts_with("cuda")) {
        return EventKind::Runtime;
    }
    if (name.size() > 2 && name.starts_with("cu") && name[2] >= 'A' && name[2] <= 'Z') {
        return EventKind::Driver;
    }
    return name.starts_with("ProfilerStep#") || name.starts_with("## ") ? EventKind::Annotation : EventKind::CpuOp;
}

EventKind streamKind(std::string_view name) {
    if (name.starts_with("Memcpy")) {
        return EventKind::Memcpy;
    }
    if (name.starts_with("Memset")) {
        return EventKind::Memset;
    }
    return name.ends_with(" Sync") ? EventKind::Sync : EventKind::Kernel;
}

class Parser {
public:
    explicit Parser(std::string_view text) : m_text(text) {
        FileInfo file;
        file.path = "text";
        file.format = "text";
        file.bytes = text.size();
        m_file = m_builder.addFile(std::move(file));
    }

    std::shared_ptr<const Trace> parse() {
        for (skipBlank(true); m_at < m_text.size(); skipBlank(true)) {
            statement();
        }
        JobControl job;
        auto trace = m_builder.seal(job);
        if (!trace) {
            throw std::runtime_error(trace.error().message);
        }
        return std::move(trace).value();
    }

private:
    using KindOf = EventKind (*)(std::string_view);

    [[noreturn]] void fail(const std::string& what) const {
        const auto line = std::count(m_text.begin(), m_text.begin() + static_cast<std::ptrdiff_t>(m_at), '\n') + 1;
        throw std::runtime_error("trace text, line " + std::to_string(line) + ": " + what + " at \"" +
                                 std::string(m_text.substr(m_at, 20)) + "\"");
    }

    void skipBlank(bool lines) {
        while (m_at < m_text.size()) {
            const char c = m_text[m_at];
            if (c == '#') {
                m_at = std::min(m_text.find('\n', m_at), m_text.size());
            } else if (c == ' ' || c == '\t' || c == '\r' || (lines && c == '\n')) {
                ++m_at;
            } else {
                break;
            }
        }
    }
    bool peek(char c) const { return m_at < m_text.size() && m_text[m_at] == c; }
    bool accept(char c) {
        if (!peek(c)) {
            return false;
        }
        ++m_at;
        return true;
    }
    void expect(char c) {
        if (!accept(c)) {
            fail(std::string("expected ") + c);
        }
    }
    bool lineEnds() {
        skipBlank(false);
        return m_at >= m_text.size() || peek('\n');
    }

    /// Up to a blank or one of `stops`; or what stands in quotes.
    std::string_view word(std::string_view stops) {
        skipBlank(false);
        if (accept('"')) {
            const size_t end = m_text.find('"', m_at);
            if (end == std::string_view::npos) {
                fail("no closing quote");
            }
            const auto out = m_text.substr(m_at, end - m_at);
            m_at = end + 1;
            return out;
        }
        const size_t begin = m_at;
        while (m_at < m_text.size() && std::string_view(" \t\r\n").find(m_text[m_at]) == std::string_view::npos &&
               stops.find(m_text[m_at]) == std::string_view::npos) {
            ++m_at;
        }
        if (m_at == begin) {
            fail("expected a word");
        }
        return m_text.substr(begin, m_at - begin);
    }
    int64_t number() {
        skipBlank(false);
        int64_t value = 0;
        const auto result = std::from_chars(m_text.data() + m_at, m_text.data() + m_text.size(), value);
        if (result.ec != std::errc()) {
            fail("expected a whole number");
        }
        m_at = static_cast<size_t>(result.ptr - m_text.data());
        return value;
    }
    std::array<int32_t, 3> triple() {
        std::array<int32_t, 3> out{};
        for (size_t i = 0; i < 3; ++i) {
            if (i > 0) {
                expect(',');
            }
            out[i] = static_cast<int32_t>(number());
        }
        return out;
    }

    TrackId threadNamed(std::string_view name) {
        const size_t slash = name.find('/');
        if (slash != std::string_view::npos) {
            return m_builder.track(m_builder.process(m_file, name.substr(0, slash)), name.substr(slash + 1));
        }
        return m_builder.track(m_builder.process(m_file, "100"), name == "main" ? "100" : name);
    }

    void statement() {
        const std::string_view what = word(":");
        if (what == "cpu") {
            slicesOf(threadNamed(word(":")), hostKind);
        } else if (what == "gpu") {
            const std::string device = std::to_string(number());
            if (word(":") != "stream") {
                fail("expected stream");
            }
            m_stream = number();
            m_device = static_cast<int32_t>(std::stol(device));
            slicesOf(m_builder.track(m_builder.process(m_file, device), std::to_string(m_stream)), streamKind);
        } else if (what == "overhead") {
            slicesOf(threadNamed("-1/0"), [](std::string_view) { return EventKind::Overhead; });
        } else if (what == "track") {
            slicesOf(threadNamed(word(":")), [](std::string_view) { return EventKind::Other; });
        } else if (what == "instant") {
            instants();
        } else if (what == "counter") {
            counter();
        } else if (what == "memory" || what == "oom") {
            memory(what == "oom");
        } else if (what == "device") {
            device();
        } else if (what == "name") {
            const bool isProcess = word("") == "process";
            const std::string_view of = word("");
            const StringId text = m_builder.intern(word(""));
            if (isProcess) {
                m_builder.nameProcess(m_builder.process(m_file, of), text);
            } else {
                m_builder.nameTrack(threadNamed(of), text);
            }
        } else {
            fail("unknown statement " + std::string(what));
        }
        if (!lineEnds()) {
            fail("expected the end of the line");
        }
    }

    void slicesOf(TrackId track, KindOf kindOf) {
        skipBlank(false);
        expect(':');
        while (!lineEnds()) {
            slice(track, kindOf);
        }
    }

    void slice(TrackId track, KindOf kindOf) {
        const size_t place = m_at;
        const std::string_view name = word("(){}");
        SliceRecord record;
        record.track = track;
        record.name = m_builder.intern(name);
        record.kind = kindOf(name);
        record.begin = number();
        expect('.');
        expect('.');
        record.duration = accept('?') ? kUnknownDuration : number() - record.begin;
        KernelFacts kernel;
        CopyFacts copy;
        std::optional<std::string_view> category;
        skipBlank(false);
        if (accept('(')) {
            for (skipBlank(true); !accept(')'); skipBlank(true)) {
                attribute(record, kernel, copy, category);
            }
        }
        record.category = m_builder.intern(category.value_or(categoryOf(record.kind)));
        record.source = {place, static_cast<uint32_t>(m_at - place)};
        const uint32_t number = m_builder.addSlice(record);
        if (record.kind == EventKind::Kernel) {
            kernel.device = m_device;
            kernel.stream = m_stream;
            m_builder.addKernelFacts(number, kernel);
        } else if (record.kind == EventKind::Memcpy || record.kind == EventKind::Memset) {
            copy.device = m_device;
            copy.stream = m_stream;
            m_builder.addCopyFacts(number, copy);
        }
        skipBlank(false);
        if (accept('{')) {
            for (skipBlank(true); !accept('}'); skipBlank(true)) {
                slice(track, kindOf);
            }
        }
    }

    void attribute(SliceRecord& record, KernelFacts& kernel, CopyFacts& copy,
                   std::optional<std::string_view>& category) {
        const std::string_view key = word("=)");
        expect('=');
        if (key == "kind") {
            record.kind = kindFromWord(word(")"));
        } else if (key == "cat") {
            category = word(")");
        } else if (key == "corr") {
            record.correlation = static_cast<uint64_t>(number());
        } else if (key == "ext") {
            record.externalId = static_cast<uint64_t>(number());
        } else if (key == "shapes") {
            record.shapes = m_builder.intern(word(")"));
        } else if (key == "grid") {
            kernel.grid = triple();
        } else if (key == "block") {
            kernel.block = triple();
        } else if (key == "regs") {
            kernel.registersPerThread = static_cast<int32_t>(number());
        } else if (key == "shared") {
            kernel.sharedBytes = number();
        } else if (key == "local") {
            kernel.localBytesPerThread = number();
        } else if (key == "bytes") {
            copy.bytes = number();
        } else {
            fail("unknown attribute " + std::string(key));
        }
    }

    void instants() {
        const TrackId track = threadNamed(word(":"));
        expect(':');
        while (!lineEnds()) {
            Instant instant;
            instant.source = {m_at, 1};
            instant.track = track;
            instant.name = m_builder.intern(word(""));
            instant.time = number();
            m_builder.addInstant(instant);
        }
    }

    void counter() {
        CounterRecord record;
        record.process = m_builder.process(m_file, "100");
        record.name = m_builder.intern(word(":"));
        record.series = record.name;
        expect(':');
        while (!lineEnds()) {
            record.time = number();
            expect('=');
            if (accept('?')) {
                record.value = std::numeric_limits<double>::quiet_NaN();
                record.whole = std::nullopt;
            } else {
                record.whole = number();
                record.value = static_cast<double>(*record.whole);
            }
            m_builder.addCounter(record);
            m_builder.countCounterEvents();
        }
    }

    void memory(bool failed) {
        const std::string_view where = word("");
        MemoryEvent event;
        event.file = m_file;
        event.track = threadNamed("main");
        event.order = m_memoryEvents++;
        if (where != "cpu") {
            event.deviceType = MemoryDeviceType::Cuda;
            event.rawDeviceType = 1;
            event.device = std::stol(std::string(where.substr(3)));
        }
        event.time = number();
        event.bytes = number();
        event.outOfMemory = failed;
        if (!lineEnds()) {
            event.totalAllocated = number();
        }
        m_builder.addMemory(event);
    }

    void device() {
        DeviceInfo info;
        info.file = m_file;
        info.id = number();
        if (word("") != "sm_90") {
            fail("expected sm_90");
        }
        info.name = "NVIDIA H200";
        info.computeMajor = 9;
        info.computeMinor = 0;
        info.smCount = 132;
        info.memoryBytes = 150109880320;
        info.warpSize = 32;
        info.maxThreadsPerBlock = 1024;
        info.maxThreadsPerSm = 2048;
        info.registersPerBlock = 65536;
        info.registersPerSm = 65536;
        info.sharedBytesPerBlock = 49152;
        info.sharedBytesPerBlockOptin = 232448;
        info.sharedBytesPerSm = 233472;
        m_builder.addDevice(std::move(info));
    }

    std::string_view m_text;
    size_t m_at = 0;
    TraceBuilder m_builder;
    FileId m_file;
    int32_t m_device = -1;
    int64_t m_stream = kUnknownFact;
    uint32_t m_memoryEvents = 0;
};

}  // namespace

std::shared_ptr<const Trace> traceFromText(std::string_view text) {
    return Parser(text).parse();
}

}  // namespace warpline::test
