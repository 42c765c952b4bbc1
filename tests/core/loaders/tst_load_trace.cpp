// SPDX-License-Identifier: MIT
#include <sys/stat.h>

#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <thread>

#include "core/loaders/load_trace.h"
#include "tests/core/loaders/loader_testing.h"

using namespace warpline;
using namespace warpline::test;

namespace {

std::vector<TimeNs> beginsOf(const Trace& trace) {
    return {trace.slices().begin.begin(), trace.slices().begin.end()};
}

}  // namespace

class tst_LoadTrace : public QObject {
    Q_OBJECT

private slots:
    void filesShareTheAxisOfTheFirst();
    void clocksMayCountFromAnywhere_data();
    void clocksMayCountFromAnywhere();
    void filesWithoutBaseTimeAreRefused_data();
    void filesWithoutBaseTimeAreRefused();
    void filesArePlacedByHand();
    void filesFarApartAreReported_data();
    void filesFarApartAreReported();
    void aFileIsOpenedOnce();
    void rangesAreOfEachFile();
    void ranksAreHeldAgainstOneAnother_data();
    void ranksAreHeldAgainstOneAnother();
    void aFileThatIsStillWrittenGivesWhatIsWhole();
    void failuresNameTheFile_data();
    void failuresNameTheFile();
    void damagedGzip_data();
    void damagedGzip();
    void progressReachesTheEnd();
    void aFileThatChangesMeanwhileIsSaid_data();
    void aFileThatChangesMeanwhileIsSaid();
    void stopsWhenAsked();
    void aLimitLeavesTheJobRunning();

private:
    std::string write(const QString& name, const QByteArray& bytes) {
        QFile file(m_folder.filePath(name));
        if (!file.open(QIODevice::WriteOnly)) {
            qFatal("no temporary file");
        }
        file.write(bytes);
        return file.fileName().toStdString();
    }
    QTemporaryDir m_folder;
};

void tst_LoadTrace::filesShareTheAxisOfTheFirst() {
    const auto a = write(
        "a.json",
        R"({"baseTimeNanoseconds":1700000000000000000,"traceEvents":[{"ph":"X","name":"x","pid":1,"tid":1,"ts":10,"dur":1}]})");
    const auto b = write(
        "b.json",
        R"({"baseTimeNanoseconds":1700000000500000000,"traceEvents":[{"ph":"X","name":"x","pid":1,"tid":1,"ts":5,"dur":1}]})");
    JobControl job;
    const auto trace = loadTrace({a, b}, {}, job);
    QVERIFY2(trace.ok(), trace.ok() ? "" : trace.error().message.c_str());
    QCOMPARE(trace.value()->files()[1].axisOffsetNs, DurationNs(500'000'000));
    QCOMPARE(trace.value()->processes().size(), size_t(2));
    QCOMPARE(beginsOf(*trace.value()), (std::vector<TimeNs>{10'000, 500'005'000}));
    QCOMPARE(trace.value()->report().countOf("clock_mismatch"), uint64_t(0));
}

/// A trace that counts from its base and a file that counts from 1970 are the same run, in either order.
void tst_LoadTrace::clocksMayCountFromAnywhere_data() {
    QTest::addColumn<bool>("isTraceFirst");
    QTest::newRow("the trace first") << true;
    QTest::newRow("the trace second") << false;
}

void tst_LoadTrace::clocksMayCountFromAnywhere() {
    QFETCH(bool, isTraceFirst);
    const auto fromBase = write(
        "base.json",
        R"({"baseTimeNanoseconds":1790857026000000000,"traceEvents":[{"ph":"X","name":"x","pid":1,"tid":1,"ts":10,"dur":1}]})");
    const auto fromEpoch = write(
        "epoch.json",
        R"({"baseTimeNanoseconds":0,"traceEvents":[{"ph":"X","name":"y","pid":1,"tid":1,"ts":1790857026000025,"dur":1}]})");
    JobControl job;
    const auto trace =
        isTraceFirst ? loadTrace({fromBase, fromEpoch}, {}, job) : loadTrace({fromEpoch, fromBase}, {}, job);
    QVERIFY2(trace.ok(), trace.ok() ? "" : trace.error().message.c_str());
    const Trace& t = *trace.value();
    QCOMPARE(t.slices().begin[1] - t.slices().begin[0], DurationNs(isTraceFirst ? 15'000 : -15'000));
    QCOMPARE(t.files()[1].axisOffsetNs,
             DurationNs(isTraceFirst ? -1'790'857'026'000'000'000 : 1'790'857'026'000'000'000));
    QCOMPARE(t.files()[1].ownTime(t.slices().begin[1]), TimeNs(isTraceFirst ? 1'790'857'026'000'025'000 : 10'000));

    // By hand as far as the axis reaches, and no farther.
    const auto byHand = loadTrace({fromBase, fromEpoch}, {}, job, {{1, -1'790'857'026'000'000'000}});
    QVERIFY(byHand.ok());
    QCOMPARE(byHand.value()->slices().begin[1], TimeNs(25'000));
    for (const DurationNs offset : {DurationNs(8'000'000'000'000'000'000), DurationNs(-9'000'000'000'000'000'000)}) {
        const auto tooFar = loadTrace({fromBase, fromEpoch}, {}, job, {{1, offset}});
        QVERIFY(!tooFar.ok());
        QVERIFY(tooFar.error().message.find("than one time axis reaches") != std::string::npos);
    }
}

void tst_LoadTrace::filesWithoutBaseTimeAreRefused_data() {
    QTest::addColumn<QByteArray>("first");
    QTest::addColumn<QByteArray>("second");
    QTest::addColumn<QString>("says");
    const QByteArray with = R"({"baseTimeNanoseconds":17,"traceEvents":[{"ph":"X","name":"x","ts":10,"dur":1}]})";
    const QByteArray without = R"([{"ph":"X","name":"x","ts":10,"dur":1}])";
    const QByteArray endOfTime =
        R"({"baseTimeNanoseconds":9223372036854775807,"traceEvents":[{"ph":"X","name":"x","ts":10,"dur":1}]})";
    QTest::newRow("first has none") << without << with << "c.json: gives no base time";
    QTest::newRow("second has none") << with << without << "d.json: gives no base time";
    QTest::newRow("none has any") << without << without << "c.json: gives no base time";
    QTest::newRow("no axis is so long") << with << endOfTime << "d.json: its base time lies too far";
}

void tst_LoadTrace::filesWithoutBaseTimeAreRefused() {
    QFETCH(QByteArray, first);
    QFETCH(QByteArray, second);
    QFETCH(QString, says);
    JobControl job;
    const auto trace = loadTrace({write("c.json", first), write("d.json", second)}, {}, job);
    QVERIFY(!trace.ok());
    const QString message = QString::fromStdString(trace.error().message);
    QVERIFY2(message.startsWith(m_folder.path() + "/" + says), qPrintable(message));
    QVERIFY2(message.contains("--offset 2:TIME"), qPrintable(message));
    QCOMPARE(QByteArray::fromStdString(trace.error().code), QByteArray("clock_mismatch"));
}

void tst_LoadTrace::filesArePlacedByHand() {
    const auto a = write("a.json", R"([{"ph":"X","name":"x","ts":10,"dur":1}])");
    const auto b = write("b.json", R"([{"ph":"X","name":"x","ts":20,"dur":1}])");
    const auto c =
        write("c.json", R"({"baseTimeNanoseconds":17,"traceEvents":[{"ph":"X","name":"x","ts":30,"dur":1}]})");
    JobControl job;
    // Even a file that has a clock is where the user puts it.
    const auto trace = loadTrace({a, b, c}, {}, job, {{1, -15'000}, {2, 7}});
    QVERIFY2(trace.ok(), trace.ok() ? "" : trace.error().message.c_str());
    QCOMPARE(beginsOf(*trace.value()), (std::vector<TimeNs>{10'000, 5'000, 30'007}));
    QVERIFY(!trace.value()->files()[0].placedByHand);
    QVERIFY(trace.value()->files()[1].placedByHand);
    QCOMPARE(trace.value()->files()[2].ownTime(30'007), TimeNs(30'000));
}

void tst_LoadTrace::filesFarApartAreReported_data() {
    QTest::addColumn<QList<qlonglong>>("baseSeconds");
    QTest::addColumn<QStringList>("says");
    // Each file lasts from 0 to 10 s of its own.
    QTest::newRow("together") << QList<qlonglong>{1000, 1005} << QStringList{};
    QTest::newRow("just not too far") << QList<qlonglong>{0, 3610} << QStringList{};
    QTest::newRow("too far behind") << QList<qlonglong>{0, 3611} << QStringList{"1: it begins 60 min 1.0 s after"};
    QTest::newRow("too far before") << QList<qlonglong>{7210, 0} << QStringList{"1: it ends 120 min 0.0 s before"};
    QTest::newRow("one after the other") << QList<qlonglong>{0, 3000, 6000, 9000} << QStringList{};
    QTest::newRow("two hosts") << QList<qlonglong>{0, 50000, 1, 50001}
                               << QStringList{"1: it begins 833 min 9.0 s after"};
}

void tst_LoadTrace::filesFarApartAreReported() {
    QFETCH(QList<qlonglong>, baseSeconds);
    QFETCH(QStringList, says);
    std::vector<std::string> paths;
    FileOffsets byHand;
    for (qsizetype i = 0; i < baseSeconds.size(); ++i) {
        const QByteArray base = QByteArray::number(baseSeconds[i]) + "000000000";
        paths.push_back(write(QString::number(i) + ".json",
                              "{\"baseTimeNanoseconds\":" + base +
                                  ",\"traceEvents\":[{\"ph\":\"X\",\"name\":\"x\",\"ts\":0,\"dur\":10000000}]}"));
        if (i > 0) {
            byHand[static_cast<size_t>(i)] = (baseSeconds[i] - baseSeconds[0]) * 1'000'000'000;
        }
    }
    JobControl job;
    const auto trace = loadTrace(paths, {}, job);
    QVERIFY(trace.ok());
    QStringList found;
    for (const Issue& issue : trace.value()->report().issues()) {
        if (issue.code == "clock_mismatch") {
            QCOMPARE(issue.severity, Severity::Warning);
            found << QString::number(issue.file.value) + ": " + QString::fromStdString(issue.detail);
        }
    }
    QCOMPARE(found.size(), says.size());
    for (qsizetype i = 0; i < says.size(); ++i) {
        QVERIFY2(found[i].startsWith(says[i]), qPrintable(found[i]));
    }
    // What the user says is not doubted.
    QCOMPARE(loadTrace(paths, {}, job, byHand).value()->report().countOf("clock_mismatch"), uint64_t(0));
}

void tst_LoadTrace::aFileIsOpenedOnce() {
    const auto path = write("once.json", R"([{"ph":"X","name":"x","ts":10,"dur":1}])");
    QVERIFY(QFile::link("once.json", m_folder.filePath("link.json")));
    JobControl job;
    const auto twice = loadTrace({path, path}, {}, job, {{1, 0}});
    QVERIFY(!twice.ok());
    QCOMPARE(QString::fromStdString(twice.error().message),
             QString::fromStdString(path) + ": is given twice; every file is opened once");
    const auto linked = loadTrace({path, m_folder.filePath("link.json").toStdString()}, {}, job, {{1, 0}});
    QVERIFY(!linked.ok());
    QVERIFY2(linked.error().message.find("is the same file as") != std::string::npos, linked.error().message.c_str());
}

void tst_LoadTrace::rangesAreOfEachFile() {
    // The begin that never ends goes on to the end of its own file, not of the other.
    const auto a = write(
        "a.json",
        R"({"baseTimeNanoseconds":0,"traceEvents":[{"ph":"B","name":"open","pid":1,"tid":1,"ts":1},{"ph":"X","name":"x","pid":1,"tid":2,"ts":10,"dur":5},{"ph":"B","name":"b","pid":1,"tid":3,"ts":2},{"ph":"E","pid":1,"tid":3,"ts":20}]})");
    const auto b = write(
        "b.json",
        R"({"baseTimeNanoseconds":1000000,"traceEvents":[{"ph":"i","name":"i","pid":1,"tid":1,"ts":3},{"ph":"C","name":"c","pid":1,"ts":7,"args":{"v":1}}]})");
    const auto c = write("c.json", R"({"baseTimeNanoseconds":5,"traceEvents":[]})");
    JobControl job;
    const auto trace = loadTrace({a, b, c}, {}, job);
    QVERIFY2(trace.ok(), trace.ok() ? "" : trace.error().message.c_str());
    const auto files = trace.value()->files();
    QCOMPARE(files[0].range.value(), (TimeRange{1'000, 20'000}));
    QCOMPARE(files[1].range.value(), (TimeRange{1'003'000, 1'007'000}));
    QVERIFY(!files[2].range.has_value());
    QCOMPARE(trace.value()->range().value(), (TimeRange{1'000, 1'007'000}));
    const auto name = trace.value()->findString("open");
    for (uint32_t row = 0; row < trace.value()->sliceCount(); ++row) {
        if (trace.value()->slices().name[row] == name) {
            QCOMPARE(trace.value()->slices().end(row), TimeNs(20'000));
        }
    }
}

void tst_LoadTrace::ranksAreHeldAgainstOneAnother_data() {
    QTest::addColumn<QStringList>("infos");
    QTest::addColumn<QStringList>("issues");  // with the number of the file
    QTest::newRow("as they should be") << QStringList{R"("rank":0,"world_size":2)", R"("rank":1,"world_size":2)"}
                                       << QStringList();
    QTest::newRow("none") << QStringList{R"("world_size":2)", R"("world_size":2)"} << QStringList();
    QTest::newRow("the same") << QStringList{R"("rank":1,"world_size":2)", R"("rank":0)", R"("rank":1)"}
                              << QStringList{"2 duplicate_rank warning 1"};
    QTest::newRow("too large") << QStringList{R"("rank":0,"world_size":2)", R"("rank":2,"world_size":2)"}
                               << QStringList{"1 odd_rank warning 1"};
    QTest::newRow("in quotes") << QStringList{R"("rank":"1","world_size":"2")", R"("rank":1,"world_size":2)"}
                               << QStringList{"1 duplicate_rank warning 1"};
    QTest::newRow("none at all") << QStringList{R"("rank":null,"world_size":2)"} << QStringList();
    QTest::newRow("a word") << QStringList{R"("rank":"first","world_size":2)"} << QStringList{"0 odd_value warning 1"};
    QTest::newRow("half") << QStringList{R"("rank":1.5,"world_size":2)"} << QStringList{"0 odd_value warning 1"};
    QTest::newRow("huge") << QStringList{R"("rank":0,"world_size":18446744073709551615)"}
                          << QStringList{"0 odd_value warning 1"};
    QTest::newRow("of one file") << QStringList{R"("rank":5,"world_size":2)"} << QStringList{"0 odd_rank warning 1"};
}

void tst_LoadTrace::ranksAreHeldAgainstOneAnother() {
    QFETCH(QStringList, infos);
    QFETCH(QStringList, issues);
    std::vector<std::string> paths;
    for (const QString& info : infos) {
        paths.push_back(write(QString("rank%1.json").arg(paths.size()),
                              R"({"baseTimeNanoseconds":1700000000000000000,"distributedInfo":{)" + info.toUtf8() +
                                  R"(},"traceEvents":[{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":1}]})"));
    }
    JobControl job;
    const auto trace = loadTrace(paths, {}, job);
    QVERIFY2(trace.ok(), trace.ok() ? "" : trace.error().message.c_str());
    QStringList lines;
    for (const Issue& issue : trace.value()->report().issues()) {
        lines << QString("%1 %2 %3 %4")
                     .arg(issue.file.value)
                     .arg(QString::fromStdString(issue.code))
                     .arg(QString::fromStdString(std::string(severityName(issue.severity))))
                     .arg(issue.count);
    }
    QCOMPARE(lines, issues);
}

void tst_LoadTrace::aFileThatIsStillWrittenGivesWhatIsWhole() {
    const QByteArray text = kinetoText(20);
    const qsizetype cut = text.lastIndexOf("\n  {\n") + 12;
    JobControl job;
    const auto path = write("growing.json", text.left(cut));
    const auto part = loadTrace({path}, {}, job);
    QVERIFY(part.ok());
    QVERIFY(!part.value()->report().complete());
    QCOMPARE(part.value()->report().countOf("truncated"), uint64_t(1));
    const uint32_t before = part.value()->sliceCount();
    QVERIFY(before > 0);

    QFile file(QString::fromStdString(path));
    QVERIFY(file.open(QIODevice::Append));
    file.write(text.mid(cut));
    file.close();
    // What was loaded is not read from bytes that may have moved.
    const auto args = part.value()->argsJson(EventRow(0U));
    QVERIFY(!args.ok());
    QCOMPARE(QByteArray::fromStdString(args.error().code), QByteArray("file_changed"));
    const auto whole = loadTrace({path}, {}, job);
    QVERIFY(whole.value()->report().complete());
    QVERIFY(whole.value()->argsJson(EventRow(0U)).ok());
}

void tst_LoadTrace::failuresNameTheFile_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("says");
    QTest::addColumn<QByteArray>("code");
    QTest::newRow("empty") << QByteArray() << "empty" << QByteArray("unsupported");
    QTest::newRow("memory timeline as a picture")
        << QByteArray(
               "<html>\n<head><meta charset=\"utf-8\" /><title>GPU Memory Timeline HTML</title></head>\n<body>\n"
               "  <img src='data:image/png;base64,iVBORw0KGgo='>")
        << "export_memory_timeline" << QByteArray("unsupported");
    QTest::newRow("systrace") << QByteArray(
                                     "<!DOCTYPE html>\n<html>\n<head i18n-values=\"dir:textdirection;\">\n"
                                     "<title>Android System Trace</title>")
                              << "save the trace as JSON" << QByteArray("unsupported");
    QTest::newRow("another page") << QByteArray("\n<HTML><body>x") << "an HTML page, not a trace"
                                  << QByteArray("unsupported");
    QTest::newRow("picture") << QByteArray("\x89PNG\r\n\x1a\n\0\0", 10) << "PNG" << QByteArray("unsupported");
    QTest::newRow("pickle") << QByteArray("\x80\x04\x95", 3) << "pickle" << QByteArray("unsupported");
    QTest::newRow("text") << QByteArray("hello\n") << "not a trace" << QByteArray("unsupported");
    QTest::newRow("other JSON") << QByteArray("{\"a\": [1]}") << "no traceEvents" << QByteArray("unsupported");
    QTest::newRow("cut gzip") << gzipped("[]").left(12) << "ends before" << QByteArray("truncated");
    QTest::newRow("UTF-16") << QByteArray("\xff\xfe[\0]\0", 6) << "UTF-16" << QByteArray("encoding");
}

void tst_LoadTrace::failuresNameTheFile() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, says);
    QFETCH(QByteArray, code);
    const auto path = write("bad.json", bytes);
    JobControl job;
    const auto trace = loadTrace({path}, {}, job);
    QVERIFY(!trace.ok());
    const QString message = QString::fromStdString(trace.error().message);
    QVERIFY2(message.startsWith(QString::fromStdString(path) + ": "), qPrintable(message));
    QVERIFY2(message.contains(says), qPrintable(message));
    QCOMPARE(QByteArray::fromStdString(trace.error().code), code);
}

void tst_LoadTrace::damagedGzip_data() {
    QTest::addColumn<QByteArray>("stored");
    QTest::addColumn<QStringList>("issues");
    QTest::addColumn<bool>("complete");
    const QByteArray text = kinetoText(5);
    const QByteArray whole = gzipped(text);
    QByteArray badSum = whole;
    badSum[badSum.size() - 6] = char(badSum[badSum.size() - 6] ^ 1);
    const qsizetype last = text.lastIndexOf("\n  {\n") + 3;
    const QString lastEvent = QString::number(last);
    QTest::newRow("bad checksum") << badSum
                                  << QStringList{"bad_checksum warning 1 @" + QString::number(whole.size() - 4)}
                                  << true;
    QTest::newRow("text after the stream")
        << whole + "x" << QStringList{"trailing_data warning 1 @" + QString::number(whole.size())} << true;
    QTest::newRow("only the trailer is cut")
        << whole.chopped(2) << QStringList{"truncated warning 1 @" + QString::number(whole.size() - 2)} << true;
    // Stored without compression, so that the text ends where the stream is cut.
    const qsizetype between = text.lastIndexOf(",\n  {\n");
    QTest::newRow("cut between two events")
        << gzipped(text, 0).left(15 + between) << QStringList{"truncated data_loss 1 @" + QString::number(between)}
        << false;
    QTest::newRow("cut before a further member")
        << whole + whole.left(12) << QStringList{"truncated data_loss 1 @" + QString::number(whole.size() + 12)}
        << false;
    QTest::newRow("cannot be unpacked on")
        << gzipped(text.left(between), 1, Z_FULL_FLUSH) + QByteArray(40, '\xff')
        << QStringList{"invalid_gzip data_loss 1 @" +
                       QString::number(gzipped(text.left(between), 1, Z_FULL_FLUSH).size() + 1)}
        << false;
    QTest::newRow("text and stream cut") << gzipped(text.left(last + 20)).chopped(8)
                                         << QStringList{"truncated data_loss 1 @" + lastEvent} << false;
}

void tst_LoadTrace::damagedGzip() {
    QFETCH(QByteArray, stored);
    QFETCH(QStringList, issues);
    QFETCH(bool, complete);
    JobControl job;
    const auto trace = loadTrace({write("e.json.gz", stored)}, {}, job);
    QVERIFY2(trace.ok(), trace.ok() ? "" : trace.error().message.c_str());
    QStringList lines = issueLines(*trace.value());
    lines.removeIf([](const QString& line) { return line.startsWith("orphan") || line.startsWith("dangling"); });
    QCOMPARE(lines, issues);
    QCOMPARE(trace.value()->report().complete(), complete);
}

void tst_LoadTrace::progressReachesTheEnd() {
    const auto a = write("f.json", kinetoText(50));
    const auto b = write("g.json.gz", gzipped(kinetoText(50)));
    JobControl job;
    QVERIFY(loadTrace({a, b}, {}, job).ok());
    QVERIFY(job.total() > 0);
    QCOMPARE(job.done(), job.total());
}

void tst_LoadTrace::aFileThatChangesMeanwhileIsSaid_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("change");
    QTest::addColumn<bool>("isSaid");
    for (const char* name : {"changing.json", "changing.json.gz"}) {
        QTest::addRow("%s, left alone", name) << name << QByteArray("nothing") << false;
        QTest::addRow("%s, more text", name) << name << QByteArray("append") << true;
        QTest::addRow("%s, no text", name) << name << QByteArray("empty") << true;
        QTest::addRow("%s, another file of the name", name) << name << QByteArray("replace") << false;
    }
}

/// Files are opened before the first is read, and a pipe is waited for when it is opened: so the change falls between.
void tst_LoadTrace::aFileThatChangesMeanwhileIsSaid() {
    QFETCH(QString, name);
    QFETCH(QByteArray, change);
    QFETCH(bool, isSaid);
    const QByteArray text = kinetoText(20);
    const auto path = write(name, name.endsWith("gz") ? gzipped(text) : text);
    const QByteArray pipe = m_folder.filePath("pipe").toUtf8();
    QCOMPARE(::mkfifo(pipe.constData(), 0600), 0);
    std::thread writer([&] {
        QFile end(QString::fromUtf8(pipe));
        if (!end.open(QIODevice::WriteOnly | QIODevice::Unbuffered)) {
            return;
        }
        QFile file(QString::fromStdString(path));
        if (change == "append" && file.open(QIODevice::Append)) {
            file.write(" ");
        } else if (change == "empty") {
            static_cast<void>(file.open(QIODevice::WriteOnly));
        } else if (change == "replace") {
            write("other", "[]");
            ::rename(m_folder.filePath("other").toUtf8().constData(), path.c_str());
        }
        file.close();
        end.write(text);
    });
    JobControl job;
    const auto trace = loadTrace({path, pipe.toStdString()}, {}, job);
    writer.join();
    QFile::remove(QString::fromUtf8(pipe));
    QVERIFY2(trace.ok(), trace.ok() ? "" : trace.error().message.c_str());
    const ImportReport& report = trace.value()->report();
    QCOMPARE(report.countOf("file_changed"), uint64_t(isSaid ? 1 : 0));
    QCOMPARE(report.complete(), !isSaid);
    if (isSaid) {
        QVERIFY(issueLines(*trace.value()).contains("file_changed warning 1 @-1"));
    }
}

/// In the middle of a file; how soon is measured by the benchmark `load`.
void tst_LoadTrace::stopsWhenAsked() {
    const auto path = write("long.json", kinetoText(60'000));
    JobControl job;
    std::thread stopper([&] {
        while (job.done() < 4'000'000) {
            std::this_thread::yield();
        }
        job.requestStop();
    });
    const auto trace = loadTrace({path}, {}, job);
    stopper.join();
    QVERIFY(!trace.ok());
    QVERIFY(trace.error().isCancelled());
}

/// Who reports the failure by the same job is not stopped in that; a stop by the user goes before it.
void tst_LoadTrace::aLimitLeavesTheJobRunning() {
    const auto path = write("large.json", kinetoText(60'000));
    LoadOptions options;
    options.maxTraceBytes = 1 << 20;
    JobControl job;
    QCOMPARE(loadTrace({path}, options, job).error().code, std::string("too_large"));
    QVERIFY(!job.stopRequested());
    QVERIFY(job.done() > 0);
    QCOMPARE(std::string(job.phase()), std::string("Reading events"));
    job.requestStop();
    QVERIFY(loadTrace({path}, options, job).error().isCancelled());
}

QTEST_APPLESS_MAIN(tst_LoadTrace)
#include "tst_load_trace.moc"
