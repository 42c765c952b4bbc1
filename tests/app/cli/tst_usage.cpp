// SPDX-License-Identifier: MIT
// Help, wrong usage, exit codes and the errors that all commands share.
#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include "tests/support/cli_process.h"

using namespace warpline::test;

namespace {
const QString kSample = QStringLiteral(WARPLINE_SAMPLES_DIR "/quickstart.trace.json.gz");
}

class TestUsage : public QObject {
    Q_OBJECT

private slots:
    void helpIsPrinted_data();
    void helpIsPrinted();
    void everyListedCommandHasHelpAndExample();
    void version();
    void wrongUsage_data();
    void wrongUsage();
    void unusableInput_data();
    void unusableInput();
    void fullDisk_data();
    void fullDisk();
    void closedPipe();
    void nothingButTheDocumentOnStandardOutput();
    void controlCharactersDoNotReachTheTerminal();
};

void TestUsage::helpIsPrinted_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("nothing") << QStringList();
    QTest::newRow("--help") << QStringList{"--help"};
    QTest::newRow("-h") << QStringList{"-h"};
}

void TestUsage::helpIsPrinted() {
    QFETCH(QStringList, arguments);
    const CliRun run = runCli(arguments);
    QCOMPARE(run.code, 0);
    QCOMPARE(run.err, QByteArray());
    for (const char* word : {"info", "ops", "kernels", "dump", "convert", "occupancy", "clocks", "doctor",
                             "opens the window", "Exit codes"}) {
        QVERIFY2(run.out.contains(word), word);
    }
}

void TestUsage::everyListedCommandHasHelpAndExample() {
    const QByteArray help = runCli({"--help"}).out;
    const QString list = QString::fromUtf8(help.mid(help.indexOf("Subcommands:")));
    int count = 0;
    for (auto match = QRegularExpression("^  ([a-z]+) ", QRegularExpression::MultilineOption).globalMatch(list);
         match.hasNext(); ++count) {
        const QString command = match.next().captured(1);
        const CliRun run = runCli({command, "--help"});
        QCOMPARE(run.code, 0);
        QVERIFY2(run.out.contains("Example: warpline " + command.toUtf8()), qPrintable(command));
    }
    QVERIFY2(count >= 9, qPrintable(list));
}

void TestUsage::version() {
    const CliRun run = runCli({"--version"});
    QCOMPARE(run.code, 0);
    QVERIFY(QRegularExpression("^warpline \\d+\\.\\d+\\.\\d+\n$").match(QString::fromUtf8(run.out)).hasMatch());
}

void TestUsage::wrongUsage_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("unknown option") << QStringList{"--nonsense"};
    QTest::newRow("neither command nor file") << QStringList{"nonsense"};
    QTest::newRow("command without file") << QStringList{"info"};
    QTest::newRow("unknown option of a command") << QStringList{"info", kSample, "--nonsense"};
    QTest::newRow("two files for one") << QStringList{"info", kSample, kSample};
    QTest::newRow("two formats") << QStringList{"ops", kSample, "--json", "--csv"};
    QTest::newRow("bad grouping") << QStringList{"ops", kSample, "--group-by", "colour"};
    QTest::newRow("bad column") << QStringList{"ops", kSample, "--sort", "colour"};
    QTest::newRow("bad regular expression") << QStringList{"ops", kSample, "--filter", "("};
    QTest::newRow("bad range") << QStringList{"kernels", kSample, "--range", "5"};
    QTest::newRow("bad limit") << QStringList{"kernels", kSample, "--limit", "-3"};
    QTest::newRow("no output file") << QStringList{"convert", kSample};
    QTest::newRow("unknown ending") << QStringList{"convert", kSample, "out.xyz"};
    QTest::newRow("occupancy without device") << QStringList{"occupancy", "--block", "128", "--registers", "32"};
    QTest::newRow("unknown device") << QStringList{"occupancy", "--device",    "Z80", "--block",
                                                   "128",       "--registers", "32"};
    QTest::newRow("empty file name") << QStringList{""};
    QTest::newRow("depth of nothing") << QStringList{"info", kSample, "--limit-args-depth", "0"};
    QTest::newRow("depth without end") << QStringList{"info", kSample, "--limit-args-depth", "4097"};
    QTest::newRow("size that is none") << QStringList{"ops", kSample, "--limit-event-bytes", "much"};
    QTest::newRow("size without end") << QStringList{"ops", kSample, "--limit-event-bytes", "3GiB"};
    QTest::newRow("size below zero") << QStringList{"info", kSample, "--limit-memory", "-1"};
    QTest::newRow("size of 70 bits") << QStringList{"info", kSample, "--limit-memory", "999999999999999999999"};
    QTest::newRow("size of 64 bits and a unit") << QStringList{"info", kSample, "--limit-memory", "17179869184G"};
    QTest::newRow("size of pipes below zero") << QStringList{"info", kSample, "--limit-piped-bytes", "-1"};
    QTest::newRow("size of an unknown unit") << QStringList{"info", kSample, "--limit-memory", "12QB"};
    QTest::newRow("size of a unit alone") << QStringList{"info", kSample, "--limit-memory", "G"};
    QTest::newRow("threads") << QStringList{"kernels", kSample, "--threads", "-1"};
    QTest::newRow("offset of one file") << QStringList{"info", kSample, "--offset", "2:1ms"};
    QTest::newRow("offset of the axis") << QStringList{"dump", kSample, "--offset", "1:1ms"};
    QTest::newRow("offset of no file") << QStringList{"dump", kSample, "--offset", "2:1ms", "--json"};
}

void TestUsage::wrongUsage() {
    QFETCH(QStringList, arguments);
    const CliRun run = runCli(arguments);
    QCOMPARE(run.code, 2);
    QCOMPARE(run.out, QByteArray());
    QCOMPARE(run.errorLines().size(), 1);
    QVERIFY2(run.err.startsWith("warpline: "), run.err.constData());
}

void TestUsage::unusableInput_data() {
    QTest::addColumn<QString>("command");
    QTest::addColumn<QByteArray>("content");
    for (const char* command : {"info", "ops", "kernels", "dump"}) {
        QTest::addRow("%s of an empty file", command) << command << QByteArray("");
        QTest::addRow("%s of a picture", command) << command << QByteArray("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16);
        QTest::addRow("%s of a text", command) << command << QByteArray("to be or not to be\n");
        QTest::addRow("%s of a missing file", command) << command << QByteArray();
    }
}

void TestUsage::unusableInput() {
    QFETCH(QString, command);
    QFETCH(QByteArray, content);
    const QTemporaryDir folder;
    const QString path = folder.filePath("in put.json");
    if (!content.isNull()) {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(content);
    }
    for (const QStringList& options : {QStringList(), QStringList{"--json"}}) {
        const CliRun run = runCli(QStringList{command, path} + options);
        QCOMPARE(run.code, 1);
        QCOMPARE(run.errorLines().size(), 1);
        QVERIFY2(run.err.startsWith("warpline: " + path.toUtf8() + ": "), run.err.constData());
    }
}

void TestUsage::fullDisk_data() {
    QTest::addColumn<QString>("command");
    for (const char* command : {"--help", "info", "ops", "kernels", "dump"}) {
        QTest::newRow(command) << QString(command);
    }
}

void TestUsage::fullDisk() {
    QFETCH(QString, command);
    const QString line = QStringLiteral("\"$0\" %1 \"$1\" > /dev/full").arg(command);
    CliOptions shell;
    shell.program = "/bin/sh";
    const CliRun run = runCli({"-c", line, WARPLINE_CLI_PATH, kSample}, shell);
    QCOMPARE(run.code, 1);
    QCOMPARE(run.err, QByteArray("warpline: standard output: No space left on device\n"));
}

void TestUsage::closedPipe() {
    CliOptions shell;
    shell.program = "/bin/sh";
    const CliRun run =
        runCli({"-c", "{ \"$0\" dump \"$1\" --json; echo $? >&2; } | true", WARPLINE_CLI_PATH, kSample}, shell);
    QCOMPARE(run.err, QByteArray("warpline: standard output: Broken pipe\n1\n"));
}

void TestUsage::nothingButTheDocumentOnStandardOutput() {
    const CliRun run = runCli({"info", kSample, "--json"});
    QCOMPARE(run.code, 0);
    QCOMPARE(run.err, QByteArray());  // no progress where no terminal is
    QVERIFY(run.out.startsWith("{") && run.out.endsWith("}\n"));
}

void TestUsage::controlCharactersDoNotReachTheTerminal() {
    CliOptions input;
    input.input =
        "[{\"ph\":\"X\",\"name\":\"a\\u001b[31mb\\nc\",\"cat\":\"kernel\",\"pid\":0,\"tid\":\"t\\u001b\",\"ts\":1,"
        "\"dur\":1}]";
    for (const char* command : {"info", "ops", "kernels", "dump"}) {
        const CliRun run = runCli({command, "-"}, input);
        QCOMPARE(run.code, 0);
        QVERIFY2(!run.out.contains('\x1b'), command);
    }
}

QTEST_GUILESS_MAIN(TestUsage)
#include "tst_usage.moc"
