// SPDX-License-Identifier: MIT
// The command line reads the cache of traces and never writes it.
#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include "core/cache/cached_load.h"
#include "tests/support/cli_process.h"

using namespace warpline;
using namespace warpline::test;

class tst_Cache : public QObject {
    Q_OBJECT

private slots:
    void readsAndNeverWrites();
    void saysWhatIsWrong();
};

namespace {

CliOptions optionsIn(const QTemporaryDir& home, const QString& limit) {
    CliOptions options;
    options.environment = {{"XDG_CACHE_HOME", home.filePath("cache")}, {"WARPLINE_CACHE_LIMIT", limit}};
    return options;
}

}  // namespace

void tst_Cache::readsAndNeverWrites() {
    const QTemporaryDir home;
    const QString path = dataFile("jax.trace.json.gz");
    const QStringList command{"dump", path, "--json", "--verbose"};
    const CliOptions on = optionsIn(home, "1G");
    const CliRun first = runCli(command, on);
    QCOMPARE(first.code, 0);
    QCOMPARE(first.errorLines(), QList<QByteArray>{"warpline: read from the file, not from the cache"});
    QVERIFY(!QDir(home.filePath("cache")).exists());

    // As the window does.
    const CacheSettings settings{home.filePath("cache/warpline/traces").toStdString(), uint64_t{1} << 30, {}, 0};
    JobControl job;
    const auto loaded = loadTraceCached({path.toStdString()}, {}, settings, job);
    QVERIFY(loaded.ok() && loaded.value().toStore);
    QVERIFY(storeTrace(*loaded.value().trace, *loaded.value().toStore, settings, job).ok());

    const CliRun second = runCli(command, on);
    QCOMPARE(second.code, 0);
    QCOMPARE(second.errorLines(), QList<QByteArray>{"warpline: read from the cache"});
    QCOMPARE(second.out, first.out);
    const CliRun without = runCli(command + QStringList("--no-cache"), on);
    QCOMPARE(without.errorLines(), QList<QByteArray>{"warpline: read from the file, not from the cache"});
    QCOMPARE(without.out, first.out);
    QCOMPARE(runCli(command, optionsIn(home, "off")).errorLines(), without.errorLines());
    // Without --verbose there is nothing to say.
    QCOMPARE(runCli({"dump", path}, on).err, QByteArray());
}

void tst_Cache::saysWhatIsWrong() {
    const QTemporaryDir home;
    const CliRun run = runCli({"info", dataFile("jax.trace.json.gz"), "--verbose"}, optionsIn(home, "much"));
    QCOMPARE(run.code, 0);
    QVERIFY2(run.err.contains("WARPLINE_CACHE_LIMIT is no size: much"), run.err.constData());
}

QTEST_GUILESS_MAIN(tst_Cache)
#include "tst_cache.moc"
