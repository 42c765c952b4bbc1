// SPDX-License-Identifier: MIT
#pragma once
// Frames of a capture with their contents unpacked, out of bytes that come in pieces of any size.

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "core/capture/frame_reader.h"

namespace warpline::loaders::capture {

namespace wire = warpline::capture;

/// Unpacks payloads into a buffer of its own, which it keeps. One thread.
class PayloadUnpacker {
public:
    enum class Outcome : uint8_t {
        Done,
        Unknown,    ///< the frame has a flag that this reader does not know
        Unreadable  ///< what is packed cannot be unpacked, or says to be longer than a frame may be
    };
    /// `stored` is what follows an intact header; unpacked() then is what it holds, until the next call, as long as
    /// `stored` lives.
    Outcome unpack(const wire::FrameHeader& header, std::string_view stored);
    std::string_view unpacked() const { return m_unpacked; }
    uint64_t bytesHeld() const { return m_capacity; }

private:
    std::unique_ptr<char[]> m_buffer;
    size_t m_capacity = 0;
    std::string_view m_unpacked;
};

struct CaptureFrame {
    wire::FrameHeader header;
    uint64_t offset = 0;       ///< of its header in the stream
    std::string_view payload;  ///< unpacked; until the next call of the reader
    PayloadUnpacker::Outcome outcome = PayloadUnpacker::Outcome::Done;

    wire::FrameType type() const { return static_cast<wire::FrameType>(header.type); }
};

/// One thread.
class CaptureReader {
public:
    void add(std::string_view bytes) { m_frames.add(bytes); }
    /// No more bytes come: what seems to be a frame that is not whole may hide frames behind it.
    void end() { m_frames.end(); }
    /// Frames that begin before this place are passed over, but for those of types that `isNeeded` tells of.
    void passBefore(uint64_t offset, bool (*isNeeded)(wire::FrameType)) {
        m_passBefore = offset;
        m_isNeeded = isNeeded;
    }
    /// The next whole frame; nullopt: more bytes are needed.
    std::optional<CaptureFrame> next();
    /// What was damaged or is pending.
    const wire::FrameReader& frames() const { return m_frames; }
    uint64_t bytesHeld() const { return m_frames.pendingBytes() + m_unpacker.bytesHeld(); }

private:
    wire::FrameReader m_frames;
    PayloadUnpacker m_unpacker;
    uint64_t m_passBefore = 0;
    bool (*m_isNeeded)(wire::FrameType) = nullptr;
};

}  // namespace warpline::loaders::capture
