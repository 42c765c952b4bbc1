// SPDX-License-Identifier: MIT
#include <QTest>
#include <limits>
#include <random>
#include <set>
#include <string>

#include "core/analyses/area_scan.h"
#include "tests/support/trace_text.h"

using namespace warpline;
using warpline::test::traceFromText;

namespace {

std::set<uint32_t> rowsIn(const Trace& trace, const std::optional<TimeRange>& range,
                          const std::vector<TrackId>& tracks = {}) {
    JobControl job;
    std::set<uint32_t> rows;
    uint32_t visits = 0;
    const bool isWhole = forEachInArea(trace, range, tracks, job, [&](EventRow row) {
        rows.insert(row.value);
        ++visits;
    });
    // Each once.
    return isWhole && visits == rows.size() ? rows : std::set<uint32_t>{~0U};
}

QStringList namesIn(const Trace& trace, const std::optional<TimeRange>& range) {
    QStringList names;
    for (const uint32_t row : rowsIn(trace, range)) {
        names << QString::fromStdString(std::string(trace.sliceName(EventRow(row))));
    }
    names.sort();
    return names;
}

}  // namespace

class TestAreaScan : public QObject {
    Q_OBJECT
private slots:
    void edges_data() {
        QTest::addColumn<qint64>("begin");
        QTest::addColumn<qint64>("end");
        QTest::addColumn<QString>("names");
        constexpr qint64 kMin = std::numeric_limits<qint64>::min();
        constexpr qint64 kMax = std::numeric_limits<qint64>::max();
        QTest::newRow("all") << kMin << kMax << "a around b instant open";
        QTest::newRow("ends where it begins") << 20ll << 30ll << "around b";
        QTest::newRow("begins where it ends") << 0ll << 10ll << "around";
        QTest::newRow("a moment of it") << 10ll << 11ll << "a around";
        QTest::newRow("its last moment") << 19ll << 20ll << "a around";
        QTest::newRow("no length, at the begin") << 50ll << 60ll << "around instant";
        QTest::newRow("no length, at the end") << 41ll << 50ll << "around";
        QTest::newRow("empty") << 15ll << 15ll << "";
        QTest::newRow("turned round") << 30ll << 15ll << "";
        QTest::newRow("without an end, where it begins") << 1000ll << 1200ll << "open";
        QTest::newRow("without an end, later") << 1100ll << 1200ll << "";
        QTest::newRow("before all") << -100ll << -50ll << "";
        QTest::newRow("behind all") << 5000ll << 6000ll << "";
    }
    void edges() {
        QFETCH(qint64, begin);
        QFETCH(qint64, end);
        QFETCH(QString, names);
        const auto trace = traceFromText(R"(
            cpu main: around 0..1000 { a 10..20 b 20..30 instant 50..50 }
            cpu worker: open 1000..? 
            instant main: last 2000)");
        QCOMPARE(namesIn(*trace, TimeRange{begin, end}).join(' '), names);
    }

    void partOfTheTime() {
        const auto trace = traceFromText("cpu main: a 10..20 b 30..30 open 40..?\ninstant main: last 100");
        const SliceColumns& slices = trace->slices();
        QCOMPARE(insideNs(slices, EventRow(0U), TimeRange{0, 100}), DurationNs{10});
        QCOMPARE(insideNs(slices, EventRow(0U), TimeRange{12, 15}), DurationNs{3});
        QCOMPARE(insideNs(slices, EventRow(0U), TimeRange{20, 30}), DurationNs{0});
        QCOMPARE(insideNs(slices, EventRow(0U), std::nullopt), DurationNs{10});
        QCOMPARE(insideNs(slices, EventRow(1U), TimeRange{0, 100}), DurationNs{0});
        QCOMPARE(insideNs(slices, EventRow(2U), TimeRange{0, 100}), kUnknownDuration);
        QCOMPARE(insideNs(slices, EventRow(0U),
                          TimeRange{std::numeric_limits<TimeNs>::min(), std::numeric_limits<TimeNs>::max()}),
                 DurationNs{10});
    }

    void tracksAreTakenOnce() {
        const auto trace = traceFromText("cpu main: a 0..10\ncpu worker: b 0..10 { c 2..3 }\ngpu 0 stream 7: k 0..10");
        const TrackId worker = trace->slices().track[1];
        QCOMPARE(rowsIn(*trace, TimeRange{0, 10}, {worker, worker, TrackId(77U), TrackId()}),
                 (std::set<uint32_t>{1, 2}));
        QCOMPARE(rowsIn(*trace, TimeRange{0, 10}, {TrackId(77U)}), std::set<uint32_t>{});
        QCOMPARE(rowsIn(*trace, std::nullopt).size(), size_t{4});
        QVERIFY(areaSpans(*traceFromText(""), std::nullopt, {}).empty());
    }

    void spansAreCut() {
        std::string text = "cpu main:";
        for (int i = 0; i < 10; ++i) {
            text += " a " + std::to_string(i * 10) + ".." + std::to_string(i * 10 + 5);
        }
        const auto trace = traceFromText(text);
        QCOMPARE(areaSpans(*trace, TimeRange{10, 85}, {}, 3), (std::vector<RowSpan>{{1, 4}, {4, 7}, {7, 9}}));
        QCOMPARE(areaSpans(*trace, TimeRange{10, 70}, {}, 3), (std::vector<RowSpan>{{1, 4}, {4, 7}}));
    }

    void stopsWhenAsked() {
        const auto trace = traceFromText("cpu main: a 0..10");
        JobControl job;
        job.requestStop();
        QVERIFY(!forEachInArea(*trace, std::nullopt, {}, job, [](EventRow) { QFAIL("stopped before"); }));
    }

    /// Slices of few and short times, so that they touch, nest, overlap and have no length.
    void takesWhatAScanTakes() {
        std::mt19937 random(3);
        size_t taken = 0;
        for (int round = 0; round < 300; ++round) {
            std::string text;
            for (const char* track : {"track 1/1:", "track 1/2:", "gpu 0 stream 7:"}) {
                text += track;
                for (int i = 0; i < 12; ++i) {
                    const int begin = static_cast<int>(random() % 20);
                    text +=
                        " s " + std::to_string(begin) + ".." + std::to_string(begin + static_cast<int>(random() % 5));
                }
                text += '\n';
            }
            const auto trace = traceFromText(text);
            const SliceColumns& slices = trace->slices();
            for (TimeNs begin = -1; begin < 26; ++begin) {
                const TimeRange range{begin, begin + static_cast<TimeNs>(random() % 6)};
                std::set<uint32_t> expected;
                for (uint32_t row = 0; row < slices.size(); ++row) {
                    // A moment in common: of a slice without length, its own; of others, one of [begin, end).
                    bool hasCommon = slices.duration[row] == 0 && range.contains(slices.begin[row]);
                    for (TimeNs t = slices.begin[row]; t < slices.end(row); ++t) {
                        hasCommon = hasCommon || range.contains(t);
                    }
                    if (hasCommon) {
                        expected.insert(row);
                    }
                }
                QCOMPARE(rowsIn(*trace, range), expected);
                taken += expected.size();
            }
        }
        QVERIFY(taken > 10'000);
    }
};

QTEST_APPLESS_MAIN(TestAreaScan)
#include "tst_area_scan.moc"
