// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/recording/stream_reader.h"

#include <cstring>

#include "core/capture/texts.h"
#include "core/loaders/capture/capture_reader.h"
#include "widgets/support/cell_text.h"

namespace warpline::ui {

void StreamReader::add(const QByteArray& bytes) {
    m_frames.add({bytes.constData(), static_cast<size_t>(bytes.size())});
    while (const auto frame = m_frames.next()) {
        take(*frame);
    }
}

void StreamReader::take(const capture::Frame& frame) {
    using capture::FrameType;
    const FrameType type = frame.type();
    m_hasBegun = m_hasBegun || type == FrameType::Begin;
    if (frame.header.source != 0 || (type != FrameType::Facts && type != FrameType::Output)) {
        return;
    }
    loaders::capture::PayloadUnpacker unpacker;
    if (unpacker.unpack(frame.header, frame.payload) != loaders::capture::PayloadUnpacker::Outcome::Done) {
        return;
    }
    const std::string_view payload = unpacker.unpacked();
    if (type == FrameType::Output) {
        uint32_t stream = 0;
        if (payload.size() > sizeof stream && onOutput) {
            std::memcpy(&stream, payload.data(), sizeof stream);
            onOutput(static_cast<int>(stream), QByteArray(payload.data() + sizeof stream,
                                                          static_cast<qsizetype>(payload.size() - sizeof stream)));
        }
        return;
    }
    const auto facts = capture::factsOf(payload);
    if (!facts || !onFacts) {
        return;
    }
    AgentFacts out;
    for (const auto& [key, value] : *facts) {
        out.insert(fromUtf8(key), fromUtf8(value));
    }
    if (out.contains("state")) {
        onFacts(out);
    }
}

}  // namespace warpline::ui
