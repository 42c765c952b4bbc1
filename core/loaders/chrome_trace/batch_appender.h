// SPDX-License-Identifier: MIT
#pragma once
// The build stage: puts batches, in file order, into a TraceBuilder. One a file, one thread.

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/loaders/chrome_trace/event_batch.h"
#include "core/trace/trace_builder.h"

namespace warpline::loaders::chrome_trace {

class BatchAppender {
public:
    BatchAppender(FileId file, TraceBuilder& builder, OffsetSpace space)
        : m_file(file), m_builder(builder), m_space(space) {}

    void append(const EventBatch& batch);

    uint64_t objects() const { return m_objects; }
    uint64_t usable() const { return m_usable; }
    bool sawKineto() const { return m_sawKineto; }
    bool sawJax() const { return m_sawJax; }
    bool sawProton() const { return m_sawProton; }
    bool sawNode() const { return m_sawNode; }

private:
    /// The texts of one parser, by their numbers.
    struct Texts {
        std::shared_ptr<const StringPool> pool;  ///< keeps their bytes
        std::vector<std::string_view> views;
        std::vector<StringId> ids;  ///< in the builder; kUnknownText until asked for
    };
    static constexpr StringId kUnknownText{0xffffffffU};

    void takeTexts(const EventBatch& batch);
    StringId stringOf(uint32_t text);
    std::optional<std::string_view> textOrNone(uint32_t text) const;
    ProcessId processOf(const EventBatch& batch, uint32_t track);
    TrackId trackOf(const EventBatch& batch, uint32_t track);
    std::optional<EventId> idOf(const RawEvent& event);
    ProcessId idScopeOf(const EventBatch& batch, const RawEvent& event);
    void appendEvent(const EventBatch& batch, const RawEvent& event, uint32_t index);
    void applyMetadata(const EventBatch& batch, const RawMetadata& metadata);

    FileId m_file;
    TraceBuilder& m_builder;
    OffsetSpace m_space;
    std::vector<Texts> m_texts;
    Texts* m_current = nullptr;
    std::vector<ProcessId> m_processes;  ///< by the batch's track numbers; none until asked for
    std::vector<TrackId> m_tracks;
    std::vector<uint32_t> m_sliceNumbers;  ///< by the batch's event numbers
    uint64_t m_objects = 0;
    uint64_t m_usable = 0;
    size_t m_nextMetadata = 0;  ///< of the batch being appended
    uint32_t m_memoryOrder = 0;
    bool m_sawKineto = false;
    bool m_sawJax = false;
    bool m_sawProton = false;
    bool m_sawNode = false;
};

}  // namespace warpline::loaders::chrome_trace
