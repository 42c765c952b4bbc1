// SPDX-License-Identifier: MIT
// reopenTextSource(): places of a text that nobody has read before, in any order, by several threads.
#include <zstd.h>

#include <QTest>
#include <random>

#include "core/base/parallel.h"
#include "core/loaders/stored_bytes.h"
#include "core/loaders/text_source.h"
#include "tests/core/loaders/loader_testing.h"

using namespace warpline;
using namespace warpline::test;

class tst_ReopenedSource : public QObject {
    Q_OBJECT

private slots:
    void anyPlace_data();
    void anyPlace();
    void cutStream();
};

namespace {

// Sanitizers slow every byte down.
constexpr int kShare = WARPLINE_SANITIZED ? 5 : 1;
constexpr qsizetype kHalf = (10 << 20) / kShare;

/// Some 20 MiB, so that checkpoints are passed.
const QByteArray& longText() {
    static const QByteArray kText = [] {
        QByteArray text;
        for (int i = 0; text.size() < 2 * kHalf; ++i) {
            text += QByteArray::number(i * 7919LL) + (i % 5 == 0 ? "\n" : " ");
        }
        return text;
    }();
    return kText;
}

QByteArray zstdOf(const QByteArray& text) {
    QByteArray out(qsizetype(ZSTD_compressBound(size_t(text.size()))), '\0');
    out.truncate(qsizetype(ZSTD_compress(out.data(), size_t(out.size()), text.constData(), size_t(text.size()), 1)));
    return out;
}

}  // namespace

void tst_ReopenedSource::anyPlace_data() {
    QTest::addColumn<QByteArray>("stored");
    QTest::addColumn<QByteArray>("compression");
    const QByteArray& text = longText();
    QTest::newRow("plain") << text << QByteArray("none");
    QTest::newRow("gzip") << gzipped(text) << QByteArray("gzip");
    QTest::newRow("gzip of two members") << gzipped(text.left(kHalf)) + gzipped(text.mid(kHalf)) << QByteArray("gzip");
    QTest::newRow("zstd") << zstdOf(text) << QByteArray("zstd");
}

void tst_ReopenedSource::anyPlace() {
    QFETCH(QByteArray, stored);
    QFETCH(QByteArray, compression);
    const QByteArray& text = longText();
    const auto source = reopenTextSource(makeMemoryBytes(stored.toStdString()));
    QVERIFY(source.ok());
    QCOMPARE(QByteArray::fromStdString(source.value()->compression()), compression);
    constexpr size_t kPlaces = 12;
    std::array<bool, kPlaces> isRight{};
    std::mt19937 random(11);
    std::array<qsizetype, kPlaces> places{};
    for (qsizetype& place : places) {
        place = qsizetype(random()) % (text.size() - 100);
    }
    parallelFor(kPlaces, 3, [&](size_t i) {
        const auto read = source.value()->read(uint64_t(places[i]), 100);
        isRight[i] = read.ok() && QByteArray::fromStdString(read.value()) == text.mid(places[i], 100);
    });
    QVERIFY(std::ranges::all_of(isRight, [](bool right) { return right; }));
    // The very end, and beyond.
    const auto end = source.value()->read(uint64_t(text.size()) - 3, 3);
    QVERIFY(end.ok());
    QCOMPARE(QByteArray::fromStdString(end.value()), text.right(3));
    QVERIFY(!source.value()->read(uint64_t(text.size()) - 3, 4).ok());
    QVERIFY(!source.value()->read(~uint64_t{0}, 2).ok());
    QVERIFY(source.value()->read(0, 3).ok());
}

/// What is there can be read; what is not says so, each time.
void tst_ReopenedSource::cutStream() {
    const QByteArray text = longText().left(kHalf / 3);
    const QByteArray stored = gzipped(text);
    const auto source = reopenTextSource(makeMemoryBytes(stored.left(stored.size() / 2).toStdString()));
    QVERIFY(source.ok());
    for (int round = 0; round < 2; ++round) {
        QVERIFY(!source.value()->read(uint64_t(text.size()) - 10, 10).ok());
        const auto begin = source.value()->read(10, 10);
        QVERIFY(begin.ok());
        QCOMPARE(QByteArray::fromStdString(begin.value()), text.mid(10, 10));
    }
}

QTEST_GUILESS_MAIN(tst_ReopenedSource)
#include "tst_reopened_source.moc"
