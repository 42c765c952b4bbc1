// SPDX-License-Identifier: MIT
// Frames, and what all records have in common: texts and times.
#include "core/loaders/capture/capture_appender.h"

#include <algorithm>
#include <cstring>

#include "core/base/demangle.h"
#include "core/base/utf8.h"
#include "core/capture/texts.h"
#include "core/loaders/capture/names.h"

namespace warpline::loaders::capture {

namespace {

/// The year 2096: no recording begins behind it, so a time that does is no origin for the others.
constexpr int64_t kLatestOrigin = 4'000'000'000'000'000'000;
constexpr int64_t kSecond = 1'000'000'000;

}  // namespace

CaptureAppender::CaptureAppender(TraceBuilder& builder, FileId file, const JobControl* job)
    : m_builder(builder), m_file(file), m_job(job), m_space(builder.file(file).offsetSpace) {
    m_words.kernel = builder.intern("kernel");
    m_words.memcpy = builder.intern("gpu_memcpy");
    m_words.memset = builder.intern("gpu_memset");
    m_words.sync = builder.intern("cuda_sync");
    m_words.runtime = builder.intern("cuda_runtime");
    m_words.driver = builder.intern("cuda_driver");
    m_words.overhead = builder.intern("overhead");
    m_words.annotation = builder.intern("user_annotation");
    m_words.instant = builder.intern("cpu_instant_event");
    m_words.value = builder.intern("value");
}

bool CaptureAppender::isContext(wire::FrameType type) {
    using wire::FrameType;
    switch (type) {
        case FrameType::Begin:
        case FrameType::Facts:
        case FrameType::Strings:
        case FrameType::Contexts:
        case FrameType::Streams:
        case FrameType::Devices:
        case FrameType::Threads:
        case FrameType::Clocks:
        case FrameType::Losses:
        case FrameType::Module:
        case FrameType::End:
            return true;
        default:
            return false;
    }
}

void CaptureAppender::add(const CaptureFrame& frame, uint64_t bytesOfReader) {
    ++m_frames;
    m_place = {frame.offset, 0};
    SourceState& source = sourceOf(frame);
    switch (frame.outcome) {
        case PayloadUnpacker::Outcome::Unknown:
            note("unknown_frames", Severity::Info, "flags " + std::to_string(frame.header.flags));
            break;
        case PayloadUnpacker::Outcome::Unreadable:
            note("unreadable_frames", Severity::DataLoss, frameName(frame.header.type));
            m_builder.report().setIncomplete();
            break;
        case PayloadUnpacker::Outcome::Done:
            takeRecords(source, frame);
            break;
    }
    countBytes(source, bytesOfReader);
}

void CaptureAppender::countBytes(SourceState& source, uint64_t bytesOfReader) {
    const uint64_t now = source.bytesHeld() + sizeof(SourceState);
    m_sourceBytes += now - source.bytesCounted;
    source.bytesCounted = now;
    constexpr uint64_t kEntryBytes = 64;
    m_builder.setBytesOfLoader(bytesOfReader + m_sourceBytes + m_memory.capacity() * sizeof(MemoryChange) +
                               m_allocations.capacity() * sizeof(Allocation) + m_missing.capacity() * sizeof(Missing) +
                               m_facts.modules.capacity() * sizeof(ModuleRef) + m_streams.size() * 2 * kEntryBytes +
                               m_gpus.size() * (sizeof(Gpu) + kEntryBytes));
}

template <class Record, CaptureAppender::Take<Record> take>
void CaptureAppender::takeEach(SourceState& source, const CaptureFrame& frame) {
    const auto records = wire::RecordView<Record>::of(frame.payload);
    if (!records) {
        note("odd_record", Severity::DataLoss, "a frame of " + std::string(frameName(frame.header.type)));
        m_builder.report().setIncomplete();
        return;
    }
    constexpr size_t kBetweenStops = 4096;
    for (size_t i = 0; i < records->size(); ++i) {
        if (i % kBetweenStops == 0 && m_job != nullptr && m_job->stopRequested()) {
            return;
        }
        m_place.length = static_cast<uint32_t>(i + 1);
        (this->*take)(source, (*records)[i]);
    }
}

void CaptureAppender::takeRecords(SourceState& source, const CaptureFrame& frame) {
    using A = CaptureAppender;
    using wire::FrameType;
    switch (frame.type()) {
        case FrameType::Begin:
        case FrameType::Facts:
        case FrameType::End:
            source.hasBegun = source.hasBegun || frame.type() == FrameType::Begin;
            // Who records for a window has facts to tell after the end, too.
            source.hasEnded = frame.type() == FrameType::End || (source.hasEnded && frame.type() == FrameType::Facts);
            return takeFacts(source, frame.payload);
        case FrameType::Strings:
            return takeTexts(source, frame);
        case FrameType::Kernels:
            return takeEach<wire::KernelRecord, &A::takeKernel>(source, frame);
        case FrameType::Calls:
            return takeEach<wire::CallRecord, &A::takeCall>(source, frame);
        case FrameType::Launches:
            return takeEach<wire::LaunchRecord, &A::takeLaunch>(source, frame);
        case FrameType::Copies:
            return takeEach<wire::CopyRecord, &A::takeCopy>(source, frame);
        case FrameType::Sets:
            return takeEach<wire::SetRecord, &A::takeSet>(source, frame);
        case FrameType::Memory:
            return takeEach<wire::MemoryRecord, &A::takeMemory>(source, frame);
        case FrameType::Pools:
            return takeEach<wire::PoolRecord, &A::takePool>(source, frame);
        case FrameType::Syncs:
            return takeEach<wire::SyncRecord, &A::takeSync>(source, frame);
        case FrameType::Overheads:
            return takeEach<wire::OverheadRecord, &A::takeOverhead>(source, frame);
        case FrameType::Compilations:
            return takeEach<wire::CompilationRecord, &A::takeCompilation>(source, frame);
        case FrameType::Ranges:
            return takeEach<wire::RangeRecord, &A::takeRange>(source, frame);
        case FrameType::Contexts:
            return takeEach<wire::ContextRecord, &A::takeContext>(source, frame);
        case FrameType::Streams:
            return takeEach<wire::StreamRecord, &A::takeStream>(source, frame);
        case FrameType::Devices:
            return takeEach<wire::DeviceRecord, &A::takeDevice>(source, frame);
        case FrameType::Graphs:
            return takeEach<wire::GraphRecord, &A::takeGraph>(source, frame);
        case FrameType::Clocks:
            return takeEach<wire::ClockRecord, &A::takeClock>(source, frame);
        case FrameType::Samples:
            return takeEach<wire::SampleRecord, &A::takeSample>(source, frame);
        case FrameType::Losses:
            return takeEach<wire::LossRecord, &A::takeLoss>(source, frame);
        case FrameType::Threads:
            return takeEach<wire::ThreadRecord, &A::takeThread>(source, frame);
        case FrameType::Allocations:
            return takeEach<wire::AllocationRecord, &A::takeAllocation>(source, frame);
        case FrameType::Module:
            return takeModule(source, frame);
        case FrameType::Output:
        case FrameType::Cycles:
            return;
    }
    note("unknown_frames", Severity::Info, "type " + std::to_string(frame.header.type));
}

/// Of the first frame of a source.
static bool isRecordingSide(const CaptureFrame& frame) {
    const auto facts = frame.type() == wire::FrameType::Begin ? wire::factsOf(frame.payload) : std::nullopt;
    return facts && std::ranges::any_of(
                        *facts, [](const auto& fact) { return fact.first == "role" && fact.second == "recorder"; });
}

SourceState& CaptureAppender::sourceOf(const CaptureFrame& frame) {
    auto [it, isNew] = m_sources.try_emplace(frame.header.source);
    if (isNew) {
        it->second = std::make_unique<SourceState>();
        it->second->number = frame.header.source;
        it->second->index = static_cast<uint32_t>(m_inOrder.size());
        it->second->firstFrame = frame.offset;
        m_inOrder.push_back(it->second.get());
        // The recording side, which launches nothing, is no process among these.
        constexpr uint32_t kLast = 0x7fffffff;
        it->second->processNumber = isRecordingSide(frame) ? kLast : m_processes++;
        m_facts.sources[frame.header.source].index = it->second->index;
        m_facts.sources[frame.header.source].process = it->second->processNumber;
    }
    return *it->second;
}

void CaptureAppender::takeFacts(SourceState& source, std::string_view payload) {
    const auto facts = wire::factsOf(payload);
    if (!facts) {
        note("odd_record", Severity::DataLoss, "a frame of facts");
        return;
    }
    for (const auto& [key, value] : *facts) {
        source.setFact(key, value);
        if (key == wire::fact::kError) {
            note("recorder_note", Severity::Warning, source.title() + ": " + std::string(value));
        }
    }
    m_builder.countMetadata(facts->size());
}

void CaptureAppender::takeTexts(SourceState& source, const CaptureFrame& frame) {
    const auto texts = wire::textsOf(frame.payload);
    if (!texts) {
        note("odd_record", Severity::DataLoss, "a frame of texts");
        m_builder.report().setIncomplete();
        return;
    }
    for (const auto& [number, bytes] : *texts) {
        SourceText text;
        text.bytes = bytes;
        text.place = {number, static_cast<uint32_t>(bytes.size()), frame.offset,
                      static_cast<uint64_t>(bytes.data() - frame.payload.data())};
        source.texts.set(number, std::move(text));
    }
}

void CaptureAppender::takeModule(SourceState& source, const CaptureFrame& frame) {
    wire::ModuleHead head;
    if (frame.payload.size() < sizeof head) {
        note("odd_record", Severity::DataLoss, "a module");
        return;
    }
    std::memcpy(&head, frame.payload.data(), sizeof head);
    const uint64_t part = frame.payload.size() - sizeof head;
    if (head.offset > head.bytes || part > head.bytes - head.offset) {
        note("odd_record", Severity::DataLoss, "a module");
        return;
    }
    m_facts.modules.push_back({head.hash, head.bytes, head.offset, part, frame.offset, source.number});
    m_builder.countMetadata();
}

void CaptureAppender::note(std::string_view code, Severity severity, std::string_view detail, uint64_t count) {
    m_builder.report().add(m_file, code, severity, m_place.offset, m_space, detail, count);
}

TimeNs CaptureAppender::ownTime(int64_t epoch) {
    if (!m_origin && epoch > 0 && epoch <= kLatestOrigin) {
        m_origin = epoch - epoch % kSecond;
    }
    if (epoch <= kLatestOrigin) {
        m_lastTime = std::max(m_lastTime, epoch);
    }
    return distanceSaturated(m_origin.value_or(0), epoch);
}

std::optional<TimeNs> CaptureAppender::timeOf(int64_t epoch, std::string_view what) {
    if (epoch <= 0) {
        note("bad_timestamp", Severity::DataLoss, what);
        return std::nullopt;
    }
    return ownTime(epoch);
}

std::optional<SliceRecord> CaptureAppender::sliceOf(int64_t begin, int64_t end, std::string_view what) {
    const auto time = timeOf(begin, what);
    if (!time) {
        return std::nullopt;
    }
    SliceRecord slice;
    slice.begin = *time;
    slice.source = m_place;
    if (end == 0) {
        slice.duration = kUnknownDuration;
        note("missing_duration", Severity::Warning, what);
    } else if (end < begin) {
        slice.flags = kSliceBadTime;
        note("negative_duration", Severity::Warning, what);
    } else {
        ownTime(end);
        slice.duration = distanceSaturated(begin, end);
    }
    return slice;
}

StringId CaptureAppender::internValid(std::string_view text) {
    const std::string_view valid = validUtf8(text, m_buffer);
    if (valid.data() != text.data()) {
        note("invalid_utf8", Severity::Warning);
    }
    return m_builder.intern(valid);
}

StringId CaptureAppender::textOf(SourceState& source, uint32_t number) {
    SourceText* const text = source.texts.find(number);
    if (text == nullptr) {
        note("missing_name", Severity::Warning, number == 0 ? "" : "text " + std::to_string(number));
        return {};
    }
    if (!text->isInterned) {
        text->raw = internValid(text->bytes);
        text->isInterned = true;
    }
    return text->raw;
}

void CaptureAppender::want(SourceState& source, uint32_t number) {
    if (SourceText* const text = source.texts.find(number)) {
        text->isWanted = true;
    }
}

std::shared_ptr<const CaptureFacts> CaptureAppender::finish(const wire::FrameReader& frames, Growth growth) {
    for (auto& [number, gpu] : m_gpus) {
        if (gpu.reasons) {
            closeReasons(gpu, gpu.reasons->last);
        }
    }
    for (SourceState* const source : m_inOrder) {
        closeHost(*source, growth);
    }
    closeMemory();
    closeAllocations();
    closeLosses();
    reportStream(frames, growth);
    nameAll();
    writeProperties();
    for (auto& [number, source] : m_sources) {
        m_facts.sources[number].texts = source->texts.wanted();
    }
    return std::make_shared<const CaptureFacts>(std::move(m_facts));
}

}  // namespace warpline::loaders::capture
