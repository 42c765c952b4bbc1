// SPDX-License-Identifier: MIT
#include <QTest>

#include <cmath>

#include "core/analyses/area_rows.h"
#include "core/analyses/row_titles.h"
#include "core/trace/trace_builder.h"

using namespace warpline;

class TestAreaRows : public QObject {
    Q_OBJECT

private slots:
    void countersByHand_data();
    void countersByHand();
    void asyncWorkByHand();
    void rowsAreToldByProcessAndTitle();
    void manyNamesStandByCategory();
    void aStopEndsIt();
};

namespace {

constexpr double kGap = std::numeric_limits<double>::quiet_NaN();

QString text(const std::optional<double>& value) {
    return value ? QString::number(*value) : QStringLiteral("n/a");
}

class Builder {
public:
    Builder() : m_process(m_builder.process(m_builder.addFile({}), "1")) {}
    ProcessId process(const char* pid) { return m_builder.process(FileId(0U), pid); }
    ProcessId process() const { return m_process; }
    /// `end` < 0: none.
    Builder& async(const char* name, TimeNs begin, TimeNs end, const char* category = "c", const char* pid = "1") {
        AsyncRecord record;
        record.track = m_builder.track(process(pid), "1");
        record.name = m_builder.intern(name);
        record.category = m_builder.intern(category);
        record.id = EventId::ofNumber(++m_id);
        record.time = begin;
        m_builder.addAsync(record);
        if (end >= 0) {
            record.phase = AsyncPhase::End;
            record.time = end;
            m_builder.addAsync(record);
        }
        return *this;
    }
    Builder& moment(const char* name, TimeNs time) {
        AsyncRecord record;
        record.phase = AsyncPhase::Instant;
        record.track = m_builder.track(m_process, "1");
        record.name = m_builder.intern(name);
        record.id = EventId::ofNumber(++m_id);
        record.time = time;
        m_builder.addAsync(record);
        return *this;
    }
    Builder& sample(const char* name, const char* series, TimeNs time, double value, const char* pid = "1") {
        CounterRecord record;
        record.process = process(pid);
        record.name = m_builder.intern(name);
        record.series = m_builder.intern(series);
        record.time = time;
        record.value = value;
        m_builder.addCounter(record);
        return *this;
    }
    std::shared_ptr<const Trace> seal() {
        JobControl job;
        return m_builder.seal(job).value();
    }

private:
    TraceBuilder m_builder;
    ProcessId m_process;
    uint64_t m_id = 0;
};

RowsArea compute(const Trace& trace, TimeRange range, const std::vector<RowTitle>& rows) {
    JobControl job;
    return computeRowsArea(trace, range, rows, job).value();
}

QString told(const Trace& trace, const AsyncRowArea& row) {
    QStringList parts;
    for (const AsyncNameSum& name : row.names) {
        parts << QStringLiteral("%1 %2(%3) %4 [%5 %6]")
                     .arg(QString::fromStdString(std::string(trace.string(name.name))))
                     .arg(name.count)
                     .arg(name.unknownCount)
                     .arg(name.insideNs.value().value_or(-1))
                     .arg(name.minNs.value_or(-1))
                     .arg(name.maxNs.value_or(-1));
    }
    return parts.join(", ") + QStringLiteral(" +%1").arg(row.instants);
}

}  // namespace

void TestAreaRows::countersByHand_data() {
    QTest::addColumn<QList<double>>("samples");  // time, value …
    QTest::addColumn<TimeNs>("begin");
    QTest::addColumn<TimeNs>("end");
    QTest::addColumn<QString>("expected");  // count min mean max last
    const QList<double> steps{10, 2, 20, 6, 40, 1};
    const auto row = [](const char* name, const QList<double>& samples, TimeNs begin, TimeNs end, const char* what) {
        QTest::newRow(name) << samples << begin << end << QString(what);
    };
    // (2 * 5 + 6 * 20 + 1 * 5) / 30
    row("by how long each holds", steps, 15, 45, "2 1 4.5 6 1");
    row("within one value", steps, 25, 30, "0 6 6 6 6");
    row("a sample just at the beginning", steps, 20, 40, "1 6 6 6 6");
    row("before the first there is none", steps, 0, 10, "0 n/a n/a n/a n/a");
    row("from before the first on", steps, 0, 20, "1 2 2 2 2");
    row("the last holds to the trace's end", steps, 60, 200, "0 1 1 1 1");
    row("and no longer", steps, 100, 200, "0 n/a n/a n/a n/a");
    row("no time", steps, 20, 20, "0 n/a n/a n/a n/a");
    // (2 * 10 + 4 * 10) / 20
    row("a gap is in no figure", {0, 2, 10, kGap, 20, 4}, 0, 30, "3 2 3 4 4");
    row("a gap at the end", {0, 2, 10, kGap}, 0, 30, "2 2 2 2 n/a");
    row("a gap alone", {0, kGap}, 0, 30, "1 n/a n/a n/a n/a");
    row("a spike has an extreme and no time", {0, 1, 10, 99, 10, 3}, 0, 20, "3 1 2 99 3");
    row("below zero", {0, -4, 10, -2}, 0, 20, "2 -4 -3 -2 -2");
    row("no samples", {}, 0, 20, "0 n/a n/a n/a n/a");
}

void TestAreaRows::countersByHand() {
    QFETCH(QList<double>, samples);
    QFETCH(TimeNs, begin);
    QFETCH(TimeNs, end);
    QFETCH(QString, expected);
    CounterSeries series;
    for (qsizetype i = 0; i < samples.size(); i += 2) {
        series.time.push_back(static_cast<TimeNs>(samples[i]));
        series.value.push_back(samples[i + 1]);
    }
    const CounterRowArea found = counterInRange(series, {begin, end}, 100);
    QCOMPARE(QStringList(
                 {QString::number(found.samples), text(found.min), text(found.mean), text(found.max), text(found.last)})
                 .join(' '),
             expected);
}

void TestAreaRows::asyncWorkByHand() {
    Builder builder;
    builder.async("read", 0, 30).async("read", 20, 60).async("read", 100, 110).async("read", 90, -1);
    builder.async("write", 50, 55).moment("read", 45).moment("read", 200);
    const auto trace = builder.seal();
    const RowTitle read{RowTitle::Kind::Async, builder.process(), "read"};
    const RowTitle write{RowTitle::Kind::Async, builder.process(), "write"};
    // 0..30 ends where the area begins, 100..110 begins where it ends.
    RowsArea found = compute(*trace, {30, 100}, {write, read});
    QCOMPARE(found.async.size(), 2U);
    QCOMPARE(found.async[0].row, size_t{0});
    QCOMPARE(told(*trace, found.async[0]), QString("write 1(0) 5 [5 5] +0"));
    QCOMPARE(told(*trace, found.async[1]), QString("read 2(1) 30 [40 40] +1"));
    // What touches counts with the part that is inside.
    found = compute(*trace, {25, 105}, {read});
    QCOMPARE(found.async.size(), 1U);
    QCOMPARE(told(*trace, found.async[0]), QString("read 4(1) 45 [10 40] +1"));
    QVERIFY(found.counters.empty());
    QVERIFY(compute(*trace, {40, 40}, {read}).async.empty());
}

void TestAreaRows::rowsAreToldByProcessAndTitle() {
    Builder builder;
    builder.async("x", 0, 10).async("x", 0, 90, "c", "2").async("", 0, 7, "");
    builder.sample("mem", "used", 0, 1).sample("mem", "free", 0, 9).sample("mem", "used", 0, 5, "2");
    const ProcessId other = builder.process("2");
    const auto trace = builder.seal();
    const RowsArea found = compute(*trace, {0, 100},
                                   {{RowTitle::Kind::Async, other, "x"},
                                    {RowTitle::Kind::Counter, builder.process(), "mem · free"},
                                    {RowTitle::Kind::Async, builder.process(), "async"},
                                    {RowTitle::Kind::Counter, other, "mem"},
                                    {RowTitle::Kind::Counter, other, "moon"},
                                    {RowTitle::Kind::Async, other, "moon"}});
    QCOMPARE(found.async.size(), 2U);
    QCOMPARE(told(*trace, found.async[0]), QString("x 1(0) 90 [90 90] +0"));
    QCOMPARE(found.async[1].row, size_t{2});
    QCOMPARE(told(*trace, found.async[1]), QString(" 1(0) 7 [7 7] +0"));
    QCOMPARE(found.counters.size(), 2U);
    QCOMPARE(found.counters[0].row, size_t{1});
    QCOMPARE(found.counters[0].max, std::optional(9.0));
    QCOMPARE(found.counters[1].row, size_t{3});
    QCOMPARE(found.counters[1].max, std::optional(5.0));
}

void TestAreaRows::manyNamesStandByCategory() {
    Builder builder;
    for (size_t i = 0; i <= AsyncRows::kMostNames; ++i) {
        builder.async(("n" + std::to_string(i)).c_str(), 0, 10 + static_cast<TimeNs>(i), i < 3 ? "few" : "many");
    }
    const auto trace = builder.seal();
    const RowsArea found = compute(*trace, {0, 100}, {{RowTitle::Kind::Async, builder.process(), "few"}});
    QCOMPARE(found.async.size(), 1U);
    // The longest first.
    QCOMPARE(told(*trace, found.async[0]), QString("n2 1(0) 12 [12 12], n1 1(0) 11 [11 11], n0 1(0) 10 [10 10] +0"));
    QVERIFY(compute(*trace, {0, 100}, {{RowTitle::Kind::Async, builder.process(), "n0"}}).async.empty());
}

void TestAreaRows::aStopEndsIt() {
    Builder builder;
    builder.async("x", 0, 10);
    const auto trace = builder.seal();
    JobControl job;
    job.requestStop();
    const std::vector<RowTitle> rows{{RowTitle::Kind::Async, builder.process(), "x"}};
    QVERIFY(computeRowsArea(*trace, {0, 5}, rows, job).error().isCancelled());
}

QTEST_GUILESS_MAIN(TestAreaRows)
#include "tst_area_rows.moc"
