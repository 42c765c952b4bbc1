// SPDX-License-Identifier: MIT
#pragma once
// Makes the stream of one source: gathers records into frames, numbers texts, hands whole frames on. Allocates only
// while it grows to what a batch needs, so that a recorder's memory stays within bounds.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "core/capture/frame.h"
#include "core/capture/records.h"

namespace warpline::capture {

/// One thread.
class CaptureWriter {
public:
    /// Takes a frame as two pieces, to be written one behind the other and at once. False: it could not be written; the
    /// frame is lost, and its number with it, so that a reader sees the gap.
    using Sink = std::function<bool(std::span<const char> header, std::span<const char> payload)>;

    explicit CaptureWriter(Sink sink, uint32_t source = 0) : m_sink(std::move(sink)), m_source(source) {}

    /// The facts go out at once: the first time as Begin. `facts` is a payload of appendFact().
    void writeFacts(std::string_view facts);
    void writeEnd(std::string_view facts);
    /// The number of a text; a new one goes out with the next frame. 0 for "". A text that has not been asked for
    /// lately may get another number later: what is kept of texts stays within kMostTextBytes.
    uint32_t number(std::string_view text);
    /// Gathers it; a full batch goes out.
    template <class Record>
    void add(const Record& record) {
        RecordBatch<Record>& batch = std::get<RecordBatch<Record>>(m_batches);
        batch.add(record);
        if (batch.size() * sizeof(Record) >= kBatchBytes) {
            write(batch);
        }
    }
    /// Sends what was gathered.
    void flush();
    /// Code as it was loaded, in parts, behind what was gathered; `head` needs no offset. Code whose hash came before
    /// goes without its bytes.
    void writeModule(ModuleHead head, std::string_view code);
    /// Sends a frame of its own, behind what was gathered.
    void writeFrame(FrameType type, std::string_view payload);

    uint64_t bytesWritten() const { return m_bytes; }
    uint64_t framesLost() const { return m_lost; }
    /// In frames that were lost; a frame of no records counts as one. Records of losses do not count.
    uint64_t recordsLost() const { return m_recordsLost; }

private:
    static constexpr size_t kBatchBytes = size_t{64} << 10;
    static constexpr size_t kMostTextBytes = size_t{8} << 20;
    static constexpr size_t kLongestText = size_t{1} << 20;
    static constexpr size_t kModulePart = size_t{1} << 20;

    template <class Record>
    void write(RecordBatch<Record>& batch) {
        if (batch.size() != 0) {
            m_payload.clear();
            batch.writeTo(m_payload);
            const size_t records = batch.size();
            batch.clear();
            writeTexts();
            if (!send(kFrameOf<Record>, m_payload) && kFrameOf<Record> != FrameType::Losses) {
                m_recordsLost += records;
            }
        }
    }
    void writeTexts();
    bool send(FrameType type, std::string_view payload);

    Sink m_sink;
    uint32_t m_source;
    bool m_hasBegun = false;
    uint64_t m_sequence = 0;
    uint64_t m_bytes = 0;
    uint64_t m_lost = 0;
    uint64_t m_recordsLost = 0;
    struct Hash {
        using is_transparent = void;
        size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
    };
    std::unordered_map<std::string, uint32_t, Hash, std::equal_to<>> m_numbers;
    uint32_t m_lastNumber = 0;
    size_t m_textBytes = 0;                  ///< about what m_numbers takes
    std::string m_texts;                     ///< a payload of those that have not gone out
    std::string m_payload;                   ///< buffer
    std::unordered_set<uint64_t> m_modules;  ///< hashes of code that went out
    std::tuple<RecordBatch<KernelRecord>, RecordBatch<CallRecord>, RecordBatch<LaunchRecord>, RecordBatch<CopyRecord>,
               RecordBatch<SetRecord>, RecordBatch<MemoryRecord>, RecordBatch<PoolRecord>, RecordBatch<SyncRecord>,
               RecordBatch<OverheadRecord>, RecordBatch<CompilationRecord>, RecordBatch<RangeRecord>,
               RecordBatch<ContextRecord>, RecordBatch<StreamRecord>, RecordBatch<DeviceRecord>,
               RecordBatch<GraphRecord>, RecordBatch<ClockRecord>, RecordBatch<SampleRecord>, RecordBatch<LossRecord>,
               RecordBatch<ThreadRecord>, RecordBatch<AllocationRecord>, RecordBatch<CycleRecord>>
        m_batches;
};

}  // namespace warpline::capture
