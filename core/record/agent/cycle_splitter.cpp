// SPDX-License-Identifier: MIT
#include "core/record/agent/cycle_splitter.h"

#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string_view>

#include "core/capture/frame_reader.h"
#include "core/capture/records.h"

namespace warpline::record {

using namespace capture;

namespace {

struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

/// Calls `take(frame, payload)` with each frame, unpacked. Fails if there is damage, or a frame that cannot be read:
/// the turns number their frames anew, so that nobody could see what is missing.
template <class Take>
Status forFrames(const std::string& path, Take take) {
    const File file(std::fopen(path.c_str(), "rb"));
    if (!file) {
        return Error::failed(path + ": " + std::strerror(errno));
    }
    FrameReader reader;
    std::string piece(size_t{1} << 20, '\0');
    std::string unpacked;
    for (size_t got = 0; (got = std::fread(piece.data(), 1, piece.size(), file.get())) > 0;) {
        reader.add(std::string_view(piece).substr(0, got));
        while (const auto frame = reader.next()) {
            std::string_view payload = frame->payload;
            if ((frame->header.flags & kPackedByZstd) != 0) {
                const auto bytes = ZSTD_getFrameContentSize(payload.data(), payload.size());
                unpacked.resize(bytes <= kMostPayload ? bytes : 0);
                if (bytes > kMostPayload ||
                    ZSTD_decompress(unpacked.data(), bytes, payload.data(), payload.size()) != bytes) {
                    return Error::failed(path + ": byte " + std::to_string(frame->offset) + ": a frame cannot be read");
                }
                payload = unpacked;
            }
            take(*frame, payload);
        }
    }
    const FrameReader::Damage& damage = reader.damage();
    if (damage.places != 0 || damage.missingFrames != 0) {
        const uint64_t place = damage.places != 0 ? damage.firstOffset : damage.missingFrom.value_or(0);
        return Error::failed(path + ": byte " + std::to_string(place) + ": damaged, or frames are missing");
    }
    return std::ferror(file.get()) == 0 ? Status::success() : Error::failed(path + ": cannot be read");
}

/// The turns of one process, in their order.
using Turns = std::vector<CycleRecord>;

/// 0: of none.
uint32_t cycleOf(const Turns& turns, uint32_t correlation, int64_t time) {
    uint32_t cycle = 0;
    for (const CycleRecord& turn : turns) {
        const bool hasBegun =
            turn.firstCorrelation != 0 && correlation != 0 ? turn.firstCorrelation <= correlation : turn.begin <= time;
        cycle = hasBegun ? turn.cycle : cycle;
    }
    return cycle;
}

// What a record is placed by.
int64_t timeOf(const KernelRecord& r) {
    return r.begin;
}
int64_t timeOf(const CallRecord& r) {
    return r.begin;
}
int64_t timeOf(const LaunchRecord& r) {
    return r.time;
}
int64_t timeOf(const CopyRecord& r) {
    return r.begin;
}
int64_t timeOf(const SetRecord& r) {
    return r.begin;
}
int64_t timeOf(const MemoryRecord& r) {
    return r.time;
}
int64_t timeOf(const PoolRecord& r) {
    return r.time;
}
int64_t timeOf(const SyncRecord& r) {
    return r.begin;
}
int64_t timeOf(const OverheadRecord& r) {
    return r.begin;
}
int64_t timeOf(const CompilationRecord& r) {
    return r.begin;
}
int64_t timeOf(const GraphRecord& r) {
    return r.begin;
}
int64_t timeOf(const SampleRecord& r) {
    return r.time;
}
int64_t timeOf(const AllocationRecord& r) {
    return r.time;
}

template <class Record>
uint32_t correlationOf(const Record& record) {
    if constexpr (requires { record.correlation; }) {
        return record.correlation;
    } else {
        return 0;
    }
}

class Splitter {
public:
    Splitter(std::map<uint32_t, Turns> turns, const std::function<std::string(uint32_t)>& pathOf)
        : m_turns(std::move(turns)) {
        for (const auto& [source, list] : m_turns) {
            for (const CycleRecord& turn : list) {
                if (turn.cycle != 0 && !m_outputs.contains(turn.cycle)) {
                    m_outputs[turn.cycle].path = pathOf(turn.cycle);
                }
            }
            m_any.insert(m_any.end(), list.begin(), list.end());
        }
        std::ranges::sort(m_any, {}, &CycleRecord::begin);
        for (CycleRecord& turn : m_any) {
            turn.firstCorrelation = 0;  // numbers of one process mean nothing in another
        }
    }

    size_t count() const { return m_outputs.size(); }

    Status open() {
        for (auto& [cycle, output] : m_outputs) {
            output.file.reset(std::fopen(output.path.c_str(), "wb"));
            if (!output.file) {
                return Error::failed(output.path + ": " + std::strerror(errno));
            }
        }
        return Status::success();
    }

    void take(const Frame& frame, std::string_view payload) {
        switch (frame.type()) {
            case FrameType::Kernels:
                return split<KernelRecord>(frame, payload);
            case FrameType::Calls:
                return split<CallRecord>(frame, payload);
            case FrameType::Launches:
                return split<LaunchRecord>(frame, payload);
            case FrameType::Copies:
                return split<CopyRecord>(frame, payload);
            case FrameType::Sets:
                return split<SetRecord>(frame, payload);
            case FrameType::Memory:
                return split<MemoryRecord>(frame, payload);
            case FrameType::Pools:
                return split<PoolRecord>(frame, payload);
            case FrameType::Syncs:
                return split<SyncRecord>(frame, payload);
            case FrameType::Overheads:
                return split<OverheadRecord>(frame, payload);
            case FrameType::Compilations:
                return split<CompilationRecord>(frame, payload);
            case FrameType::Ranges:
                return splitRanges(frame, payload);
            case FrameType::Graphs:
                return split<GraphRecord>(frame, payload);
            case FrameType::Samples:
                return split<SampleRecord>(frame, payload);
            case FrameType::Allocations:
                return split<AllocationRecord>(frame, payload);
            default:
                // All the rest is leant on by all turns, and small but for code.
                for (auto& [cycle, output] : m_outputs) {
                    write(output, frame.header, payload);
                }
        }
    }

    Result<std::vector<std::string>> close() {
        // Those that never ended are in the turn in which they began.
        for (const auto& [key, open] : m_openRanges) {
            if (const uint32_t cycle = cycleOf(turnsOf(key.first), 0, open.second.time); cycle != 0) {
                RecordBatch<RangeRecord> batch;
                batch.add(open.second);
                std::string bytes;
                batch.writeTo(bytes);
                write(m_outputs[cycle], open.first, bytes);
            }
        }
        std::vector<std::string> paths;
        std::string failed;
        for (auto& [cycle, output] : m_outputs) {
            if (output.isBroken || std::fclose(output.file.release()) != 0) {
                failed = output.path;
            }
            paths.push_back(output.path);
        }
        if (failed.empty()) {
            return paths;
        }
        remove();
        return Error::failed(failed + ": cannot be written (is the disk full?)");
    }

    void remove() {
        std::error_code ignored;
        for (auto& [cycle, output] : m_outputs) {
            output.file.reset();
            std::filesystem::remove(output.path, ignored);
        }
    }

private:
    struct Output {
        std::string path;
        File file;
        bool isBroken = false;
        std::map<uint32_t, uint64_t> sequence;  ///< by source
    };

    const Turns& turnsOf(uint32_t source) const {
        const auto own = m_turns.find(source);
        return own != m_turns.end() ? own->second : m_any;
    }

    /// Both ends of a range are in each turn in which one of them is.
    void splitRanges(const Frame& frame, std::string_view payload) {
        const auto records = RecordView<RangeRecord>::of(payload);
        const uint32_t source = frame.header.source;
        const Turns& turns = turnsOf(source);
        std::map<uint32_t, RecordBatch<RangeRecord>> batches;
        for (size_t i = 0; records && i < records->size(); ++i) {
            const RangeRecord record = (*records)[i];
            const uint32_t cycle = cycleOf(turns, 0, record.time);
            const auto key = std::pair(source, record.id);
            if (record.action == RangeAction::Push || record.action == RangeAction::Start) {
                m_openRanges[key] = {frame.header, record};
                continue;
            }
            const auto open = m_openRanges.find(key);
            const bool hasBegin = open != m_openRanges.end() && record.action != RangeAction::Mark;
            std::set<uint32_t> cycles{cycle};
            if (hasBegin) {
                cycles.insert(cycleOf(turns, 0, open->second.second.time));
            }
            cycles.erase(0);
            for (const uint32_t in : cycles) {
                if (hasBegin) {
                    batches[in].add(open->second.second);
                }
                batches[in].add(record);
            }
            if (hasBegin) {
                m_openRanges.erase(open);
            }
        }
        writeAll(batches, frame.header);
    }

    template <class Record>
    void split(const Frame& frame, std::string_view payload) {
        const auto records = RecordView<Record>::of(payload);
        if (!records) {
            return;
        }
        const Turns& turns = turnsOf(frame.header.source);
        std::map<uint32_t, RecordBatch<Record>> batches;
        for (size_t i = 0; i < records->size(); ++i) {
            const Record record = (*records)[i];
            if (const uint32_t cycle = cycleOf(turns, correlationOf(record), timeOf(record)); cycle != 0) {
                batches[cycle].add(record);
            }
        }
        writeAll(batches, frame.header);
    }

    template <class Record>
    void writeAll(const std::map<uint32_t, RecordBatch<Record>>& batches, const FrameHeader& from) {
        std::string bytes;
        for (const auto& [cycle, batch] : batches) {
            bytes.clear();
            batch.writeTo(bytes);
            write(m_outputs[cycle], from, bytes);
        }
    }

    void write(Output& output, const FrameHeader& from, std::string_view payload) {
        m_frame.clear();
        std::string packed(ZSTD_compressBound(payload.size()), '\0');
        const size_t size = ZSTD_compress(packed.data(), packed.size(), payload.data(), payload.size(), 1);
        const bool isPacked = ZSTD_isError(size) == 0 && size < payload.size();
        const std::string_view stored = isPacked ? std::string_view(packed).substr(0, size) : payload;
        const uint32_t source = from.source;
        const FrameHeader header = makeHeader(static_cast<FrameType>(from.type), source, output.sequence[source]++,
                                              stored, isPacked ? kPackedByZstd : 0);
        m_frame.assign(reinterpret_cast<const char*>(&header), sizeof header);
        m_frame += stored;
        output.isBroken =
            output.isBroken || std::fwrite(m_frame.data(), 1, m_frame.size(), output.file.get()) != m_frame.size();
    }

    std::map<uint32_t, Turns> m_turns;
    Turns m_any;  ///< for sources without turns of their own, by time
    std::map<uint32_t, Output> m_outputs;
    std::map<std::pair<uint32_t, uint64_t>, std::pair<FrameHeader, RangeRecord>> m_openRanges;  ///< by source and id
    std::string m_frame;
};

}  // namespace

Result<std::vector<std::string>> splitCycles(const std::string& capture,
                                             const std::function<std::string(uint32_t)>& pathOf) {
    std::map<uint32_t, Turns> turns;
    const Status read = forFrames(capture, [&](const Frame& frame, std::string_view payload) {
        const auto records = frame.type() == FrameType::Cycles ? RecordView<CycleRecord>::of(payload) : std::nullopt;
        for (size_t i = 0; records && i < records->size(); ++i) {
            turns[frame.header.source].push_back((*records)[i]);
        }
    });
    if (!read) {
        return read.error();
    }
    Splitter splitter(std::move(turns), pathOf);
    if (splitter.count() < 2 || splitter.count() > kMostTurns) {
        return std::vector<std::string>();
    }
    Status status = splitter.open();
    if (status) {
        status =
            forFrames(capture, [&](const Frame& frame, std::string_view payload) { splitter.take(frame, payload); });
    }
    if (!status) {
        splitter.remove();
        return status.error();
    }
    return splitter.close();
}

}  // namespace warpline::record
