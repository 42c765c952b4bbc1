// SPDX-License-Identifier: MIT
#include <QTest>
#include <array>

#include "core/loaders/nsys_sqlite/tree_check.h"
#include "tests/support/nsys_export.h"

using namespace warpline;
using namespace warpline::test;
using namespace warpline::loaders::nsys_sqlite;

namespace {

TreeDamage checkAll(const QByteArray& file, uint64_t root, uint32_t pageBytes, const JobControl* job = nullptr) {
    const auto bytes = cachedBytes(makeMemorySource(file.toStdString()), uint64_t(file.size()));
    return checkTree(*bytes, {pageBytes, pageBytes - uint8_t(file[20])}, root, job);
}

std::vector<PageDamage> check(const QByteArray& file, uint64_t root, uint32_t pageBytes,
                              const JobControl* job = nullptr) {
    return checkAll(file, root, pageBytes, job).pages;
}

/// A table (root 2) of texts of many lengths, with rows taken out and changed again, so that pages have free blocks.
QByteArray usedTable(int pageBytes, const QByteArray& options = {}, const QByteArray& tail = {}) {
    return sqliteFile(
        "PRAGMA page_size=" + QByteArray::number(pageBytes) + ";" + options +
        "CREATE TABLE t (id INTEGER PRIMARY KEY, value TEXT)" + tail +
        ";WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) "
        "INSERT INTO t SELECT i, printf('%.*c', CASE i % 50 WHEN 0 THEN 9000 WHEN 1 THEN 300 ELSE i % 37 END, "
        "'x') FROM n;"
        "DELETE FROM t WHERE id % 7 = 3; UPDATE t SET value = value || 'more' WHERE id % 5 = 1;");
}

constexpr int kPage = 512;

quint32 bigEndian(const QByteArray& bytes, qsizetype at, int count) {
    quint32 value = 0;
    for (int i = 0; i < count; ++i) {
        value = value << 8 | uint8_t(bytes[at + i]);
    }
    return value;
}

}  // namespace

class tst_TreeCheck : public QObject {
    Q_OBJECT

private slots:
    void whatSqliteWritesIsSound_data();
    void whatSqliteWritesIsSound();
    void eachLostPageIsFound();
    void rangesOfRowIds();
    void aFreeBlockThatLeadsToItself();
    void countsAndPlaces_data();
    void countsAndPlaces();
    void rowsThatAreNoRecords();
    void loopsAndDepth();
    void stops();
};

void tst_TreeCheck::whatSqliteWritesIsSound_data() {
    QTest::addColumn<QByteArray>("file");
    QTest::addColumn<int>("pageBytes");
    for (const int pageBytes : {512, 1024, 4096, 65536}) {
        QTest::addRow("%d", pageBytes) << usedTable(pageBytes) << pageBytes;
        QTest::addRow("%d without row ids", pageBytes) << usedTable(pageBytes, {}, " WITHOUT ROWID") << pageBytes;
    }
    const QByteArray vacuumed = usedTable(512, "PRAGMA auto_vacuum=1;");
    QTest::newRow("with a map of pages") << vacuumed << 512;
    QTest::newRow("empty table") << sqliteFile("PRAGMA page_size=4096; CREATE TABLE t (a);") << 4096;
}

void tst_TreeCheck::whatSqliteWritesIsSound() {
    QFETCH(QByteArray, file);
    QFETCH(int, pageBytes);
    const uint64_t root = bigEndian(file, 52, 4) != 0 ? 3 : 2;  // the map of pages is page 2
    for (const uint64_t tree : {uint64_t{1}, root}) {
        const auto damages = check(file, tree, uint32_t(pageBytes));
        QVERIFY2(damages.empty(), damages.empty() ? "" : damages[0].what.c_str());
        QVERIFY(checkAll(file, tree, uint32_t(pageBytes)).rows.empty());
    }
}

void tst_TreeCheck::eachLostPageIsFound() {
    const QByteArray file = usedTable(kPage);
    int found = 0;
    for (qsizetype page = 1; page < file.size() / kPage; ++page) {
        const int type = file[page * kPage];
        QByteArray damaged = file;
        damaged.replace(page * kPage, kPage, QByteArray(kPage, '\0'));
        const auto damages = check(damaged, 2, kPage);
        // Pages of long texts and free ones begin with a number that is small, so no such type.
        if (type == 5 || type == 13) {
            QCOMPARE(damages.size(), size_t(1));
            QCOMPARE(damages[0].offset, uint64_t(page * kPage));
            ++found;
        }
    }
    QVERIFY(found > 100);
    QCOMPARE(check(file.left(file.size() / 2), 2, kPage).empty(), false);
}

void tst_TreeCheck::rangesOfRowIds() {
    // A root with leaves below it: the key of its cell is the largest row id of the leaf.
    const QByteArray file = sqliteFile(
        "PRAGMA page_size=512; CREATE TABLE t (id INTEGER PRIMARY KEY, value TEXT);"
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100) INSERT INTO t SELECT i, "
        "printf('%.*c', 20, 'x') FROM n;");
    const qsizetype root = kPage;
    QCOMPARE(int(file[root]), 5);
    const auto cell = [&](int i) { return root + bigEndian(file, root + 12 + 2 * i, 2); };
    const auto key = [&](int i) { return std::optional<int64_t>(uint8_t(file[cell(i) + 4])); };
    QByteArray damaged = file;
    const auto lose = [&](quint32 page) { damaged[(page - 1) * kPage] = '\0'; };
    lose(bigEndian(file, cell(0), 4));
    lose(bigEndian(file, cell(2), 4));
    lose(bigEndian(file, root + 8, 4));
    const auto damages = check(damaged, 2, kPage);
    QCOMPARE(damages.size(), size_t(3));
    QCOMPARE(damages[0].above, std::nullopt);
    QCOMPARE(damages[0].upTo, key(0));
    QCOMPARE(damages[1].above, key(1));
    QCOMPARE(damages[1].upTo, key(2));
    QCOMPARE(damages[2].above, key(int(bigEndian(file, root + 3, 2)) - 1));
    QCOMPARE(damages[2].upTo, std::nullopt);
}

/// Whoever follows such a chain never comes to its end.
void tst_TreeCheck::aFreeBlockThatLeadsToItself() {
    QByteArray file = usedTable(kPage);
    qsizetype leaf = kPage;
    while (file[leaf] != 13) {
        leaf += kPage;
    }
    const QByteArray contents = file.mid(leaf + 5, 2);
    file.replace(leaf + 1, 2, contents);
    file.replace(leaf + qsizetype(bigEndian(file, leaf + 5, 2)), 4, contents + QByteArray(2, '\0'));
    const auto damages = check(file, 2, kPage);
    QVERIFY(!damages.empty());
    QCOMPARE(damages[0].offset, uint64_t(leaf));
}

void tst_TreeCheck::countsAndPlaces_data() {
    QTest::addColumn<int>("at");  // in the header of a page
    QTest::addColumn<QByteArray>("value");
    QTest::newRow("no cells") << 3 << QByteArray(2, '\0');
    QTest::newRow("a cell less") << 3 << QByteArray();
    QTest::newRow("many cells") << 3 << QByteArray("\x7f\xff");
    QTest::newRow("contents elsewhere") << 5 << QByteArray("\0\x40", 2);
    QTest::newRow("contents behind the end") << 5 << QByteArray("\xff\xff");
    QTest::newRow("fragments") << 7 << QByteArray("\x3b");
    QTest::newRow("free block outside") << 1 << QByteArray("\x01\xff");
    QTest::newRow("free block in the header") << 1 << QByteArray("\0\x04", 2);
    QTest::newRow("a cell outside") << 8 << QByteArray("\xff\xf0");
    QTest::newRow("another type") << 0 << QByteArray("\x0a");
}

void tst_TreeCheck::countsAndPlaces() {
    QFETCH(int, at);
    QFETCH(QByteArray, value);
    const QByteArray file = usedTable(kPage);
    qsizetype leaf = kPage;
    while (file[leaf] != 13) {
        leaf += kPage;
    }
    if (value.isEmpty()) {
        value = QByteArray(1, '\0') + char(bigEndian(file, leaf + 3, 2) - 1);
    }
    QByteArray damaged = file;
    damaged.replace(leaf + at, value.size(), value);
    const auto damages = check(damaged, 2, kPage);
    QCOMPARE(damages.size(), size_t(1));
    QCOMPARE(damages[0].offset, uint64_t(leaf));
    QVERIFY(damages[0].what.starts_with("page " + std::to_string(leaf / kPage + 1) + ": "));
}

/// Each byte of a row's types as each other: SQLite reads what comes of it without a word, but for a few.
void tst_TreeCheck::rowsThatAreNoRecords() {
    const QByteArray file = sqliteFile(
        "PRAGMA page_size=512; CREATE TABLE t (a, b, c, d, e, f);"
        "INSERT INTO t VALUES (1, 70000, 'abc', NULL, 1.5, x'0102'), (300, 0, 'x', 5, NULL, 1);");
    const qsizetype cell = kPage + qsizetype(bigEndian(file, kPage + 8, 2));
    // payload, row id, bytes of types, then the types: 9 (the 1), 3, a text of 3, null, real, a blob of 2
    QCOMPARE(file.mid(cell + 1, 8), QByteArray("\x01\x07\x09\x03\x13\x00\x07\x10", 8));
    const std::array<int, 12> sizes = {0, 1, 2, 3, 4, 6, 8, 8, 0, 0, -1, -1};
    const auto sizeOf = [&](int type) { return type < 12 ? sizes[size_t(type)] : (type - 12) / 2; };
    for (int i = 0; i < 6; ++i) {
        const qsizetype at = cell + 3 + i;
        for (int type = 0; type < 128; ++type) {
            QByteArray damaged = file;
            damaged[at] = char(type);
            const TreeDamage damage = checkAll(damaged, 2, kPage);
            QVERIFY(damage.pages.empty());
            const bool isSame = sizeOf(type) == sizeOf(uint8_t(file[at]));
            QCOMPARE(damage.rows.size(), size_t(isSame ? 0 : 1));
            if (!isSame) {
                QCOMPARE(damage.rows[0].rowid, int64_t(1));
                QCOMPARE(damage.rows[0].offset, uint64_t(cell));
            }
        }
    }
    for (const char header : {'\0', '\x06', '\x08', '\x7f'}) {
        QByteArray damaged = file;
        damaged[cell + 2] = header;
        QCOMPARE(checkAll(damaged, 2, kPage).rows.size(), size_t(1));
    }
}

void tst_TreeCheck::loopsAndDepth() {
    // Inner pages without cells, each with the next one as its last child.
    const auto chain = [](int pages, quint32 last) {
        QByteArray file(qsizetype(kPage) * (pages + 1), '\0');
        for (int i = 1; i <= pages; ++i) {
            const quint32 child = i == pages ? last : quint32(i) + 2;
            QByteArray page = QByteArray("\x05\0\0\0\x01\x01\xfb\0", 8);
            const QByteArray number = QByteArray::fromHex(QByteArray::number(child, 16).rightJustified(8, '0'));
            page += number + QByteArray("\x01\xfb", 2) + QByteArray(0x1fb - 14, '\0') + number + '\x01';
            file.replace(qsizetype(i) * kPage, kPage, page);
        }
        return file;
    };
    const auto damages = check(chain(100'000, 2), 2, kPage);
    QVERIFY(!damages.empty() && damages.size() < 50);
    QVERIFY(damages[0].what.find("nested too deeply") != std::string::npos);
    const auto loop = check(chain(3, 2), 2, kPage);
    QVERIFY(loop.size() >= 2);
    QVERIFY2(loop[0].what.find("it leads to page 2 again") != std::string::npos, loop[0].what.c_str());
    const auto outside = check(chain(1, 77), 2, kPage);
    QVERIFY(outside[0].what.find("page 77, which is not there") != std::string::npos);
    QCOMPARE(check(chain(1, 77), 99, kPage)[0].offset, uint64_t(0));
}

void tst_TreeCheck::stops() {
    QByteArray file = usedTable(kPage);
    file.replace(qsizetype(20) * kPage, qsizetype(100) * kPage, QByteArray(qsizetype(100) * kPage, '\0'));
    QVERIFY(!check(file, 2, kPage).empty());
    JobControl job;
    job.requestStop();
    QVERIFY(check(file, 2, kPage, &job).empty());
}

QTEST_GUILESS_MAIN(tst_TreeCheck)
#include "tst_tree_check.moc"
