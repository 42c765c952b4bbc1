// SPDX-License-Identifier: MIT
#include "core/loaders/perfetto_proto/perfetto_proto_loader.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "core/loaders/damage_report.h"
#include "core/loaders/perfetto_proto/field_numbers.h"
#include "core/loaders/perfetto_proto/packet_source.h"
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

/// Packets at the begin of `head` that look like ones; nullopt if something there does not.
std::optional<int> plausiblePackets(std::string_view head, bool isAll) {
    int packets = 0;
    size_t place = 0;
    while (place < head.size()) {
        const size_t begin = place;
        const auto tag = readVarint(head, place);
        const auto length = tag ? readVarint(head, place) : std::nullopt;
        if (!tag || !length) {
            return head.size() - begin < 2 || (head.size() - begin < 20 && !isAll) ? std::optional(packets)
                                                                                   : std::nullopt;
        }
        if (*tag != (kTracePacket << 3 | uint32_t{2})) {
            return std::nullopt;
        }
        const bool isWhole = *length <= head.size() - place;
        WireReader reader(head.substr(place, isWhole ? static_cast<size_t>(*length) : std::string_view::npos));
        int fields = 0;
        while (reader.next()) {
            if (!isPlausible(reader.field())) {
                return std::nullopt;
            }
            ++fields;
        }
        if (isWhole && reader.failed()) {
            return std::nullopt;
        }
        packets += fields > 0 ? 1 : 0;
        if (!isWhole) {
            break;
        }
        place += static_cast<size_t>(*length);
    }
    return packets;
}

}  // namespace

const LoaderInfo& PerfettoProtoLoader::info() const {
    static const LoaderInfo kInfo{
        "perfetto_proto", "Perfetto trace (protocol buffers)", {".perfetto-trace", ".pftrace"}};
    return kInfo;
}

int PerfettoProtoLoader::sniff(const SniffData& data) const {
    constexpr size_t kWholeHead = size_t{64} << 10;
    const auto packets = plausiblePackets(data.head, data.head.size() < kWholeHead);
    return !packets || *packets == 0 ? 0 : *packets == 1 ? 60 : 85;
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
                endedEarly = true;
                report.add(file, "truncated", Severity::DataLoss, stream.offset(), space, "a packet");
                report.setIncomplete();
                isOver = true;
                break;
            case Step::Malformed:
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
