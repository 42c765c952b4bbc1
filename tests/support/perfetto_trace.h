// SPDX-License-Identifier: MIT
#pragma once
// Writes messages of protocol buffers field by field, with the numbers spelled out as Perfetto's .proto files have
// them: a second hand for the loader's tests.

#include <QByteArray>
#include <QList>

namespace warpline::test {

class Message {
public:
    /// A varint; negative numbers as ten bytes.
    Message& number(quint32 field, quint64 value);
    Message& text(quint32 field, const QByteArray& bytes);
    Message& message(quint32 field, const Message& inner) { return text(field, inner.m_bytes); }
    Message& fixed64(quint32 field, quint64 value);
    Message& real(quint32 field, double value);
    Message& raw(const QByteArray& bytes);
    const QByteArray& bytes() const { return m_bytes; }

private:
    QByteArray m_bytes;
};

QByteArray varint(quint64 value);

/// TracePackets one after the other: each is field 1 of the trace.
QByteArray perfettoTrace(const QList<Message>& packets);
/// A packet of `compressed_packets` that holds `packets`.
Message compressedPackets(const QByteArray& packets);
Message zstdPackets(const QByteArray& packets);

/// A packet with a track event (field 11) at `ns` on sequence 1.
Message eventPacket(quint64 ns, const Message& event, quint64 sequence = 1);
/// TrackEvents. Without a name: an end.
Message sliceBegin(quint64 track, const QByteArray& name);
Message sliceEnd(quint64 track);
/// Packets that describe tracks.
Message threadTrack(quint64 uuid, int pid, int tid, const QByteArray& name);
Message processTrack(quint64 uuid, int pid, const QByteArray& name);

/// A thread with two slices, an instant, a counter, an arrow and args of several sorts, in `repeats` rounds.
QByteArray samplePerfettoTrace(int repeats);

}  // namespace warpline::test
