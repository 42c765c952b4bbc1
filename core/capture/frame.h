// SPDX-License-Identifier: MIT
#pragma once
// A capture is a run of frames: the same bytes in a file, through a pipe, a socket or ssh. Each stands for itself, so a
// stream that was cut, or that lacks some bytes, is read up to and from there on. Numbers are little-endian.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace warpline::capture {

static_assert(std::endian::native == std::endian::little, "captures are written and read as memory lies");

/// What a frame holds. Numbers are part of the format: none is ever used for something else. A reader passes over those
/// that it does not know, and counts them.
enum class FrameType : uint16_t {
    Begin = 1,     ///< the first frame of a source: facts (see facts.h), among them the format's version
    Facts = 2,     ///< more facts of the source
    Strings = 3,   ///< texts that records name by number (see strings.h)
    Kernels = 10,  ///< from here on: records (see records.h)
    Calls = 11,
    Launches = 12,
    Copies = 13,
    Sets = 14,
    Memory = 15,
    Pools = 16,
    Syncs = 17,
    Overheads = 18,
    Compilations = 19,
    Ranges = 20,
    Contexts = 21,
    Streams = 22,
    Devices = 23,
    Graphs = 24,
    Clocks = 25,
    Samples = 26,
    Losses = 27,
    Threads = 28,
    Allocations = 29,
    Cycles = 30,
    Module = 40,  ///< a ModuleHead, and a part of code as it was loaded
    Output = 41,  ///< what the program printed: {1 or 2 as uint32_t}, bytes
    End = 50,     ///< the source has ended by itself: facts, among them why
};

/// Four bytes by which a frame is found again behind damage. None of them can begin a text that other loaders read.
inline constexpr uint32_t kSync = 0x50415713;  // 0x13 'W' 'A' 'P'

/// Flags of a frame. A reader that meets one that it does not know passes over the frame, and counts it.
enum FrameFlags : uint16_t {
    kPackedByZstd = 1,  ///< the payload is a zstd frame that says how long its content is
};

struct FrameHeader {
    uint32_t sync = kSync;
    uint16_t type = 0;
    uint16_t flags = 0;       ///< FrameFlags
    uint32_t source = 0;      ///< of the process that wrote it; 0 in its own file, given by who merges several
    uint32_t bytes = 0;       ///< of what follows the header
    uint64_t sequence = 0;    ///< counts the frames of a source from 0
    uint32_t payloadSum = 0;  ///< of what follows the header: the low half of XXH3
    uint32_t headerSum = 0;   ///< of all before it, likewise: its length can be relied on before the rest has come
};
static_assert(sizeof(FrameHeader) == 32);

/// The most that a frame may hold, packed or not. A header that says more is damaged.
inline constexpr uint32_t kMostPayload = uint32_t{16} << 20;

/// The header of a frame with that payload.
/// REQUIRES: no more than kMostPayload bytes.
FrameHeader makeHeader(FrameType type, uint32_t source, uint64_t sequence, std::span<const char> payload,
                       uint16_t flags = 0);
/// The header once more, for a stream that several sources go into: they are told apart by the number.
FrameHeader withSource(FrameHeader header, uint32_t source);
/// Whether its own sum fits.
bool isIntact(const FrameHeader& header);
/// Whether what follows an intact header is what its writer wrote.
bool isIntact(const FrameHeader& header, std::span<const char> payload);

void appendFrame(std::string& out, FrameType type, uint32_t source, uint64_t sequence, std::span<const char> payload);

}  // namespace warpline::capture
