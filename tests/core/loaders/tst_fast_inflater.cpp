// SPDX-License-Identifier: MIT
// The fast decompressor and zlib give the same text, the same damage and the same text at any place, whatever is wrong.
#include <QTest>

#include "core/loaders/fast_inflater.h"
#include "core/loaders/gzip_source.h"
#include "tests/core/loaders/loader_testing.h"

using namespace warpline;
using namespace warpline::test;

namespace {

struct Outcome {
    std::string text;
    QStringList damage;
};

Outcome readAll(TextSource& source, size_t step) {
    Outcome outcome;
    std::string buffer(step, '\0');
    for (;;) {
        const auto count = source.readNext(buffer);
        if (!count) {
            outcome.damage << QString::fromStdString("error: " + count.error().message);
            break;
        }
        outcome.text.append(buffer, 0, count.value());
        if (count.value() < step) {
            break;
        }
    }
    for (const TextSource::Damage& d : source.damage()) {
        outcome.damage << QString("%1 at %2 loses %3").arg(d.code.c_str()).arg(d.storedOffset).arg(d.losesText);
    }
    return outcome;
}

/// Text that deflate finds matches in at all distances, and parts that it cannot make smaller.
QByteArray mixedText(size_t bytes, uint32_t seed) {
    QByteArray text;
    uint32_t state = seed;
    const auto next = [&state] { return state = state * 1664525U + 1013904223U, state >> 8; };
    while (size_t(text.size()) < bytes) {
        const auto length = qsizetype(1 + next() % 300);
        if (text.size() > 400 && next() % 3 != 0) {
            text += text.mid(text.size() - 1 - qsizetype(next() % std::min<uint32_t>(30'000, uint32_t(text.size()))),
                             length);
        } else {
            for (qsizetype i = 0; i < length; ++i) {
                text += char(next());
            }
        }
    }
    return text;
}

constexpr uint64_t kCheckpointBytes = 4096;

void compare(const QByteArray& stored, size_t step) {
    const auto make = [&](bool mayBeFast) {
        return makeGzipSource(makeMemoryBytes(stored.toStdString()), kCheckpointBytes, mayBeFast);
    };
    const auto fast = make(true);
    const auto slow = make(false);
    const Outcome byFast = readAll(*fast, step);
    const Outcome bySlow = readAll(*slow, step);
    QCOMPARE(byFast.text.size(), bySlow.text.size());
    QVERIFY(byFast.text == bySlow.text);
    QCOMPARE(byFast.damage, bySlow.damage);
    for (size_t at = 0; at < byFast.text.size(); at += 1 + byFast.text.size() / 7) {
        const size_t length = std::min<size_t>(100, byFast.text.size() - at);
        const auto piece = fast->read(at, length);
        QVERIFY2(piece.ok(), piece.ok() ? "" : piece.error().message.c_str());
        QVERIFY(piece.value() == byFast.text.substr(at, length));
    }
}

}  // namespace

class tst_FastInflater : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        if (!FastInflater::isAvailable()) {
            QSKIP("built without ISA-L: zlib reads all");
        }
    }
    void soundFiles() {
        for (const size_t bytes : {0, 1, 100, 40'000, 300'000}) {
            const QByteArray text = mixedText(bytes, 7);
            for (const size_t step : {size_t(1000), size_t(65536), size_t(1) << 20}) {
                compare(gzipped(text), step);
                compare(gzipped(text) + gzipped(text) + QByteArray(100, '\0') + gzipped("end"), step);
            }
        }
    }
    void membersMeetAnyEndOfTheInput() {
        // The input is read 256 KiB at a time; the first member ends around there.
        const QByteArray noise = mixedText(270'000, 3);
        for (int more = 0; more < 40; ++more) {
            QByteArray stored = gzipped(noise.left(262'000 + more * 11));
            compare(stored + gzipped("a second one"), 1 << 20);
        }
    }
    void cutAnywhere() {
        const QByteArray stored = gzipped(mixedText(3000, 11)) + gzipped(mixedText(500, 12));
        for (qsizetype length = 0; length < stored.size(); length += length < 40 ? 1 : 13) {
            compare(stored.left(length), 700);
            if (QTest::currentTestFailed()) {
                qWarning("cut to %lld bytes", static_cast<long long>(length));
                return;
            }
        }
    }
    void damagedAnywhere() {
        const QByteArray sound = gzipped(mixedText(20'000, 21)) + gzipped(mixedText(3000, 22)) + gzipped("last");
        for (qsizetype at = 0; at < sound.size(); at += at < 30 ? 1 : 97) {
            QByteArray stored = sound;
            stored[at] = char(stored[at] ^ 0x41);
            compare(stored, 4096);
            if (QTest::currentTestFailed()) {
                qWarning("byte %lld damaged", static_cast<long long>(at));
                return;
            }
        }
    }
    void whatFollowsIsNoMember() { compare(gzipped("text") + "rubbish", 100); }
};

QTEST_APPLESS_MAIN(tst_FastInflater)
#include "tst_fast_inflater.moc"
