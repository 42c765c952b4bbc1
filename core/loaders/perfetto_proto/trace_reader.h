// SPDX-License-Identifier: MIT
#pragma once
// Turns packets into events of a TraceBuilder: keeps what each packet sequence has said so far (numbered texts,
// defaults, clocks, running counters), and holds back events of tracks that are not described yet. One thread, one use.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "core/loaders/perfetto_proto/annotations.h"
#include "core/loaders/perfetto_proto/clocks.h"
#include "core/loaders/perfetto_proto/packet_stream.h"
#include "core/loaders/perfetto_proto/track_table.h"
#include "core/loaders/perfetto_proto/wire.h"
#include "core/trace/trace_builder.h"

namespace warpline::loaders::perfetto_proto {

class TraceReader {
public:
    TraceReader(FileId file, TraceBuilder& builder, uint64_t maxPacketBytes);

    /// `offset` is the packet's place in the text, for the report; `source` is how its event is found again.
    void addPacket(std::string_view packet, uint64_t offset, SourceRef source);
    /// Packets of any sequence may be missing before the next: what leans on them is dropped, and counted, until the
    /// sequence begins anew.
    void addGap();
    /// What had to wait for the end: tracks that were never described, arrows, what was passed over.
    void finish();

    std::shared_ptr<const AnnotationTable> annotationTexts() const { return m_annotationTexts; }

private:
    struct Sequence {
        bool isSeen = false;
        bool hasState = false;
        std::unordered_map<uint64_t, StringId> categories, names;
        std::optional<uint32_t> clock;
        std::optional<uint64_t> track;
        std::vector<uint64_t> counterTracks, doubleCounterTracks;
        uint32_t state = 0;         ///< a number of its own since it last began anew
        TrackTable::Thread thread;  ///< of the older ThreadDescriptor
        int64_t timeUs = 0;         ///< what older events count on from
    };
    /// The fields of a packet that are not its data.
    struct Head {
        std::optional<uint64_t> timestamp;
        std::optional<uint32_t> clock;
        uint32_t sequence = 0;
        bool clears = false;
        bool needsState = false;
        bool afterLoss = false;
        bool isFirst = false;
        std::string_view interned, defaults;
        bool hasEvent = false;
    };
    /// Where an event belongs: a track by its uuid, or one that is known.
    struct Target {
        uint64_t uuid = 0;
        std::optional<TrackId> track;
    };
    struct Event;  // a TrackEvent's fields, see track_events.cpp
    struct Begin {
        SliceRecord slice;
    };
    /// As it was written: what it means is known with the descriptor of its track.
    struct CounterValue {
        CounterRecord record;
        uint64_t uuid = 0;
        uint32_t state = 0;  ///< of its sequence
        std::optional<int64_t> whole;
        double real = 0;
    };
    using Record = std::variant<SliceRecord, Begin, SliceEnd, Instant, AsyncRecord, FlowRecord, CounterValue>;
    /// A point of an arrow: which of them begin and end it is known at the end only.
    struct FlowPoint {
        uint64_t id;
        TimeNs time;
        uint32_t order;
        bool ends;
        Target target;
        SourceRef source;
    };

    bool readHead(std::string_view packet, Head& head);
    void addCompressed(uint32_t field, std::string_view packed, uint64_t offset);
    void readInterned(std::string_view message, uint32_t number, Sequence& sequence);
    void readDefaults(std::string_view message, Sequence& sequence);
    void readSnapshot(std::string_view message, uint32_t sequence);
    void note(std::string_view code, Severity severity, std::string_view detail = {});
    StringId textOf(std::string_view text);

    // track_events.cpp
    void addTrackEvent(std::string_view message, const Head& head, Sequence& sequence);
    bool readEvent(std::string_view message, Event& event);
    std::optional<TimeNs> timeOf(const Event& event, Sequence& sequence);
    StringId nameOf(const Event& event, const Sequence& sequence);
    StringId categoryOf(const Event& event, const Sequence& sequence);
    void addCounters(const Event& event, TimeNs time, Sequence& sequence);
    void addCounter(uint64_t uuid, TimeNs time, std::optional<int64_t> whole, double real, const Sequence& sequence);
    void addLegacy(std::string_view message, const Event& event, TimeNs time, Target target, Sequence& sequence);
    void place(const Target& target, Record record);
    void add(TrackId track, Record& record);
    void addCounterValue(TrackId track, CounterValue& counter);
    void addFlows();

    FileId m_file;
    TraceBuilder& m_builder;
    OffsetSpace m_space;
    uint64_t m_maxPacketBytes;
    std::unordered_map<uint32_t, Sequence> m_sequences;
    uint32_t m_states = 0;  ///< how many times sequences began anew
    /// By state and track, of those that give what was added.
    std::map<std::pair<uint32_t, uint64_t>, int64_t> m_counterSums;
    Clocks m_clocks;
    TrackTable m_tracks;
    std::shared_ptr<AnnotationTable> m_annotationTexts = std::make_shared<AnnotationTable>();
    std::unordered_map<uint64_t, std::vector<Record>> m_waiting;  ///< by uuid
    std::vector<FlowPoint> m_flows;
    std::map<uint32_t, uint64_t> m_passedOver;  ///< packets by the number of their data
    std::string m_buffer;
    uint64_t m_badTexts = 0;

    // Of the packet at hand.
    uint64_t m_offset = 0;
    SourceRef m_source;
    Clocks::Time m_time;
    bool m_hasTime = false;
};

}  // namespace warpline::loaders::perfetto_proto
