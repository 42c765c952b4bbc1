// SPDX-License-Identifier: MIT
#include "core/capture/frame_reader.h"

#include <algorithm>
#include <cstring>

namespace warpline::capture {

namespace {

constexpr size_t kHeaderBytes = sizeof(FrameHeader);

std::string_view syncBytes() {
    static constexpr uint32_t kBytes = kSync;
    return {reinterpret_cast<const char*>(&kBytes), sizeof kBytes};
}

FrameHeader headerAt(std::string_view bytes) {
    FrameHeader header;
    std::memcpy(&header, bytes.data(), kHeaderBytes);
    return header;
}

}  // namespace

void FrameReader::add(std::string_view bytes) {
    // What is done with is dropped once it is the larger part, so that each byte is moved once or twice.
    if (m_at > m_bytes.size() / 2) {
        m_bytes.erase(0, m_at);
        m_offset += m_at;
        m_at = 0;
    }
    m_bytes += bytes;
}

std::optional<Frame> FrameReader::next() {
    for (;;) {
        const std::string_view rest = std::string_view(m_bytes).substr(m_at);
        // A sync word may be cut by the end of what there is.
        if (!rest.starts_with(syncBytes().substr(0, std::min(rest.size(), syncBytes().size())))) {
            const size_t found = rest.find(syncBytes(), 1);
            pass(found != std::string_view::npos ? found
                                                 : rest.size() - std::min(rest.size() - 1, syncBytes().size() - 1));
            continue;
        }
        if (rest.size() < kHeaderBytes) {
            return std::nullopt;
        }
        const FrameHeader header = headerAt(rest);
        if (!isIntact(header)) {
            pass(1);
            continue;
        }
        if (rest.size() - kHeaderBytes < header.bytes) {
            const size_t behind = m_isEnded ? damagedBytes(rest, rest.size()) : rest.size();
            if (behind == rest.size()) {
                return std::nullopt;
            }
            pass(behind);
            continue;
        }
        const std::string_view payload = rest.substr(kHeaderBytes, header.bytes);
        if (!isIntact(header, payload)) {
            pass(damagedBytes(rest, kHeaderBytes + header.bytes));
            continue;
        }
        const Frame frame{header, offset(), payload};
        m_at += kHeaderBytes + header.bytes;
        m_isInDamage = false;
        takeSequence(frame);
        return frame;
    }
}

/// Bytes may be missing from a frame, so that another begins before it seems to end. How much to pass over.
size_t FrameReader::damagedBytes(std::string_view rest, size_t frameBytes) {
    // A stream that is made to look so again and again is not searched for ever.
    constexpr int kMostSearches = 64;
    if (m_searches < kMostSearches) {
        ++m_searches;
        for (size_t at = rest.find(syncBytes(), 1); at < frameBytes; at = rest.find(syncBytes(), at + 1)) {
            // One that has not come as a whole is looked at once it has.
            if (rest.size() - at < kHeaderBytes || isIntact(headerAt(rest.substr(at)))) {
                return at;
            }
        }
    }
    return frameBytes;
}

void FrameReader::pass(size_t count) {
    if (!m_isInDamage) {
        m_isInDamage = true;
        m_damage.firstOffset = m_damage.places == 0 ? offset() : m_damage.firstOffset;
        ++m_damage.places;
    }
    m_damage.bytes += count;
    m_at += count;
}

void FrameReader::takeSequence(const Frame& frame) {
    uint64_t& expected = m_next[frame.header.source];
    // A smaller one is a source that began anew.
    if (frame.header.sequence > expected) {
        m_damage.missingFrames += frame.header.sequence - expected;
        m_damage.missingFrom = m_damage.missingFrom.value_or(frame.offset);
    }
    expected = frame.header.sequence + 1;
}

}  // namespace warpline::capture
