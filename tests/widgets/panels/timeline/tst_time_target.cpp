// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/trace/trace_builder.h"
#include "widgets/panels/timeline/time_target.h"

using namespace warpline;
using namespace warpline::timeline;

class TestTimeTarget : public QObject {
    Q_OBJECT

private slots:
    void parses_data();
    void parses();
    void theDayThatIsNearestIsMeant();
    void withoutABaseTime();
};

namespace {

constexpr TimeNs kStart = 5'000'000;
constexpr int64_t kDayNs = int64_t{86'400} * 1'000'000'000;

/// One slice of `length` ns from kStart on; `wallNs`: the clock at its begin.
std::shared_ptr<const Trace> traceOf(DurationNs length, std::optional<int64_t> wallNs) {
    TraceBuilder builder;
    FileInfo info;
    info.path = "t.json";
    if (wallNs) {
        info.baseTimeNs = *wallNs - kStart;
    }
    const ProcessId process = builder.process(builder.addFile(info), "7");
    SliceRecord slice;
    slice.begin = kStart;
    slice.duration = length;
    slice.track = builder.track(process, "7");
    builder.addSlice(slice);
    JobControl job;
    return builder.seal(job).value();
}

}  // namespace

void TestTimeTarget::parses_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<TimeNs>("expected");  // -1: a problem
    const auto row = [](const char* text, TimeNs expected) {
        QTest::newRow(text) << QString::fromUtf8(text) << expected;
    };
    // 20 ms long, from 07:57:06.000000500 on; now is 8 ms after the start.
    row("0", kStart);
    row("12.5ms", kStart + 12'500'000);
    row("  7 µs ", kStart + 7'000);
    row("20ms", kStart + 20'000'000);
    row("+3us", kStart + 8'003'000);
    row("-3us", kStart + 7'997'000);
    row("\u2212 1ms", kStart + 7'000'000);
    row("+ 250", kStart + 8'000'250);
    row("07:57:06.000001", kStart + 500);
    row("7:57:06.000 001 500", kStart + 1'000);
    row("07:57:06.0101", kStart + 10'099'500);
    row("21ms", -1);
    row("-9ms", -1);
    row("+-3us", -1);
    row("--3us", -1);
    row("", -1);
    row("soon", -1);
    row("07:57:07", -1);
    row("24:00:00", -1);
    row("07:60:00", -1);
    row("07:57", -1);
    row("07:57:06.0000000001", -1);
}

void TestTimeTarget::parses() {
    QFETCH(QString, text);
    QFETCH(TimeNs, expected);
    const int64_t wall = 19'000 * kDayNs + ((7 * 60 + 57) * int64_t{60} + 6) * 1'000'000'000 + 500;
    const auto trace = traceOf(20'000'000, wall);
    const TimeTarget found = parseTimeTarget(text, *trace, kStart + 8'000'000);
    QCOMPARE(found.time.value_or(-1), expected);
    QCOMPARE(found.problem.isEmpty(), expected != -1);
}

void TestTimeTarget::theDayThatIsNearestIsMeant() {
    // From ten seconds before midnight to ten after.
    const auto trace = traceOf(int64_t{20} * 1'000'000'000, 19'000 * kDayNs - int64_t{10} * 1'000'000'000);
    QCOMPARE(parseTimeTarget("23:59:51", *trace, 0).time, std::optional(kStart + int64_t{1'000'000'000}));
    QCOMPARE(parseTimeTarget("00:00:01", *trace, 0).time, std::optional(kStart + int64_t{11'000'000'000}));
}

void TestTimeTarget::withoutABaseTime() {
    const auto trace = traceOf(100, std::nullopt);
    const TimeTarget found = parseTimeTarget("07:57:06", *trace, 0);
    QVERIFY(!found.time);
    QCOMPARE(found.problem, QString("The file gives no base time, so times of day are not known"));
    QCOMPARE(parseTimeTarget("50", *trace, 0).time, std::optional(kStart + 50));
}

QTEST_APPLESS_MAIN(TestTimeTarget)
#include "tst_time_target.moc"
