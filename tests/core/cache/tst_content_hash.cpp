// SPDX-License-Identifier: MIT
#include <QTest>
#include <set>
#include <string>

#include "core/cache/content_hash.h"

using namespace warpline;

class tst_ContentHash : public QObject {
    Q_OBJECT
private slots:
    void knownValue();
    void everyByteCounts();
    void lengthCounts();
    void threadsDoNotCount();
    void stops();
};

namespace {

Hash128 hashed(const std::string& text, unsigned threads = 1) {
    const JobControl job;
    return contentHash(*makeMemoryBytes(text), threads, job).value();
}

}  // namespace

/// The value that XXH3's own documentation gives for the empty input (seed 0).
void tst_ContentHash::knownValue() {
    QCOMPARE(hashOf({}).text(), std::string("99aa06d3014798d86001c324468d497f"));
}

void tst_ContentHash::everyByteCounts() {
    // Two pieces and a little.
    std::string text((size_t{16} << 20) + 77, 'x');
    std::set<Hash128> seen{hashed(text)};
    for (const size_t at :
         {size_t{0}, size_t{1}, (size_t{8} << 20) - 1, size_t{8} << 20, size_t{9} << 20, text.size() - 1}) {
        text[at] = 'y';
        QVERIFY2(seen.insert(hashed(text)).second, qPrintable(QString::number(at)));
        text[at] = 'x';
    }
    QCOMPARE(hashed(text), *seen.find(hashed(text)));
}

void tst_ContentHash::lengthCounts() {
    std::set<Hash128> seen;
    for (const size_t length : {0, 1, 2, 100, 101}) {
        QVERIFY(seen.insert(hashed(std::string(length, '\0'))).second);
    }
}

void tst_ContentHash::threadsDoNotCount() {
    std::string text(size_t{17} << 20, 'x');
    for (size_t i = 0; i < text.size(); i += 4096) {
        text[i] = static_cast<char>(i >> 12);
    }
    QCOMPARE(hashed(text, 4), hashed(text, 1));
}

void tst_ContentHash::stops() {
    JobControl job;
    job.requestStop();
    const auto hash = contentHash(*makeMemoryBytes("abc"), 1, job);
    QVERIFY(!hash.ok());
    QVERIFY(hash.error().isCancelled());
}

QTEST_GUILESS_MAIN(tst_ContentHash)
#include "tst_content_hash.moc"
