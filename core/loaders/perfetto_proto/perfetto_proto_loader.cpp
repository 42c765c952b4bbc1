// SPDX-License-Identifier: MIT
#include "core/loaders/perfetto_proto/perfetto_proto_loader.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "core/loaders/damage_report.h"
#include "core/loaders/perfetto_proto/field_numbers.h"
#include "core/loaders/perfetto_proto/packet_source.h"
#include "core/loaders/perfetto_proto/packet_stream.h"
#include "core/loaders/perfetto_proto/trace_reader.h"

namespace warpline::loaders::perfetto_proto {

namespace {

/// Whether a field of a packet is of the sort that its number asks for, as far as that is known.
bool isPlausible(const WireField& field) {
    constexpr uint32_t kLargest = 10'000;
    switch (field.number) {
        case packet::kTrustedUid:
        case packet::kTimestamp:
        case packet::kSequenceId:
        case packet::kSequenceFlags:
        case packet::kStateCleared:
        case packet::kPreviousDropped:
        case packet::kClockId:
        case packet::kTrustedPid:
        case packet::kFirstOnSequence:
        case packet::kMachineId:
            return field.type == WireType::Varint;
        default:
            return field.isBytes() && field.number <= kLargest;
    }
}

/// What the begin of a file looks like, packet by packet.
struct Look {
    int packets = 0;        ///< with fields, all of which are plausible
    int oddPackets = 0;     ///< with one that is not
    bool isBroken = false;  ///< what follows the last of them is no packet
};

bool isPlausiblePacket(std::string_view text, bool isWhole, int& fields) {
    WireReader reader(text);
    while (reader.next()) {
        if (!isPlausible(reader.field())) {
            return false;
        }
        ++fields;
    }
    return !isWhole || !reader.failed();
}

Look lookAt(std::string_view head, bool isAll) {
    constexpr size_t kLongestHead = 20;
    Look look;
    size_t place = 0;
    while (place < head.size() && !look.isBroken) {
        const size_t left = head.size() - place;
        const auto tag = readVarint(head, place);
        const auto length = tag ? readVarint(head, place) : std::nullopt;
        if (!tag || !length) {
            look.isBroken = left >= 2 && (left >= kLongestHead || isAll);
            return look;
        }
        look.isBroken = *tag != (kTracePacket << 3 | uint32_t{2});
        if (look.isBroken) {
            return look;
        }
        const bool isWhole = *length <= head.size() - place;
        int fields = 0;
        const size_t count = isWhole ? static_cast<size_t>(*length) : head.size() - place;
        if (!isPlausiblePacket(head.substr(place, count), isWhole, fields)) {
            ++look.oddPackets;
        } else if (fields > 0) {
            ++look.packets;
        }
        place += count;
    }
    return look;
}

}  // namespace

const LoaderInfo& PerfettoProtoLoader::info() const {
    static const LoaderInfo kInfo{
        "perfetto_proto", "Perfetto trace (protocol buffers)", {".perfetto-trace", ".pftrace"}};
    return kInfo;
}

int PerfettoProtoLoader::sniff(const SniffData& data) const {
    constexpr size_t kWholeHead = size_t{64} << 10;
    const Look look = lookAt(data.head, data.head.size() < kWholeHead);
    if (look.oddPackets == 0 && !look.isBroken) {
        return look.packets == 0 ? 0 : look.packets == 1 ? 60 : 85;
    }
    // Damaged: it is a trace nevertheless behind so many packets, or with a mark that no other file has.
    constexpr int kFewest = 4;
    constexpr int kDamaged = 60;
    const bool hasPackets = look.packets >= kFewest && look.oddPackets * kFewest <= look.packets;
    return hasPackets || hasMark(data.head) ? kDamaged : 0;
}

Status PerfettoProtoLoader::load(const std::shared_ptr<TextSource>& source, FileId file, TraceBuilder& builder,
                                 const LoadOptions& options, JobControl& job) const {
    using Step = PacketStream::Step;
    job.setPhase("Reading packets");
    FileInfo& info = builder.file(file);
    info.compression = source->compression();
    info.bytes = source->storedBytes();
    info.offsetSpace = source->offsetSpace();
    const OffsetSpace space = info.offsetSpace;
    ImportReport& report = builder.report();
    const uint64_t before = job.done();
    const uint64_t total = std::max(job.total(), before + source->storedBytes());

    TraceReader reader(file, builder, options.maxEventBytes);
    PacketStream stream(*source, options.maxEventBytes);
    uint64_t packets = 0;
    uint64_t others = 0;
    bool isSearching = false;
    bool isCut = false;  ///< what is searched behind seems to end behind the file
    uint64_t damagedFrom = 0;
    bool endedEarly = false;
    bool isOver = false;
    for (uint64_t steps = 0; !isOver; ++steps) {
        constexpr uint64_t kStepsBetween = 256;
        if (isSearching || steps % kStepsBetween == 0) {
            if (job.stopRequested()) {
                return Error::cancelled();
            }
            job.setProgress(before + source->storedPosition(), total);
        }
        if (isSearching) {
            const auto found = stream.findMarked();
            if (!found) {
                return found.error();
            }
            if (found.value() == Step::Malformed) {
                continue;
            }
            isOver = found.value() == Step::End;
            endedEarly = isOver && isCut;
            if (endedEarly) {
                report.add(file, "truncated", Severity::DataLoss, damagedFrom, space, "a packet");
                break;
            }
            report.add(
                file, "invalid_proto", Severity::DataLoss, damagedFrom, space,
                isOver ? "all that follows in the file" : "the text up to byte " + std::to_string(stream.offset()));
            isSearching = false;
            reader.addGap();
            continue;
        }
        const auto step = stream.next();
        if (!step) {
            return step.error();
        }
        switch (step.value()) {
            case Step::Packet:
                ++packets;
                reader.addPacket(stream.packet(), stream.offset(), {stream.offset(), stream.length()});
                break;
            case Step::Other:
                ++others;
                report.add(file, "skipped_packet", Severity::Info, stream.offset(), space, "a field that is no packet");
                break;
            case Step::TooLong:
                report.add(file, "event_too_long", Severity::DataLoss, stream.offset(), space, "a packet");
                break;
            case Step::Cut:
            case Step::Malformed:
                isCut = step.value() == Step::Cut;
                if (isCut) {
                    stream.leaveCut();
                }
                damagedFrom = stream.offset();
                isSearching = true;
                report.setIncomplete();
                break;
            case Step::End:
                isOver = true;
                break;
        }
    }
    reportDamage(*source, endedEarly, file, report);
    if (packets == 0) {
        return endedEarly && others == 0 ? Error::failed("the file ends before its first packet is whole", "truncated")
                                         : Error::failed("this is no Perfetto trace: it has no packets", "unsupported");
    }
    reader.finish();
    builder.file(file).format = "perfetto-proto";
    builder.file(file).source = makePacketSource(source, reader.annotationTexts(), options);
    return Status::success();
}

Result<std::shared_ptr<const EventSource>> PerfettoProtoLoader::reopen(const std::shared_ptr<const TextSource>& source,
                                                                       std::string_view facts,
                                                                       const LoadOptions& options) const {
    auto texts = AnnotationTable::fromStored(facts);
    if (!texts) {
        return Error::failed("what is kept of the trace's numbered texts is damaged");
    }
    return makePacketSource(source, std::make_shared<const AnnotationTable>(std::move(*texts)), options);
}

std::unique_ptr<Loader> make() {
    return std::make_unique<PerfettoProtoLoader>();
}

}  // namespace warpline::loaders::perfetto_proto
