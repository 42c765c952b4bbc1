// SPDX-License-Identifier: MIT
// `warpline agent --stdio`, spoken to over its pipes as the window does.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTest>

#include "core/capture/texts.h"
#include "tests/support/capture_reader.h"
#include "tests/support/standin/record_bench.h"

using namespace warpline;
using namespace warpline::capture;
using namespace warpline::test;

namespace {

struct Agent {
    RecordBench bench;
    std::unique_ptr<QProcess> process =
        bench.startProgram(WARPLINE_CLI_PATH, {"agent", "--stdio"}, QIODevice::ReadWrite);
    QByteArray bytes;

    void say(const QJsonObject& command) {
        process->write(QJsonDocument(command).toJson(QJsonDocument::Compact) + "\n");
    }
    void start(const QStringList& program, const QString& options = {}) {
        say({{"do", "start"}, {"program", QJsonArray::fromStringList(program)}, {"options", options}});
    }
    CaptureContent content() {
        bytes += process->readAllStandardOutput();
        return readCapture({bytes.data(), static_cast<size_t>(bytes.size())});
    }
    /// Every state that it has told, in order.
    QStringList states() {
        QStringList states;
        for (const CaptureContent::Frame& frame : content().frames) {
            const auto facts =
                frame.type() == FrameType::Facts && frame.header.source == 0 ? factsOf(frame.payload) : std::nullopt;
            for (size_t i = 0; facts && i < facts->size(); ++i) {
                if ((*facts)[i].first == "state" && (*facts)[i].second != "progress") {
                    states << QString::fromStdString(std::string((*facts)[i].second));
                }
            }
        }
        return states;
    }
    QByteArray printed() {
        QByteArray text;
        for (const CaptureContent::Frame& frame : content().frames) {
            if (frame.type() == FrameType::Output) {
                text += QByteArray(frame.payload.data(), static_cast<qsizetype>(frame.payload.size())).mid(4);
            }
        }
        return text;
    }
};

constexpr int kPatience = 30000;

}  // namespace

class TestAgent : public QObject {
    Q_OBJECT

private slots:
    void recordsAndSaysSo();
    void itsCommandsAreNotTheProgramsInput();
    void stopsBesideAProcessThatLeftNoEnd();
    void whatCannotBeIsSaid();
    void endsWithItsCommands();
};

void TestAgent::recordsAndSaysSo() {
    Agent agent;
    agent.start({cudaProgram(), "init", "launch=7", "exit=3"});
    QTRY_VERIFY_WITH_TIMEOUT(agent.states().contains("ended"), kPatience);
    QCOMPARE(agent.states(), (QStringList{"ready", "started", "ended"}));
    const CaptureContent content = agent.content();
    QCOMPARE(content.records<KernelRecord>().size(), 7U);
    QCOMPARE(content.fact(0, "exit_code"), std::string("3"));
    QCOMPARE(content.damage.places, 0U);
    // Another one on the same pipes.
    agent.start({"sh", "-c", "echo out; echo err >&2"});
    QTRY_COMPARE_WITH_TIMEOUT(agent.states().count("ended"), 2, kPatience);
    QVERIFY(agent.printed().contains("out\n") && agent.printed().contains("err\n"));
}

void TestAgent::itsCommandsAreNotTheProgramsInput() {
    Agent agent;
    agent.start({"sh", "-c", "cat; echo read all; sleep 100"});
    QTRY_VERIFY_WITH_TIMEOUT(agent.printed().contains("read all"), kPatience);
    agent.say({{"do", "pause"}});
    agent.say({{"do", "signal"}, {"number", 15}});
    QTRY_VERIFY_WITH_TIMEOUT(agent.states().contains("ended"), kPatience);
    QVERIFY(!agent.printed().contains("pause"));
}

void TestAgent::stopsBesideAProcessThatLeftNoEnd() {
    Agent agent;
    agent.start({cudaProgram(), "spawn=init+launch=5+flushes=2+_exit=0", "init", "launch=2", "forever"});
    QTRY_VERIFY_WITH_TIMEOUT(agent.content().sources().size() == 2, kPatience);
    agent.say({{"do", "stop"}});
    QTRY_VERIFY_WITH_TIMEOUT(agent.states().contains("ended"), kPatience);
    agent.start({"true"});
    QTRY_COMPARE_WITH_TIMEOUT(agent.states().count("ended"), 2, kPatience);
}

void TestAgent::whatCannotBeIsSaid() {
    Agent agent;
    agent.start({"no-such-program"});
    agent.process->write("this is no JSON\n");
    agent.say({{"do", "bogus"}});
    agent.say({{"do", "pause"}});
    agent.start({});
    agent.start({"true"}, "kernel=(\n");
    agent.start({"true"}, "api=nonsense\n");
    QTRY_COMPARE_WITH_TIMEOUT(agent.states().count("failed"), 7, kPatience);
    agent.start({"true"});
    QTRY_VERIFY_WITH_TIMEOUT(agent.states().contains("ended"), kPatience);
}

void TestAgent::endsWithItsCommands() {
    Agent agent;
    agent.start({"sleep", "1000"});
    QTRY_VERIFY_WITH_TIMEOUT(agent.states().contains("started"), kPatience);
    agent.process->closeWriteChannel();
    QVERIFY(agent.process->waitForFinished(kPatience));
    QCOMPARE(agent.process->exitCode(), 0);
}

QTEST_GUILESS_MAIN(TestAgent)
#include "tst_agent.moc"
