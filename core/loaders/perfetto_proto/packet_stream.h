// SPDX-License-Identifier: MIT
#pragma once
// The packets of a trace, one after the other, read from a source in pieces: never more than a packet is held.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/loaders/text_source.h"

namespace warpline::loaders::perfetto_proto {

class PacketStream {
public:
    PacketStream(TextSource& source, uint64_t maxPacketBytes) : m_source(source), m_maxPacketBytes(maxPacketBytes) {}

    enum class Step {
        Packet,
        Other,    ///< a field of the trace that is no packet, passed over
        TooLong,  ///< a packet longer than allowed, passed over
        End,
        Cut,        ///< the text ends inside a field
        Malformed,  ///< what follows is no field: only findMarked() leads on
    };
    /// Fails if the source cannot be read.
    Result<Step> next();
    /// Passes over a piece of what cannot be read, in search of a packet that holds the mark which recorders set for
    /// this now and then. Packet: next() gives it. Malformed: not in this piece, call again. End: none follows. Fails
    /// if the source cannot be read.
    Result<Step> findMarked();

    /// Behind Cut: lets findMarked() look into the packet that seems to be cut, as its length may be what is damaged.
    void leaveCut();

    uint64_t offset() const { return m_offset; }          ///< of the field that next() told of, in the text
    uint32_t length() const { return m_length; }          ///< of a packet with what frames it
    std::string_view packet() const { return m_packet; }  ///< valid until next()

private:
    Result<bool> fill(size_t count);
    Result<bool> skip(uint64_t count);

    TextSource& m_source;
    uint64_t m_maxPacketBytes;
    std::string m_buffer;
    size_t m_used = 0;            ///< of the buffer
    uint64_t m_bufferOffset = 0;  ///< of the buffer's begin in the text
    bool m_atEnd = false;
    uint64_t m_offset = 0;
    uint32_t m_length = 0;
    std::string_view m_packet;
};

/// Whether a packet stands in `text` that PacketStream::findMarked() would find.
bool hasMark(std::string_view text);

/// The text of the field `number`, `compressed_packets` (deflate) or `zstd_compressed_packets`, a message like the
/// trace itself; "" and the reason if it cannot be unpacked or has more than `maxBytes`. What could be unpacked of a
/// damaged one is kept.
struct Unpacked {
    std::string text;
    std::string reason;  ///< empty if all is well
    bool isTooLong = false;
};
Unpacked unpackedPackets(uint32_t number, std::string_view packed, uint64_t maxBytes);
/// Is the field with this number of a packet one that unpackedPackets() takes?
bool holdsPackedPackets(uint32_t number);

}  // namespace warpline::loaders::perfetto_proto
