// SPDX-License-Identifier: MIT
#include "core/loaders/capture/record_args.h"

#include <algorithm>
#include <limits>

#include "core/base/json_writer.h"
#include "core/base/time.h"
#include "core/capture/records.h"
#include "core/loaders/capture/names.h"

namespace warpline::loaders::capture {

namespace {

class RecordArgs {
public:
    RecordArgs(const CaptureFacts& facts, uint32_t source, const TextLookup& text)
        : m_facts(facts), m_source(source), m_text(text) {}

    std::string write(const wire::KernelRecord& r) {
        m_json.beginObject();
        m_json.key("queued").integer(r.queued);
        if (r.submitted != 0) {
            m_json.key("submitted").integer(r.submitted);
        }
        writePlace(r.device, r.context, r.stream, r.correlation);
        if (r.registers != 0) {
            m_json.key("registers per thread").unsignedInteger(r.registers);
        }
        m_json.key("shared memory").unsignedInteger(uint64_t{r.staticShared} + r.dynamicShared);
        writeLaunchSize(r);
        m_json.key("staticSharedMemory").unsignedInteger(r.staticShared);
        m_json.key("dynamicSharedMemory").unsignedInteger(r.dynamicShared);
        writeNonzero("sharedMemoryExecuted", r.sharedExecuted);
        writeNonzero("localMemoryPerThread", r.localPerThread);
        writeNonzero("localMemoryTotal", r.localTotal);
        if (r.cluster[0] > 0) {
            writeSides("cluster", r.cluster);
        }
        writeGraph(r.graph, r.graphNode);
        writeNonzero("channel", r.channel);
        writeFlags(r.flags);
        return finish();
    }

    std::string write(const wire::CopyRecord& r) {
        m_json.beginObject();
        writePlace(r.device, r.context, r.stream, r.correlation);
        writeBytes(r.bytes, r.begin, r.end, r.flags);
        if (r.sourceDevice != 0 || r.targetDevice != 0) {
            writeDevice("fromDevice", r.sourceDevice == 0 ? r.device : r.sourceDevice - 1);
            writeDevice("toDevice", r.targetDevice == 0 ? r.device : r.targetDevice - 1);
        }
        if (r.isAsync != 0) {
            m_json.key("async").boolean(true);
        }
        writeGraph(r.graph, r.graphNode);
        writeFlags(r.flags);
        return finish();
    }

    std::string write(const wire::SetRecord& r) {
        m_json.beginObject();
        writePlace(r.device, r.context, r.stream, r.correlation);
        writeBytes(r.bytes, r.begin, r.end, r.flags);
        m_json.key("value").unsignedInteger(r.value);
        writeGraph(r.graph, r.graphNode);
        writeFlags(r.flags);
        return finish();
    }

    std::string write(const wire::GraphRecord& r) {
        m_json.beginObject();
        writePlace(r.device, r.context, r.stream, r.correlation);
        m_json.key("graph id").unsignedInteger(r.graph);
        writeFlags(r.flags);
        return finish();
    }

    std::string write(const wire::SyncRecord& r) {
        m_json.beginObject();
        if (r.kind == kStreamWaitEvent || r.kind == kEventSync) {
            if (r.event != 0) {
                m_json.key("wait_on_cuda_event_id").unsignedInteger(r.event - 1);
            }
        }
        if (r.stream != 0) {
            m_json.key("stream").unsignedInteger(r.stream - 1);
        }
        writeCorrelation(r.correlation);
        m_json.key("context").unsignedInteger(r.context);
        return finish();
    }

    std::string write(const wire::CallRecord& r) {
        m_json.beginObject();
        writeCorrelation(r.correlation);
        if (r.result != 0) {
            m_json.key("result").integer(r.result);
        }
        return finish();
    }

    std::string write(const wire::LaunchRecord& r) {
        m_json.beginObject();
        m_json.key("context").unsignedInteger(r.context);
        m_json.key("stream").unsignedInteger(r.stream);
        writeCorrelation(r.correlation);
        return finish();
    }

    std::string write(const wire::OverheadRecord& r) {
        if (r.device == 0 && r.stream == 0) {
            return "null";
        }
        m_json.beginObject();
        if (r.device != 0) {
            writeDevice("device", r.device - 1);
        }
        if (r.stream != 0) {
            m_json.key("stream").unsignedInteger(r.stream - 1);
        }
        return finish();
    }

    std::string write(const wire::CompilationRecord& r) {
        m_json.beginObject();
        writeDevice("device", r.device);
        writeCorrelation(r.correlation);
        writeNonzero("thread", r.thread);
        writeNonzero("cache bytes", r.cacheBytes);
        writeText("cache path", r.cachePath);
        return finish();
    }

    std::string write(const wire::RangeRecord& r) {
        const auto domain = r.domain == 0 ? std::nullopt : m_text(r.domain);
        if (!domain) {
            return "null";
        }
        m_json.beginObject();
        m_json.key("domain").text(*domain);
        return finish();
    }

    std::string write(const wire::MemoryRecord& r) {
        m_json.beginObject();
        m_json.key("Addr").unsignedInteger(r.address);
        m_json.key("Bytes").integer(changeOf(r.bytes, r.action == wire::MemoryAction::Free));
        const bool isHost = isHostMemory(r.kind);
        m_json.key("Device Type").integer(isHost ? 0 : 1);
        m_json.key("Device Id").integer(isHost ? -1 : m_facts.gpuOf(m_source, r.device));
        m_json.key("kind").text(memoryKindName(r.kind));
        writeCorrelation(r.correlation);
        if (r.pool != 0) {
            m_json.key("pool").text(hexText(r.pool));
            m_json.key("pool used").unsignedInteger(r.poolUsed);
            m_json.key("pool reserved").unsignedInteger(r.poolSize);
        }
        writeText("variable", r.name);
        writeText("asked for by", r.origin);
        return finish();
    }

    std::string write(const wire::AllocationRecord& r) {
        m_json.beginObject();
        m_json.key("Addr").unsignedInteger(r.address);
        m_json.key("Bytes").integer(changeOf(r.bytes, r.action == wire::AllocationAction::FreeCompleted));
        m_json.key("Device Type").integer(1);
        writeDevice("Device Id", r.device);
        writeText("stack", r.stack);
        return finish();
    }

    std::string write(const wire::SampleRecord& r) {
        m_json.beginObject();
        writeDevice("device", r.device);
        m_json.key("reasons").text(hexText(r.value >= 0 && r.value < 0x1p53 ? static_cast<uint64_t>(r.value) : 0));
        return finish();
    }

    std::string write(const wire::LossRecord& r) {
        m_json.beginObject();
        if (r.count != 0) {
            m_json.key("records").unsignedInteger(r.count);
        }
        m_json.key("of").text(frameName(r.of));
        return finish();
    }

private:
    static constexpr uint32_t kEventSync = 1;
    static constexpr uint32_t kStreamWaitEvent = 2;

    static int64_t changeOf(uint64_t bytes, bool isFree) {
        const auto count = static_cast<int64_t>(std::min<uint64_t>(bytes, std::numeric_limits<int64_t>::max()));
        return isFree ? -count : count;
    }

    void writeDevice(std::string_view key, uint32_t device) {
        m_json.key(key).integer(m_facts.gpuOf(m_source, device));
    }
    void writeCorrelation(uint32_t correlation) {
        const CaptureFacts::Source* const source = m_facts.find(m_source);
        if (correlation != 0) {
            m_json.key("correlation")
                .unsignedInteger(CaptureFacts::correlation(source == nullptr ? 0 : source->process, correlation));
        }
    }
    void writePlace(uint32_t device, uint32_t context, uint32_t stream, uint32_t correlation) {
        writeDevice("device", device);
        m_json.key("context").unsignedInteger(context);
        m_json.key("stream").unsignedInteger(stream);
        writeCorrelation(correlation);
    }
    void writeNonzero(std::string_view key, uint64_t value) {
        if (value != 0) {
            m_json.key(key).unsignedInteger(value);
        }
    }
    void writeSides(std::string_view key, const int32_t (&sides)[3]) {
        m_json.key(key).beginArray();
        for (const int32_t side : sides) {
            m_json.integer(side);
        }
        m_json.endArray();
    }
    void writeLaunchSize(const wire::KernelRecord& r) {
        if (r.grid[0] <= 0 || r.grid[1] <= 0 || r.grid[2] <= 0 || r.block[0] <= 0 || r.block[1] <= 0 ||
            r.block[2] <= 0) {
            return;
        }
        const auto sms = m_facts.smCounts.find(m_facts.gpuOf(m_source, r.device));
        if (sms != m_facts.smCounts.end()) {
            constexpr double kWarp = 32;
            const double blocks = 1.0 * r.grid[0] * r.grid[1] * r.grid[2] / sms->second;
            m_json.key("blocks per SM").real(blocks);
            m_json.key("warps per SM").real(blocks * r.block[0] * r.block[1] * r.block[2] / kWarp);
        }
        writeSides("grid", r.grid);
        writeSides("block", r.block);
    }
    void writeBytes(uint64_t bytes, int64_t begin, int64_t end, uint32_t flags) {
        m_json.key("bytes").unsignedInteger(bytes);
        if (end > begin && (flags & wire::kEndInferred) == 0) {
            m_json.key("memory bandwidth (GB/s)")
                .real(static_cast<double>(bytes) / static_cast<double>(distanceSaturated(begin, end)));
        }
    }
    void writeGraph(uint32_t graph, uint64_t node) {
        writeNonzero("graph id", graph);
        writeNonzero("graph node id", node);
    }
    void writeFlags(uint32_t flags) {
        if ((flags & wire::kEndInferred) != 0) {
            m_json.key("end inferred").boolean(true);
        }
    }
    void writeText(std::string_view key, uint32_t number) {
        if (number == 0) {
            return;
        }
        if (const auto text = m_text(number)) {
            m_json.key(key).text(*text);
        }
    }
    std::string finish() {
        m_json.endObject();
        return std::move(m_out);
    }

    const CaptureFacts& m_facts;
    uint32_t m_source;
    const TextLookup& m_text;
    std::string m_out;
    JsonWriter m_json{m_out};
};

}  // namespace

std::optional<std::string> argsOfRecord(const wire::FrameHeader& frame, std::string_view payload, size_t index,
                                        const CaptureFacts& facts, const TextLookup& text) {
    const auto argsOf = [&]<class Record>(const Record& /*sort*/) -> std::optional<std::string> {
        const auto records = wire::RecordView<Record>::of(payload);
        if (!records || index >= records->size()) {
            return std::nullopt;
        }
        return RecordArgs(facts, frame.source, text).write((*records)[index]);
    };
    using wire::FrameType;
    switch (static_cast<FrameType>(frame.type)) {
        case FrameType::Kernels:
            return argsOf(wire::KernelRecord{});
        case FrameType::Calls:
            return argsOf(wire::CallRecord{});
        case FrameType::Launches:
            return argsOf(wire::LaunchRecord{});
        case FrameType::Copies:
            return argsOf(wire::CopyRecord{});
        case FrameType::Sets:
            return argsOf(wire::SetRecord{});
        case FrameType::Memory:
            return argsOf(wire::MemoryRecord{});
        case FrameType::Syncs:
            return argsOf(wire::SyncRecord{});
        case FrameType::Overheads:
            return argsOf(wire::OverheadRecord{});
        case FrameType::Compilations:
            return argsOf(wire::CompilationRecord{});
        case FrameType::Ranges:
            return argsOf(wire::RangeRecord{});
        case FrameType::Graphs:
            return argsOf(wire::GraphRecord{});
        case FrameType::Samples:
            return argsOf(wire::SampleRecord{});
        case FrameType::Losses:
            return argsOf(wire::LossRecord{});
        case FrameType::Allocations:
            return argsOf(wire::AllocationRecord{});
        default:
            return std::nullopt;
    }
}

}  // namespace warpline::loaders::capture
