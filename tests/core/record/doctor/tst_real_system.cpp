// SPDX-License-Identifier: MIT
#include <unistd.h>

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "core/record/doctor/profiling_clients.h"
#include "core/record/doctor/system_view.h"

using namespace warpline::record;

class TestRealSystem : public QObject {
    Q_OBJECT

private slots:
    void files();
    void environment();
    void libraries();
    void processes();
};

void TestRealSystem::files() {
    const QTemporaryDir dir;
    const std::string folder = dir.path().toStdString();
    for (const char* name : {"b", "a"}) {
        QFile file(dir.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray(*name == 'a' ? 3 : (1 << 20) + 5, *name));
    }
    const SystemView& system = realSystem();
    QCOMPARE(*system.readFile(folder + "/a"), std::string("aaa"));
    QCOMPARE(system.readFile(folder + "/b")->size(), size_t{1} << 20);
    QVERIFY(!system.readFile(folder + "/c"));
    QVERIFY(!system.readFile(folder));
    QCOMPARE(system.listFolder(folder), (std::vector<std::string>{"a", "b"}));
    QVERIFY(system.listFolder(folder + "/c").empty());
    QVERIFY(system.exists(folder) && !system.exists(folder + "/c"));
}

void TestRealSystem::environment() {
    qputenv("WARPLINE_TEST_VARIABLE", "");
    QCOMPARE(realSystem().environment("WARPLINE_TEST_VARIABLE"), std::optional<std::string>(""));
    qunsetenv("WARPLINE_TEST_VARIABLE");
    QVERIFY(!realSystem().environment("WARPLINE_TEST_VARIABLE"));
}

void TestRealSystem::libraries() {
    const LibraryProbe found = realSystem().probeLibrary("libm.so.6", "cuptiGetVersion");
    QVERIFY(found.isFound);
    QVERIFY2(found.path.front() == '/' && found.path.find("libm.so.6") != std::string::npos, found.path.c_str());
    QVERIFY(!found.version);
    const LibraryProbe missing = realSystem().probeLibrary("/nowhere/libcupti.so", nullptr);
    QVERIFY(!missing.isFound);
    QVERIFY(missing.why.find("/nowhere/libcupti.so") != std::string::npos);
}

void TestRealSystem::processes() {
    QCOMPARE(realSystem().processId(), int64_t{getpid()});
    QVERIFY(!realSystem().listFolder("/proc").empty());
    for (const ProfilingClient& client : scanProcesses(realSystem()).clients) {
        QVERIFY(client.pid != int64_t{getpid()});
    }
}

QTEST_GUILESS_MAIN(TestRealSystem)
#include "tst_real_system.moc"
