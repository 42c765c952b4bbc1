// SPDX-License-Identifier: MIT
#include <zstd.h>

#include <QTest>

#include "core/loaders/zstd_source.h"

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
        read.damage << QString("%1 at %2%3").arg(d.code.c_str()).arg(d.storedOffset).arg(d.losesText ? ", loses" : "");
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
        QCOMPARE(readAll(stored + compressed("more")).damage.value(0),
                 QString("bad_checksum at %1, loses").arg(stored.size() - 4));
        for (qsizetype at = 0; at < stored.size(); at += 41) {
            QByteArray broken = compressed(text);
            broken[at] = char(broken[at] ^ 0x55);
            QVERIFY2(readAll(broken).damage.size() == 1, qPrintable(QString::number(at)));
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
    QByteArray flipped = compressed(text, 3);
    flipped[flipped.size() / 2] = char(flipped[flipped.size() / 2] ^ 0x55);
    for (const QByteArray& stored : {longBlock, flipped}) {
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

QTEST_APPLESS_MAIN(tst_ZstdSource)
#include "tst_zstd_source.moc"
