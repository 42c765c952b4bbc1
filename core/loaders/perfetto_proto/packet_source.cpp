// SPDX-License-Identifier: MIT
#include "core/loaders/perfetto_proto/packet_source.h"

#include <utility>

#include "core/loaders/perfetto_proto/field_numbers.h"
#include "core/loaders/perfetto_proto/packet_stream.h"
#include "core/loaders/perfetto_proto/wire.h"

namespace warpline::loaders::perfetto_proto {

namespace {

Error unreadable() {
    return Error::failed("what stands in its place is no event", std::string(kUnreadableArgs));
}

class PacketSource final : public EventSource {
public:
    PacketSource(std::shared_ptr<const TextSource> text, std::shared_ptr<const AnnotationTable> texts,
                 const LoadOptions& options)
        : m_text(std::move(text)), m_texts(std::move(texts)), m_options(options) {}

    Result<std::string> argsJson(SourceRef event, SourceRef end) const override {
        auto args = argsOf(event);
        if (args && end.valid()) {
            auto endArgs = argsOf(end);
            if (!endArgs || args.value() == "null") {
                return endArgs;
            }
            if (endArgs.value() != "null") {
                // One object of both; of equal keys the last counts.
                args.value().back() = ',';
                args.value() += endArgs.value().substr(1);
            }
        }
        return args;
    }

    std::optional<SourceRecipe> recipe() const override { return SourceRecipe{"perfetto_proto", m_texts->stored()}; }

private:
    /// The field that begins at `offset`.
    Result<std::string> fieldAt(uint64_t offset) const {
        constexpr size_t kStep = 16;
        std::string head;
        size_t place = 0;
        std::optional<uint64_t> length;
        // The shortest field has two bytes, and nothing has to follow it.
        for (size_t wanted = 2; wanted <= kStep && !length; ++wanted) {
            auto text = m_text->read(offset, wanted);
            if (!text) {
                return text;
            }
            head = std::move(text.value());
            place = 0;
            const auto tag = readVarint(head, place);
            length = tag && *tag == (kTracePacket << 3 | uint32_t{2}) ? readVarint(head, place) : std::nullopt;
        }
        if (!length || *length > m_options.maxEventBytes) {
            return unreadable();
        }
        return m_text->read(offset + place, static_cast<size_t>(*length));
    }

    Result<std::string> argsOf(SourceRef event) const {
        if (!event.valid()) {
            return std::string("null");
        }
        auto packet = fieldAt(event.offset);
        if (!packet) {
            return packet;
        }
        if ((event.length & kCompressedBit) == 0) {
            return argsOfPacket(packet.value(), placeOf(event));
        }
        const uint32_t wanted = event.length & ~kCompressedBit;
        for (WireReader fields(packet.value()); fields.next();) {
            if (!holdsPackedPackets(fields.field().number) || !fields.field().isBytes()) {
                continue;
            }
            const Unpacked inner =
                unpackedPackets(fields.field().number, fields.field().bytes, m_options.maxEventBytes);
            uint32_t number = 0;
            for (WireReader packets(inner.text); packets.next(); ++number) {
                if (number == wanted && packets.field().isBytes()) {
                    return argsOfPacket(packets.field().bytes, placeOf(event));
                }
            }
        }
        return unreadable();
    }

    Result<std::string> argsOfPacket(std::string_view packet, AnnotationTable::Place place) const {
        uint32_t sequence = 0;
        std::optional<std::string_view> trackEvent;
        for (WireReader fields(packet); fields.next();) {
            if (fields.field().number == packet::kSequenceId) {
                sequence = static_cast<uint32_t>(fields.field().value);
            } else if (fields.field().number == packet::kTrackEvent && fields.field().isBytes()) {
                trackEvent = fields.field().bytes;
            }
        }
        if (!trackEvent) {
            return unreadable();
        }
        return annotationsJson(*trackEvent, m_texts->at(sequence, place), m_options.maxArgsDepth);
    }

    std::shared_ptr<const TextSource> m_text;
    std::shared_ptr<const AnnotationTable> m_texts;
    LoadOptions m_options;
};

}  // namespace

std::shared_ptr<const EventSource> makePacketSource(std::shared_ptr<const TextSource> text,
                                                    std::shared_ptr<const AnnotationTable> texts,
                                                    const LoadOptions& options) {
    return std::make_shared<PacketSource>(std::move(text), std::move(texts), options);
}

}  // namespace warpline::loaders::perfetto_proto
