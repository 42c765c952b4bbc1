// SPDX-License-Identifier: MIT
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "core/record/options/record_folder.h"
#include "core/record/options/record_options.h"

using namespace warpline;
using namespace warpline::record;

class TestRecordOptions : public QObject {
    Q_OBJECT

private slots:
    void roundTrip();
    void defaults();
    void lineEnds();
    void unknownKeys();
    void badLines_data();
    void badLines();
    void goodSchedules_data();
    void goodSchedules();
    void badSchedules_data();
    void badSchedules();
    void cycles();
    void controlBlock();
};

void TestRecordOptions::roundTrip() {
    RecordOptions options;
    options.api = ApiLevel::All;
    options.graph = GraphLevel::Launch;
    options.hasMemory = options.hasSynchronization = options.hasRanges = options.hasOverhead = options.hasCode = false;
    options.hasAllocationSource = options.isLive = true;
    options.followsChildren = false;
    options.devices = {3, 0, 4'000'000'000U};
    options.kernelPattern = "a=b,c \"d\" \\(\xc3\xa4";
    options.skip = 18'000'000'000'000'000'000U;
    options.count = 7;
    options.range = "step = 1";
    options.schedule = {Schedule::Unit::Ranges, 1, 2, 3, 4, 5};
    options.startedNs = 1'700'000'000'000'000'001;
    options.delayNs = 6;
    options.durationNs = 8;
    options.mostBytes = 9;
    options.cuptiPath = "/a path/libcupti.so";
    const auto back = optionsOf(toText(options));
    QVERIFY(back.ok());
    const RecordOptions& same = back.value();
    QCOMPARE(toText(same), toText(options));
    QCOMPARE(int(same.api), int(ApiLevel::All));
    QCOMPARE(int(same.graph), int(GraphLevel::Launch));
    QVERIFY(!same.hasMemory && !same.hasSynchronization && !same.hasRanges && !same.hasOverhead && !same.hasCode);
    QVERIFY(same.hasAllocationSource && same.isLive && !same.followsChildren);
    QCOMPARE(same.devices, options.devices);
    QCOMPARE(same.kernelPattern, options.kernelPattern);
    QCOMPARE(same.skip, options.skip);
    QCOMPARE(same.count, options.count);
    QCOMPARE(same.range, options.range);
    QCOMPARE(int(same.schedule.unit), int(Schedule::Unit::Ranges));
    QCOMPARE(same.schedule.skipFirst, 1U);
    QCOMPARE(same.schedule.wait, 2U);
    QCOMPARE(same.schedule.warmup, 3U);
    QCOMPARE(same.schedule.active, 4U);
    QCOMPARE(same.schedule.repeat, 5U);
    QCOMPARE(same.startedNs, options.startedNs);
    QCOMPARE(same.delayNs, options.delayNs);
    QCOMPARE(same.durationNs, options.durationNs);
    QCOMPARE(same.mostBytes, options.mostBytes);
    QCOMPARE(same.cuptiPath, options.cuptiPath);
}

void TestRecordOptions::defaults() {
    QCOMPARE(toText(optionsOf("").value()), toText(RecordOptions{}));
    QCOMPARE(toText(optionsOf(toText(RecordOptions{})).value()), toText(RecordOptions{}));
    QVERIFY(!RecordOptions{}.selectsLaunches());
}

/// A value cannot end its line.
void TestRecordOptions::lineEnds() {
    RecordOptions options;
    options.kernelPattern = "a\nskip=5\r";
    const auto back = optionsOf(toText(options));
    QVERIFY(back.ok());
    QCOMPARE(back.value().kernelPattern, std::string("a skip=5 "));
    QCOMPARE(back.value().skip, 0U);
}

void TestRecordOptions::unknownKeys() {
    const auto options = optionsOf("of_later=what\n\ncount=3\nof_later_2=\n");
    QVERIFY(options.ok());
    QCOMPARE(options.value().count, 3U);
}

void TestRecordOptions::badLines_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("line");
    QTest::newRow("no equals") << "count=1\nnonsense\n"
                               << "nonsense";
    QTest::newRow("no number") << "count=many"
                               << "count=many";
    QTest::newRow("negative") << "skip=-1"
                              << "skip=-1";
    QTest::newRow("rest") << "skip=1x"
                          << "skip=1x";
    QTest::newRow("empty") << "skip="
                           << "skip=";
    QTest::newRow("too large") << "skip=99999999999999999999"
                               << "skip=99999999999999999999";
    QTest::newRow("device") << "device=first"
                            << "device=first";
    QTest::newRow("level") << "api=3"
                           << "api=3";
    QTest::newRow("unit") << "schedule_unit=3"
                          << "schedule_unit=3";
}

void TestRecordOptions::badLines() {
    QFETCH(QString, text);
    QFETCH(QString, line);
    const auto options = optionsOf(text.toStdString());
    QVERIFY(!options.ok());
    QVERIFY2(QString::fromStdString(options.error().message).contains("\"" + line + "\""),
             options.error().message.c_str());
}

void TestRecordOptions::goodSchedules_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("countsRanges");
    QTest::addColumn<QList<qulonglong>>("numbers");  // unit, then as they stand
    using Unit = Schedule::Unit;
    const auto list = [](Unit unit, QList<qulonglong> rest) { return QList<qulonglong>{qulonglong(unit)} + rest; };
    QTest::newRow("active") << "active=3" << false << list(Unit::Launches, {0, 0, 0, 3, 0});
    QTest::newRow("all") << "skip_first=10,wait=2,warmup=1,active=3,repeat=2" << false
                         << list(Unit::Launches, {10, 2, 1, 3, 2});
    QTest::newRow("ranges") << "wait=1,active=1" << true << list(Unit::Ranges, {0, 1, 0, 1, 0});
    QTest::newRow("time") << "skip_first=1s,wait=20ms,warmup=3us,active=5ns,repeat=2" << false
                          << list(Unit::Nanoseconds, {1'000'000'000, 20'000'000, 3'000, 5, 2});
    QTest::newRow("nothing has no unit") << "wait=0,active=5s" << false
                                         << list(Unit::Nanoseconds, {0, 0, 0, 5'000'000'000, 0});
    QTest::newRow("comma at the end") << "active=3," << false << list(Unit::Launches, {0, 0, 0, 3, 0});
}

void TestRecordOptions::goodSchedules() {
    QFETCH(QString, text);
    QFETCH(bool, countsRanges);
    QFETCH(QList<qulonglong>, numbers);
    const auto parsed = scheduleOf(text.toStdString(), countsRanges);
    QVERIFY2(parsed.ok(), parsed.ok() ? "" : parsed.error().message.c_str());
    const Schedule& schedule = parsed.value();
    QCOMPARE((QList<qulonglong>{qulonglong(schedule.unit), schedule.skipFirst, schedule.wait, schedule.warmup,
                                schedule.active, schedule.repeat}),
             numbers);
}

void TestRecordOptions::badSchedules_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("countsRanges");
    QTest::addColumn<QString>("says");
    QTest::newRow("empty") << "" << false << "active must be given";
    QTest::newRow("no active") << "wait=2" << false << "active must be given";
    QTest::newRow("no activity") << "active=0" << false << "more than 0";
    QTest::newRow("key") << "activ=3" << false << "\"activ\" is none of";
    QTest::newRow("no number") << "active=x" << false << "\"active=x\": a whole number";
    QTest::newRow("fraction") << "active=1.5s" << false << "a whole number";
    QTest::newRow("negative") << "active=-1" << false << "a whole number";
    QTest::newRow("no value") << "active" << false << "a whole number";
    QTest::newRow("too large") << "active=99999999999s" << false << "a whole number";
    QTest::newRow("mixed") << "wait=2,active=1s" << false << "with and without a unit";
    QTest::newRow("ranges in time") << "active=1s" << true << "ranges are counted";
    QTest::newRow("repeat in seconds") << "active=1s,repeat=2s" << false << "a whole number";
    QTest::newRow("repeat in nanoseconds") << "active=1,repeat=2ns" << false << "a whole number";
}

void TestRecordOptions::badSchedules() {
    QFETCH(QString, text);
    QFETCH(bool, countsRanges);
    QFETCH(QString, says);
    const auto parsed = scheduleOf(text.toStdString(), countsRanges);
    QVERIFY(!parsed.ok());
    QVERIFY2(QString::fromStdString(parsed.error().message).contains(says), parsed.error().message.c_str());
}

void TestRecordOptions::cycles() {
    const Schedule schedule{Schedule::Unit::Nanoseconds, 10, 3, 2, 5, 2};
    const auto cycle = [&](uint64_t at) { return schedule.cycleAt(at) ? int(*schedule.cycleAt(at)) : -1; };
    QCOMPARE(cycle(0), -1);
    QCOMPARE(cycle(14), -1);
    QCOMPARE(cycle(15), 0);
    QCOMPARE(cycle(19), 0);
    QCOMPARE(cycle(20), -1);
    QCOMPARE(cycle(25), 1);
    QCOMPARE(cycle(29), 1);
    QCOMPARE(cycle(30), -1);
    QCOMPARE(cycle(35), -1);  // there are two
}

void TestRecordOptions::controlBlock() {
    const QTemporaryDir folder;
    std::string error;
    QVERIFY(mapControl(folder.path().toStdString(), false, error) == nullptr);
    QVERIFY(!error.empty());
    ControlBlock* made = mapControl(folder.path().toStdString(), true, error);
    QVERIFY(made != nullptr);
    ControlBlock* other = mapControl(folder.path().toStdString(), false, error);
    QVERIFY(other != nullptr && other != made);
    made->state = uint32_t(ControlState::Stop);
    QCOMPARE(other->state.load(), uint32_t(ControlState::Stop));
    QVERIFY(mapControl(folder.path().toStdString(), true, error) == nullptr);
    QVERIFY(!readSmallFile(folder.filePath("none").toStdString()).has_value());
    QFile file(folder.filePath("some"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray(10000, 'x'));
    file.close();
    QCOMPARE(readSmallFile(file.fileName().toStdString()).value().size(), 10000U);
}

QTEST_GUILESS_MAIN(TestRecordOptions)
#include "tst_record_options.moc"
