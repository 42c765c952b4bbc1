// SPDX-License-Identifier: MIT
// Which process, GPU and track a record belongs to. As Kineto has them: a GPU is a process of its number, its streams
// are the tracks.
#include <algorithm>
#include <limits>

#include "core/capture/texts.h"
#include "core/loaders/capture/capture_appender.h"
#include "core/loaders/capture/names.h"

namespace warpline::loaders::capture {

namespace {

constexpr int64_t kFirstDeviceSort = 5'000'000;  // below every process of the host
constexpr uint64_t kAllStreams = std::numeric_limits<uint64_t>::max();

template <class Number>
void fill(std::optional<int64_t>& fact, Number value) {
    if (!fact && value != 0 && value <= uint64_t{std::numeric_limits<int64_t>::max()}) {
        fact = static_cast<int64_t>(value);
    }
}

/// What a block can get of shared memory, which CUPTI's record does not say: all of a multiprocessor's, since compute
/// capability 8.0 less the KiB that the system takes of each block (CUDA programming guide, technical specifications).
void fillOptIn(DeviceInfo& info) {
    constexpr int64_t kFirstWithOptIn = 7;
    constexpr int64_t kFirstThatReserves = 8;
    constexpr int64_t kReserved = 1024;
    if (info.sharedBytesPerBlockOptin || !info.sharedBytesPerSm || info.computeMajor.value_or(0) < kFirstWithOptIn) {
        return;
    }
    const int64_t bytes = *info.sharedBytesPerSm - (*info.computeMajor >= kFirstThatReserves ? kReserved : 0);
    if (bytes >= info.sharedBytesPerBlock.value_or(0)) {
        info.sharedBytesPerBlockOptin = bytes;
    }
}

}  // namespace

size_t CaptureAppender::StreamHash::operator()(const StreamKey& key) const {
    constexpr uint64_t kOdd = 0x9e3779b97f4a7c15;
    return (key.sourceAndGpu * kOdd ^ key.contextAndStream) * kOdd >> 16;
}

ProcessId CaptureAppender::processOf(SourceState& source) {
    if (!source.process) {
        const std::string_view pid = source.fact(wire::fact::kPid);
        std::string id = pid.empty() ? "source " + std::to_string(source.number) : std::string(pid);
        const bool isTaken = std::ranges::any_of(m_gpus, [&](const auto& gpu) { return gpu.second.pid == id; });
        source.process = m_builder.process(m_file, isTaken ? "pid " + id : id);
    }
    return *source.process;
}

TrackId CaptureAppender::threadTrack(SourceState& source, uint32_t thread) {
    if (source.lastThreadTrack.valid() && source.lastThread == thread) {
        return source.lastThreadTrack;
    }
    const auto [it, isNew] = source.threads.try_emplace(thread);
    if (isNew) {
        it->second = thread == 0 ? m_builder.track(processOf(source), std::nullopt)
                                 : m_builder.track(processOf(source), std::to_string(thread));
    }
    source.lastThread = thread;
    source.lastThreadTrack = it->second;
    return it->second;
}

TrackId CaptureAppender::namedTrack(SourceState& source, std::string_view name) {
    const auto known = source.namedTracks.find(name);
    if (known != source.namedTracks.end()) {
        return known->second;
    }
    const TrackId track = m_builder.track(processOf(source), name);
    m_builder.nameTrack(track, m_builder.intern(name));
    source.namedTracks.emplace(name, track);
    return track;
}

CaptureAppender::Gpu& CaptureAppender::gpuOf(int64_t number) {
    Gpu& gpu = m_gpus[number];
    gpu.number = number;
    return gpu;
}

CaptureAppender::Gpu& CaptureAppender::gpuOf(SourceState& source, uint32_t device) {
    if (m_lastGpu == nullptr || m_lastDevice != std::pair<const SourceState*, uint32_t>(&source, device)) {
        const auto [it, isNew] = m_facts.sources[source.number].gpus.try_emplace(device, int64_t{device});
        m_lastDevice = {&source, device};
        m_lastGpu = &gpuOf(it->second);
    }
    return *m_lastGpu;
}

ProcessId CaptureAppender::processOf(Gpu& gpu) {
    if (!gpu.process) {
        std::string id = std::to_string(gpu.number);
        // In a container, a process may have a number as small as a GPU's.
        const bool isTaken =
            std::ranges::any_of(m_inOrder, [&](const SourceState* s) { return s->fact(wire::fact::kPid) == id; });
        gpu.pid = isTaken ? "GPU " + id : id;
        gpu.process = m_builder.process(m_file, gpu.pid);
    }
    return *gpu.process;
}

TrackId CaptureAppender::streamTrack(SourceState& source, Gpu& gpu, uint32_t context, std::optional<uint32_t> stream) {
    const uint64_t number = stream ? uint64_t{*stream} : kAllStreams;
    const StreamKey key{uint64_t{source.index} << 32 | static_cast<uint32_t>(gpu.number),
                        uint64_t{context} << 33 | (stream ? uint64_t{*stream} : uint64_t{1} << 32)};
    if (m_lastStreamTrack.valid() && m_lastStream == key) {
        return m_lastStreamTrack;
    }
    const auto [it, isNew] = m_streams.try_emplace(key);
    if (isNew) {
        const std::pair<uint32_t, uint32_t> self(source.index, context);
        const std::pair<uint32_t, uint32_t> owner = gpu.owners.try_emplace(number, self).first->second;
        std::string id = stream ? std::to_string(*stream) : "-1";
        std::string name = stream ? "stream " + id : "all streams";
        if (owner != self) {
            // Streams are numbered in each process anew; those that came first need no more to tell them apart.
            std::string of = owner.first == source.index ? "" : source.title();
            of += owner.first != source.index && owner.second == context
                      ? ""
                      : (of.empty() ? "" : ", ") + ("context " + std::to_string(context));
            id += " (" + of + ")";
            name += ", " + of;
        }
        it->second = m_builder.track(processOf(gpu), id);
        m_builder.nameTrack(it->second, m_builder.intern(name));
        m_builder.sortTrack(it->second, stream ? int64_t{*stream} : -1);
    }
    m_lastStream = key;
    m_lastStreamTrack = it->second;
    return it->second;
}

void CaptureAppender::takeDevice(SourceState& source, const wire::DeviceRecord& record) {
    std::array<uint8_t, 16> uuid{};
    std::ranges::copy(record.uuid, uuid.begin());
    const bool hasUuid = std::ranges::any_of(uuid, [](uint8_t byte) { return byte != 0; });
    auto& numbers = m_facts.sources[source.number].gpus;
    if (!numbers.contains(record.device)) {
        // A process may see but some of the GPUs, and count them from 0.
        int64_t number = record.device;
        const auto same = std::ranges::find_if(
            m_gpus, [&](const auto& gpu) { return hasUuid && gpu.second.uuid && *gpu.second.uuid == uuid; });
        if (same != m_gpus.end()) {
            number = same->first;
        } else if (const auto other = m_gpus.find(number);
                   hasUuid && other != m_gpus.end() && other->second.uuid && *other->second.uuid != uuid) {
            number = m_gpus.rbegin()->first + 1;
        }
        numbers.emplace(record.device, number);
    }
    Gpu& gpu = gpuOf(source, record.device);
    if (hasUuid && !gpu.uuid) {
        gpu.uuid = uuid;
    }
    DeviceInfo& info = gpu.info;
    if (info.name.empty() && record.name != 0) {
        info.name = m_builder.string(textOf(source, record.name));
    }
    if (!info.computeMajor && record.computeMajor != 0) {
        info.computeMajor = record.computeMajor;
        info.computeMinor = record.computeMinor;
    }
    fill(info.smCount, record.smCount);
    fill(info.memoryBytes, record.memoryBytes);
    fill(info.warpSize, record.warpSize);
    fill(info.maxThreadsPerBlock, record.maxThreadsPerBlock);
    fill(info.maxThreadsPerSm,
         record.maxThreadsPerSm != 0 ? record.maxThreadsPerSm : uint64_t{record.maxWarpsPerSm} * record.warpSize);
    fill(info.registersPerBlock, record.registersPerBlock);
    fill(info.registersPerSm, record.registersPerSm);
    fill(info.sharedBytesPerBlock, record.sharedPerBlock);
    fill(info.sharedBytesPerBlockOptin, record.sharedPerBlockOptIn);
    fill(info.sharedBytesPerSm, record.sharedPerSm);
    if (record.smCount != 0) {
        m_facts.smCounts.try_emplace(gpu.number, record.smCount);
    }
    m_builder.countMetadata();
}

void CaptureAppender::takeContext(SourceState& source, const wire::ContextRecord& record) {
    source.deviceOfContext.insert_or_assign(record.context, record.device);
    m_builder.countMetadata();
}

void CaptureAppender::takeStream(SourceState& /*source*/, const wire::StreamRecord& /*record*/) {
    m_builder.countMetadata();
}

void CaptureAppender::takeThread(SourceState& source, const wire::ThreadRecord& record) {
    m_builder.nameTrack(threadTrack(source, record.thread), textOf(source, record.name));
    m_builder.countMetadata();
}

void CaptureAppender::nameAll() {
    for (SourceState* const source : m_inOrder) {
        if (!source->process) {
            continue;
        }
        const std::string_view program = programName(source->fact(wire::fact::kProgram));
        if (!program.empty()) {
            m_builder.nameProcess(*source->process, internValid(program));
        }
        m_builder.labelProcess(*source->process, m_builder.intern("CPU"));
        m_builder.sortProcess(*source->process, source->index);
    }
    for (auto& [number, gpu] : m_gpus) {
        const std::string label = "GPU " + std::to_string(number);
        if (gpu.process) {
            m_builder.nameProcess(*gpu.process,
                                  m_builder.intern(label + (gpu.info.name.empty() ? "" : " " + gpu.info.name)));
            m_builder.labelProcess(*gpu.process, m_builder.intern(label));
            m_builder.sortProcess(*gpu.process, addSaturated(kFirstDeviceSort, number));
        }
        gpu.info.file = m_file;
        gpu.info.id = number;
        fillOptIn(gpu.info);
        const bool isDescribed = !gpu.info.name.empty() || gpu.info.smCount || gpu.info.computeMajor;
        if (isDescribed) {
            m_builder.addDevice(gpu.info);
        }
    }
}

}  // namespace warpline::loaders::capture
