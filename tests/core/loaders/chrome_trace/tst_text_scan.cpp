// SPDX-License-Identifier: MIT
#include <QTest>
#include <atomic>
#include <mutex>
#include <set>
#include <string>

#include "core/loaders/chrome_trace/text_scan.h"
#include "core/loaders/gzip_source.h"
#include "tests/core/loaders/loader_testing.h"

using namespace warpline;
using namespace warpline::test;
using loaders::chrome_trace::scanText;

namespace {

struct Scanned {
    bool canTell = false;
    std::set<uint64_t> places;
};

Scanned scan(const TextSource& source, uint64_t length, std::string_view part, Case letterCase = Case::Ignored,
             unsigned threads = 2) {
    Scanned out;
    std::mutex mutex;
    JobControl job;
    const auto result = scanText(
        source, TextFinder(part, letterCase), length, threads,
        [&](uint64_t place) {
            const std::lock_guard lock(mutex);
            out.places.insert(place);
        },
        job);
    out.canTell = result.ok() && result.value();
    return out;
}

}  // namespace

class TestTextScan : public QObject {
    Q_OBJECT
private slots:
    void finds_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("part");
        QTest::addColumn<QList<int>>("places");
        const auto row = [](const char* name, const QByteArray& text, const QByteArray& part, QList<int> places) {
            QTest::newRow(name) << text << part << std::move(places);
        };
        row("as it is", "{\"a\": \"gemm\", \"gemm\": 1}", "gemm", {7, 15});
        row("overlapping", "aaaa", "aa", {0, 1, 2});
        row("other case", "GEMM gEmM", "gemm", {0, 5});
        row("an escaped slash", R"("a\/b/c\/d")", "b/c/d", {4});
        row("a quote", "\"say \\\"yes\\\"\"", "y \"Y", {3});
        row("backslashes of a path", R"("C:\\Users\\x")", "c:\\users\\x", {1});
        row("an escaped letter first", R"("\u00e9t\u00e9")", "\xc3\xa9t\xc3\xa9", {1});
        row("an escaped letter last", R"("t\u00E9")", "t\xc3\xa9", {1});
        row("an escaped letter of ASCII in the other case", R"("x\u0041y")", "xay", {1});
        row("a pair", R"("a\ud83d\ude00b")",
            "a\xf0\x9f\x98\x80"
            "b",
            {1});
        row("a line break", R"("a\nb")", "a\nb", {1});
        row("an escape that is none", R"("a\qb")", "a\\qb", {1});
        row("cut in an escape", R"("ab\u00)", "abx", {});
        row("only a part of it", R"("ge\u006d)", "gemm", {});
    }
    void finds() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, part);
        QFETCH(QList<int>, places);
        std::set<uint64_t> expected;
        for (const int place : places) {
            expected.insert(static_cast<uint64_t>(place));
        }
        const auto source = makeMemorySource(text.toStdString());
        const Scanned found = scan(*source, static_cast<uint64_t>(text.size()), part.toStdString());
        QVERIFY(found.canTell);
        QCOMPARE(found.places, expected);
    }

    void caseMatters() {
        const auto source = makeMemorySource("gemm GEMM \\u0047emm");
        QCOMPARE(scan(*source, 19, "gemm", Case::Matters).places, (std::set<uint64_t>{0}));
        QCOMPARE(scan(*source, 19, "Gemm", Case::Matters).places, (std::set<uint64_t>{10}));
    }

    /// Of text that is read in blocks on several threads, at each place around their borders.
    void acrossBlocks_data() {
        QTest::addColumn<QByteArray>("written");
        QTest::newRow("plain") << QByteArray("needle/7");
        QTest::newRow("escaped") << QByteArray(R"(n\u0065edle\/\u0037)");
    }
    void acrossBlocks() {
        QFETCH(QByteArray, written);
        for (const size_t border : {size_t{512} << 10, size_t{16} << 20}) {
            for (size_t place = border - static_cast<size_t>(written.size()) - 1; place <= border + 1; ++place) {
                std::string text(border + 100, '.');
                text.replace(place, static_cast<size_t>(written.size()), written.toStdString());
                const auto source = makeMemorySource(text);
                QCOMPARE(scan(*source, text.size(), "needle/7").places, (std::set<uint64_t>{place}));
            }
        }
    }

    void onlySoFar() {
        const std::string text = "gemm gemm";
        const auto source = makeMemorySource(text);
        QCOMPARE(scan(*source, 8, "gemm").places, (std::set<uint64_t>{0}));
        QCOMPARE(scan(*source, 0, "gemm").places, std::set<uint64_t>{});
        // A text that has become shorter ends the scan, whatever it was.
        QCOMPARE(scan(*source, 5'000'000, "gemm").places, (std::set<uint64_t>{0, 5}));
    }

    void compressedText() {
        std::string text(3'000'000, '.');
        text.replace(1'048'570, 8, "needle/7");
        text.replace(2'999'990, 9, R"(needle\/7)");
        const auto source = makeGzipSource(makeMemoryBytes(gzipped(QByteArray::fromStdString(text)).toStdString()));
        std::vector<char> sink(text.size() + 1);
        while (source->readNext(sink).value() > 0) {
        }
        QCOMPARE(scan(*source, text.size(), "needle/7").places, (std::set<uint64_t>{1'048'570, 2'999'990}));
    }

    /// What args can hold without being in the file.
    void saysWhatItCannotTell() {
        const auto source = makeMemorySource("null");
        for (const char* part : {"null", "u", "\xef\xbf\xbd",
                                 "a\xef\xbf\xbd"
                                 "b",
                                 "a null b", "\xe2\x80\xa6"}) {
            const Scanned found = scan(*source, 4, part);
            QVERIFY2(!found.canTell && found.places.empty(), part);
        }
        QVERIFY(scan(*source, 4, "nil").canTell);
    }

    void stopsWhenAsked() {
        const auto source = makeMemorySource(std::string(1'000'000, 'a'));
        JobControl job;
        job.requestStop();
        const auto result = scanText(
            *source, TextFinder("a", Case::Ignored), 1'000'000, 2, [](uint64_t) {}, job);
        QVERIFY(!result.ok() && result.error().isCancelled());
        // And within a block: far fewer finds than there are.
        JobControl later;
        std::atomic<uint64_t> count{0};
        const auto some = scanText(
            *source, TextFinder("a", Case::Ignored), 1'000'000, 1,
            [&](uint64_t) {
                if (++count == 100) {
                    later.requestStop();
                }
            },
            later);
        QVERIFY(!some.ok() && some.error().isCancelled());
        QVERIFY(count.load() < 20'000);
    }
};

QTEST_APPLESS_MAIN(TestTextScan)
#include "tst_text_scan.moc"
