// SPDX-License-Identifier: MIT
// PyTorch's memory timelines: files that torch 2.11 wrote, small ones worked out by hand, and hostile ones.
#include <QSet>
#include <QTest>
#include <nlohmann/json.hpp>

#include "core/analyses/memory_timeline.h"
#include "core/loaders/load_trace.h"
#include "core/loaders/memory_timeline/memory_timeline_loader.h"
#include "tests/core/loaders/loader_testing.h"

using namespace warpline;
using namespace warpline::test;
using loaders::memory_timeline::MemoryTimelineLoader;

namespace {

/// "time: level level …", a row a line; "?" is unknown.
QStringList rowsOf(const Trace& trace) {
    QStringList lines;
    const auto timeline = readMemoryTimeline(trace);
    for (size_t row = 0; timeline && row < timeline->times.size(); ++row) {
        QString line = QString("%1:").arg(timeline->times[row]);
        for (size_t i = 0; i < timeline->categories.size(); ++i) {
            const auto level = timeline->level(row, i);
            line += level ? QString(" %1").arg(qlonglong(*level)) : " ?";
        }
        lines << line;
    }
    return lines;
}

struct Loaded {
    QStringList rows, issues;
    QString error;
};

Loaded load(const QByteArray& text) {
    const auto trace = loadBy(MemoryTimelineLoader(), text);
    if (!trace) {
        return {{}, {}, QString::fromStdString(trace.error().message)};
    }
    return {rowsOf(*trace.value()), issueLines(*trace.value()), ""};
}

int sniffed(const QByteArray& text) {
    return MemoryTimelineLoader().sniff({std::string_view(text.data(), size_t(text.size())), "x"});
}

}  // namespace

class tst_MemoryTimeline : public QObject {
    Q_OBJECT

private slots:
    void realFiles_data();
    void realFiles();
    void columns();
    void rawRecords();
    void odd_data();
    void odd();
    void refused_data();
    void refused();
    void sniffs_data();
    void sniffs();
    void changesAloneAreKept();
    void damage_data();
    void damage();
    void damageAnywhereCostsOneRow_data();
    void damageAnywhereCostsOneRow();
    void aDamagedHeadKeepsTheRest_data();
    void aDamagedHeadKeepsTheRest();
    void nothingLeft();
    void damagedBeginsAreKnown();
};

void tst_MemoryTimeline::realFiles_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("format");
    QTest::addColumn<qlonglong>("rows");
    QTest::addColumn<qlonglong>("peakTime");
    // The raw form has nanoseconds, the other microseconds: so it has more rows, and a later peak.
    QTest::newRow("columns") << "memory_timeline.json.gz"
                             << "pytorch-memory-timeline" << 3291LL << 1795967104901930000LL;
    QTest::newRow("raw") << "memory_timeline.raw.json.gz"
                         << "pytorch-memory-timeline-raw" << 3351LL << 1795967104901930000LL;
}

void tst_MemoryTimeline::realFiles() {
    QFETCH(QString, name);
    QFETCH(QString, format);
    QFETCH(qlonglong, rows);
    QFETCH(qlonglong, peakTime);
    JobControl job;
    const auto loaded = loadTrace({WARPLINE_TEST_DATA_DIR "/" + name.toStdString()}, {}, job);
    QVERIFY2(loaded.ok(), loaded.ok() ? "" : loaded.error().message.c_str());
    const Trace& trace = *loaded.value();
    QVERIFY(trace.report().issues().empty());
    QCOMPARE(QString::fromStdString(trace.files()[0].format), format);
    QCOMPARE(trace.files()[0].baseTimeNs.value_or(-1), 0);

    const auto timeline = readMemoryTimeline(trace);
    QVERIFY(timeline && timeline->peakRow);
    QCOMPARE(qlonglong(timeline->times.size()), rows);
    QCOMPARE(timeline->times[*timeline->peakRow] / 1000, peakTime / 1000);
    // torch's own figures, from the profile object that wrote the files
    QCOMPARE(timeline->total(*timeline->peakRow).value_or(-1), 847882752);
    const std::vector<std::pair<QString, qlonglong>> atPeak = {{"Parameter", 109742080},
                                                               {"Optimizer state", 219480064},
                                                               {"Input", 49664},
                                                               {"Temporary", 0},
                                                               {"Activation", 0},
                                                               {"Gradient", 0},
                                                               {"Autograd detail", 134217728},
                                                               {"Unknown", 384393216}};
    QCOMPARE(timeline->categories.size(), atPeak.size());
    for (size_t i = 0; i < atPeak.size(); ++i) {
        QCOMPARE(QString::fromStdString(std::string(timeline->categories[i])), atPeak[i].first);
        QCOMPARE(qlonglong(timeline->level(*timeline->peakRow, i).value_or(-1)), atPeak[i].second);
    }
    const size_t last = timeline->times.size() - 1;
    QCOMPARE(timeline->total(last).value_or(-1), 329221632);
    QCOMPARE(timeline->level(last, 7).value_or(-1), 1536);
}

void tst_MemoryTimeline::columns() {
    // Equal first times: what was there before, then the first change. The third row changes nothing.
    const Loaded loaded = load(
        "[[10, 10, 11, 12.5], [[0, 4096, 0, 0, 0, 0, 0, 0, 0], [0, 4096, 0, 0, 0, 0, 0, 0, 512], "
        "[0, 4096, 0, 0, 0, 0, 0, 0, 512], [0, 0, 0, 7, 0, 0, 0, 0, 512]]]");
    QCOMPARE(loaded.rows, (QStringList{"10000: 4096 0 0 0 0 0 0 0", "10000: 4096 0 0 0 0 0 0 512",
                                       "11000: 4096 0 0 0 0 0 0 512", "12500: 0 0 7 0 0 0 0 512"}));
    QCOMPARE(loaded.issues, QStringList());
}

void tst_MemoryTimeline::rawRecords() {
    // Two allocations from before, one new, a version that changes its category, a free.
    const QByteArray text =
        "[[-1, 1, 100, 0], [-1, 1, 20, 7], [5000, 2, 8, 3], [6000, 3, -8, 3], [6000, 3, 8, 5], [7001, 4, -100, 0]]";
    const auto trace = loadBy(MemoryTimelineLoader(), text);
    QVERIFY(trace.ok());
    QCOMPARE(rowsOf(*trace.value()),
             (QStringList{"5000: 100 0 0 8 0 0 0 20", "6000: 100 0 0 0 0 8 0 20", "7001: 0 0 0 0 0 8 0 20"}));
    QCOMPARE(issueLines(*trace.value()), QStringList());
    const auto& properties = trace.value()->files()[0].properties;
    QCOMPARE(properties.at("events"), std::string("6"));
    QCOMPARE(properties.at("start_bytes"), std::string("120"));
    QCOMPARE(readMemoryTimeline(*trace.value())->peakRow, std::optional<size_t>(0));
}

void tst_MemoryTimeline::odd_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QStringList>("rows");
    QTest::addColumn<QStringList>("issues");
    const QByteArray full = "[0, 1, 2, 3, 4, 5, 6, 7, 8]";
    const QString levels = " 1 2 3 4 5 6 7 8";
    QTest::newRow("no rows") << QByteArray("[[], []]") << QStringList() << QStringList{"no_events warning 1 @-1"};
    QTest::newRow("cut in a row") << "[[1, 2], [" + full + ", [0, 1, 2" << QStringList{"1000:" + levels}
                                  << QStringList{"truncated data_loss 1 @39"};
    QTest::newRow("cut behind a row") << "[[1, 2], [" + full << QStringList{"1000:" + levels}
                                      << QStringList{"truncated data_loss 1 @10"};
    QTest::newRow("not JSON") << "[[1, 2], [" + full + ", [0, NaN, 2" << QStringList{"1000:" + levels}
                              << QStringList{"truncated data_loss 1 @39"};
    QTest::newRow("more times") << "[[1, 2, 3], [" + full + "]]" << QStringList{"1000:" + levels}
                                << QStringList{"unpaired_time data_loss 2 @1", "uncertain_time warning 1 @1"};
    QTest::newRow("more rows") << "[[1], [" + full + ", " + full + "]]" << QStringList{"1000:" + levels}
                               << QStringList{"unpaired_time data_loss 1 @36", "uncertain_time warning 1 @1"};
    QTest::newRow("two rows that have become one")
        << "[[1, 2, 3], [" + full + ", " + full + "]]" << QStringList{"1000:" + levels, "2000:" + levels}
        << QStringList{"unpaired_time data_loss 1 @1", "uncertain_time warning 2 @1"};
    QTest::newRow("one time far too late")
        << "[[1, 2, 99, 3, 4], [" + full + ", " + full + ", " + full + ", " + full + ", " + full + "]]"
        << QStringList{"1000:" + levels, "2000:" + levels, "3000:" + levels, "3000:" + levels, "4000:" + levels}
        << QStringList{"uncertain_time warning 1 @1"};
    QTest::newRow("one time far too early")
        << "[[10, 20, 3, 40], [" + full + ", " + full + ", " + full + ", " + full + "]]"
        << QStringList{"10000:" + levels, "20000:" + levels, "20000:" + levels, "40000:" + levels}
        << QStringList{"time_order warning 1 @77"};
    QTest::newRow("raw, the first record damaged")
        << QByteArray("[[-,1, 1, 100, 0], [2, 2, 8, 0], [3, 2, 8, 0]]")
        << QStringList{"2: 8 0 0 0 0 0 0 0", "3: 16 0 0 0 0 0 0 0"}
        << QStringList{"invalid_json data_loss 1 @1", "uncertain_level warning 1 @1"};
    QTest::newRow("raw, the second record damaged")
        << QByteArray("[[1, 2, 100, 0], [2x, 2, 8, 0], [3, 2, 8, 0]]")
        << QStringList{"1: 100 0 0 0 0 0 0 0", "3: 108 0 0 0 0 0 0 0"}
        << QStringList{"invalid_json data_loss 1 @17", "uncertain_level warning 1 @17"};
    QTest::newRow("raw, no time in the second record")
        << QByteArray("[[1, 2, 100, 0], [, 2, 8, 0], [3, 2, 8, 0]]")
        << QStringList{"1: 100 0 0 0 0 0 0 0", "3: 108 0 0 0 0 0 0 0"}
        << QStringList{"invalid_json data_loss 1 @17", "uncertain_level warning 1 @17"};
    QTest::newRow("raw, a begin behind the first record")
        << QByteArray("[[1, 2, 100, 0][, [2, 2, 8, 0]]") << QStringList{"1: 100 0 0 0 0 0 0 0", "2: 108 0 0 0 0 0 0 0"}
        << QStringList{"invalid_json warning 2 @15"};
    QTest::newRow("raw, no outer begin") << QByteArray("[1, 2, 8, 0], [2, 2, 8, 0]]")
                                         << QStringList{"1: 8 0 0 0 0 0 0 0", "2: 16 0 0 0 0 0 0 0"}
                                         << QStringList{"invalid_json warning 1 @0"};
    QTest::newRow("columns, another byte in place of the outer begin")
        << "x[1, 2], [" + full + ", " + full + "]]" << QStringList{"1000:" + levels, "2000:" + levels}
        << QStringList{"invalid_json warning 1 @0"};
    QTest::newRow("ten columns in the first row")
        << "[[1, 2], [[0, 1, 2, 3, 4, 5, 6, 7, 8, 9], " + full + "]]" << QStringList{"2000:" + levels}
        << QStringList{"not_an_event data_loss 1 @10"};
    QTest::newRow("raw, an end in place of a begin")
        << QByteArray("[[1, 2, 8, 0], ]2, 2, 8, 0], [3, 2, 8, 0]]")
        << QStringList{"1: 8 0 0 0 0 0 0 0", "2: 16 0 0 0 0 0 0 0", "3: 24 0 0 0 0 0 0 0"}
        << QStringList{"invalid_json warning 1 @15"};
    QTest::newRow("raw, the begin of the last")
        << QByteArray("[[1, 2, 8, 0], [2, 2, 8, 0], 3, 2, 8, 0]]")
        << QStringList{"1: 8 0 0 0 0 0 0 0", "2: 16 0 0 0 0 0 0 0", "3: 24 0 0 0 0 0 0 0"}
        << QStringList{"invalid_json warning 1 @29"};
    QTest::newRow("raw, a comma too many")
        << QByteArray("[[1, 2, 8, 0],, [2, 2, 8, 0]]") << QStringList{"1: 8 0 0 0 0 0 0 0", "2: 16 0 0 0 0 0 0 0"}
        << QStringList{"invalid_json warning 1 @14"};
    QTest::newRow("raw, a comma too few")
        << QByteArray("[[1, 2, 8, 0] [2, 2, 8, 0]]") << QStringList{"1: 8 0 0 0 0 0 0 0", "2: 16 0 0 0 0 0 0 0"}
        << QStringList{"invalid_json warning 1 @14"};
    QTest::newRow("text behind") << "[[1], [" + full + "]] x" << QStringList{"1000:" + levels}
                                 << QStringList{"trailing_data warning 1 @37"};
    QTest::newRow("no numbers") << QByteArray(
                                       "[[1, 2, null], [[0, 1, null, \"x\", 1.5, 18446744073709551615, true, -7, 0], "
                                       "[0, {\"a\": [1]}, 1], [0, 1, 2, 3, 4, 5, 6, 7, 8]]]")
                                << QStringList{"1000: 1 ? ? ? ? ? -7 0"}
                                << QStringList{"bad_timestamp data_loss 1 @95", "invalid_json data_loss 1 @75",
                                               "bad_level warning 1 @16", "negative_level warning 1 @16"};
    QTest::newRow("no list in place of a row") << "[[1, 2], [" + full + ", 5]]" << QStringList{"1000:" + levels}
                                               << QStringList{"not_an_event data_loss 1 @39"};
    QTest::newRow("many strays") << "[[1, 2], [[1, 2]" + QByteArray(", 7").repeated(5000) + "]]"
                                 << QStringList{"1000: 1 2"}
                                 << QStringList{"not_an_event data_loss 5000 @18", "uncertain_time warning 1 @1",
                                                "unknown_category warning 1 @10"};
    QTest::newRow("times backwards") << "[[2, 1], [" + full + ", [0, 0, 2, 3, 4, 5, 6, 7, 8]]]"
                                     << QStringList{"2000:" + levels, "2000: 0 2 3 4 5 6 7 8"}
                                     << QStringList{"time_order warning 1 @39"};
    QTest::newRow("times too large") << "[[1, 9223372036854775807], [" + full + ", " + full + "]]"
                                     << QStringList{"1000:" + levels} << QStringList{"outlier data_loss 1 @57"};
    QTest::newRow("bytes of no category") << QByteArray("[[1], [[5, 1, 2, 3, 4, 5, 6, 7, 8]]]")
                                          << QStringList{"1000:" + levels} << QStringList{"bad_level warning 1 @7"};
    QTest::newRow("other columns") << QByteArray("[[1, 2], [[4, 5], [6]]]") << QStringList{"1000: 4 5"}
                                   << QStringList{"not_an_event data_loss 1 @18", "unknown_category warning 1 @10"};
    QTest::newRow("raw, unknown category")
        << QByteArray("[[1, 2, 8, 9], [2, 2, 8, -1], [3, 2, 8, 0]]")
        << QStringList{"1: 0 0 0 0 0 0 0 8", "2: 0 0 0 0 0 0 0 16", "3: 8 0 0 0 0 0 0 16"}
        << QStringList{"unknown_category warning 2 @1"};
    QTest::newRow("raw, no records")
        << QByteArray("[[1, 2, 8, 0], [2, 2, \"8\", 0], [2, 2, 8], 7, {\"a\": 1}, [3, 2, [8], 0]]")
        << QStringList{"1: 8 0 0 0 0 0 0 0"}
        << QStringList{"invalid_json data_loss 1 @55", "not_an_event data_loss 4 @15", "uncertain_level warning 1 @15"};
    QTest::newRow("raw, below zero") << QByteArray("[[1, 4, -8, 0], [2, 2, 8, 0]]")
                                     << QStringList{"1: -8 0 0 0 0 0 0 0", "2: 0 0 0 0 0 0 0 0"}
                                     << QStringList{"negative_level warning 1 @1"};
    QTest::newRow("raw, too large") << QByteArray("[[1, 2, 9223372036854775807, 0], [2, 2, 1, 0], [3, 4, -5, 0]]")
                                    << QStringList{"1: ? 0 0 0 0 0 0 0", "2: ? 0 0 0 0 0 0 0", "3: ? 0 0 0 0 0 0 0"}
                                    << QStringList{"bad_level warning 1 @33", "rounded_number info 1 @-1"};
    QTest::newRow("raw, before after all")
        << QByteArray("[[5, 2, 8, 0], [-1, 1, 8, 0], [4, 2, 8, 1]]") << QStringList{"5: 16 8 0 0 0 0 0 0"}
        << QStringList{"time_order warning 2 @15"};
    QTest::newRow("raw, nothing in the recording")
        << QByteArray("[[-1, 1, 8, 0]]") << QStringList() << QStringList{"no_events warning 1 @-1"};
}

void tst_MemoryTimeline::odd() {
    QFETCH(QByteArray, text);
    QFETCH(QStringList, rows);
    QFETCH(QStringList, issues);
    const Loaded loaded = load(text);
    QCOMPARE(loaded.error, QString());
    QCOMPARE(loaded.rows, rows);
    QCOMPARE(loaded.issues, issues);
}

void tst_MemoryTimeline::refused_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("reason");
    QTest::newRow("cut in the times") << QByteArray("[[1, 2, 3") << "ends before";
    QTest::newRow("other numbers") << QByteArray("[[1, 2], [3, 4]]") << "no memory timeline";
    QTest::newRow("an object") << QByteArray("{\"a\": 1}") << "no memory timeline";
    QTest::newRow("a number") << QByteArray("5") << "no memory timeline";
    QTest::newRow("deep") << QByteArray(1'000'000, '[') << "no memory timeline";
}

void tst_MemoryTimeline::refused() {
    QFETCH(QByteArray, text);
    QFETCH(QString, reason);
    const Loaded loaded = load(text);
    QVERIFY2(loaded.error.contains(reason), qPrintable(loaded.error));
}

void tst_MemoryTimeline::sniffs_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("mine");
    QTest::newRow("columns") << QByteArray("[[1, 2], [[0, 1], [2, 3]]]") << true;
    QTest::newRow("columns, blanks") << QByteArray(" [ [ 1 , 2 ] , [ [ 0") << true;
    QTest::newRow("columns, empty") << QByteArray("[[], []]") << true;
    QTest::newRow("columns, cut in times") << QByteArray("[[1, 2, 3, 4, 5, 6") << true;
    QTest::newRow("raw") << QByteArray("[[-1, 1, 5, 0], [-1, 1, 5, 0]]") << true;
    QTest::newRow("raw, one record") << QByteArray("[[-1, 1, 5, 0]]") << true;
    QTest::newRow("pairs") << QByteArray("[[1, 2], [3, 4]]") << false;
    QTest::newRow("events") << QByteArray("[{\"ph\": \"X\"}]") << false;
    QTest::newRow("deep") << QByteArray("[[[[") << false;
    QTest::newRow("nothing") << QByteArray() << false;
}

void tst_MemoryTimeline::sniffs() {
    QFETCH(QByteArray, text);
    QFETCH(bool, mine);
    QCOMPARE(sniffed(text) > 50, mine);
}

void tst_MemoryTimeline::changesAloneAreKept() {
    QByteArray times, rows;
    for (int i = 0; i < 1000; ++i) {
        times += (i == 0 ? "" : ", ") + QByteArray::number(100 + i);
        rows += (i == 0 ? "[0, " : ", [0, ") + QByteArray::number(i) + ", 7, 7, 7, 7, 7, 7, 7]";
    }
    const auto trace = loadBy(MemoryTimelineLoader(), "[[" + times + "], [" + rows + "]]");
    QVERIFY(trace.ok());
    size_t samples = 0;
    for (const CounterSeries& series : trace.value()->counters()[0].series) {
        samples += series.time.size();
    }
    QCOMPARE(samples, size_t{1000 + 7});
    QCOMPARE(rowsOf(*trace.value()).size(), 1000);
    QCOMPARE(rowsOf(*trace.value()).last(), QString("1099000: 999 7 7 7 7 7 7 7"));
}

void tst_MemoryTimeline::damage_data() {
    QTest::addColumn<QByteArray>("times");
    QTest::addColumn<QByteArray>("rows");  // "#": nine levels that are as they should be
    QTest::addColumn<QStringList>("timesRead");
    QTest::addColumn<QStringList>("issues");
    const QByteArray three = "[1001, 1002, 1003]";
    const QStringList all = {"1001000", "1002000", "1003000"};
    const QStringList noSecond = {"1001000", "1003000"};
    QTest::newRow("a time") << QByteArray("[1001, 10x2, 1003]") << QByteArray("[#, #, #]") << noSecond
                            << QStringList{"bad_timestamp data_loss 1 @51"};
    QTest::newRow("comma of times") << QByteArray("[1001, 1002x 1003]") << QByteArray("[#, #, #]") << noSecond
                                    << QStringList{"bad_timestamp data_loss 1 @51"};
    QTest::newRow("bracket in a time") << QByteArray("[1001, 1[02, 1003]") << QByteArray("[#, #, #]") << noSecond
                                       << QStringList{"bad_timestamp data_loss 1 @51"};
    QTest::newRow("end in a time") << QByteArray("[1001, 1]02, 1003]") << QByteArray("[#, #, #]") << noSecond
                                   << QStringList{"bad_timestamp data_loss 1 @51"};
    QTest::newRow("blank in a time") << QByteArray("[1001, 1 02, 1003]") << QByteArray("[#, #, #]") << noSecond
                                     << QStringList{"bad_timestamp data_loss 1 @51"};
    QTest::newRow("end of times") << QByteArray("[1001, 1002, 1003x") << QByteArray("[#, #, #]")
                                  << QStringList{"1001000", "1002000"} << QStringList{"bad_timestamp data_loss 1 @80"};
    QTest::newRow("begin of rows") << three << QByteArray("x#, #, #]") << all
                                   << QStringList{"invalid_json warning 1 @21"};
    QTest::newRow("begin of the first row")
        << three << QByteArray("[x0, 1, 2, 3, 4, 5, 6, 7, 8], #, #]") << QStringList{"1002000", "1003000"}
        << QStringList{"invalid_json data_loss 1 @22"};
    QTest::newRow("begin of a row") << three << QByteArray("[#, x0, 1, 2, 3, 4, 5, 6, 7, 8], #]") << noSecond
                                    << QStringList{"invalid_json data_loss 1 @51"};
    QTest::newRow("end of a row") << three << QByteArray("[#, [0, 1, 2, 3, 4, 5, 6, 7, 8, #]") << all
                                  << QStringList{"invalid_json warning 1 @51"};
    QTest::newRow("end inside a row") << three << QByteArray("[#, [0, 1, 2]3, 3, 4, 5, 6, 7, 8], #]") << noSecond
                                      << QStringList{"invalid_json data_loss 1 @51"};
    QTest::newRow("begin inside a row") << three << QByteArray("[#, [0, 1, 2[3, 3, 4, 5, 6, 7, 8], #]") << noSecond
                                        << QStringList{"invalid_json data_loss 1 @51"};
    QTest::newRow("begin in the last level") << three << QByteArray("[#, [0, 1, 2, 3, 4, 5, 6, 7, 8[8], #]") << noSecond
                                             << QStringList{"invalid_json data_loss 1 @51"};
    QTest::newRow("an end of the rows between them")
        << three << QByteArray("[#] x, #, #]") << all
        << QStringList{"invalid_json warning 3 @51", "trailing_data warning 1 @111"};
    QTest::newRow("a comma between rows")
        << three << QByteArray("[#x #, #]") << all << QStringList{"invalid_json warning 1 @49"};
    QTest::newRow("a digit between rows")
        << three << QByteArray("[#9 #,9#]") << all << QStringList{"invalid_json warning 2 @49"};
    const auto repaired = [&](const char* name, const QByteArray& times, const QByteArray& rows, int place) {
        QTest::newRow(name) << times << rows << all << QStringList("invalid_json warning 1 @" + QString::number(place));
    };
    const QByteArray open = "0, 1, 2, 3, 4, 5, 6, 7, 8]";
    repaired("an end in place of the begin of a row", three, "[#, ]" + open + ", #]", 51);
    repaired("no begin of a row", three, "[#, " + open + ", #]", 51);
    repaired("no begin of the last row", three, "[#, #, " + open + "]", 80);
    repaired("no begin of the rows", three, "#, #, #]", 21);
    repaired("a comma too many between rows", three, "[#,, #, #]", 50);
    repaired("a comma too few between rows", three, "[# #, #]", 50);
    repaired("a comma behind the rows", three, "[#, #, #,]", 108);
    repaired("a comma before the rows", three, "[,#, #, #]", 22);
    repaired("no end of the times", "[1001, 1002, 1003", "[#, #, #]", 20);
    repaired("an end between two times", "[1001], 1002, 1003]", "[#, #, #]", 9);
    repaired("an end before a time", "[1001, ]1002, 1003]", "[#, #, #]", 8);
    repaired("a begin behind a time", "[1001, 1002[, 1003]", "[#, #, #]", 12);
    repaired("a begin before a time", "[1001, [1002, 1003]", "[#, #, #]", 8);
    QTest::newRow("times and rows") << QByteArray("[1001, 10x2, 1003]") << "[#, x" + open + ", #]" << noSecond
                                    << QStringList{"invalid_json data_loss 1 @51", "uncertain_time warning 2 @8"};
    QTest::newRow("rows that are gone") << three << QByteArray("[#, xxxxxxxxxxxxxxxxxxxxxxx, #]")
                                        << QStringList{"1001000", "1002000"}
                                        << QStringList{"invalid_json data_loss 1 @51", "unpaired_time data_loss 1 @1",
                                                       "uncertain_time warning 1 @51"};
}

void tst_MemoryTimeline::damage() {
    QFETCH(QByteArray, times);
    QFETCH(QByteArray, rows);
    QFETCH(QStringList, timesRead);
    QFETCH(QStringList, issues);
    rows.replace("#", "[0, 1, 2, 3, 4, 5, 6, 7, 8]");
    const auto trace = loadBy(MemoryTimelineLoader(), "[" + times + ", " + rows + "]");
    QVERIFY2(trace.ok(), trace.ok() ? "" : trace.error().message.c_str());
    QStringList read;
    for (const QString& row : rowsOf(*trace.value())) {
        read << row.section(':', 0, 0);
        QCOMPARE(row.section(':', 1), QString(" 1 2 3 4 5 6 7 8"));
    }
    QCOMPARE(read, timesRead);
    QCOMPARE(issueLines(*trace.value()), issues);
    QVERIFY(!trace.value()->report().complete());
}

void tst_MemoryTimeline::damageAnywhereCostsOneRow_data() {
    QTest::addColumn<QString>("name");
    QTest::newRow("columns") << "memory_timeline.json.gz";
    QTest::newRow("raw") << "memory_timeline.raw.json.gz";
}

void tst_MemoryTimeline::damageAnywhereCostsOneRow() {
    QFETCH(QString, name);
    JobControl job;
    const auto source = openTextSource(WARPLINE_TEST_DATA_DIR "/" + name.toStdString(), job);
    QVERIFY(source.ok());
    std::string text(size_t{1} << 20, '\0');
    const auto size = source.value()->readNext(text);
    QVERIFY(size.ok());
    const QByteArray bytes(text.data(), qsizetype(size.value()));
    const auto whole = loadBy(MemoryTimelineLoader(), bytes);
    QVERIFY(whole.ok());
    const QStringList rows = rowsOf(*whole.value());
    const auto events = [](const Trace& trace) {
        const auto& properties = trace.files()[0].properties;
        const auto it = properties.find("events");
        return it == properties.end() ? 0 : std::stoi(it->second);
    };
    int gaps = 0;
    for (qsizetype at = 2; at < bytes.size() - 1; at += WARPLINE_SANITIZED ? 31'013 : 4'007) {
        for (const char byte : {'x', '"', '{', '\0'}) {
            QByteArray damaged = bytes;
            damaged[at] = byte;
            const auto trace = loadBy(MemoryTimelineLoader(), damaged);
            QVERIFY2(trace.ok(), trace.ok() ? "" : trace.error().message.c_str());
            const ImportReport& report = trace.value()->report();
            const QString where = QString("%1 %2: %3").arg(at).arg(byte).arg(issueLines(*trace.value()).join(", "));
            QVERIFY2(!report.complete() && report.lostCount() <= 1, qPrintable(where));
            QVERIFY2(events(*trace.value()) >= events(*whole.value()) - 1, qPrintable(where));
            if (events(*whole.value()) > 0) {
                continue;  // a lost event changes all levels behind it, which is said
            }
            const QStringList read = rowsOf(*trace.value());
            QVERIFY2(read.size() >= rows.size() - 1, qPrintable(where));
            const QSet<QString> same(rows.begin(), rows.end());
            const auto others = std::ranges::count_if(read, [&](const QString& row) { return !same.contains(row); });
            QVERIFY2(others <= 1, qPrintable(where));
            gaps += int(others);
            QVERIFY2(others == 0 || report.countOf("bad_level") == 1, qPrintable(where));
        }
    }
    QVERIFY(events(*whole.value()) > 0 || gaps > 10);
}

void tst_MemoryTimeline::aDamagedHeadKeepsTheRest_data() {
    damageAnywhereCostsOneRow_data();
}

/// No first byte makes it another format, the other form, or nothing.
void tst_MemoryTimeline::aDamagedHeadKeepsTheRest() {
    QFETCH(QString, name);
    JobControl job;
    const auto source = openTextSource(WARPLINE_TEST_DATA_DIR "/" + name.toStdString(), job);
    QVERIFY(source.ok());
    std::string text(size_t{1} << 20, '\0');
    const auto size = source.value()->readNext(text);
    QVERIFY(size.ok());
    QByteArray bytes(text.data(), qsizetype(size.value()));
    const bool isRaw = name.contains("raw");
    if (isRaw) {
        bytes.truncate(bytes.lastIndexOf("], [", 4000));  // enough to tell
        bytes += "]]";
    }
    const auto whole = loadUnknown(bytes);
    QVERIFY(whole.ok());
    const auto itemsOf = [&](const Trace& trace) {
        const auto& properties = trace.files()[0].properties;
        const auto it = properties.find("events");
        return it != properties.end() ? std::stoll(it->second) : qlonglong(readMemoryTimeline(trace)->times.size());
    };
    const qlonglong items = itemsOf(*whole.value());
    QVERIFY(items > 100);
    for (const QByteArray& damaged : withDamagedHead(bytes, isRaw ? 40 : 12)) {
        const QByteArray where = damaged.left(60);
        const auto trace = loadUnknown(damaged);
        QVERIFY2(trace.ok(), (where + ": " + (trace.ok() ? "" : trace.error().message.c_str())).constData());
        QCOMPARE(trace.value()->files()[0].format, whole.value()->files()[0].format);
        const ImportReport& report = trace.value()->report();
        const QByteArray said = where + ": " + issueLines(*trace.value()).join(", ").toUtf8() + " " +
                                QByteArray::number(itemsOf(*trace.value()));
        const qlonglong lost = items - itemsOf(*trace.value());
        QVERIFY2(lost <= 2 && (lost <= 0 || report.lostCount() > 0), said.constData());
        QVERIFY2(nlohmann::json::accept(damaged.toStdString()) || !report.complete(), said.constData());
    }
}

void tst_MemoryTimeline::nothingLeft() {
    const Loaded loaded = load("[[1, 2, 3, 4, 5], x, y]");
    QVERIFY2(loaded.error.contains("damaged from byte 18 on"), qPrintable(loaded.error));
}

void tst_MemoryTimeline::damagedBeginsAreKnown() {
    QByteArray times = "[[100";
    for (int i = 101; i < 200; ++i) {
        times += ", " + QByteArray::number(i);
    }
    QVERIFY(sniffed(times) > 50);
    for (const char byte : {'x', '[', ']', '"', ' '}) {
        QByteArray damaged = times;
        damaged[100] = byte;
        QVERIFY(sniffed(damaged) > 50);
    }
    QVERIFY(sniffed(times.mid(1) + "], [[0") > 50);
    QVERIFY(sniffed("x" + times.mid(1) + "], [[0") > 50);
    QVERIFY(sniffed(times.mid(1) + "]") == 0);
    QVERIFY(sniffed("[[100, \"name\"], [200, \"name\"]]") == 0);
}

QTEST_APPLESS_MAIN(tst_MemoryTimeline)
#include "tst_memory_timeline.moc"
