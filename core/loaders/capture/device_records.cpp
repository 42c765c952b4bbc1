// SPDX-License-Identifier: MIT
// What ran on devices: kernels, copies, memsets, whole graphs, waits.
#include <limits>

#include "core/base/demangle.h"
#include "core/loaders/capture/capture_appender.h"
#include "core/loaders/capture/names.h"

namespace warpline::loaders::capture {

namespace {

int32_t narrow(int64_t value) {
    return value >= 0 && value <= std::numeric_limits<int32_t>::max() ? static_cast<int32_t>(value) : -1;
}

/// Zero is "not said", and no launch has a side of none.
std::array<int32_t, 3> sidesOf(const int32_t (&sides)[3]) {
    std::array<int32_t, 3> out = {-1, -1, -1};
    if (sides[0] > 0 && sides[1] > 0 && sides[2] > 0) {
        out = {sides[0], sides[1], sides[2]};
    }
    return out;
}

}  // namespace

/// What has no times is in no statistics and on no track: at time 0 it would be read as work.
std::optional<SliceRecord> CaptureAppender::workOf(int64_t begin, int64_t end, uint32_t flags, std::string_view what) {
    if ((flags & wire::kReplayed) != 0) {
        note("replayed", Severity::Info, what);
        return std::nullopt;
    }
    if ((flags & wire::kNoTimes) != 0 || begin <= 0) {
        note("no_timestamp", Severity::DataLoss, what);
        return std::nullopt;
    }
    auto slice = sliceOf(begin, end, what);
    if (slice && (flags & wire::kEndInferred) != 0 && slice->duration > 0) {
        // Drawn up to there, but its duration is not known, so it is in no sum.
        slice->flags |= kSliceNoEnd | kSliceUnfinished;
        note("end_inferred", Severity::Info, what);
    }
    return slice;
}

/// Work that a cut record shows running reaches to the end of the trace.
uint32_t CaptureAppender::addWork(const SliceRecord& slice, bool isRunning) {
    return isRunning ? m_builder.beginSlice(slice) : m_builder.addSlice(slice);
}

void CaptureAppender::takeKernel(SourceState& source, const wire::KernelRecord& record) {
    if ((record.flags & wire::kReplayed) != 0 && record.correlation != 0) {
        source.replayed.add(record.correlation);
    }
    auto slice = workOf(record.begin, record.end, record.flags, "a kernel");
    if (!slice) {
        return;
    }
    SourceText* const text = source.texts.find(record.name);
    if (text == nullptr) {
        note("missing_name", Severity::Warning, "a kernel");
    } else if (!text->isKernel) {
        text->kernel = internValid(demangledName(text->bytes));
        text->isKernel = true;
    }
    slice->name = text == nullptr ? StringId() : text->kernel;
    slice->category = m_words.kernel;
    slice->kind = EventKind::Kernel;
    Gpu& gpu = gpuOf(source, record.device);
    slice->track = streamTrack(source, gpu, record.context, record.stream);
    slice->correlation = correlationOf(source, record.correlation);
    KernelFacts facts;
    facts.device = narrow(gpu.number);
    facts.stream = record.stream;
    facts.context = record.context;
    facts.grid = sidesOf(record.grid);
    facts.block = sidesOf(record.block);
    facts.registersPerThread = record.registers == 0 ? -1 : narrow(record.registers);
    facts.staticSharedBytes = record.staticShared;
    facts.dynamicSharedBytes = record.dynamicShared;
    facts.sharedBytes = int64_t{record.staticShared} + record.dynamicShared;
    // CUPTI says 0 also of kernels that spill.
    facts.localBytesPerThread = record.localPerThread == 0 ? kUnknownFact : int64_t{record.localPerThread};
    facts.graphNode = record.graphNode;
    m_builder.addKernelFacts(addWork(*slice, record.end == 0), facts);
}

void CaptureAppender::takeCopy(SourceState& source, const wire::CopyRecord& record) {
    auto slice = workOf(record.begin, record.end, record.flags, "a copy");
    if (!slice) {
        return;
    }
    const uint32_t kinds = uint32_t{record.kind} << 16 | uint32_t{record.sourceKind} << 8 | record.targetKind;
    const auto [name, isNew] = m_copyNames.try_emplace(kinds);
    if (isNew) {
        name->second = m_builder.intern(copyName(record.kind, record.sourceKind, record.targetKind));
    }
    slice->name = name->second;
    slice->category = m_words.memcpy;
    slice->kind = EventKind::Memcpy;
    Gpu& gpu = gpuOf(source, record.device);
    slice->track = streamTrack(source, gpu, record.context, record.stream);
    slice->correlation = correlationOf(source, record.correlation);
    CopyFacts facts;
    facts.device = narrow(gpu.number);
    facts.stream = record.stream;
    facts.bytes = record.bytes <= std::numeric_limits<int64_t>::max() ? static_cast<int64_t>(record.bytes) : -1;
    m_builder.addCopyFacts(addWork(*slice, record.end == 0), facts);
}

void CaptureAppender::takeSet(SourceState& source, const wire::SetRecord& record) {
    auto slice = workOf(record.begin, record.end, record.flags, "a memset");
    if (!slice) {
        return;
    }
    slice->name = m_builder.intern(memsetName(record.memoryKind));
    slice->category = m_words.memset;
    slice->kind = EventKind::Memset;
    Gpu& gpu = gpuOf(source, record.device);
    slice->track = streamTrack(source, gpu, record.context, record.stream);
    slice->correlation = correlationOf(source, record.correlation);
    CopyFacts facts;
    facts.device = narrow(gpu.number);
    facts.stream = record.stream;
    facts.bytes = record.bytes <= std::numeric_limits<int64_t>::max() ? static_cast<int64_t>(record.bytes) : -1;
    m_builder.addCopyFacts(addWork(*slice, record.end == 0), facts);
}

/// The device was busy, with what is not told: it counts as a kernel, whose name says that it is a whole graph.
void CaptureAppender::takeGraph(SourceState& source, const wire::GraphRecord& record) {
    auto slice = workOf(record.begin, record.end, record.flags, "a graph");
    if (!slice) {
        return;
    }
    slice->name = m_builder.intern("CUDA graph " + std::to_string(record.graph) + " (whole)");
    slice->category = m_words.kernel;
    slice->kind = EventKind::Kernel;
    Gpu& gpu = gpuOf(source, record.device);
    slice->track = streamTrack(source, gpu, record.context, record.stream);
    slice->correlation = correlationOf(source, record.correlation);
    KernelFacts facts;
    facts.device = narrow(gpu.number);
    facts.stream = record.stream;
    facts.context = record.context;
    m_builder.addKernelFacts(addWork(*slice, record.end == 0), facts);
    note("graph_as_whole", Severity::Info, m_builder.string(slice->name));
}

void CaptureAppender::takeSync(SourceState& source, const wire::SyncRecord& record) {
    auto slice = sliceOf(record.begin, record.end, "a synchronisation");
    if (!slice) {
        return;
    }
    const auto device = source.deviceOfContext.find(record.context);
    Gpu& gpu = gpuOf(source, device == source.deviceOfContext.end() ? 0 : device->second);
    slice->name = m_builder.intern(syncName(record.kind));
    slice->category = m_words.sync;
    slice->kind = EventKind::Sync;
    slice->track =
        streamTrack(source, gpu, record.context, record.stream == 0 ? std::nullopt : std::optional(record.stream - 1));
    slice->correlation = correlationOf(source, record.correlation);
    m_builder.addSlice(*slice);
}

}  // namespace warpline::loaders::capture
