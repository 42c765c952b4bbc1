// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "core/record/agent/child_process.h"

using namespace warpline::record;

class TestChildProcess : public QObject {
    Q_OBJECT

private slots:
    void exitCodes_data();
    void exitCodes();
    void polls();
    void signalsIt();
    void notFound();
    void noFolder();
    void folder();
    void environment();
    void descriptors();
    void signalsOfItsOwn();
    void somebodyElseWaits();
};

namespace {

ProgramCall shell(const char* script) {
    ProgramCall call;
    call.arguments = {"sh", "-c", script};
    return call;
}

/// What a program prints.
std::string outputOf(ProgramCall call) {
    int ends[2] = {};
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return {};
    }
    call.output = call.errors = ends[1];
    auto child = ChildProcess::start(call);
    ::close(ends[1]);
    std::string text;
    char piece[4096];
    for (ssize_t got = 0; (got = ::read(ends[0], piece, sizeof piece)) > 0;) {
        text.append(piece, size_t(got));
    }
    ::close(ends[0]);
    if (child.ok()) {
        child.value().wait();
    }
    return text;
}

}  // namespace

void TestChildProcess::exitCodes_data() {
    QTest::addColumn<QByteArray>("script");
    QTest::addColumn<int>("code");
    QTest::newRow("0") << QByteArray("exit 0") << 0;
    QTest::newRow("3") << QByteArray("exit 3") << 3;
    QTest::newRow("255") << QByteArray("exit 255") << 255;
    QTest::newRow("SIGKILL") << QByteArray("kill -9 $$") << 137;
    QTest::newRow("SIGTERM") << QByteArray("kill -15 $$") << 143;
}

void TestChildProcess::exitCodes() {
    QFETCH(QByteArray, script);
    QFETCH(int, code);
    auto child = ChildProcess::start(shell(script.constData()));
    QVERIFY(child.ok());
    QCOMPARE(child.value().wait(), code);
    QCOMPARE(child.value().wait(), code);
    QCOMPARE(child.value().poll(), std::optional<int>(code));
    // It has been waited for: no zombie.
    QCOMPARE(::kill(child.value().pid(), 0), -1);
}

void TestChildProcess::polls() {
    auto child = ChildProcess::start(shell("exec sleep 1000"));
    QVERIFY(child.ok());
    QCOMPARE(child.value().poll(), std::optional<int>());
    child.value().signal(SIGKILL);
    std::optional<int> code;
    QTRY_VERIFY_WITH_TIMEOUT((code = child.value().poll()).has_value(), 60000);
    QCOMPARE(*code, 137);
    child.value().signal(SIGKILL);  // nobody
}

void TestChildProcess::signalsIt() {
    auto child = ChildProcess::start(shell("exec sleep 1000"));
    child.value().signal(SIGTERM);
    QCOMPARE(child.value().wait(), 143);
}

void TestChildProcess::notFound() {
    ProgramCall call;
    call.arguments = {"no-such-program-anywhere"};
    auto child = ChildProcess::start(call);
    QVERIFY(!child.ok());
    QCOMPARE(child.error().message, std::string("no-such-program-anywhere: No such file or directory"));
    const QTemporaryDir folder;
    QFile text(folder.filePath("text"));
    QVERIFY(text.open(QIODevice::WriteOnly));
    call.arguments = {text.fileName().toStdString()};
    child = ChildProcess::start(call);
    QVERIFY(!child.ok());
    QCOMPARE(child.error().message, call.arguments[0] + ": Permission denied");
}

void TestChildProcess::noFolder() {
    ProgramCall call = shell("exit 0");
    call.folder = "/no/such/folder";
    auto child = ChildProcess::start(call);
    QVERIFY(!child.ok());
    QCOMPARE(child.error().message, std::string("/no/such/folder: No such file or directory"));
}

void TestChildProcess::folder() {
    const QTemporaryDir folder;
    ProgramCall call = shell("pwd -P");
    call.folder = folder.path().toStdString();
    QCOMPARE(QString::fromStdString(outputOf(call)).trimmed(), QFileInfo(folder.path()).canonicalFilePath());
}

void TestChildProcess::environment() {
    qputenv("WARPLINE_TEST_A", "old");
    qputenv("WARPLINE_TEST_B", "kept");
    ProgramCall call = shell("echo \"$WARPLINE_TEST_A|$WARPLINE_TEST_B|$WARPLINE_TEST_C\"");
    call.environment = {{"WARPLINE_TEST_A", "new = x"}, {"WARPLINE_TEST_C", ""}};
    QCOMPARE(outputOf(call), std::string("new = x|kept|\n"));
    QCOMPARE(qgetenv("WARPLINE_TEST_A"), QByteArray("old"));
    // Once, not twice.
    ProgramCall listing;
    listing.arguments = {"env"};
    listing.environment = call.environment;
    QCOMPARE(QString::fromStdString(outputOf(listing)).count("WARPLINE_TEST_A="), 1);
}

void TestChildProcess::descriptors() {
    ProgramCall call = shell("echo out; echo err >&2");
    QCOMPARE(outputOf(call), std::string("out\nerr\n"));
}

/// What the starting side ignores or blocks for itself.
void TestChildProcess::signalsOfItsOwn() {
    auto* const before = ::signal(SIGPIPE, SIG_IGN);
    sigset_t some, old;
    sigemptyset(&some);
    sigaddset(&some, SIGTERM);
    sigprocmask(SIG_BLOCK, &some, &old);
    const std::string text = outputOf(shell("grep -E 'SigBlk|SigIgn' /proc/self/status"));
    sigprocmask(SIG_SETMASK, &old, nullptr);
    ::signal(SIGPIPE, before);
    const QStringList lines = QString::fromStdString(text).split('\n');
    QCOMPARE(lines[0].section('\t', 1).toULongLong(nullptr, 16), 0ULL);
    const qulonglong ignored = lines[1].section('\t', 1).toULongLong(nullptr, 16);
    QCOMPARE(ignored & (1ULL << (SIGPIPE - 1)), 0ULL);
}

/// A caller may have told the system to keep nothing of children.
void TestChildProcess::somebodyElseWaits() {
    auto* const before = ::signal(SIGCHLD, SIG_IGN);
    auto child = ChildProcess::start(shell("exit 3"));
    QVERIFY(child.ok());
    QTRY_VERIFY_WITH_TIMEOUT(child.value().poll().has_value(), 60000);
    QCOMPARE(child.value().wait(), 127);
    ::signal(SIGCHLD, before);
}

QTEST_GUILESS_MAIN(TestChildProcess)
#include "tst_child_process.moc"
