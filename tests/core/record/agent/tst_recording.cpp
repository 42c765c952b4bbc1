// SPDX-License-Identifier: MIT
// A recording as the window makes it: started, paused, stopped, finished; over the stand-in for CUPTI.
#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <thread>

#include "core/capture/texts.h"
#include "core/record/agent/recording.h"
#include "tests/support/standin/record_bench.h"

using namespace warpline;
using namespace warpline::capture;
using namespace warpline::record;
using namespace warpline::test;

class TestRecording : public QObject {
    Q_OBJECT

private slots:
    void fromStartToEnd();
    void live();
    void pauses();
    void stopsWhileTheProgramGoesOn();
    void failsToStart();
    void sinkFails();

private:
    Recording::Setting settingOf(const std::vector<std::string>& todo) const {
        Recording::Setting setting;
        setting.program.arguments = {cudaProgram().toStdString()};
        setting.program.arguments.insert(setting.program.arguments.end(), todo.begin(), todo.end());
        setting.program.environment = {{"WARPLINE_CUPTI", cuptiStandin().toStdString()}};
        setting.injectionLibrary = injectionLibrary().toStdString();
        setting.spacePrefix = m_folder.filePath("space-").toStdString();
        return setting;
    }
    std::string file(const char* name) const { return m_folder.filePath(name).toStdString(); }

    QTemporaryDir m_folder;
};

namespace {

/// What came, as it comes.
struct Stream {
    std::string bytes;
    CaptureMerger::Sink sink() {
        return [this](std::string_view piece) {
            bytes += piece;
            return true;
        };
    }
};

/// Polls as the recording's user does.
void pollUntil(Recording& recording, const std::function<bool()>& isDone) {
    for (int i = 0; i < 6000 && !isDone(); ++i) {
        recording.poll();
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
}

int endOf(Recording& recording) {
    pollUntil(recording, [&] { return recording.programEnded().has_value(); });
    return recording.programEnded().value_or(-1);
}

}  // namespace

void TestRecording::fromStartToEnd() {
    Stream stream;
    Recording::Setting setting = settingOf({"init", "launch=500", "exit=3"});
    appendFact(setting.facts, "asked", "so");
    setting.options.mostBytes = 1'000'000'000;
    {
        auto started = Recording::start(setting, stream.sink());
        QVERIFY(started.ok());
        Recording& recording = started.value();
        QCOMPARE(endOf(recording), 3);
        recording.finish("the program ended");
        QCOMPARE(recording.counts().kernels, 500U);
        QCOMPARE(recording.counts().ended, 1U);
        QCOMPARE(recording.writeError(), 0);
    }
    const CaptureContent content = readCapture(stream.bytes);
    QCOMPARE(content.records<KernelRecord>().size(), 500U);
    QCOMPARE(content.fact(0, "asked"), std::string("so"));
    QCOMPARE(content.fact(0, "reason"), std::string("the program ended"));
    QCOMPARE(content.fact(0, "exit_code"), std::string("3"));
    QCOMPARE(content.fact(0, "program_pid"), content.fact(1, "pid"));
    QVERIFY(content.fact(1, "level").find("most_bytes=1000000000") != std::string::npos);
    QVERIFY(content.records<ClockRecord>(0).size() >= 2U);
    QVERIFY(QDir(m_folder.path()).entryList({"space-*"}, QDir::AllEntries).isEmpty());
}

/// Launches are noted as they happen, while CUPTI holds its records back behind a kernel.
void TestRecording::live() {
    Stream stream;
    const std::string go = file("live-go");
    Recording::Setting setting = settingOf({"init", "running=long", "launch=100", "wait-for=" + go, "ended", "exit=0"});
    setting.options.isLive = true;
    auto started = Recording::start(setting, stream.sink());
    QVERIFY(started.ok());
    Recording& recording = started.value();
    const auto notes = [&] { return readCapture(stream.bytes).records<LaunchRecord>().size(); };
    pollUntil(recording, [&] { return notes() == 101; });
    QCOMPARE(notes(), 101U);
    QCOMPARE(recording.counts().kernels, 0U);
    QFile file(QString::fromStdString(go));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(endOf(recording), 0);
    recording.finish("the program ended");
    const CaptureContent content = readCapture(stream.bytes);
    QCOMPARE(content.records<KernelRecord>().size(), 101U);
    std::set<uint32_t> noted, run;
    for (const LaunchRecord& launch : content.records<LaunchRecord>()) {
        noted.insert(launch.correlation);
        const std::string name = content.text(1, launch.name);
        QVERIFY(name == "long" || name == "_Z6kernelPf");
    }
    for (const KernelRecord& kernel : content.records<KernelRecord>()) {
        run.insert(kernel.correlation);
    }
    QCOMPARE(noted, run);
}

/// What was launched before and after is there, what was launched meanwhile is not.
void TestRecording::pauses() {
    Stream stream;
    const std::string one = file("one"), two = file("two"), three = file("three"), four = file("four");
    auto started = Recording::start(
        settingOf({"init", "launch=100", "touch=" + one, "wait-for=" + two, "until-paused", "launch=50",
                   "touch=" + three, "wait-for=" + four, "until-recorded", "launch=7", "exit=0"}),
        stream.sink());
    QVERIFY(started.ok());
    Recording& recording = started.value();
    const auto isThere = [](const std::string& path) { return QFile::exists(QString::fromStdString(path)); };
    const auto touch = [](const std::string& path) {
        QFile file(QString::fromStdString(path));
        return file.open(QIODevice::WriteOnly);
    };
    pollUntil(recording, [&] { return isThere(one); });
    recording.pause(true);
    QVERIFY(touch(two));
    pollUntil(recording, [&] { return isThere(three); });
    // What came before the pause comes in it.
    pollUntil(recording, [&] { return recording.counts().kernels >= 100; });
    QCOMPARE(recording.counts().kernels, 100U);
    recording.pause(false);
    QVERIFY(touch(four));
    QCOMPARE(endOf(recording), 0);
    recording.finish("the program ended");
    QCOMPARE(recording.counts().kernels, 107U);
}

void TestRecording::stopsWhileTheProgramGoesOn() {
    Stream stream;
    const std::string inited = file("stop-inited"), done = file("stop-done");
    auto started = Recording::start(settingOf({"init", "launch=100", "touch=" + inited, "until-stopped", "launch=50000",
                                               "touch=" + done, "exit=5"}),
                                    stream.sink());
    QVERIFY(started.ok());
    Recording& recording = started.value();
    pollUntil(recording, [&] { return QFile::exists(QString::fromStdString(inited)); });
    recording.finish("stopped");
    QCOMPARE(recording.counts().ended, 1U);
    QVERIFY(recording.counts().kernels >= 100U);
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(QString::fromStdString(done)), 60000);
    QTRY_VERIFY_WITH_TIMEOUT(recording.programEnded().has_value(), 60000);
    QCOMPARE(*recording.programEnded(), 5);
    const CaptureContent content = readCapture(stream.bytes);
    QCOMPARE(content.fact(1, "reason"), std::string("stopped"));
    QCOMPARE(content.fact(0, "reason"), std::string("stopped"));
    QVERIFY(content.records<KernelRecord>().size() < 50000U);
}

void TestRecording::failsToStart() {
    Stream stream;
    const auto whyNot = [&](auto change) {
        Recording::Setting setting = settingOf({"init"});
        change(setting);
        const auto started = Recording::start(setting, stream.sink());
        return started.ok() ? std::string() : started.error().message;
    };
    QCOMPARE(whyNot([](Recording::Setting& setting) { setting.program.arguments = {"/no/such/program"}; }),
             std::string("/no/such/program: No such file or directory"));
    QVERIFY(QDir(m_folder.path()).entryList({"space-*"}, QDir::AllEntries).isEmpty());
    QVERIFY(whyNot([](Recording::Setting& setting) {
                setting.injectionLibrary = "/no/such/library.so";
            }).starts_with("/no/such/library.so"));
    QVERIFY(whyNot([](Recording::Setting& setting) {
                setting.spacePrefix = "/no/such/folder/space-";
            }).find("/no/such/folder") != std::string::npos);
    QVERIFY(stream.bytes.empty());
}

/// The program goes on; the end of the recording is not waited for.
void TestRecording::sinkFails() {
    int calls = 0;
    auto started = Recording::start(settingOf({"init", "launch=5000", "until-stopped", "exit=6"}),
                                    [&](std::string_view) { return ++calls < 4; });
    QVERIFY(started.ok());
    Recording& recording = started.value();
    bool isGood = true;
    for (int i = 0; i < 6000 && isGood; ++i) {
        isGood = recording.poll();
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    QVERIFY(!isGood);
    recording.stop();
    QTRY_VERIFY_WITH_TIMEOUT(recording.programEnded().has_value(), 60000);
    QCOMPARE(*recording.programEnded(), 6);
    recording.finish("no room");
    QCOMPARE(calls, 4);
}

QTEST_GUILESS_MAIN(TestRecording)
#include "tst_recording.moc"
