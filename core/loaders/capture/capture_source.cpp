// SPDX-License-Identifier: MIT
#include "core/loaders/capture/capture_source.h"

#include <cstring>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "core/loaders/capture/capture_reader.h"
#include "core/loaders/capture/record_args.h"

namespace warpline::loaders::capture {

namespace {

Error unreadable(std::string why) {
    return Error::failed(std::move(why), std::string(kUnreadableArgs));
}

/// The frame that was read last: who asks for all args asks in order.
struct ReadFrame {
    std::optional<uint64_t> offset;
    wire::FrameHeader header;
    std::string stored;
    PayloadUnpacker unpacker;

    Status open(const TextSource& text, uint64_t at) {
        if (offset == at) {
            return text.checkUnchanged();
        }
        offset.reset();
        const auto head = text.read(at, sizeof header);
        if (!head) {
            return head.error();
        }
        std::memcpy(&header, head.value().data(), sizeof header);
        if (!wire::isIntact(header)) {
            return unreadable("what stands in its place is no frame");
        }
        auto bytes = text.read(at + sizeof header, header.bytes);
        if (!bytes) {
            return bytes.error();
        }
        stored = std::move(bytes.value());
        if (!wire::isIntact(header, stored) || unpacker.unpack(header, stored) != PayloadUnpacker::Outcome::Done) {
            return unreadable("its frame is damaged");
        }
        offset = at;
        return Status::success();
    }
};

class Source final : public CaptureSource {
public:
    Source(std::shared_ptr<const TextSource> text, std::shared_ptr<const CaptureFacts> facts)
        : m_text(std::move(text)), m_facts(std::move(facts)) {}

    Result<std::string> argsJson(SourceRef event, SourceRef /*end*/) const override {
        if (!event.valid()) {
            return std::string("null");
        }
        const std::scoped_lock lock(m_mutex);
        if (Status status = m_records.open(*m_text, event.offset); !status) {
            return status.error();
        }
        const uint32_t source = m_records.header.source;
        const auto text = [&](uint32_t number) { return textOf(source, number); };
        std::optional<std::string> args =
            argsOfRecord(m_records.header, m_records.unpacker.unpacked(), event.length - 1, *m_facts, text);
        if (!args) {
            return unreadable("what stands in its place is no record");
        }
        return std::move(*args);
    }

    std::optional<SourceRecipe> recipe() const override { return SourceRecipe{"capture", m_facts->stored()}; }
    const std::vector<ModuleRef>& modules() const override { return m_facts->modules; }

private:
    /// Texts stand in frames of their own, which few args need.
    std::optional<std::string> textOf(uint32_t source, uint32_t number) const {
        const TextPlace* const place = m_facts->findText(source, number);
        if (place == nullptr || !m_texts.open(*m_text, place->frame)) {
            return std::nullopt;
        }
        const std::string_view all = m_texts.unpacker.unpacked();
        return place->at <= all.size() && place->length <= all.size() - place->at
                   ? std::optional(std::string(all.substr(place->at, place->length)))
                   : std::nullopt;
    }

    std::shared_ptr<const TextSource> m_text;
    std::shared_ptr<const CaptureFacts> m_facts;
    mutable std::mutex m_mutex;
    mutable ReadFrame m_records, m_texts;
};

}  // namespace

std::shared_ptr<const CaptureSource> makeCaptureSource(std::shared_ptr<const TextSource> text,
                                                       std::shared_ptr<const CaptureFacts> facts) {
    return std::make_shared<Source>(std::move(text), std::move(facts));
}

}  // namespace warpline::loaders::capture
