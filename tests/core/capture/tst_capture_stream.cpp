// SPDX-License-Identifier: MIT
// What a writer wrote comes out of a reader, in any pieces, and of a stream that is damaged or cut what is whole.
#include <QTest>

#include <random>

#include "core/capture/capture_writer.h"
#include "core/capture/frame_reader.h"
#include "core/capture/texts.h"

using namespace warpline::capture;

namespace {

CaptureWriter::Sink into(std::string& stream) {
    return [&stream](std::span<const char> header, std::span<const char> payload) {
        stream.append(header.data(), header.size());
        stream.append(payload.data(), payload.size());
        return true;
    };
}

/// Each frame as "type source sequence bytes".
QStringList framesOf(std::string_view stream, size_t piece, FrameReader::Damage* damage = nullptr,
                     uint64_t* pending = nullptr) {
    FrameReader reader;
    QStringList frames;
    for (size_t at = 0; at < stream.size(); at += piece) {
        reader.add(stream.substr(at, piece));
        while (const auto frame = reader.next()) {
            frames << QString("%1 %2 %3 %4")
                          .arg(frame->header.type)
                          .arg(frame->header.source)
                          .arg(frame->header.sequence)
                          .arg(frame->payload.size());
        }
    }
    if (damage != nullptr) {
        *damage = reader.damage();
    }
    if (pending != nullptr) {
        *pending = reader.pendingBytes();
    }
    return frames;
}

std::string tenFrames() {
    std::string stream;
    for (uint64_t i = 0; i < 10; ++i) {
        appendFrame(stream, FrameType::Clocks, 3, i, std::string(static_cast<size_t>(i) * 7, 'x'));
    }
    return stream;
}

}  // namespace

class tst_CaptureStream : public QObject {
    Q_OBJECT

private slots:
    void framesComeOutInAnyPieces();
    void everyCutKeepsWhatIsWhole();
    void everyWrongByteCostsOneFrame();
    void missingBytesCostOneFrame();
    void framesThatAreGoneAreCounted();
    void falseHeadersEndSoon();
    void recordsOfOtherVersions();
    void badPayloadsAreRefused();
    void writerNumbersTextsBeforeTheyAreUsed();
    void codeGoesOnceAndInParts();
    void textsWithoutEndStayWithinBounds();
    void aSinkThatFailsLeavesAGap();
};

void tst_CaptureStream::framesComeOutInAnyPieces() {
    const std::string stream = tenFrames();
    QCOMPARE(stream.size(), size_t(10 * 32 + 45 * 7));
    const QStringList whole = framesOf(stream, stream.size());
    QCOMPARE(whole.size(), 10);
    QCOMPARE(whole[4], QString("25 3 4 28"));
    for (size_t piece = 1; piece < 70; ++piece) {
        FrameReader::Damage damage;
        QCOMPARE(framesOf(stream, piece, &damage), whole);
        QCOMPARE(damage.places, uint64_t(0));
    }
}

void tst_CaptureStream::everyCutKeepsWhatIsWhole() {
    const std::string stream = tenFrames();
    const QStringList whole = framesOf(stream, stream.size());
    size_t end = 0;
    int count = 0;
    for (size_t cut = 0; cut <= stream.size(); ++cut) {
        if (count < 10 && cut == end + 32 + static_cast<size_t>(count) * 7) {
            end = cut;
            ++count;
        }
        FrameReader::Damage damage;
        uint64_t pending = 0;
        QCOMPARE(framesOf(stream.substr(0, cut), 50, &damage, &pending), whole.mid(0, count));
        QCOMPARE(damage.places, uint64_t(0));
        QCOMPARE(pending, uint64_t(cut - end));
    }
}

void tst_CaptureStream::everyWrongByteCostsOneFrame() {
    const std::string stream = tenFrames();
    const QStringList whole = framesOf(stream, stream.size());
    for (size_t at = 0; at < stream.size(); ++at) {
        std::string damaged = stream;
        damaged[at] = static_cast<char>(damaged[at] ^ 0x41);
        FrameReader::Damage damage;
        const QStringList frames = framesOf(damaged, 64, &damage);
        QCOMPARE(frames.size(), 9);
        for (const QString& frame : frames) {
            QVERIFY(whole.contains(frame));
        }
        QCOMPARE(damage.places, uint64_t(1));
        const bool isLast = !frames.contains(whole.last());
        QCOMPARE(damage.missingFrames, uint64_t(isLast ? 0 : 1));
        QVERIFY(damage.firstOffset <= at && at < damage.firstOffset + damage.bytes);
    }
}

void tst_CaptureStream::missingBytesCostOneFrame() {
    const std::string stream = tenFrames();
    for (size_t at = 0; at + 5 < stream.size(); ++at) {
        std::string damaged = stream;
        damaged.erase(at, 5);
        const QStringList frames = framesOf(damaged, 64);
        // Two, where the bytes are of both.
        QVERIFY2(frames.size() >= 8, qPrintable(QString::number(at)));
    }
    std::string damaged = stream;
    damaged.erase(32 * 6 + 7 * 10, 5);  // out of the payload of the sixth: the next begins before it seems to end
    FrameReader::Damage damage;
    QCOMPARE(framesOf(damaged, 64, &damage).size(), 9);
    QCOMPARE(damage.missingFrames, uint64_t(1));
}

void tst_CaptureStream::framesThatAreGoneAreCounted() {
    std::string stream;
    appendFrame(stream, FrameType::Begin, 0, 0, {});
    appendFrame(stream, FrameType::Begin, 1, 0, {});
    const size_t gap = stream.size();
    appendFrame(stream, FrameType::Kernels, 0, 4, {});
    appendFrame(stream, FrameType::Kernels, 1, 1, {});
    appendFrame(stream, FrameType::Kernels, 1, 3, {});
    FrameReader::Damage damage;
    QCOMPARE(framesOf(stream, 1000, &damage).size(), 5);
    QCOMPARE(damage.missingFrames, uint64_t(4));
    QCOMPARE(damage.missingFrom, std::optional<uint64_t>(gap));
    QCOMPARE(damage.bytes, uint64_t(0));
}

/// Headers that are right, one within the other, each of a payload that is wrong.
void tst_CaptureStream::falseHeadersEndSoon() {
    constexpr size_t kBytes = 4 << 20;
    std::string stream;
    while (stream.size() < kBytes) {
        FrameHeader header = makeHeader(FrameType::Kernels, 0, 0, std::string(kBytes - stream.size(), 'y'));
        stream.append(reinterpret_cast<const char*>(&header), sizeof header);
        if (stream.size() > 4000) {
            stream.append(kBytes, 'z');
        }
    }
    FrameReader::Damage damage;
    QCOMPARE(framesOf(stream, stream.size(), &damage).size(), 0);
    QVERIFY(damage.bytes > 0);
}

void tst_CaptureStream::recordsOfOtherVersions() {
    RecordBatch<StreamRecord> batch;
    batch.add({1, 7, -5, 2});
    batch.add({1, 13, 0, 1});
    std::string payload;
    batch.writeTo(payload);
    const auto same = RecordView<StreamRecord>::of(payload);
    QVERIFY(same.has_value());
    QCOMPARE(same->size(), size_t(2));
    QCOMPARE((*same)[1].stream, 13U);
    QCOMPARE((*same)[0].priority, -5);

    // A later writer: eight bytes more in each record.
    std::string later = payload.substr(0, 8);
    later[0] = 24;
    for (int i = 0; i < 2; ++i) {
        later += payload.substr(8 + static_cast<size_t>(i) * 16, 16) + std::string(8, 'n');
    }
    const auto cut = RecordView<StreamRecord>::of(later);
    QVERIFY(cut.has_value());
    QCOMPARE((*cut)[1].stream, 13U);
    QCOMPARE((*cut)[1].flags, 1U);

    // An earlier one, that did not know the last two members.
    std::string earlier = payload.substr(0, 8);
    earlier[0] = 8;
    for (int i = 0; i < 2; ++i) {
        earlier += payload.substr(8 + static_cast<size_t>(i) * 16, 8);
    }
    const auto filled = RecordView<StreamRecord>::of(earlier);
    QVERIFY(filled.has_value());
    QCOMPARE((*filled)[1].stream, 13U);
    QCOMPARE((*filled)[0].priority, 0);
}

void tst_CaptureStream::badPayloadsAreRefused() {
    for (const std::string& payload :
         {std::string(), std::string(7, '\0'), std::string(8, '\0'), std::string("\x10\0\0\0\2\0\0\0short", 13)}) {
        QVERIFY(!RecordView<StreamRecord>::of(payload).has_value());
    }
    std::string texts;
    appendText(texts, 1, "name");
    QVERIFY(textsOf(texts).has_value());
    for (size_t cut = 1; cut < texts.size(); ++cut) {
        QVERIFY(!textsOf(std::string_view(texts).substr(0, cut)).has_value());
    }
    std::string facts;
    appendFact(facts, "pid", "12");
    const auto read = factsOf(facts);
    QCOMPARE(read->at(0), (std::pair<std::string_view, std::string_view>("pid", "12")));
    for (size_t cut = 1; cut < facts.size(); ++cut) {
        QVERIFY(!factsOf(std::string_view(facts).substr(0, cut)).has_value());
    }
}

void tst_CaptureStream::writerNumbersTextsBeforeTheyAreUsed() {
    std::string stream;
    CaptureWriter writer(into(stream));
    std::string facts;
    appendFact(facts, fact::kFormat, kFormatName);
    writer.writeFacts(facts);
    const uint32_t a = writer.number("kernel_a");
    QCOMPARE(writer.number("kernel_a"), a);
    QCOMPARE(writer.number(""), 0U);
    const uint32_t b = writer.number("kernel_b");
    QVERIFY(a != b && a != 0);
    for (uint32_t i = 0; i < 3000; ++i) {
        KernelRecord kernel;
        kernel.begin = 1000 + i;
        kernel.name = i % 2 == 0 ? a : b;
        writer.add(kernel);
    }
    writer.add(ClockRecord{1, 2, 3, 4});
    writer.writeEnd({});
    QCOMPARE(writer.bytesWritten(), uint64_t(stream.size()));

    FrameReader reader;
    reader.add(stream);
    std::vector<std::string> names{""};
    int64_t next = 1000;
    std::vector<FrameType> order;
    while (const auto frame = reader.next()) {
        order.push_back(frame->type());
        if (frame->type() == FrameType::Strings) {
            const auto texts = textsOf(frame->payload);
            QVERIFY(texts.has_value());
            for (const auto& [number, text] : *texts) {
                QCOMPARE(number, static_cast<uint32_t>(names.size()));
                names.emplace_back(text);
            }
        } else if (frame->type() == FrameType::Kernels) {
            const auto kernels = RecordView<KernelRecord>::of(frame->payload);
            QVERIFY(kernels.has_value());
            for (size_t i = 0; i < kernels->size(); ++i) {
                QCOMPARE((*kernels)[i].begin, next);
                QVERIFY((*kernels)[i].name < names.size());  // known by now
                QCOMPARE(names[(*kernels)[i].name], std::string(next % 2 == 0 ? "kernel_a" : "kernel_b"));
                ++next;
            }
        }
    }
    QCOMPARE(next, int64_t(4000));
    QVERIFY(order.front() == FrameType::Begin && order.back() == FrameType::End);
    QVERIFY(std::ranges::count(order, FrameType::Kernels) > 1);  // a batch does not wait for the end
    QCOMPARE(std::ranges::count(order, FrameType::Clocks), 1);
}

void tst_CaptureStream::codeGoesOnceAndInParts() {
    std::string code(5'000'000, '\0');
    for (size_t i = 0; i < code.size(); ++i) {
        code[i] = static_cast<char>(i * 7 + i / 1000);
    }
    std::string stream;
    CaptureWriter writer(into(stream));
    writer.writeModule({100, 77, code.size(), 0, 1, 2}, code);
    const size_t once = stream.size();
    writer.writeModule({200, 77, code.size(), 0, 9, 2}, code);
    QVERIFY(stream.size() - once < 100);

    FrameReader reader;
    reader.add(stream);
    std::string joined;
    std::vector<uint32_t> modules;
    while (const auto frame = reader.next()) {
        QCOMPARE(frame->type(), FrameType::Module);
        ModuleHead head;
        std::memcpy(&head, frame->payload.data(), sizeof head);
        QCOMPARE(head.hash, uint64_t(77));
        QCOMPARE(head.bytes, uint64_t(code.size()));
        if (modules.empty() || modules.back() != head.module) {
            modules.push_back(head.module);
        }
        QCOMPARE(head.offset, head.module == 1 ? uint64_t(joined.size()) : 0);
        joined += frame->payload.substr(sizeof head);
    }
    QVERIFY(joined == code);
    QCOMPARE(modules, (std::vector<uint32_t>{1, 9}));
}

void tst_CaptureStream::textsWithoutEndStayWithinBounds() {
    CaptureWriter writer([](std::span<const char>, std::span<const char>) { return true; });
    const uint32_t first = writer.number("first");
    QCOMPARE(writer.number("first"), first);
    uint32_t last = first;
    for (int i = 0; i < 1000; ++i) {
        const uint32_t number = writer.number(std::string(100'000, 'a') + std::to_string(i));
        QVERIFY(number > last);  // none is given twice
        last = number;
        writer.add(ThreadRecord{1, number});
        writer.flush();
    }
    QVERIFY(writer.number("first") > last);  // was forgotten in between
}

void tst_CaptureStream::aSinkThatFailsLeavesAGap() {
    std::string stream;
    bool isFull = false;
    CaptureWriter writer([&](std::span<const char> header, std::span<const char> payload) {
        return !isFull && into(stream)(header, payload);
    });
    writer.writeFacts({});
    isFull = true;
    writer.add(ClockRecord{});
    writer.flush();
    isFull = false;
    writer.add(ClockRecord{});
    writer.flush();
    QCOMPARE(writer.framesLost(), uint64_t(1));
    FrameReader::Damage damage;
    QCOMPARE(framesOf(stream, 10, &damage).size(), 2);
    QCOMPARE(damage.missingFrames, uint64_t(1));
}

QTEST_APPLESS_MAIN(tst_CaptureStream)
#include "tst_capture_stream.moc"
