// SPDX-License-Identifier: MIT
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <QDir>
#include <QTemporaryDir>
#include <QTest>
#include <cstdlib>

#include "core/cache/trace_cache.h"

using namespace warpline;

class tst_TraceCache : public QObject {
    Q_OBJECT
private slots:
    void limits_data();
    void limits();
    void settingsOfTheEnvironment();
    void isForTheUserAlone();
    void findsWhatItKeeps();
    void deletesWhatWasNotUsedForLongest();
    void leavesNothingBehind();
    void unwritableFolder();
    void twoProcesses();
    void clears();
    void isOff();

private:
    CacheSettings settings(uint64_t limit = 1000) const {
        return {m_folder->filePath("a/traces").toStdString(), limit};
    }
    QStringList files() const { return QDir(m_folder->filePath("a/traces")).entryList(QDir::Files | QDir::Hidden); }
    std::unique_ptr<QTemporaryDir> m_folder;

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
};

namespace {

CacheKey keyOf(uint64_t number) {
    return {100 + number, {number, number}};
}

Status write(int descriptor, const std::string& text) {
    return ::write(descriptor, text.data(), text.size()) == static_cast<ssize_t>(text.size())
               ? Status::success()
               : Error::failed("cannot be written");
}

Status add(const TraceCache& cache, uint64_t number, size_t bytes) {
    return cache.add(keyOf(number), [&](int descriptor) {
        return write(descriptor, std::string(bytes, static_cast<char>('a' + number)));
    });
}

std::string read(const CachedImage& image) {
    std::string text(10'000, '\0');
    const ssize_t count = ::pread(image.descriptor(), text.data(), text.size(), 0);
    text.resize(count > 0 ? static_cast<size_t>(count) : 0);
    return text;
}

void setUsed(const CachedImage& image, time_t seconds) {
    const timespec times[2] = {{seconds, 0}, {seconds, 0}};
    QCOMPARE(::futimens(image.descriptor(), times), 0);
}

}  // namespace

void tst_TraceCache::limits_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<qint64>("bytes");  // -1: none
    QTest::newRow("bytes") << "1000000" << qint64(1000000);
    QTest::newRow("nothing") << "0" << qint64(0);
    QTest::newRow("kilo") << "3k" << qint64(3072);
    QTest::newRow("mega") << "512M" << (qint64(512) << 20);
    QTest::newRow("giga") << "2 GiB" << (qint64(2) << 30);
    QTest::newRow("tera") << "1TB" << (qint64(1) << 40);
    QTest::newRow("empty") << "" << qint64(-1);
    QTest::newRow("negative") << "-1" << qint64(-1);
    QTest::newRow("fraction") << "1.5G" << qint64(-1);
    QTest::newRow("word") << "lots" << qint64(-1);
    QTest::newRow("two units") << "1MM" << qint64(-1);
    QTest::newRow("too large") << "99999999999T" << qint64(-1);
    QTest::newRow("far too large") << "99999999999999999999999" << qint64(-1);
}

void tst_TraceCache::limits() {
    QFETCH(QString, text);
    QFETCH(qint64, bytes);
    const auto found = parseCacheLimit(text.toStdString());
    QCOMPARE(found ? qint64(*found) : qint64(-1), bytes);
}

void tst_TraceCache::settingsOfTheEnvironment() {
    ::setenv("XDG_CACHE_HOME", "/somewhere", 1);
    ::unsetenv("WARPLINE_CACHE_LIMIT");
    QCOMPARE(cacheSettings().folder, std::string("/somewhere/warpline/traces"));
    QCOMPARE(cacheSettings().limitBytes, uint64_t{2} << 30);
    ::setenv("WARPLINE_CACHE_LIMIT", "5M", 1);
    QCOMPARE(cacheSettings().limitBytes, uint64_t{5} << 20);
    for (const char* off : {"0", "off"}) {
        ::setenv("WARPLINE_CACHE_LIMIT", off, 1);
        QVERIFY(!cacheSettings().isOn());
        QVERIFY(cacheSettings().problem.empty());
    }
    ::setenv("WARPLINE_CACHE_LIMIT", "plenty", 1);
    QVERIFY(!cacheSettings().isOn());
    QVERIFY(cacheSettings().problem.find("plenty") != std::string::npos);
    ::setenv("WARPLINE_CACHE_LIMIT", "5M", 1);
    ::setenv("XDG_CACHE_HOME", "relative", 1);
    ::setenv("HOME", "/home/someone", 1);
    QCOMPARE(cacheSettings().folder, std::string("/home/someone/.cache/warpline/traces"));
    ::unsetenv("HOME");
    QVERIFY(!cacheSettings().isOn());
}

void tst_TraceCache::isForTheUserAlone() {
    const TraceCache cache(settings());
    const mode_t before = ::umask(0);
    QVERIFY(add(cache, 1, 10).ok());
    ::umask(before);
    struct stat folder {};
    struct stat file {};
    QCOMPARE(::stat(settings().folder.c_str(), &folder), 0);
    QCOMPARE(folder.st_mode & 0777, mode_t{0700});
    QCOMPARE(::stat((settings().folder + "/" + files().at(0).toStdString()).c_str(), &file), 0);
    QCOMPARE(file.st_mode & 0777, mode_t{0600});
}

void tst_TraceCache::findsWhatItKeeps() {
    const TraceCache cache(settings());
    QVERIFY(!cache.mayHave(101));
    QVERIFY(!cache.find(keyOf(1)).has_value());
    QVERIFY(add(cache, 1, 10).ok());
    QVERIFY(cache.mayHave(101));
    QVERIFY(!cache.mayHave(102));
    const auto image = cache.find(keyOf(1));
    QVERIFY(image.has_value());
    QCOMPARE(read(*image), std::string(10, 'b'));
    CacheKey other = keyOf(1);
    other.hash.low ^= 1;
    QVERIFY(!cache.find(other).has_value());
    QCOMPARE(cache.bytes(), uint64_t{10});
    cache.drop(*image);
    QVERIFY(!cache.find(keyOf(1)).has_value());
    QCOMPARE(read(*image), std::string(10, 'b'));  // who has it open reads on
    // One that has taken its place is not dropped with it.
    QVERIFY(add(cache, 1, 20).ok());
    cache.drop(*image);
    QVERIFY(cache.find(keyOf(1)).has_value());
}

void tst_TraceCache::deletesWhatWasNotUsedForLongest() {
    const TraceCache cache(settings(100));
    for (const uint64_t number : {1, 2, 3}) {
        QVERIFY(add(cache, number, 30).ok());
        setUsed(*cache.find(keyOf(number)), static_cast<time_t>(1000 + number));
    }
    QCOMPARE(cache.bytes(), uint64_t{90});
    QVERIFY(cache.find(keyOf(1)).has_value());  // used again, so that 2 is the oldest
    QVERIFY(add(cache, 4, 30).ok());
    QVERIFY(!cache.find(keyOf(2)).has_value());
    QVERIFY(cache.find(keyOf(1)).has_value());
    QVERIFY(cache.find(keyOf(3)).has_value());
    QVERIFY(cache.find(keyOf(4)).has_value());
    // Exactly the limit is allowed; more is not, and deletes nothing.
    QVERIFY(!add(cache, 5, 101).ok());
    QCOMPARE(cache.bytes(), uint64_t{90});
    QVERIFY(add(cache, 5, 100).ok());
    QCOMPARE(cache.bytes(), uint64_t{100});
    QCOMPARE(files().size(), 1);
}

void tst_TraceCache::leavesNothingBehind() {
    const TraceCache cache(settings());
    const auto fail = [](int descriptor) {
        static_cast<void>(write(descriptor, "half"));
        return Status(Error::failed("disk full"));
    };
    const Status status = cache.add(keyOf(1), fail);
    QVERIFY(!status.ok());
    QCOMPARE(status.error().message, std::string("disk full"));
    QCOMPARE(files(), QStringList());
    const auto give = [](int) -> Status { throw std::bad_alloc(); };
    QVERIFY_THROWS_EXCEPTION(std::bad_alloc, static_cast<void>(cache.add(keyOf(1), give)));
    QCOMPARE(files(), QStringList());
    // What another process left long ago goes; what one may be writing stays.
    for (const char* name : {"old.part", "new.part"}) {
        QFile file(m_folder->filePath(QStringLiteral("a/traces/") + name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        if (name[0] == 'o') {
            const timespec times[2] = {{1000, 0}, {1000, 0}};
            QCOMPARE(::futimens(file.handle(), times), 0);
        }
    }
    QVERIFY(add(cache, 1, 10).ok());
    QVERIFY(!files().contains("old.part"));
    QVERIFY(files().contains("new.part"));
}

void tst_TraceCache::unwritableFolder() {
    QFile inTheWay(m_folder->filePath("a"));
    QVERIFY(inTheWay.open(QIODevice::WriteOnly));
    const TraceCache cache(settings());
    const Status status = add(cache, 1, 10);
    QVERIFY(!status.ok());
    QVERIFY(!status.error().message.empty());
    QVERIFY(!cache.mayHave(101));
    QVERIFY(!cache.find(keyOf(1)).has_value());
    QCOMPARE(cache.bytes(), uint64_t{0});
    QVERIFY(cache.clear().ok());
}

/// Both write and read the same few images, with a limit that makes them delete each other's.
void tst_TraceCache::twoProcesses() {
    const auto work = [this](unsigned first) {
        const TraceCache cache(settings(250));
        for (unsigned i = 0; i < 200; ++i) {
            const uint64_t number = (first + i) % 5;
            if (const auto image = cache.find(keyOf(number))) {
                if (read(*image) != std::string(100, static_cast<char>('a' + number))) {
                    return 2;
                }
            }
            if (!add(cache, number, 100).ok()) {
                return 3;
            }
        }
        return 0;
    };
    const pid_t child = ::fork();
    QVERIFY(child >= 0);
    if (child == 0) {
        ::_exit(work(0));
    }
    const int here = work(2);
    int status = 0;
    QCOMPARE(::waitpid(child, &status, 0), child);
    QVERIFY(WIFEXITED(status));
    QCOMPARE(WEXITSTATUS(status), 0);
    QCOMPARE(here, 0);
    QVERIFY(TraceCache(settings(250)).bytes() <= 300);  // one more where both looked at the same time
    for (const QString& file : files()) {
        QVERIFY2(file.endsWith(".image"), qPrintable(file));
    }
}

void tst_TraceCache::clears() {
    const TraceCache cache(settings());
    QVERIFY(add(cache, 1, 10).ok());
    QVERIFY(add(cache, 2, 10).ok());
    QFile other(m_folder->filePath("a/traces/notes.txt"));
    QVERIFY(other.open(QIODevice::WriteOnly));
    QVERIFY(cache.clear().ok());
    QCOMPARE(files(), QStringList("notes.txt"));
    QCOMPARE(cache.bytes(), uint64_t{0});
}

void tst_TraceCache::isOff() {
    QVERIFY(add(TraceCache(settings()), 1, 10).ok());
    const TraceCache off(settings(0));
    QVERIFY(!off.mayHave(101));
    QVERIFY(!off.find(keyOf(1)).has_value());
    QVERIFY(!add(off, 2, 10).ok());
    QCOMPARE(files().size(), 1);
}

QTEST_GUILESS_MAIN(tst_TraceCache)
#include "tst_trace_cache.moc"
