// SPDX-License-Identifier: MIT
// What differs when a terminal is attached: tables fit its width, and progress is shown and removed again.
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QTest>

#include "app/cli/terminal.h"
#include "tests/support/cli_process.h"

namespace {

/// All that the program writes to a terminal of `columns` columns.
QByteArray runOnTerminal(const QList<QByteArray>& arguments, unsigned short columns, int* code) {
    winsize size{};
    size.ws_col = columns;
    size.ws_row = 50;
    int terminal = -1;
    const pid_t child = ::forkpty(&terminal, nullptr, nullptr, &size);
    if (child == 0) {
        std::vector<char*> argv = {const_cast<char*>("warpline")};
        for (const QByteArray& argument : arguments) {
            argv.push_back(const_cast<char*>(argument.constData()));
        }
        argv.push_back(nullptr);
        ::execv(WARPLINE_CLI_PATH, argv.data());
        ::_exit(99);
    }
    QByteArray text;
    char buffer[4096];
    ssize_t got = 0;
    while ((got = ::read(terminal, buffer, sizeof buffer)) > 0) {
        text.append(buffer, got);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    ::close(terminal);
    *code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return text.replace("\r\n", "\n");
}

const QByteArray kSample = WARPLINE_SAMPLES_DIR "/multi_stream.trace.json.gz";

}  // namespace

class TestTerminal : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void tableFits_data();
    void tableFits();
    void wideTableIsComplete();
    void oneLine();
};

void TestTerminal::initTestCase() {
    int terminal = -1;
    int program = -1;
    if (::openpty(&terminal, &program, nullptr, nullptr, nullptr) != 0) {
        QSKIP("no pseudo-terminal can be had here: is /dev/pts mounted?");
    }
    ::close(program);
    ::close(terminal);
}

void TestTerminal::tableFits_data() {
    QTest::addColumn<QByteArray>("command");
    QTest::addColumn<int>("columns");
    for (const char* command : {"ops", "kernels"}) {
        for (const int columns : {80, 120, 200, 400}) {
            QTest::addRow("%s in %d columns", command, columns) << QByteArray(command) << columns;
        }
    }
}

void TestTerminal::tableFits() {
    QFETCH(QByteArray, command);
    QFETCH(int, columns);
    int code = -1;
    const QByteArray text =
        runOnTerminal({command, kSample, "--limit", "5"}, static_cast<unsigned short>(columns), &code);
    QCOMPARE(code, 0);
    const QStringList lines = QString::fromUtf8(text).split('\n');
    QVERIFY(lines.size() >= 8);
    for (const QString& line : lines.mid(2, 6)) {  // the table: its head and five rows
        QVERIFY2(line.size() <= columns, qPrintable(line));
    }
    const QString head = lines[2];
    QVERIFY(head.startsWith("Name"));
    QVERIFY2(head.contains(command == "ops" ? "Self GPU" : "Total"), qPrintable(head));  // what the rows are ordered by
    QCOMPARE(text.contains("No room for: "), columns < 400 && !(command == "ops" && columns == 200));
}

void TestTerminal::wideTableIsComplete() {
    int code = -1;
    const QByteArray text = runOnTerminal({"kernels", kSample, "--wide"}, 80, &code);
    QCOMPARE(code, 0);
    QVERIFY(text.contains("Launch delay"));
    QVERIFY(text.contains("nvjet_sm90_hsh_128x64_64x8_1x2_h_bz_NNT"));
}

void TestTerminal::oneLine() {
    QCOMPARE(warpline::cli::oneLine("a\nb\x1b[31mc\x7f"), std::string("a?b?[31mc?"));
    QCOMPARE(warpline::cli::oneLine("ä µs"), std::string("ä µs"));
}

QTEST_GUILESS_MAIN(TestTerminal)
#include "tst_terminal.moc"
