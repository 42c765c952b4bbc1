// SPDX-License-Identifier: MIT
// What the commands share: files on one axis, standard input, limits.
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <nlohmann/json.hpp>

#include "app/cli/inputs.h"
#include "tests/core/loaders/loader_testing.h"
#include "tests/support/cli_process.h"

using namespace warpline;
using namespace warpline::test;
using nlohmann::json;

class TestInputs : public QObject {
    Q_OBJECT

private slots:
    void offsets();
    void badOffsets_data();
    void badOffsets();
    void filesByHand();
    void ranksNameTheirProcesses();
    void filesWithoutAClockAreRefused();
    void everyCommandReadsStandardInput_data();
    void everyCommandReadsStandardInput();
    void pipesAreLimited();
    void limitsAreRaised();
    void tooMuchMemoryIsAReason_data();
    void tooMuchMemoryIsAReason();

private:
    QString write(const QString& name, const QByteArray& bytes) {
        QFile file(m_folder.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) {
            qFatal("no temporary file");
        }
        return file.fileName();
    }
    QTemporaryDir m_folder;
};

void TestInputs::offsets() {
    const auto offsets = cli::parseOffsets({"3:-1.5ms", "2:7"}, 3);
    QVERIFY(offsets.ok());
    QCOMPARE(offsets.value(), (FileOffsets{{1, 7}, {2, -1'500'000}}));
    QCOMPARE(cli::parseOffsets({}, 1).value(), FileOffsets());
}

void TestInputs::badOffsets_data() {
    QTest::addColumn<QStringList>("texts");
    QTest::addColumn<QString>("says");
    QTest::newRow("nothing") << QStringList{""} << "number of a file";
    QTest::newRow("no number") << QStringList{"b.json:1ms"} << "number of a file";
    QTest::newRow("no colon") << QStringList{"2"} << "number of a file";
    QTest::newRow("negative") << QStringList{"-2:1ms"} << "number of a file";
    QTest::newRow("the axis") << QStringList{"1:1ms"} << "the first file is the axis";
    QTest::newRow("none") << QStringList{"0:1ms"} << "there is no file 0";
    QTest::newRow("too many") << QStringList{"4:1ms"} << "there is no file 4, only 3";
    QTest::newRow("no time") << QStringList{"2:"} << "not a time";
    QTest::newRow("another unit") << QStringList{"2:1h"} << "not a time";
    QTest::newRow("not held") << QStringList{"2:9223372036854775807"} << "not a time";
    QTest::newRow("twice") << QStringList{"2:1ms", "3:0", "2:1ms"} << "a second time";
}

void TestInputs::badOffsets() {
    QFETCH(QStringList, texts);
    QFETCH(QString, says);
    std::vector<std::string> given;
    for (const QString& text : texts) {
        given.push_back(text.toStdString());
    }
    const auto offsets = cli::parseOffsets(given, 3);
    QVERIFY(!offsets.ok());
    QVERIFY2(QString::fromStdString(offsets.error().message).contains(says), offsets.error().message.c_str());
}

void TestInputs::filesByHand() {
    const QString a = write("a.json", R"([{"ph":"X","name":"a","pid":1,"tid":1,"ts":10,"dur":1}])");
    const QString b = write("b.json", R"([{"ph":"X","name":"b","pid":1,"tid":1,"ts":0,"dur":1}])");
    const CliRun run = runCli({"dump", a, "--offset", "2:-1.5ms", b, "--json"});
    QCOMPARE(run.code, 0);
    const json doc = json::parse(run.out);
    QCOMPARE(doc["files"][1]["axis_offset_ns"].get<int>(), -1'500'000);
    QVERIFY(doc["files"][1]["placed_by_hand"].get<bool>());
    QVERIFY(!doc["files"][0]["placed_by_hand"].get<bool>());
    // ts_ns is the file's own; the view is on the clock of the first.
    QCOMPARE(doc["slices"][0]["name"].get<std::string>(), std::string("b"));
    QCOMPARE(doc["slices"][0]["ts_ns"].get<int>(), 0);
    QVERIFY2(doc["initial_view_ns"] == json::array({-1'500'000, 11'000}), doc["initial_view_ns"].dump().c_str());
}

void TestInputs::ranksNameTheirProcesses() {
    const auto ofRank = [](int rank) {
        return QByteArray(R"({"baseTimeNanoseconds":5,"distributedInfo":{"backend":"nccl","rank":)") +
               QByteArray::number(rank) +
               R"(,"world_size":8},"traceEvents":[{"ph":"M","name":"process_name","pid":1,"args":{"name":"python"}},)"
               R"({"ph":"X","name":"a","pid":1,"tid":1,"ts":10,"dur":1}]})";
    };
    const CliRun run = runCli({"dump", write("r0.json", ofRank(0)), write("r3.json", ofRank(3)), "--json"});
    QCOMPARE(run.code, 0);
    const json doc = json::parse(run.out);
    QCOMPARE(doc["files"][1]["backend"].get<std::string>(), std::string("nccl"));
    QCOMPARE(doc["files"][1]["world_size"].get<int>(), 8);
    QCOMPARE(doc["processes"][1]["rank"].get<int>(), 3);
    QCOMPARE(doc["processes"][1]["label"].get<std::string>(), std::string("python"));
    QCOMPARE(doc["processes"][1]["title"].get<std::string>(), std::string("rank 3 \u00b7 python"));
}

void TestInputs::filesWithoutAClockAreRefused() {
    const QString a = write("a.json", R"([{"ph":"X","name":"a","pid":1,"tid":1,"ts":10,"dur":1}])");
    const QString b = write("b.json", R"([{"ph":"X","name":"b","pid":1,"tid":1,"ts":0,"dur":1}])");
    const CliRun run = runCli({"dump", a, b, "--json"});
    QCOMPARE(run.code, 1);
    QCOMPARE(run.errorLines().size(), 1);
    QVERIFY2(run.err.startsWith("warpline: " + a.toUtf8() + ": gives no base time"), run.err.constData());
    QVERIFY2(run.err.contains("--offset 2:TIME"), run.err.constData());
    const json doc = json::parse(run.out);
    QCOMPARE(doc["loads"].get<bool>(), false);
    QCOMPARE(doc["issues"][0]["code"].get<std::string>(), std::string("clock_mismatch"));
}

void TestInputs::everyCommandReadsStandardInput_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("info") << QStringList{"info", "-"};
    QTest::newRow("ops") << QStringList{"ops", "-"};
    QTest::newRow("kernels") << QStringList{"kernels", "-"};
    QTest::newRow("dump") << QStringList{"dump", "-"};
    QTest::newRow("convert") << QStringList{"convert", "-", m_folder.filePath("out.csv")};
}

void TestInputs::everyCommandReadsStandardInput() {
    QFETCH(QStringList, arguments);
    CliOptions options;
    options.input = gzipped(kinetoText(3));
    const QString path = write("same.json.gz", options.input);
    const CliRun piped = runCli(arguments, options);
    QCOMPARE(piped.code, 0);
    QStringList named = arguments;
    named[1] = path;
    const CliRun fromFile = runCli(named);
    // The same but for the name of the input.
    QCOMPARE(QByteArray(piped.out).replace("File        -\n", "").replace("File -:", "").replace("-: ", ""),
             QByteArray(fromFile.out)
                 .replace("File        " + path.toUtf8() + "\n", "")
                 .replace("File " + path.toUtf8() + ":", "")
                 .replace(path.toUtf8() + ": ", ""));
}

void TestInputs::pipesAreLimited() {
    CliOptions options;
    options.input = QByteArray(R"([{"ph":"X","name":"a","pid":1,"tid":1,"ts":10,"dur":1}])");
    const CliRun run = runCli({"info", "-", "--limit-piped-bytes", "16"}, options);
    QCOMPARE(run.code, 1);
    QVERIFY2(run.err.startsWith("warpline: standard input: gives more than 16 bytes"), run.err.constData());
    QVERIFY2(run.err.contains("--limit-piped-bytes"), run.err.constData());
    QCOMPARE(runCli({"info", "-", "--limit-piped-bytes", "1KiB"}, options).code, 0);
}

void TestInputs::limitsAreRaised() {
    const QByteArray deep = QByteArray(300, '[') + QByteArray(300, ']');
    const QString path =
        write("deep.json", R"([{"ph":"X","name":"a","pid":1,"tid":1,"ts":10,"dur":1,"args":{"x":)" + deep + "}}]");
    const auto issuesOf = [&](const QStringList& options) {
        const CliRun run = runCli(QStringList{"info", path, "--json"} + options);
        QStringList codes;
        const json doc = json::parse(run.out);
        for (const json& issue : doc["issues"]) {
            codes << QString::fromStdString(issue["code"].get<std::string>());
        }
        return codes;
    };
    QCOMPARE(issuesOf({}), QStringList{"too_deep"});
    QCOMPARE(issuesOf({"--limit-args-depth", "400"}), QStringList{});
    const QString two = write("long.json", R"([{"ph":"X","name":"a","pid":1,"tid":1,"ts":10,"dur":1},)"
                                           R"({"ph":"X","name":")" +
                                               QByteArray(2000, 'x') + R"(","pid":1,"tid":1,"ts":20,"dur":1}])");
    const CliRun cut = runCli({"info", two, "--json", "--limit-event-bytes", "1KiB", "--threads", "1"});
    QCOMPARE(json::parse(cut.out)["events"]["slices"].get<int>(), 1);
    const CliRun whole = runCli({"info", two, "--json", "--limit-event-bytes", "4KiB", "--threads", "2"});
    QCOMPARE(json::parse(whole.out)["events"]["slices"].get<int>(), 2);
}

void TestInputs::tooMuchMemoryIsAReason_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<bool>("hasDocument");
    for (const char* threads : {"1", "4"}) {
        for (const char* command : {"info", "dump"}) {
            QTest::addRow("%s, %s threads", command, threads) << QStringList{command, "--threads", threads} << false;
            QTest::addRow("%s --json, %s threads", command, threads)
                << QStringList{command, "--json", "--threads", threads} << true;
        }
    }
    for (const char* command : {"ops", "kernels"}) {
        for (const char* format : {"", "--json", "--csv", "--markdown"}) {
            QStringList arguments{command, format};
            arguments.removeAll("");
            QTest::addRow("%s %s", command, format) << arguments << false;
        }
    }
    QTest::newRow("convert to JSON") << QStringList{"convert", m_folder.filePath("limited.json")} << false;
    QTest::newRow("convert to CSV") << QStringList{"convert", m_folder.filePath("limited.csv")} << false;
}

/// And not taken for Ctrl-C, which the same job tells of.
void TestInputs::tooMuchMemoryIsAReason() {
    QFETCH(QStringList, arguments);
    QFETCH(bool, hasDocument);
    QByteArray text = "[";
    for (int i = 0; i < 60'000; ++i) {
        text += R"({"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":1},)";
    }
    const QString path = write("many.json", text + "{}]");
    arguments.insert(1, path);
    const CliRun run = runCli(arguments + QStringList{"--limit-memory", "1MiB", "--no-cache"});
    QCOMPARE(run.code, 1);
    QCOMPARE(run.errorLines().size(), 1);
    const QByteArray reason = path.toUtf8() + ": its trace takes more memory than allowed (1 MiB, after ";
    QVERIFY2(run.err.startsWith("warpline: " + reason), run.err.constData());
    QVERIFY2(run.err.contains("--limit-memory"), run.err.constData());
    QVERIFY(!QFile::exists(m_folder.filePath("limited.json")) && !QFile::exists(m_folder.filePath("limited.csv")));
    if (!hasDocument) {
        QCOMPARE(run.out, QByteArray());
        return;
    }
    const json doc = json::parse(run.out.toStdString());
    QVERIFY(doc["loads"] == json(false));
    QCOMPARE(doc["issues"].size(), size_t{1});
    const json& issue = doc["issues"][0];
    QVERIFY(issue["code"] == json("too_large"));
    QVERIFY(issue["severity"] == json("error"));
    QVERIFY(issue["file"] == json(0));
    QVERIFY(issue["message"].get<std::string>().starts_with(reason.toStdString()));
}

QTEST_GUILESS_MAIN(TestInputs)
#include "tst_inputs.moc"
