// SPDX-License-Identifier: MIT
#include "core/loaders/perfetto_proto/packet_stream.h"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <span>

#include "core/loaders/perfetto_proto/field_numbers.h"
#include "core/loaders/perfetto_proto/wire.h"

namespace warpline::loaders::perfetto_proto {

namespace {

constexpr size_t kPiece = size_t{1} << 20;
constexpr const char* kEndsEarly = "the compressed text ends early";
constexpr size_t kLongestHead = 20;  // a tag and a length
/// TracePacket.synchronization_marker, 16 bytes that Perfetto's trace_packet.proto gives, with tag and length before.
constexpr std::string_view kMark = "\xa2\x02\x10\x82\x47\x7a\x76\xb2\x8d\x42\xba\x81\xdc\x33\x32\x6d\x57\xa0\x79";
/// Few fields stand before the mark in its packet.
constexpr size_t kMostBeforeMark = 64;

/// Where the packet begins whose mark stands at `mark`; nullopt if no bytes before it can be its head.
std::optional<size_t> markedPacket(std::string_view text, size_t mark) {
    const size_t first = mark > kMostBeforeMark ? mark - kMostBeforeMark : 0;
    for (size_t begin = mark; begin-- > first;) {
        if (text[begin] != static_cast<char>(kTracePacket << 3 | static_cast<uint32_t>(WireType::Bytes))) {
            continue;
        }
        size_t place = begin + 1;
        const auto length = readVarint(text, place);
        if (!length || place > mark || *length < mark - place + kMark.size()) {
            continue;
        }
        WireReader before(text.substr(place, mark - place));
        while (before.next()) {
        }
        if (!before.failed()) {
            return begin;
        }
    }
    return std::nullopt;
}

/// Where the first packet with a mark begins; nullopt if there is none.
std::optional<size_t> findMarkedPacket(std::string_view text) {
    for (size_t mark = 0; (mark = text.find(kMark, mark)) != std::string_view::npos; ++mark) {
        if (const auto begin = markedPacket(text, mark)) {
            return begin;
        }
    }
    return std::nullopt;
}

}  // namespace

bool hasMark(std::string_view text) {
    return findMarkedPacket(text).has_value();
}

/// Makes `count` unused bytes stand in the buffer. False if the text has fewer.
Result<bool> PacketStream::fill(size_t count) {
    if (m_buffer.size() - m_used >= count) {
        return true;
    }
    if (m_atEnd) {
        return false;  // and nothing is moved, however often a hostile file asks for more than it has
    }
    m_buffer.erase(0, m_used);
    m_bufferOffset += m_used;
    m_used = 0;
    while (m_buffer.size() < count && !m_atEnd) {
        const size_t before = m_buffer.size();
        // No more than a piece ahead: a length is the file's word alone.
        m_buffer.resize(before + kPiece);
        const auto got = m_source.readNext(std::span(m_buffer.data() + before, kPiece));
        if (!got) {
            return got.error();
        }
        m_atEnd = got.value() < kPiece;
        m_buffer.resize(before + got.value());
    }
    return m_buffer.size() >= count;
}

/// Passes over unused bytes. False if the text ends before.
Result<bool> PacketStream::skip(uint64_t count) {
    while (count > 0) {
        const auto there = fill(1);
        if (!there || !there.value()) {
            return there;
        }
        const auto step = static_cast<size_t>(std::min<uint64_t>(count, m_buffer.size() - m_used));
        m_used += step;
        count -= step;
    }
    return true;
}

Result<PacketStream::Step> PacketStream::next() {
    m_packet = {};
    const auto head = fill(kLongestHead);
    if (!head) {
        return head.error();
    }
    m_offset = m_bufferOffset + m_used;
    const std::string_view text = std::string_view(m_buffer).substr(m_used);
    if (text.empty()) {
        return Step::End;
    }
    size_t place = 0;
    const auto tag = readVarint(text, place);
    const bool isShort = text.size() < kLongestHead;
    if (!tag) {
        return isShort && text.size() < 10 ? Step::Cut : Step::Malformed;
    }
    const auto type = static_cast<WireType>(*tag & 7);
    if (*tag >> 3 == 0 || *tag > UINT32_MAX ||
        (type != WireType::Varint && type != WireType::Fixed64 && type != WireType::Bytes &&
         type != WireType::Fixed32)) {
        return Step::Malformed;
    }
    uint64_t length = type == WireType::Fixed64 ? 8 : type == WireType::Fixed32 ? 4 : 0;
    if (type == WireType::Varint || type == WireType::Bytes) {
        const size_t before = place;
        const auto value = readVarint(text, place);
        if (!value) {
            return isShort && text.size() - before < 10 ? Step::Cut : Step::Malformed;
        }
        length = type == WireType::Bytes ? *value : 0;
    }
    const bool isPacket = *tag >> 3 == kTracePacket && type == WireType::Bytes;
    if (!isPacket || length > m_maxPacketBytes) {
        m_used += place;
        const auto skipped = skip(length);
        if (!skipped) {
            return skipped.error();
        }
        return !skipped.value() ? Step::Cut : isPacket ? Step::TooLong : Step::Other;
    }
    const auto whole = fill(place + static_cast<size_t>(length));
    if (!whole) {
        return whole.error();
    }
    if (!whole.value()) {
        return Step::Cut;
    }
    m_length = static_cast<uint32_t>(place + length);
    m_packet = std::string_view(m_buffer).substr(m_used + place, static_cast<size_t>(length));
    m_used += m_length;
    return Step::Packet;
}

void PacketStream::leaveCut() {
    m_used += m_used < m_buffer.size() ? 1 : 0;
}

Result<PacketStream::Step> PacketStream::findMarked() {
    const auto more = fill(kPiece);
    if (!more) {
        return more.error();
    }
    const std::string_view text = std::string_view(m_buffer).substr(m_used);
    if (const auto begin = findMarkedPacket(text)) {
        m_used += *begin;
        m_offset = m_bufferOffset + m_used;
        return Step::Packet;
    }
    if (!more.value()) {
        return Step::End;
    }
    m_used += text.size() - (kMostBeforeMark + kMark.size());
    return Step::Malformed;
}

namespace {

enum class UnpackStep : uint8_t { More, End, Broken };

/// Lets `step(place, room)`, which adds to `room` what it leaves of it, fill the text until it says that it ends.
template <class Step>
void unpack(Unpacked& result, uint64_t maxBytes, Step step) {
    for (auto state = UnpackStep::More; state == UnpackStep::More;) {
        const size_t before = result.text.size();
        if (before > maxBytes) {
            result.isTooLong = true;
            result.reason = "unpacked, it is longer than allowed";
            return;
        }
        const size_t room = std::max<size_t>(size_t{64} << 10, before);
        result.text.resize(before + room);
        size_t used = 0;
        state = step(result.text.data() + before, room, used);
        result.text.resize(before + used);
    }
}

void inflateInto(Unpacked& result, std::string_view packed, uint64_t maxBytes) {
    z_stream stream{};
    if (inflateInit(&stream) != Z_OK) {
        result.reason = "zlib does not start";
        return;
    }
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream.avail_in = static_cast<uInt>(packed.size());
    unpack(result, maxBytes, [&](char* place, size_t room, size_t& used) {
        stream.next_out = reinterpret_cast<Bytef*>(place);
        stream.avail_out = static_cast<uInt>(room);
        const int code = inflate(&stream, Z_NO_FLUSH);
        used = room - stream.avail_out;
        if (code != Z_OK && code != Z_STREAM_END) {
            result.reason = stream.msg != nullptr ? stream.msg : kEndsEarly;
        }
        return code == Z_OK ? UnpackStep::More : code == Z_STREAM_END ? UnpackStep::End : UnpackStep::Broken;
    });
    inflateEnd(&stream);
}

void unzstdInto(Unpacked& result, std::string_view packed, uint64_t maxBytes) {
    const std::unique_ptr<ZSTD_DCtx, size_t (*)(ZSTD_DCtx*)> context(ZSTD_createDCtx(), ZSTD_freeDCtx);
    if (context == nullptr) {
        result.reason = "zstd does not start";
        return;
    }
    ZSTD_inBuffer in{packed.data(), packed.size(), 0};
    unpack(result, maxBytes, [&](char* place, size_t room, size_t& used) {
        ZSTD_outBuffer out{place, room, 0};
        const size_t wanted = ZSTD_decompressStream(context.get(), &out, &in);
        used = out.pos;
        if (ZSTD_isError(wanted) != 0) {
            result.reason = ZSTD_getErrorName(wanted);
            return UnpackStep::Broken;
        }
        if (in.pos == in.size && wanted == 0) {
            return UnpackStep::End;
        }
        if (in.pos < in.size || out.pos == out.size) {
            return UnpackStep::More;
        }
        result.reason = kEndsEarly;
        return UnpackStep::Broken;
    });
}

}  // namespace

bool holdsPackedPackets(uint32_t number) {
    return number == packet::kCompressedPackets || number == packet::kZstdPackets;
}

Unpacked unpackedPackets(uint32_t number, std::string_view packed, uint64_t maxBytes) {
    Unpacked result;
    if (number == packet::kZstdPackets) {
        unzstdInto(result, packed, maxBytes);
    } else {
        inflateInto(result, packed, maxBytes);
    }
    return result;
}

}  // namespace warpline::loaders::perfetto_proto
