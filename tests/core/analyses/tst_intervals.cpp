// SPDX-License-Identifier: MIT
#include <QTest>

#include <array>
#include <random>
#include <string>

#include "core/analyses/intervals.h"

using namespace warpline;

namespace {

constexpr TimeNs kEnd = 64;
using Moments = std::array<bool, kEnd>;  ///< the same set, one moment after the other

QString textOf(const Intervals& intervals) {
    QString out;
    for (size_t i = 0; i < intervals.size(); ++i) {
        out += QStringLiteral("%1..%2 ").arg(intervals[i].begin).arg(intervals[i].end);
    }
    return out.trimmed();
}

Intervals unionOfAll(std::vector<TimeRange> ranges) {
    const JobControl job;
    return unionOf(ranges, job).value();
}

UnionLength unionLengthOf(std::vector<TimeRange> ranges) {
    const JobControl job;
    UnionLength out;
    if (sortByBegin(ranges, job)) {
        for (const TimeRange& range : ranges) {
            out.add(range);
        }
    }
    return out;
}

std::vector<TimeRange> randomRanges(std::mt19937& random) {
    std::vector<TimeRange> ranges(random() % 8);
    for (TimeRange& range : ranges) {
        range.begin = random() % kEnd;
        range.end = std::min<TimeNs>(kEnd, range.begin + random() % 12);
    }
    return ranges;
}

Moments momentsOf(const std::vector<TimeRange>& ranges) {
    Moments out{};
    for (const TimeRange& range : ranges) {
        for (TimeNs t = range.begin; t < range.end; ++t) {
            out[static_cast<size_t>(t)] = true;
        }
    }
    return out;
}

Intervals intervalsOf(const Moments& moments) {
    Intervals out;
    for (TimeNs t = 0; t < kEnd; ++t) {
        const bool starts = moments[static_cast<size_t>(t)] && (t == 0 || !moments[static_cast<size_t>(t - 1)]);
        if (starts) {
            out.begin.push_back(t);
            out.duration.push_back(0);
        }
        if (moments[static_cast<size_t>(t)]) {
            ++out.duration.back();
        }
    }
    return out;
}

template <class Keep>
Moments filtered(Keep keep) {
    Moments out{};
    for (TimeNs t = 0; t < kEnd; ++t) {
        out[static_cast<size_t>(t)] = keep(t);
    }
    return out;
}

}  // namespace

class TestIntervals : public QObject {
    Q_OBJECT
private slots:
    void unions_data() {
        QTest::addColumn<QVector<int>>("ranges");
        QTest::addColumn<QString>("pieces");
        QTest::newRow("none") << QVector<int>{} << "";
        QTest::newRow("empty ones add nothing, nor do they join others") << QVector<int>{5, 5, 7, 7, 6, 7} << "6..7";
        QTest::newRow("touching ones are one") << QVector<int>{0, 10, 10, 20} << "0..20";
        QTest::newRow("one inside the other") << QVector<int>{0, 10, 2, 4, 12, 13} << "0..10 12..13";
        QTest::newRow("in any order, equal ones too") << QVector<int>{8, 9, 3, 5, 8, 9, 4, 6, 0, 1} << "0..1 3..6 8..9";
        QTest::newRow("backwards is empty") << QVector<int>{9, 3, 1, 2} << "1..2";
        QTest::newRow("before the origin") << QVector<int>{-20, -10, -15, 3} << "-20..3";
    }
    void unions() {
        QFETCH(QVector<int>, ranges);
        std::vector<TimeRange> given;
        for (qsizetype i = 0; i < ranges.size(); i += 2) {
            given.push_back({ranges[i], ranges[i + 1]});
        }
        const Intervals pieces = unionOfAll(given);
        QTEST(textOf(pieces), "pieces");
        QCOMPARE(unionLengthOf(given).ns(), lengthOf(pieces));
    }

    void whereTheLastOneEnds() {
        QCOMPARE(unionLengthOf({}).reached(), kEarliestTime);
        QCOMPARE(unionLengthOf({{1, 9}, {3, 5}}).reached(), TimeNs{9});
        QCOMPARE(unionLengthOf({{1, 3}, {5, 5}}).reached(), TimeNs{5});
    }

    void allTellTheSameAsAScanOfEveryMoment() {
        std::mt19937 random(7);
        for (int round = 0; round < 3000; ++round) {
            const std::vector<TimeRange> first = randomRanges(random);
            const std::vector<TimeRange> second = randomRanges(random);
            const Moments a = momentsOf(first);
            const Moments b = momentsOf(second);
            const auto at = [](const Moments& moments, TimeNs t) { return moments[static_cast<size_t>(t)]; };
            const TimeNs begin = random() % kEnd;
            const TimeRange range = {begin, std::min<TimeNs>(kEnd, begin + random() % kEnd)};
            const Intervals busy = unionOfAll(first);
            QCOMPARE(textOf(busy), textOf(intervalsOf(a)));
            QCOMPARE(textOf(intersectionOf(busy, unionOfAll(second))),
                     textOf(intervalsOf(filtered([&](TimeNs t) { return at(a, t) && at(b, t); }))));
            QCOMPARE(textOf(clipped(busy, range)),
                     textOf(intervalsOf(filtered([&](TimeNs t) { return at(a, t) && range.contains(t); }))));
            QCOMPARE(textOf(complementOf(busy, range)),
                     textOf(intervalsOf(filtered([&](TimeNs t) { return !at(a, t) && range.contains(t); }))));
            QCOMPARE(lengthOf(busy), DurationNs{std::count(a.begin(), a.end(), true)});
            QCOMPARE(unionLengthOf(first).ns(), lengthOf(busy));
            QCOMPARE(lengthOf(busy, range), lengthOf(clipped(busy, range)));
            QCOMPARE(lengthOf(busy, range) + lengthOf(complementOf(busy, range)), range.length());
        }
    }

    void anEmptyRangeHoldsNothing() {
        const Intervals busy = unionOfAll({{0, 10}});
        for (const TimeRange range : {TimeRange{5, 5}, TimeRange{7, 3}, TimeRange{10, 10}}) {
            QVERIFY(clipped(busy, range).empty());
            QVERIFY(complementOf(busy, range).empty());
            QCOMPARE(lengthOf(busy, range), DurationNs{0});
        }
    }

    void theWholeOfWhatATraceHolds() {
        const Intervals busy = unionOfAll({{kEarliestTime, -1}, {1, kLatestTime}});
        QCOMPARE(lengthOf(busy), kLatestTime - kEarliestTime - 2);
        QCOMPARE(unionLengthOf({{kEarliestTime, -1}, {1, kLatestTime}}).ns(), lengthOf(busy));
        QCOMPARE(textOf(complementOf(busy, {kEarliestTime, kLatestTime})), QStringLiteral("-1..1"));
        const TimeRange open = {std::numeric_limits<TimeNs>::min(), std::numeric_limits<TimeNs>::max()};
        QCOMPARE(lengthOf(busy, open), lengthOf(busy));
        QCOMPARE(clipped(busy, open), busy);
    }

    void stopped() {
        std::vector<TimeRange> ranges(100'000);
        for (size_t i = 0; i < ranges.size(); ++i) {
            ranges[i] = {static_cast<TimeNs>(i * 7919 % ranges.size()), static_cast<TimeNs>(ranges.size())};
        }
        JobControl job;
        job.requestStop();
        QVERIFY(!unionOf(ranges, job).has_value());
    }
};

QTEST_APPLESS_MAIN(TestIntervals)
#include "tst_intervals.moc"
