// SPDX-License-Identifier: MIT
// Packets: their sequences, and all data but events.
#include "core/loaders/perfetto_proto/trace_reader.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/utf8.h"
#include "core/loaders/perfetto_proto/field_numbers.h"
#include "core/loaders/perfetto_proto/packet_source.h"

namespace warpline::loaders::perfetto_proto {

namespace {

/// Fields of a packet that frame its data, or are read, or hold nothing that a timeline shows.
bool isQuiet(uint32_t number) {
    constexpr std::array kQuiet = {
        packet::kTrustedUid,        packet::kClockSnapshot,
        packet::kTimestamp,         packet::kSequenceId,
        packet::kTrackEvent,        packet::kInternedData,
        packet::kSequenceFlags,     packet::kTraceConfig,
        packet::kTraceStats,        packet::kSyncMarker,
        packet::kStateCleared,      packet::kPreviousDropped,
        packet::kProcessDescriptor, packet::kThreadDescriptor,
        packet::kSystemInfo,        packet::kCompressedPackets,
        packet::kChromeMetadata,    packet::kClockId,
        packet::kDefaults,          packet::kTrackDescriptor,
        packet::kServiceEvent,      packet::kExtensionDescriptor,
        packet::kTrustedPid,        packet::kFirstOnSequence,
        packet::kTraceUuid,         packet::kMachineId,
        packet::kProvenance,        packet::kZstdPackets,
    };
    return std::ranges::find(kQuiet, number) != kQuiet.end();
}

std::string dataName(uint32_t number) {
    struct Name {
        uint32_t number;
        std::string_view name;
    };
    constexpr std::array kNames = {
        Name{1, "ftrace_events"},
        Name{2, "process_tree"},
        Name{4, "inode_file_map"},
        Name{5, "chrome_events"},
        Name{7, "sys_stats"},
        Name{9, "process_stats"},
        Name{34, "ftrace_stats"},
        Name{37, "profile_packet"},
        Name{38, "battery"},
        Name{39, "android_log"},
        Name{40, "power_rails"},
        Name{46, "trigger"},
        Name{47, "packages_list"},
        Name{49, "perfetto_metatrace"},
        Name{52, "gpu_counter_event"},
        Name{53, "gpu_render_stage_event"},
        Name{54, "streaming_profile_packet"},
        Name{61, "module_symbols"},
        Name{62, "vulkan_memory_event"},
        Name{63, "gpu_log"},
        Name{65, "vulkan_api_event"},
        Name{66, "perf_sample"},
        Name{67, "cpu_info"},
        Name{68, "smaps_packet"},
        Name{71, "gpu_mem_total_event"},
        Name{73, "memory_tracker_snapshot"},
        Name{109, "chrome_trigger"},
    };
    const auto* it = std::ranges::find(kNames, number, &Name::number);
    return it == kNames.end() ? "field " + std::to_string(number) : std::string(it->name);
}

}  // namespace

TraceReader::TraceReader(FileId file, TraceBuilder& builder, uint64_t maxPacketBytes)
    : m_file(file),
      m_builder(builder),
      m_space(builder.file(file).offsetSpace),
      m_maxPacketBytes(maxPacketBytes),
      m_tracks(file, builder) {}

void TraceReader::note(std::string_view code, Severity severity, std::string_view detail) {
    m_builder.report().add(m_file, code, severity, m_offset, m_space, detail);
}

StringId TraceReader::textOf(std::string_view text) {
    const std::string_view valid = validUtf8(text, m_buffer);
    m_badTexts += valid.data() == text.data() ? 0 : 1;
    return m_builder.intern(valid);
}

bool TraceReader::readHead(std::string_view packet, Head& head) {
    WireReader reader(packet);
    while (reader.next()) {
        const WireField& field = reader.field();
        const bool isNumber = !field.isBytes();
        switch (field.number) {
            case packet::kTimestamp:
                head.timestamp = isNumber ? std::optional(field.value) : head.timestamp;
                break;
            case packet::kClockId:
                head.clock = static_cast<uint32_t>(field.value);
                break;
            case packet::kSequenceId:
                head.sequence = static_cast<uint32_t>(field.value);
                break;
            case packet::kSequenceFlags:
                head.clears = head.clears || (isNumber && (field.value & packet::kFlagCleared) != 0);
                head.needsState = isNumber && (field.value & packet::kFlagNeedsState) != 0;
                break;
            case packet::kStateCleared:
                head.clears = head.clears || (isNumber && field.value != 0);
                break;
            case packet::kPreviousDropped:
                head.afterLoss = isNumber && field.value != 0;
                break;
            case packet::kFirstOnSequence:
                head.isFirst = isNumber && field.value != 0;
                break;
            case packet::kInternedData:
                head.interned = field.bytes;
                break;
            case packet::kDefaults:
                head.defaults = field.bytes;
                break;
            case packet::kTrackEvent:
                head.hasEvent = true;
                break;
            default:
                if (!isQuiet(field.number)) {
                    ++m_passedOver[field.number];
                }
                break;
        }
    }
    return !reader.failed();
}

void TraceReader::addPacket(std::string_view packet, uint64_t offset, SourceRef source) {
    m_offset = offset;
    m_source = source;
    Head head;
    if (!readHead(packet, head)) {
        note("invalid_proto", Severity::DataLoss);
        return;
    }
    Sequence& sequence = m_sequences[head.sequence];
    // The first packet of a sequence is marked as if something were missing before it.
    if (head.afterLoss && !head.isFirst && sequence.isSeen) {
        note("dropped_records", Severity::DataLoss, "sequence " + std::to_string(head.sequence));
        sequence.hasState = false;
    }
    if (head.clears || !sequence.isSeen) {
        sequence.state = ++m_states;
    }
    sequence.isSeen = true;
    if (head.clears) {
        sequence.hasState = true;
        sequence.categories.clear();
        sequence.names.clear();
        sequence.clock.reset();
        sequence.track.reset();
        sequence.counterTracks.clear();
        sequence.doubleCounterTracks.clear();
        m_annotationTexts->clear(head.sequence, placeOf(source));
    }
    if (!head.defaults.empty()) {
        readDefaults(head.defaults, sequence);
    }
    if (!head.interned.empty()) {
        readInterned(head.interned, head.sequence, sequence);
    }
    m_hasTime = head.timestamp.has_value();
    if (m_hasTime) {
        const uint32_t clock = head.clock ? *head.clock : sequence.clock.value_or(0);
        // Without a clock it is the trace's own.
        m_time = m_clocks.packetTime(head.sequence, clock == 0 ? m_clocks.traceClock() : clock, *head.timestamp);
    }
    if (head.needsState && !sequence.hasState) {
        if (head.hasEvent) {
            note("missing_state", Severity::DataLoss, "sequence " + std::to_string(head.sequence));
        }
        return;
    }
    WireReader reader(packet);
    while (reader.next()) {
        const WireField& field = reader.field();
        if (!field.isBytes()) {
            continue;
        }
        bool isWhole = true;
        switch (field.number) {
            case packet::kTrackEvent:
                addTrackEvent(field.bytes, head, sequence);
                break;
            case packet::kTrackDescriptor:
                isWhole = m_tracks.addDescriptor(field.bytes);
                m_builder.countMetadata();
                break;
            case packet::kProcessDescriptor: {
                std::optional<int32_t> pid;
                isWhole = m_tracks.addProcess(field.bytes, pid);
                m_builder.countMetadata();
                break;
            }
            case packet::kThreadDescriptor:
                isWhole = m_tracks.addThread(field.bytes, sequence.thread);
                sequence.timeUs = sequence.thread.referenceUs.value_or(sequence.timeUs);
                m_builder.countMetadata();
                break;
            case packet::kClockSnapshot:
                readSnapshot(field.bytes, head.sequence);
                break;
            case packet::kCompressedPackets:
            case packet::kZstdPackets:
                addCompressed(field.number, field.bytes, offset);
                break;
            default:
                break;
        }
        if (!isWhole) {
            note("invalid_proto", Severity::DataLoss, "a track descriptor");
        }
    }
}

void TraceReader::addGap() {
    for (auto& [id, sequence] : m_sequences) {
        sequence.hasState = false;
    }
}

void TraceReader::addCompressed(uint32_t field, std::string_view packed, uint64_t offset) {
    if ((m_source.length & kCompressedBit) != 0) {
        note("invalid_proto", Severity::DataLoss, "compressed packets inside of compressed packets");
        return;
    }
    const Unpacked inner = unpackedPackets(field, packed, m_maxPacketBytes);
    if (!inner.reason.empty()) {
        note(inner.isTooLong ? "event_too_long" : "unreadable_packets", Severity::DataLoss, inner.reason);
    }
    WireReader packets(inner.text);
    for (uint32_t number = 0; packets.next(); ++number) {
        if (packets.field().number == kTracePacket && packets.field().isBytes()) {
            addPacket(packets.field().bytes, offset, compressedReference(offset, number));
        }
    }
    m_offset = offset;
    if (packets.failed() && inner.reason.empty()) {
        note("invalid_proto", Severity::DataLoss, "compressed packets");
    }
}

void TraceReader::readInterned(std::string_view message, uint32_t number, Sequence& sequence) {
    WireReader reader(message);
    while (reader.next()) {
        const WireField& field = reader.field();
        const bool isKnown = field.number == interned::kCategories || field.number == interned::kNames ||
                             field.number == interned::kAnnotationNames || field.number == interned::kAnnotationTexts;
        if (!isKnown || !field.isBytes()) {
            continue;
        }
        uint64_t iid = 0;
        std::string_view text;
        WireReader entry(field.bytes);
        while (entry.next()) {
            if (entry.field().number == interned::kIid) {
                iid = entry.field().value;
            } else if (entry.field().number == interned::kText) {
                text = entry.field().bytes;
            }
        }
        if (field.number == interned::kCategories) {
            sequence.categories[iid] = textOf(text);
        } else if (field.number == interned::kNames) {
            sequence.names[iid] = textOf(text);
        } else if (field.number == interned::kAnnotationNames) {
            m_annotationTexts->current(number).names[iid] = text;
        } else {
            m_annotationTexts->current(number).values[iid] = text;
        }
    }
    if (reader.failed()) {
        note("invalid_proto", Severity::DataLoss, "interned data");
    }
}

void TraceReader::readDefaults(std::string_view message, Sequence& sequence) {
    sequence.clock.reset();
    sequence.track.reset();
    sequence.counterTracks.clear();
    sequence.doubleCounterTracks.clear();
    for (WireReader reader(message); reader.next();) {
        const WireField& field = reader.field();
        if (field.number == defaults::kClockId && !field.isBytes()) {
            sequence.clock = static_cast<uint32_t>(field.value);
        } else if (field.number == defaults::kTrackEvent && field.isBytes()) {
            for (WireReader event(field.bytes); event.next();) {
                const WireField& part = event.field();
                if (part.number == event::kTrackUuid && !part.isBytes()) {
                    sequence.track = part.value;
                } else if (part.number == event::kExtraCounterTracks) {
                    forEachNumber(part, false, [&](uint64_t uuid) { sequence.counterTracks.push_back(uuid); });
                } else if (part.number == event::kExtraDoubleCounterTracks) {
                    forEachNumber(part, false, [&](uint64_t uuid) { sequence.doubleCounterTracks.push_back(uuid); });
                }
            }
        }
    }
}

void TraceReader::readSnapshot(std::string_view message, uint32_t sequence) {
    std::vector<ClockReading> readings;
    std::optional<uint32_t> primary;
    WireReader reader(message);
    while (reader.next()) {
        const WireField& field = reader.field();
        if (field.number == snapshot::kPrimaryClock && !field.isBytes() && field.value != 0) {
            primary = static_cast<uint32_t>(field.value);
        } else if (field.number == snapshot::kClocks && field.isBytes()) {
            ClockReading reading;
            for (WireReader clock(field.bytes); clock.next();) {
                const uint64_t value = clock.field().value;
                switch (clock.field().number) {
                    case snapshot::kClockId:
                        reading.clock = static_cast<uint32_t>(value);
                        break;
                    case snapshot::kTimestamp:
                        reading.value = value;
                        break;
                    case snapshot::kIsIncremental:
                        reading.isIncremental = value != 0;
                        break;
                    case snapshot::kMultiplier:
                        reading.unitNs = value;
                        break;
                    default:
                        break;
                }
            }
            readings.push_back(reading);
        }
    }
    if (reader.failed()) {
        note("invalid_proto", Severity::DataLoss, "a clock snapshot");
    }
    m_clocks.addSnapshot(sequence, readings, primary);
}

void TraceReader::finish() {
    std::vector<uint64_t> uuids;
    for (const auto& [uuid, records] : m_waiting) {
        uuids.push_back(uuid);
    }
    std::ranges::sort(uuids);  // tracks in the same order each time
    for (const uint64_t uuid : uuids) {
        if (!m_tracks.find(uuid)) {
            m_builder.report().add(m_file, "missing_track", Severity::Warning, std::nullopt, m_space,
                                   "track " + std::to_string(uuid));
        }
        const TrackId track = m_tracks.findAnyway(uuid);
        for (Record& record : m_waiting[uuid]) {
            add(track, record);
        }
    }
    m_waiting.clear();
    addFlows();
    m_builder.file(m_file).baseTimeNs = m_clocks.wallClockAtZero();
    if (const uint64_t bad = m_badTexts + m_tracks.badTexts(); bad > 0) {
        m_builder.report().add(m_file, "invalid_utf8", Severity::Warning, std::nullopt, m_space, {}, bad);
    }
    std::string names;
    uint64_t count = 0;
    for (const auto& [number, packets] : m_passedOver) {
        count += packets;
        constexpr size_t kEnough = 400;
        if (names.size() < kEnough) {
            names += (names.empty() ? "" : ", ") + dataName(number) + ": " + std::to_string(packets);
        }
    }
    if (count > 0) {
        m_builder.report().add(m_file, "skipped_packet", Severity::Info, std::nullopt, m_space, names, count);
    }
}

}  // namespace warpline::loaders::perfetto_proto
