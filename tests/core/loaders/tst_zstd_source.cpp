// SPDX-License-Identifier: MIT
#include <zstd.h>

#include <QTest>

#include "core/loaders/zstd_source.h"
#include "tests/core/loaders/loader_testing.h"

using namespace warpline;

namespace {

QByteArray compressed(const QByteArray& text, int level = 1, bool hasChecksum = true) {
    ZSTD_CCtx* context = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level);
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, hasChecksum ? 1 : 0);
    QByteArray out(qsizetype(ZSTD_compressBound(size_t(text.size()))), '\0');
    const size_t size = ZSTD_compress2(context, out.data(), size_t(out.size()), text.data(), size_t(text.size()));
    ZSTD_freeCCtx(context);
    out.truncate(qsizetype(size));
    return out;
}

/// Every stretch of 16 bytes is different.
QByteArray longText(int lines) {
    QByteArray text;
    uint32_t state = 1;
    for (int i = 0; i < lines; ++i) {
        state = state * 1664525U + 1013904223U;
        text += QByteArray::number(i).rightJustified(8, '0') + QByteArray::number(state % 10'000'000);
    }
    return text;
}

/// A frame for other programs, as pzstd puts before each of its own.
QByteArray toBeSkipped(const QByteArray& content, char kind = 0) {
    const auto size = static_cast<uint32_t>(content.size());
    QByteArray frame = QByteArray(1, char(0x50 + kind)) + "\x2a\x4d\x18";
    for (int byte = 0; byte < 4; ++byte) {
        frame += char(size >> (8 * byte) & 0xff);
    }
    return frame + content;
}

QByteArray flipped(QByteArray bytes, qsizetype at, char bits) {
    bytes[at] = char(bytes[at] ^ bits);
    return bytes;
}

struct Read {
    std::shared_ptr<TextSource> source;
    QByteArray text;
    QStringList damage;
};

Read readAll(const QByteArray& stored, size_t step = 100'000) {
    Read read{makeZstdSource(makeMemoryBytes(stored.toStdString())), {}, {}};
    std::string buffer(step, '\0');
    for (;;) {
        const auto count = read.source->readNext(buffer);
        if (!count) {
            read.damage << QString::fromStdString("error: " + count.error().message);
            break;
        }
        read.text.append(buffer.data(), qsizetype(count.value()));
        if (count.value() < step) {
            break;
        }
    }
    for (const TextSource::Damage& d : read.source->damage()) {
        const QString count = d.count == 1 ? "" : QString(", %1 times").arg(d.count);
        read.damage << QString("%1 at %2%3").arg(d.code.c_str()).arg(d.storedOffset).arg(d.losesText ? ", loses" : "") +
                           count;
    }
    return read;
}

}  // namespace

class tst_ZstdSource : public QObject {
    Q_OBJECT

private slots:
    void largeWindow();
    void manyStepsBack();
    void textBeforeDamageIsTheSameInAnyPieces();
    void framesToBeSkipped();
    void wrongChecksumsAreCounted();
    void damagedFramesArePassedOver_data();
    void damagedFramesArePassedOver();
    void placesBehindDamage();
    void whatOnlyLooksLikeAFrame();
    void veryManyDamagedFrames();
    void traceWithDamagedFrames();
    void sound() {
        const QByteArray text = longText(300'000);
        for (const size_t step : {size_t(777), size_t(1) << 20, size_t(1) << 23}) {
            const Read read = readAll(compressed(text), step);
            QVERIFY(read.text == text);
            QCOMPARE(read.damage, QStringList());
            QCOMPARE(read.source->compression(), std::string("zstd"));
        }
        QVERIFY(readAll(compressed("") + compressed("a") + compressed("b")).text == "ab");
    }
    void readsAtAnyPlace() {
        const QByteArray one = longText(300'000);
        const QByteArray two = longText(1'300'000);  // 20 MB: the frame after it can be begun with
        const QByteArray text = one + two + one;
        const Read read = readAll(compressed(one) + compressed(two) + compressed(one));
        QVERIFY(read.text == text);
        uint32_t state = 5;
        for (int i = 0; i < 25; ++i) {
            state = state * 1664525U + 1013904223U;
            const uint64_t offset = state % uint64_t(text.size() - 3000);
            const auto piece = read.source->read(offset, 3000);
            QVERIFY(piece.ok());
            QVERIFY(QByteArray::fromStdString(piece.value()) == text.mid(qsizetype(offset), 3000));
        }
        const uint64_t size = uint64_t(text.size());
        QCOMPARE(read.source->read(size - 5, 5).value(), text.right(5).toStdString());
        QVERIFY(!read.source->read(size - 5, 6).ok());
        QVERIFY(!read.source->read(~uint64_t{0}, 6).ok());
    }
    void cut() {
        const QByteArray text = longText(3000);
        const QByteArray stored = compressed(text);
        for (qsizetype length = 1; length < stored.size(); length += 97) {
            const Read read = readAll(stored.left(length));
            QVERIFY(text.startsWith(read.text));
            QCOMPARE(read.damage, QStringList(QString("truncated at %1, loses").arg(length)));
        }
    }
    void damaged() {
        const QByteArray text = longText(3000);
        QByteArray stored = compressed(text);
        stored[stored.size() - 1] = char(stored.back() ^ 1);
        QCOMPARE(readAll(stored).damage, QStringList(QString("bad_checksum at %1").arg(stored.size() - 4)));
        QVERIFY(readAll(stored).text == text);
        for (qsizetype at = 0; at < stored.size(); at += 41) {
            QByteArray broken = compressed(text);
            broken[at] = char(broken[at] ^ 0x55);
            QVERIFY2(!readAll(broken).damage.isEmpty(), qPrintable(QString::number(at)));
        }
    }
    void followedByOtherThings() {
        const Read read = readAll(compressed("text") + "no frame");
        QCOMPARE(read.text, QByteArray("text"));
        QCOMPARE(read.damage, QStringList(QString("trailing_data at %1").arg(compressed("text").size())));
    }
    void hugeWindowIsRefused() {
        // A frame header that asks for a window of 2 TiB: magic, descriptor without size, window byte.
        const QByteArray stored = QByteArray::fromHex("28b52ffd00f8") + QByteArray(20, '\0');
        const Read read = readAll(stored);
        QCOMPARE(read.damage.size(), qsizetype(1));
        QVERIFY(read.damage[0].startsWith("invalid_zstd"));
        const std::string detail = read.source->damage()[0].detail;
        QVERIFY2(detail.starts_with("its window is larger than "), detail.c_str());
    }
};

/// What stands before a broken block comes whole, however it is asked for, and can be read again.
void tst_ZstdSource::textBeforeDamageIsTheSameInAnyPieces() {
    // A frame with a window of 2 MiB, a block that repeats '+' 17,760 times, and one longer than a block may be.
    const QByteArray longBlock = QByteArray::fromHex("28b52ffd0458022b022b74252028002065996500746500006035");
    const QByteArray text = longText(30'000);
    const QByteArray whole3 = compressed(text, 3);
    const QByteArray broken = flipped(whole3, whole3.size() / 2, 0x55);
    for (const QByteArray& stored : {longBlock, broken}) {
        const QByteArray whole = readAll(stored, size_t{1} << 20).text;
        QVERIFY(whole.size() >= 17'760);
        QVERIFY(stored != longBlock || whole == QByteArray(17'760, '+'));
        QVERIFY(stored == longBlock || text.startsWith(whole));
        for (const size_t step : {size_t{1}, size_t{7}, size_t{10'000}, size_t{131'072}}) {
            const Read read = readAll(stored, step);
            QCOMPARE(read.text, whole);
            const auto last = read.source->read(uint64_t(whole.size()) - 50, 50);
            QVERIFY(last.ok());
            QCOMPARE(QByteArray::fromStdString(last.value()), whole.last(50));
        }
    }
}

/// One frame has no places to go on from; who steps back often still gets all, and not by decompressing it each time.
void tst_ZstdSource::manyStepsBack() {
    const QByteArray text = longText(WARPLINE_SANITIZED ? 300'000 : 1'500'000);
    const Read read = readAll(compressed(text));
    QCOMPARE(read.text.size(), text.size());
    const auto size = static_cast<uint64_t>(text.size());
    uint64_t steps = 0;
    for (uint64_t at = size - 100; at > size / 50; at -= size / 50) {
        for (const uint64_t place : {at, at / 2, at}) {
            const auto found = read.source->read(place, 90);
            QVERIFY(found.ok());
            QCOMPARE(QByteArray::fromStdString(found.value()), text.mid(qsizetype(place), 90));
            ++steps;
        }
    }
    QVERIFY(steps > 100);
    QVERIFY(!read.source->read(size - 10, 20).ok());
    const auto whole = read.source->read(0, text.size());
    QVERIFY(whole.ok());
    QVERIFY(QByteArray::fromStdString(whole.value()) == text);
}

/// `zstd --long=28` asks for 256 MiB to decompress with, twice what a decompressor grants by itself.
void tst_ZstdSource::largeWindow() {
    const QByteArray text = longText(5'000);
    ZSTD_CCtx* context = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, 28);
    QByteArray stored(qsizetype(ZSTD_compressBound(size_t(text.size()))), '\0');
    ZSTD_outBuffer out{stored.data(), size_t(stored.size()), 0};
    // In two calls, so that the length, which would make the window smaller, is not known at the first.
    ZSTD_inBuffer in{text.data(), size_t(text.size()), 0};
    ZSTD_compressStream2(context, &out, &in, ZSTD_e_flush);
    QCOMPARE(ZSTD_compressStream2(context, &out, &in, ZSTD_e_end), size_t{0});
    ZSTD_freeCCtx(context);
    stored.truncate(qsizetype(out.pos));
    const Read read = readAll(stored);
    QCOMPARE(read.damage, QStringList());
    QCOMPARE(read.text, text);
}

/// Wherever they stand, and longer than what is read at once.
void tst_ZstdSource::framesToBeSkipped() {
    const QByteArray text = longText(3000);
    const QByteArray small = toBeSkipped("abcd");
    const QByteArray large = toBeSkipped(longText(30'000), 15);
    const QByteArray stored = small + compressed(text) + large + small + compressed("b") + large;
    for (const size_t step : {size_t(7), size_t(1) << 20}) {
        const Read read = readAll(stored, step);
        QCOMPARE(read.text, text + "b");
        QCOMPARE(read.damage, QStringList());
        QCOMPARE(read.source->read(uint64_t(text.size()) - 5, 6).value(), (text.last(5) + "b").toStdString());
    }
    QCOMPARE(readAll(small + large).text, QByteArray());
    QCOMPARE(readAll(small + large).damage, QStringList());
    for (const qsizetype missing : {1, 100'000}) {
        const Read read = readAll(stored.chopped(missing));
        QCOMPARE(read.text, text + "b");
        QCOMPARE(read.damage, QStringList(QString("truncated at %1, loses").arg(stored.size() - missing)));
    }
    QCOMPARE(readAll(small.first(6)).damage, QStringList("truncated at 6, loses"));
    QCOMPARE(readAll(small + "no frame").damage, QStringList("invalid_zstd at 12, loses"));
}

void tst_ZstdSource::wrongChecksumsAreCounted() {
    const QByteArray a = compressed("first");
    const QByteArray wrong = flipped(a, a.size() - 2, 4);
    const Read read = readAll(wrong + wrong + compressed("last") + wrong, 3);
    QCOMPARE(read.text, QByteArray("firstfirstlastfirst"));
    QCOMPARE(read.damage, QStringList(QString("bad_checksum at %1, 3 times").arg(a.size() - 4)));
}

void tst_ZstdSource::damagedFramesArePassedOver_data() {
    QTest::addColumn<QByteArray>("stored");
    QTest::addColumn<QByteArray>("begin");  // the text begins with it
    QTest::addColumn<QByteArray>("end");    // and ends with it
    QTest::addColumn<QStringList>("damage");
    const QByteArray one = longText(20'000);
    const QByteArray a = compressed(one);
    const QByteArray b = compressed("second frame");
    const QByteArray c = compressed("the last frame");
    const QByteArray third = "the last frame";
    // The header of a frame has 7 bytes if its text is long, 6 if it is short; then comes the first block.
    const auto blockSize = [](const QByteArray& frame, qsizetype at) {
        const auto byte = [&](qsizetype i) { return uint32_t(uint8_t(frame[at + i])); };
        return qsizetype((byte(0) | byte(1) << 8 | byte(2) << 16) >> 3);
    };
    const qsizetype firstBlock = 4 + 1 + 4;  // magic, descriptor, length of the text
    const qsizetype secondBlock = firstBlock + 3 + blockSize(a, firstBlock);
    QTest::newRow("in a block") << flipped(a, secondBlock + 10, 0x55) + b + c << one.first(128 << 10)
                                << "second frame" + third
                                << QStringList(QString("invalid_zstd at %1, loses").arg(secondBlock));
    QTest::newRow("two of them") << b + flipped(a, secondBlock + 10, 0x55) + flipped(a, secondBlock + 10, 0x55) + c
                                 << QByteArray("second frame") << third
                                 << QStringList(
                                        QString("invalid_zstd at %1, loses, 2 times").arg(b.size() + secondBlock));
    QTest::newRow("magic number") << a + flipped(b, 2, 1) + c << one << one.last(100) + third
                                  << QStringList(QString("invalid_zstd at %1, loses").arg(a.size()));
    QTest::newRow("magic number of the first")
        << flipped(b, 1, 1) + c << third << third << QStringList("invalid_zstd at 0, loses");
    QTest::newRow("bytes between frames") << b + "something else" + c << QByteArray("second frame") << third
                                          << QStringList(QString("invalid_zstd at %1, loses").arg(b.size()));
    QTest::newRow("reserved bit of the header")
        << flipped(b, 4, 8) + c << third << third << QStringList("invalid_zstd at 0, loses");
    QTest::newRow("a block that reaches into the next frame")
        << flipped(b, 7, 1) + c + toBeSkipped("x") + c << QByteArray() << third + third
        << QStringList("invalid_zstd at 6, loses");
    QTest::newRow("none follows") << b + flipped(a, firstBlock + 10, 0x55) << QByteArray("second frame")
                                  << QByteArray("second frame")
                                  << QStringList(QString("invalid_zstd at %1, loses").arg(b.size() + firstBlock));
}

void tst_ZstdSource::damagedFramesArePassedOver() {
    QFETCH(QByteArray, stored);
    QFETCH(QByteArray, begin);
    QFETCH(QByteArray, end);
    QFETCH(QStringList, damage);
    const QByteArray whole = readAll(stored, size_t{1} << 22).text;
    for (const size_t step : {size_t{1}, size_t{1000}, size_t{1} << 20}) {
        const Read read = readAll(stored, step);
        QCOMPARE(read.damage, damage);
        QVERIFY(read.text.startsWith(begin));
        QVERIFY(read.text.endsWith(end));
        QVERIFY(read.text == whole);
        const auto tail = read.source->read(uint64_t(whole.size() - end.size()), size_t(end.size()));
        QVERIFY(tail.ok());
        QCOMPARE(QByteArray::fromStdString(tail.value()), end);
    }
}

/// Text is counted on behind what is missing, and reading at places begins behind it too.
void tst_ZstdSource::placesBehindDamage() {
    const QByteArray text = longText(1'300'000);  // 20 MB: the frame after it can be begun with
    const QByteArray frame = compressed(text);
    const QByteArray broken = flipped(frame, frame.size() / 2, 0x55);
    const QByteArray wrong = flipped(frame, frame.size() - 1, 1);
    const Read read = readAll(broken + wrong + broken + frame);
    QCOMPARE(read.damage.size(), qsizetype(2));
    QVERIFY(read.text.size() > 2 * text.size());
    QVERIFY(read.text.endsWith(text));
    uint32_t state = 7;
    for (int i = 0; i < 25; ++i) {
        state = state * 1664525U + 1013904223U;
        const uint64_t offset = state % uint64_t(read.text.size() - 3000);
        const auto piece = read.source->read(offset, 3000);
        QVERIFY(piece.ok());
        QVERIFY(QByteArray::fromStdString(piece.value()) == read.text.mid(qsizetype(offset), 3000));
    }
}

/// The magic number alone, or with a header that nothing fits, does not make a frame.
void tst_ZstdSource::whatOnlyLooksLikeAFrame() {
    const QByteArray magic = QByteArray::fromHex("28b52ffd");
    const QByteArray lures = magic + magic + QByteArray(30, '\xff') + magic + QByteArray::fromHex("200d010000") +
                             QByteArray(30, '\xff') + magic + QByteArray::fromHex("20046d000001020304050607080910");
    const QByteArray c = compressed("the last frame");
    const QByteArray broken = flipped(c, 1, 1);
    const Read read = readAll(broken + lures + c);
    QCOMPARE(read.text, QByteArray("the last frame"));
    QCOMPARE(read.damage, QStringList("invalid_zstd at 0, loses"));
    const QByteArray far = broken + QByteArray((3 << 20) - 2 - broken.size(), 'x');  // across two pieces of the search
    QCOMPARE(readAll(far + c).text, QByteArray("the last frame"));
    const std::string detail = readAll(far + c).source->damage()[0].detail;
    QCOMPARE(detail, std::string("no frame begins here; 3145726 bytes as stored, up to the next frame, are not read"));
}

/// Each begins as a frame does and breaks behind its first block: the search for the next one is given up in the end.
void tst_ZstdSource::veryManyDamagedFrames() {
    const QByteArray frame = QByteArray::fromHex("28b52ffd0058") + QByteArray::fromHex("080000") + "x" +
                             QByteArray::fromHex("2d0000ffffffffff");
    const Read read = readAll(frame.repeated(20'000));
    QVERIFY(read.text.startsWith("xx"));
    QCOMPARE(read.damage.size(), qsizetype(1));
    QVERIFY(read.damage[0].startsWith("invalid_zstd at "));
}

/// What pzstd writes is told by its content; each sort of damage is a line of the report.
void tst_ZstdSource::traceWithDamagedFrames() {
    const QByteArray text = test::kinetoText(3000);
    const qsizetype cut = text.indexOf("\n  {\n", text.size() / 2);
    const QByteArray a = compressed(text.first(cut));
    const QByteArray b = compressed(text.sliced(cut));
    const QByteArray lost = compressed(longText(5000));
    const auto load = [](const QByteArray& stored) {
        const auto source = openTextSource(makeMemoryBytes((toBeSkipped("abcd") + stored).toStdString()));
        return test::loadSource(source.value());
    };
    const auto whole = load(a + b);
    QVERIFY(whole.ok());
    QCOMPARE(whole.value()->slices().size(), size_t{1200});
    QVERIFY(whole.value()->report().complete());
    const auto trace = load(flipped(a, a.size() - 1, 1) + flipped(lost, 9, 2) + b);  // no such sort of block
    QVERIFY(trace.ok());
    QCOMPARE(trace.value()->slices().size(), size_t{1200});
    QCOMPARE(trace.value()->argsJson(EventRow(size_t{1100})).value(),
             whole.value()->argsJson(EventRow(size_t{1100})).value());
    const ImportReport& report = trace.value()->report();
    QVERIFY(!report.complete());
    QCOMPARE(report.countOf("bad_checksum"), uint64_t{1});
    QCOMPARE(report.countOf("invalid_zstd"), uint64_t{1});
    for (const Issue& issue : report.issues()) {
        QCOMPARE(issue.severity == Severity::DataLoss, issue.code == "invalid_zstd" || issue.code == "invalid_json");
        if (issue.code == "invalid_zstd") {
            QVERIFY2(issue.message.starts_with("1 damaged stretch of the compressed file cannot be unpacked; its text "
                                               "is missing (data corruption detected; "),
                     issue.message.c_str());
            QVERIFY(*issue.firstOffset >= uint64_t(12 + a.size()));
        }
    }
}

QTEST_APPLESS_MAIN(tst_ZstdSource)
#include "tst_zstd_source.moc"
