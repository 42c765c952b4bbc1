// SPDX-License-Identifier: MIT
#include "tests/support/perfetto_trace.h"

#include <zlib.h>
#include <zstd.h>

#include <cstring>

namespace warpline::test {

QByteArray varint(quint64 value) {
    QByteArray bytes;
    do {
        bytes += char((value & 0x7f) | (value > 0x7f ? 0x80 : 0));
        value >>= 7;
    } while (value != 0);
    return bytes;
}

Message& Message::number(quint32 field, quint64 value) {
    m_bytes += varint(quint64(field) << 3) + varint(value);
    return *this;
}

Message& Message::text(quint32 field, const QByteArray& bytes) {
    m_bytes += varint(quint64(field) << 3 | 2) + varint(quint64(bytes.size())) + bytes;
    return *this;
}

Message& Message::fixed64(quint32 field, quint64 value) {
    m_bytes += varint(quint64(field) << 3 | 1);
    for (int i = 0; i < 8; ++i) {
        m_bytes += char(value >> (8 * i));
    }
    return *this;
}

Message& Message::real(quint32 field, double value) {
    quint64 bits = 0;
    std::memcpy(&bits, &value, sizeof(bits));
    return fixed64(field, bits);
}

Message& Message::raw(const QByteArray& bytes) {
    m_bytes += bytes;
    return *this;
}

QByteArray perfettoTrace(const QList<Message>& packets) {
    Message trace;
    for (const Message& packet : packets) {
        trace.message(1, packet);
    }
    return trace.bytes();
}

Message compressedPackets(const QByteArray& packets) {
    QByteArray out(qsizetype(compressBound(uLong(packets.size()))), '\0');
    uLongf length = uLongf(out.size());
    compress(reinterpret_cast<Bytef*>(out.data()), &length, reinterpret_cast<const Bytef*>(packets.constData()),
             uLong(packets.size()));
    return Message().text(50, out.left(qsizetype(length)));
}

Message zstdPackets(const QByteArray& packets) {
    QByteArray out(qsizetype(ZSTD_compressBound(size_t(packets.size()))), '\0');
    out.resize(qsizetype(ZSTD_compress(out.data(), size_t(out.size()), packets.data(), size_t(packets.size()), 1)));
    return Message().text(133, out);
}

Message eventPacket(quint64 ns, const Message& event, quint64 sequence) {
    return Message().number(8, ns).number(10, sequence).message(11, event);
}

Message sliceBegin(quint64 track, const QByteArray& name) {
    return Message().number(9, 1).number(11, track).text(23, name);
}

Message sliceEnd(quint64 track) {
    return Message().number(9, 2).number(11, track);
}

Message threadTrack(quint64 uuid, int pid, int tid, const QByteArray& name) {
    return Message().number(10, 1).message(
        60,
        Message().number(1, uuid).message(4, Message().number(1, quint64(pid)).number(2, quint64(tid)).text(5, name)));
}

Message processTrack(quint64 uuid, int pid, const QByteArray& name) {
    return Message().number(10, 1).message(
        60, Message().number(1, uuid).message(3, Message().number(1, quint64(pid)).text(6, name)));
}

QByteArray samplePerfettoTrace(int repeats) {
    QList<Message> packets = {
        Message().number(10, 1).message(6, Message()
                                               .message(1, Message().number(1, 6).number(2, 1000))
                                               .message(1, Message().number(1, 1).number(2, 1700000000000001000))),
        processTrack(10, 5, "app"),
        threadTrack(11, 5, 6, "main"),
        threadTrack(12, 5, 7, "worker"),
        Message().number(10, 1).message(
            60, Message().number(1, 13).number(5, 10).text(2, "bytes").message(8, Message().number(3, 3))),
        Message().number(10, 1).number(13, 1).message(12, Message()
                                                              .message(1, Message().number(1, 1).text(2, "cat"))
                                                              .message(2, Message().number(1, 1).text(2, "numbered"))
                                                              .message(3, Message().number(1, 1).text(2, "key"))),
    };
    for (int i = 0; i < repeats; ++i) {
        const quint64 t = 1000 + quint64(i) * 1000;
        const Message args = Message().number(1, 1).number(4, quint64(-i - 1));
        packets << eventPacket(
            t,
            Message().number(9, 1).number(11, 11).number(3, 1).number(10, 1).message(4, args).fixed64(47, quint64(i)));
        packets << eventPacket(t + 100, sliceBegin(12, "task").fixed64(48, quint64(i)));
        packets << eventPacket(t + 200, Message().number(9, 3).number(11, 11).text(23, "mark").text(22, "cat"));
        packets << eventPacket(t + 300, Message().number(9, 4).number(11, 13).number(30, quint64(i) * 10));
        packets << eventPacket(t + 400, sliceEnd(12));
        packets << eventPacket(t + 500, sliceEnd(11));
    }
    return perfettoTrace(packets);
}

}  // namespace warpline::test
