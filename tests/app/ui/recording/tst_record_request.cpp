// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "app/ui/recording/record_presets.h"
#include "app/ui/recording/record_request.h"
#include "app/ui/recording/recording_link.h"
#include "app/ui/recording/recording_problem.h"
#include "kernels/registry.h"
#include "widgets/support/settings.h"

using namespace warpline;
using namespace warpline::ui;

class TestRecordRequest : public QObject {
    Q_OBJECT

private slots:
    void survivesJson();
    void brokenJsonIsANewRequest();
    void problemsStandAtTheirFields();
    void modesAreThoseOfTheCommandLine();
    void commandLines_data();
    void commandLines();
    void namesAreShort_data();
    void namesAreShort();
    void kernelsAreRunByTheRecorder();
    void presetsAreKept();
};

namespace {

RecordRequest full() {
    RecordRequest request;
    request.program = "A=1 python 'a b.py'";
    request.environment = {{"X", "y z"}, {"EMPTY", ""}};
    request.folder = "/tmp";
    request.kernelPattern = "^gemm";
    request.skip = 3;
    request.count = uint64_t{1} << 40;
    request.range = "step";
    request.schedule = "active=2";
    request.delaySeconds = 1.5;
    request.durationSeconds = 20;
    request.isProfilerRange = true;
    request.api = record::ApiLevel::All;
    request.graph = record::GraphLevel::Launch;
    request.hasAllocationSource = true;
    request.hasCode = false;
    request.followsChildren = false;
    request.hasPython = true;
    request.parameters = {{"M", 4096}};
    return request;
}

}  // namespace

void TestRecordRequest::survivesJson() {
    RecordRequest request = full();
    QVERIFY(requestOf(toJson(request)) == request);
    request.what = RecordRequest::What::Kernel;
    request.kernel = "gemm";
    request.version = "tiled";
    request.mode = RecordRequest::Mode::Nsys;
    request.repetitions = 7;
    request.host = "me@there";
    QVERIFY(requestOf(toJson(request)) == request);
}

void TestRecordRequest::brokenJsonIsANewRequest() {
    QVERIFY(requestOf({}) == RecordRequest());
    const RecordRequest odd =
        requestOf({{"what", 3}, {"skip", -5}, {"repetitions", 0}, {"delay_s", -1.0}, {"environment", "x"}});
    QVERIFY(odd.what == RecordRequest::What::Program);
    QCOMPARE(odd.skip, 0U);
    QCOMPARE(odd.repetitions, 1);
    QCOMPARE(odd.delaySeconds, 0.0);
    QVERIFY(odd.environment.isEmpty());
}

void TestRecordRequest::problemsStandAtTheirFields() {
    QVERIFY(problemsOf(full()).isEmpty());
    RecordRequest request;
    QVERIFY(problemsOf(request)[field::kProgram].contains("python train.py"));
    request = full();
    request.program = "a | b";
    request.environment = {{"", "v"}};
    request.folder = "/no/such/folder";
    request.host = "-oProxyCommand=evil";
    request.kernelPattern = "gemm(";
    request.schedule = "wait=1";
    const auto problems = problemsOf(request);
    QVERIFY(problems[field::kProgram].contains("needs a shell"));
    QVERIFY(problems[field::kEnvironment].contains("no name"));
    QVERIFY(problems[field::kPattern].contains("regular expression"));
    QVERIFY(problems[field::kSchedule].contains("active"));
    QVERIFY(problems[field::kHost].contains("user@host"));
    // On a host the folder is not ours to look at.
    QVERIFY(!problems.contains(field::kFolder));
    request.host.clear();
    QVERIFY(problemsOf(request).contains(field::kFolder));
    request.environment = {{"A B", "v"}};
    QVERIFY(problemsOf(request)[field::kEnvironment].contains("A B"));
}

void TestRecordRequest::modesAreThoseOfTheCommandLine() {
    RecordRequest request;
    request.program = "x";
    request.hasAllocationSource = true;
    record::RecordOptions options = recordOptionsOf(request);
    QVERIFY(options.api == record::ApiLevel::Launch && options.hasMemory && options.hasAllocationSource);
    QVERIFY(options.isLive);
    request.mode = RecordRequest::Mode::Event;
    options = recordOptionsOf(request);
    QVERIFY(options.api == record::ApiLevel::None);
    QVERIFY(!options.hasMemory && !options.hasAllocationSource && !options.hasSynchronization && !options.hasRanges);
    request.range = "step";
    QVERIFY(recordOptionsOf(request).hasRanges);
    request.mode = RecordRequest::Mode::Nsys;
    QVERIFY(recordOptionsOf(request).api == record::ApiLevel::All);
    request.delaySeconds = 0.1;
    QCOMPARE(recordOptionsOf(request).delayNs, 100'000'000);
}

void TestRecordRequest::commandLines_data() {
    QTest::addColumn<QByteArray>("how");
    QTest::addColumn<QString>("line");
    QTest::newRow("plain") << QByteArray("plain") << "warpline record -- python train.py";
    QTest::newRow("full")
        << QByteArray("full")
        << "cd /tmp && env A=1 'X=y z' EMPTY= warpline record --api all --graph launch --memory --no-code "
           "--no-children --python --kernel '^gemm' --skip 3 --count 1099511627776 --nvtx step --profiler-api "
           "--schedule active=2 --delay 1.5 --duration 20 -- python 'a b.py'";
    QTest::newRow("host") << QByteArray("host") << "ssh me@there 'warpline record --mode nsys -- python train.py'";
    QTest::newRow("event") << QByteArray("event") << "warpline record --mode event -- python train.py";
    QTest::newRow("kernel") << QByteArray("kernel")
                            << "warpline run gemm:tiled --param M=1024 --repetitions 50 --api none --no-memory";
}

void TestRecordRequest::commandLines() {
    QFETCH(QByteArray, how);
    QFETCH(QString, line);
    RecordRequest request;
    request.program = "python train.py";
    if (how == "full") {
        request = full();
    } else if (how == "host") {
        request.host = "me@there";
        request.mode = RecordRequest::Mode::Nsys;
    } else if (how == "event") {
        request.mode = RecordRequest::Mode::Event;
    } else if (how == "kernel") {
        request.what = RecordRequest::What::Kernel;
        request.kernel = "gemm";
        request.version = "tiled";
        request.parameters = {{"M", 1024}};
        request.mode = RecordRequest::Mode::Event;
    }
    QCOMPARE(commandLineOf(request), line);
}

void TestRecordRequest::namesAreShort_data() {
    QTest::addColumn<QString>("program");
    QTest::addColumn<QString>("name");
    QTest::newRow("script") << "python3.11 -u /home/me/train.py --steps 2"
                            << "train.py";
    QTest::newRow("module") << "python -m train"
                            << "python";
    QTest::newRow("program") << "./build/bench --x"
                             << "bench";
    QTest::newRow("torchrun") << "torchrun --nproc 2 main.py"
                              << "main.py";
    QTest::newRow("nothing") << ""
                             << "";
    QTest::newRow("broken") << "a |"
                            << "";
}

void TestRecordRequest::namesAreShort() {
    QFETCH(QString, program);
    QFETCH(QString, name);
    RecordRequest request;
    request.program = program;
    QCOMPARE(nameOf(request), name);
}

void TestRecordRequest::kernelsAreRunByTheRecorder() {
    if (kernels::all().empty()) {
        QSKIP("this build has no sample kernels");
    }
    RecordRequest request;
    request.what = RecordRequest::What::Kernel;
    request.kernel = "gemm";
    request.version = "tiled";
    request.parameters = {{"M", 1024}};
    request.checksResult = false;
    QVERIFY(problemsOf(request).isEmpty());
    const QStringList program = programOf(request, "/opt/warpline");
    QCOMPARE(program.mid(0, 3), (QStringList{"/opt/warpline", "kernel-process", "gemm:tiled"}));
    QVERIFY(program.contains("M=1024"));
    QVERIFY(program.contains("--no-check"));
    QVERIFY(recordOptionsOf(request).isProfilerRange);
    request.parameters = {{"M", 3}};
    QVERIFY(problemsOf(request).contains(field::kParameters));
    request.kernel = "none_such";
    QVERIFY(problemsOf(request)[field::kParameters].contains("none_such"));
}

void TestRecordRequest::presetsAreKept() {
    settings::useTemporary();
    QVERIFY(presets::names().isEmpty());
    QVERIFY(presets::last() == RecordRequest());
    presets::save("my run/1", full());
    presets::save("Another", RecordRequest());
    QCOMPARE(presets::names(), (QStringList{"Another", "my run/1"}));
    QVERIFY(presets::preset("my run/1") == full());
    presets::remove("Another");
    QCOMPARE(presets::names(), QStringList("my run/1"));
    RecordRequest there = full();
    for (const char* host : {"a", "b", "a"}) {
        there.host = host;
        presets::setLast(there);
    }
    QVERIFY(presets::last() == there);
    QCOMPARE(presets::hosts(), (QStringList{"a", "b"}));
}

QTEST_MAIN(TestRecordRequest)
#include "tst_record_request.moc"
