// SPDX-License-Identifier: MIT
// Damage to one member of a gzip file costs the text of that member from there on, and no more.
#include <QTest>

#include "core/loaders/fast_inflater.h"
#include "core/loaders/gzip_source.h"
#include "tests/core/loaders/loader_testing.h"

using namespace warpline;
using namespace warpline::test;

namespace {

/// Different from its begin to its end, and from that of another seed.
QByteArray textOf(qsizetype bytes, uint32_t seed) {
    QByteArray text;
    while (text.size() < bytes) {
        seed = seed * 1664525U + 1013904223U;
        text += "event " + QByteArray::number(seed) + "\n";
    }
    return text.left(bytes);
}

QByteArray changed(QByteArray stored, qsizetype at, const QByteArray& bytes) {
    return stored.replace(at, bytes.size(), bytes);
}

struct Outcome {
    QByteArray text;
    QStringList damage;
};

Outcome readAll(TextSource& source, size_t step = 4096) {
    Outcome all;
    std::string buffer(step, '\0');
    for (;;) {
        const auto count = source.readNext(buffer);
        if (!count) {
            all.damage << "failed: " + QString::fromStdString(count.error().message);
            return all;
        }
        all.text += QByteArray::fromStdString(buffer.substr(0, count.value()));
        if (count.value() < step) {
            break;
        }
    }
    for (const auto& damage : source.damage()) {
        QString line = QString("%1 at %2").arg(QString::fromStdString(damage.code)).arg(damage.storedOffset);
        line += damage.losesText ? ", loses" : "";
        line += damage.count > 1 ? QString(", %1 times").arg(damage.count) : QString();
        all.damage << line;
    }
    return all;
}

std::shared_ptr<TextSource> sourceOf(const QByteArray& stored, bool mayBeFast, uint64_t checkpointBytes = 1 << 20) {
    return makeGzipSource(makeMemoryBytes(stored.toStdString()), checkpointBytes, mayBeFast);
}

}  // namespace

class tst_GzipDamage : public QObject {
    Q_OBJECT

private slots:
    void whatIsRead_data();
    void whatIsRead();
    void largeMembers_data();
    void largeMembers();
    void manyGaps();
    void whatOnlyLooksLikeMembers();
    void theSearchStops();
};

void tst_GzipDamage::whatIsRead_data() {
    QTest::addColumn<QByteArray>("stored");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QStringList>("damage");
    const QByteArray a = gzipped("first "), c = gzipped("second "), d = gzipped("third ");
    const qsizetype atC = a.size(), atD = a.size() + c.size();
    const auto at = [](const char* code, qsizetype place, const char* more = ", loses") {
        return QString("%1 at %2%3").arg(code).arg(place).arg(more);
    };
    const auto row = [](const char* name, const QByteArray& stored, const QByteArray& text, const QStringList& damage) {
        QTest::newRow(name) << stored << text << damage;
    };
    for (int i = 0; i < 2; ++i) {
        const QByteArray name = "byte " + QByteArray::number(i) + " of a magic number";
        row(name, a + changed(c, i, "\x1e") + d, "first third ", {at("invalid_gzip", atC)});
        const QByteArray last = name + ", of the last";
        row(last, a + c + changed(d, i, "\x1e"), "first second ", {at("invalid_gzip", atD)});
        const QByteArray both = name + ", of two in a row";
        row(both, a + changed(c, i, "\x1e") + changed(c, i, "\x1e") + d, "first third ", {at("invalid_gzip", atC)});
    }
    row("a method that there is not", a + changed(c, 2, "\x07") + d, "first third ", {at("invalid_gzip", atC)});
    row("flags that there are not", a + changed(c, 3, "\xe0") + d, "first third ", {at("invalid_gzip", atC)});
    row("of the first member", changed(a, 2, "\x07") + c + d, "second third ", {at("invalid_gzip", 0)});
    row("a type of block that there is not", a + changed(c, 10, "\x07") + d, "first third ", {at("invalid_gzip", atC)});
    row("words between two members", a + "words" + c + d, "first second third ", {at("invalid_gzip", atC)});
    row("words behind the last", a + c + "words", "first second ", {at("trailing_data", atD, "")});
    row("zeros between two members", a + QByteArray(5, '\0') + c, "first second ", {});
    row("a trailer that has lost its end", a.chopped(3) + c + d, "first second third ",
        {at("bad_checksum", a.size(), "")});
    row("a trailer that is not there", a.chopped(8) + c, "first second ", {at("bad_checksum", a.size() - 4, "")});
    row("a member that has lost its last bytes", a + c.chopped(9) + d, "first second third ",
        {at("invalid_gzip", atD - 9)});
    row("two gaps", a + "words" + c + "words" + d, "first second third ",
        {at("invalid_gzip", atC, ", loses, 2 times")});
    row("no member at all", QByteArray("\x1f\x8b\x07 and so on"), "", {at("invalid_gzip", 0)});
}

void tst_GzipDamage::whatIsRead() {
    QFETCH(QByteArray, stored);
    QFETCH(QByteArray, text);
    QFETCH(QStringList, damage);
    for (const bool mayBeFast : {true, false}) {
        for (const size_t step : {size_t(1), size_t(7), size_t(4096)}) {
            const auto source = sourceOf(stored, mayBeFast);
            const Outcome all = readAll(*source, step);
            QCOMPARE(all.text, text);
            QCOMPARE(all.damage, damage);
            for (qsizetype i = 0; i < text.size(); ++i) {
                QCOMPARE(source->read(uint64_t(i), 1).value(), text.mid(i, 1).toStdString());
            }
        }
    }
}

void tst_GzipDamage::largeMembers_data() {
    QTest::addColumn<int>("level");
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<int>("checkpointBytes");
    for (const int level : {0, 1, 9}) {
        for (const int checkpointBytes : {50'000, 100'000'000}) {
            const auto row = [&](const char* name, const QByteArray& bytes) {
                QTest::addRow("%s, level %d, checkpoints %d", name, level, checkpointBytes)
                    << level << bytes << checkpointBytes;
            };
            row("one bit", "\x01");
            row("ones", QByteArray(64, '\xff'));
            row("a sector of zeros", QByteArray(512, '\0'));
        }
    }
}

/// Three members of some hundred kilobytes, the second damaged in its middle: the third comes whole, and every place of
/// what was read is read there again.
void tst_GzipDamage::largeMembers() {
    QFETCH(int, level);
    QFETCH(QByteArray, bytes);
    QFETCH(int, checkpointBytes);
    const QByteArray first = textOf(400'000, 1), second = textOf(400'000, 2), third = textOf(400'000, 3);
    const QByteArray a = gzipped(first, level), c = gzipped(second, level), d = gzipped(third, level);
    QByteArray middle = c;
    if (bytes.size() == 1) {
        middle[c.size() / 2] = char(middle[c.size() / 2] ^ bytes[0]);
    } else {
        middle.replace(c.size() / 2, bytes.size(), bytes);
    }
    for (const bool mayBeFast : {true, false}) {
        const auto source = sourceOf(a + middle + d, mayBeFast, uint64_t(checkpointBytes));
        const Outcome all = readAll(*source, 65536);
        QVERIFY(all.text.startsWith(first + second.left(100'000)));
        QVERIFY(all.text.endsWith(third));
        QCOMPARE(all.damage.size(), 1);
        for (qsizetype at = 0; at < all.text.size(); at += 20'021) {
            const auto piece = source->read(uint64_t(at), size_t(std::min<qsizetype>(300, all.text.size() - at)));
            QVERIFY2(piece.ok(), piece.ok() ? "" : piece.error().message.c_str());
            QCOMPARE(QByteArray::fromStdString(piece.value()), all.text.mid(at, 300));
        }
    }
}

/// Each of 300 members but every third, whose magic number is damaged.
void tst_GzipDamage::manyGaps() {
    QByteArray stored, text;
    for (uint32_t i = 0; i < 300; ++i) {
        const QByteArray piece = textOf(2000, i);
        stored += i % 3 == 1 ? changed(gzipped(piece), 0, "?") : gzipped(piece);
        text += i % 3 == 1 ? QByteArray() : piece;
    }
    const auto source = sourceOf(stored, true, 10'000);
    const Outcome all = readAll(*source);
    QCOMPARE(all.text, text);
    QCOMPARE(all.damage,
             QStringList(QString("invalid_gzip at %1, loses, 100 times").arg(gzipped(textOf(2000, 0)).size())));
    for (qsizetype at = 0; at + 100 < text.size(); at += 997) {
        QCOMPARE(QByteArray::fromStdString(source->read(uint64_t(at), 100).value()), text.mid(at, 100));
    }
}

/// Headers without members, of which a hostile file may have millions; and members that all run into the same damage,
/// so that each would be read to there.
void tst_GzipDamage::whatOnlyLooksLikeMembers() {
    const QByteArray a = gzipped("first "), header = QByteArray::fromHex("1f8b0800000000000003");
    QByteArray headers;
    for (int i = 0; i < 1'000'000 / (WARPLINE_SANITIZED ? 20 : 1); ++i) {
        headers += header;
    }
    const Outcome empty = readAll(*sourceOf(a + "words" + headers, true));
    QCOMPARE(empty.text, QByteArray("first "));
    QCOMPARE(empty.damage, QStringList(QString("trailing_data at %1").arg(a.size())));
    // Blocks that are stored, each holding the header of a member that goes on with the next block.
    QByteArray nested = header;
    for (int i = 0; i < 100'000 / (WARPLINE_SANITIZED ? 20 : 1); ++i) {
        nested += QByteArray::fromHex("000a00f5ff") + header;
    }
    const Outcome deep = readAll(*sourceOf(nested + "\xff", true));
    QVERIFY(deep.text.startsWith(header + header));
    QCOMPARE(deep.damage.size(), 1);
}

void tst_GzipDamage::theSearchStops() {
    const auto source = sourceOf(gzipped("first ") + "words" + QByteArray(8 << 20, 'x'), false);
    JobControl job;
    job.requestStop();
    source->stopWith(&job);
    std::string buffer(4096, '\0');
    const auto count = source->readNext(buffer);
    QVERIFY(!count.ok());
    QVERIFY(count.error().isCancelled());
}

QTEST_APPLESS_MAIN(tst_GzipDamage)
#include "tst_gzip_damage.moc"
