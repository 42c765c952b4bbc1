// SPDX-License-Identifier: MIT
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
    void filesWithoutBaseTimeAreReported_data();
    void filesWithoutBaseTimeAreReported();
    void failuresNameTheFile_data();
    void failuresNameTheFile();
    void damagedGzip_data();
    void damagedGzip();
    void progressReachesTheEnd();
    void stopsWhenAsked();

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

void tst_LoadTrace::filesWithoutBaseTimeAreReported_data() {
    QTest::addColumn<QByteArray>("first");
    QTest::addColumn<QByteArray>("second");
    const QByteArray with = R"({"baseTimeNanoseconds":17,"traceEvents":[{"ph":"X","name":"x","ts":10,"dur":1}]})";
    const QByteArray without = R"([{"ph":"X","name":"x","ts":10,"dur":1}])";
    QTest::newRow("first has none") << without << with;
    QTest::newRow("second has none") << with << without;
    QTest::newRow("none has any") << without << without;
}

void tst_LoadTrace::filesWithoutBaseTimeAreReported() {
    QFETCH(QByteArray, first);
    QFETCH(QByteArray, second);
    JobControl job;
    const auto trace = loadTrace({write("c.json", first), write("d.json", second)}, {}, job);
    QCOMPARE(trace.value()->report().countOf("clock_mismatch"), uint64_t(1));
    QCOMPARE(trace.value()->files()[1].axisOffsetNs, DurationNs(0));
    QCOMPARE(beginsOf(*trace.value()), (std::vector<TimeNs>{10'000, 10'000}));
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

QTEST_APPLESS_MAIN(tst_LoadTrace)
#include "tst_load_trace.moc"
