// SPDX-License-Identifier: MIT
#include "core/capture/frame.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cassert>

namespace warpline::capture {

namespace {

uint32_t sumOf(std::span<const char> bytes) {
    return static_cast<uint32_t>(XXH3_64bits(bytes.data(), bytes.size()));
}

uint32_t sumOf(const FrameHeader& header) {
    return sumOf({reinterpret_cast<const char*>(&header), offsetof(FrameHeader, headerSum)});
}

}  // namespace

FrameHeader makeHeader(FrameType type, uint32_t source, uint64_t sequence, std::span<const char> payload,
                       uint16_t flags) {
    assert(payload.size() <= kMostPayload);
    FrameHeader header;
    header.type = static_cast<uint16_t>(type);
    header.flags = flags;
    header.source = source;
    header.bytes = static_cast<uint32_t>(payload.size());
    header.sequence = sequence;
    header.payloadSum = sumOf(payload);
    header.headerSum = sumOf(header);
    return header;
}

FrameHeader withSource(FrameHeader header, uint32_t source) {
    header.source = source;
    header.headerSum = sumOf(header);
    return header;
}

bool isIntact(const FrameHeader& header) {
    return header.sync == kSync && header.bytes <= kMostPayload && header.headerSum == sumOf(header);
}

bool isIntact(const FrameHeader& header, std::span<const char> payload) {
    return header.bytes == payload.size() && header.payloadSum == sumOf(payload);
}

void appendFrame(std::string& out, FrameType type, uint32_t source, uint64_t sequence, std::span<const char> payload) {
    const FrameHeader header = makeHeader(type, source, sequence, payload);
    out.append(reinterpret_cast<const char*>(&header), sizeof header);
    out.append(payload.data(), payload.size());
}

}  // namespace warpline::capture
