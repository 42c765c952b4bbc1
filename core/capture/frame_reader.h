// SPDX-License-Identifier: MIT
#pragma once
// Takes the frames out of bytes that come in pieces of any size: a whole file, a file that grows, a pipe.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/capture/frame.h"

namespace warpline::capture {

struct Frame {
    FrameHeader header;
    uint64_t offset = 0;       ///< of its header in the stream
    std::string_view payload;  ///< until the next call of the reader

    FrameType type() const { return static_cast<FrameType>(header.type); }
};

/// One thread.
class FrameReader {
public:
    /// What was wrong so far. A stream that ends within a frame has left pendingBytes(): it was cut, not damaged.
    struct Damage {
        uint64_t bytes = 0;                   ///< passed over
        uint64_t places = 0;                  ///< in how many places
        uint64_t firstOffset = 0;             ///< of the first place
        uint64_t missingFrames = 0;           ///< by their sequence numbers; those at a source's end cannot be seen
        std::optional<uint64_t> missingFrom;  ///< the offset of the first frame behind a gap
    };

    void add(std::string_view bytes);
    /// No more bytes come. What begins like a frame and is not whole may have lost its end in the middle of the stream:
    /// next() then looks for frames behind it.
    void end() { m_isEnded = true; }
    /// The next whole frame; nullopt: more bytes are needed.
    std::optional<Frame> next();
    const Damage& damage() const { return m_damage; }
    /// Where what is not yet a whole frame begins.
    uint64_t offset() const { return m_offset + m_at; }
    uint64_t pendingBytes() const { return m_bytes.size() - m_at; }

private:
    void pass(size_t count);
    size_t damagedBytes(std::string_view rest, size_t frameBytes);
    void takeSequence(const Frame& frame);

    std::string m_bytes;
    size_t m_at = 0;        ///< what stands before it is done with
    uint64_t m_offset = 0;  ///< of m_bytes in the stream
    bool m_isInDamage = false;
    bool m_isEnded = false;
    int m_searches = 0;                             ///< for a header within a damaged frame
    std::unordered_map<uint32_t, uint64_t> m_next;  ///< the sequence number that each source has next
    Damage m_damage;
};

}  // namespace warpline::capture
