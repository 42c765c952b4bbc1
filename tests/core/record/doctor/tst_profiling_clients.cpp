// SPDX-License-Identifier: MIT
#include <QTest>

#include "core/record/doctor/profiling_clients.h"
#include "tests/support/made_up_system.h"

using namespace warpline::record;
using warpline::test::MadeUpSystem;

namespace {

const std::string kInjected = std::string("A=1\0CUDA_INJECTION64_PATH=/opt/tool.so\0B=2\0", 43);
const std::string kCudaMaps = "7f00-7f01 r-xp 0 0:0 1 /usr/lib/libcuda.so.580.95.05\n";

}  // namespace

class TestProfilingClients : public QObject {
    Q_OBJECT

private slots:
    void tools_data();
    void tools();
    void injectedPrograms();
    void variableWithoutCuda();
    void emptyVariable();
    void ourOwnRecordings();
    void thisProcessIsLeftOut();
    void hiddenProcesses();
    void countersAndMps();
    void manyAreSummedUp();
};

void TestProfilingClients::tools_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("why");
    QTest::newRow("nsys") << QStringList{"/opt/nvidia/nsys", "profile", "a"} << "is Nsight Systems";
    QTest::newRow("ncu") << QStringList{"ncu", "a"} << "is Nsight Compute";
    QTest::newRow("cuda-gdb") << QStringList{"/usr/bin/cuda-gdb"} << "is the CUDA debugger";
    QTest::newRow("sanitizer") << QStringList{"compute-sanitizer", "a"} << "is Compute Sanitizer";
    QTest::newRow("a script") << QStringList{"/bin/bash", "/usr/bin/ncu", "a"} << "is Nsight Compute";
    QTest::newRow("an argument is no tool") << QStringList{"/usr/bin/less", "/usr/bin/ncu"} << "";
    QTest::newRow("another name") << QStringList{"ncursesapp"} << "";
    QTest::newRow("a folder's name") << QStringList{"/opt/nsys/python"} << "";
}

void TestProfilingClients::tools() {
    QFETCH(QStringList, arguments);
    QFETCH(QString, why);
    MadeUpSystem system;
    std::vector<std::string> words;
    for (const QString& argument : arguments) {
        words.push_back(argument.toStdString());
    }
    system.addProcess(4711, words);
    const ProcessScan scan = scanProcesses(system);
    QCOMPARE(scan.processes, size_t{1});
    QCOMPARE(scan.clients.size(), why.isEmpty() ? size_t{0} : size_t{1});
    if (!why.isEmpty()) {
        QCOMPARE(scan.clients[0].pid, int64_t{4711});
        QCOMPARE(QString::fromStdString(scan.clients[0].why), why);
    }
}

void TestProfilingClients::injectedPrograms() {
    MadeUpSystem system;
    system.addProcess(12, {"/usr/bin/python3", "train.py"}, kInjected, kCudaMaps);
    const ProcessScan scan = scanProcesses(system);
    QCOMPARE(describe(scan.clients),
             std::string("python3 (process 12) is run under CUDA_INJECTION64_PATH=/opt/tool.so"));
    // Maps that may not be read say nothing against it.
    system.files.erase("/proc/12/maps");
    QCOMPARE(scanProcesses(system).clients.size(), size_t{1});
}

void TestProfilingClients::variableWithoutCuda() {
    MadeUpSystem system;
    system.addProcess(12, {"bash"}, kInjected, "7f00-7f01 r-xp 0 0:0 1 /usr/lib/libc.so.6\n");
    QVERIFY(scanProcesses(system).clients.empty());
}

void TestProfilingClients::emptyVariable() {
    MadeUpSystem system;
    system.addProcess(12, {"a"}, std::string("CUDA_INJECTION64_PATH=\0", 23), kCudaMaps);
    system.addProcess(13, {"b"}, std::string("MY_CUDA_INJECTION64_PATH=/x\0", 28), kCudaMaps);
    QVERIFY(scanProcesses(system).clients.empty());
}

void TestProfilingClients::ourOwnRecordings() {
    MadeUpSystem system;
    system.addProcess(12, {"gemm"}, "CUDA_INJECTION64_PATH=/opt/warpline/bin/libwarpline_inject.so", kCudaMaps);
    QCOMPARE(describe(scanProcesses(system).clients), std::string("gemm (process 12) is recorded by warpline"));
}

void TestProfilingClients::thisProcessIsLeftOut() {
    MadeUpSystem system;
    system.addProcess(1, {"nsys"});
    const ProcessScan scan = scanProcesses(system);
    QCOMPARE(scan.processes, size_t{0});
    QVERIFY(scan.clients.empty());
}

void TestProfilingClients::hiddenProcesses() {
    MadeUpSystem system;
    system.addProcess(12, {"a"});
    system.addProcess(13, {"b"});
    system.files.erase("/proc/13/environ");
    system.files["/proc/14/cmdline"] = "";  // a thread of the kernel
    system.files["/proc/meminfo"] = "";
    const ProcessScan scan = scanProcesses(system);
    QCOMPARE(scan.processes, size_t{2});
    QCOMPARE(scan.hidden, size_t{1});
}

void TestProfilingClients::countersAndMps() {
    MadeUpSystem system;
    system.addProcess(12, {"/usr/bin/nv-hostengine", "-n"});
    system.addProcess(13, {"nvidia-cuda-mps-control", "-d"});
    system.addProcess(14, {"nvidia-cuda-mps-server"});
    const ProcessScan scan = scanProcesses(system);
    QVERIFY(scan.clients.empty());
    QCOMPARE(describe(scan.counters), std::string("nv-hostengine (process 12) is DCGM"));
    QCOMPARE(scan.mps.size(), size_t{2});
}

void TestProfilingClients::manyAreSummedUp() {
    std::vector<ProfilingClient> clients;
    for (int pid = 1; pid <= 6; ++pid) {
        clients.push_back({pid, "a", "is b"});
    }
    QCOMPARE(describe(clients), std::string("a (process 1) is b, a (process 2) is b, a (process 3) is b, a (process 4) "
                                            "is b, and 2 more"));
    QCOMPARE(describe({}), std::string());
}

QTEST_GUILESS_MAIN(TestProfilingClients)
#include "tst_profiling_clients.moc"
