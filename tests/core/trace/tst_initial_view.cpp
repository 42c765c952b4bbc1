// SPDX-License-Identifier: MIT
#include <QTest>

#include <algorithm>
#include <limits>

#include "core/trace/initial_view.h"

using namespace warpline;

namespace {

std::optional<ViewChoice> choose(const std::vector<Interval>& intervals) {
    const auto read = [&intervals](size_t first, std::span<Interval> out) {
        std::ranges::copy(std::span(intervals).subspan(first, out.size()), out.begin());
    };
    return chooseInitialView({intervals.size(), read}, JobControl());
}

}  // namespace

class tst_InitialView : public QObject {
    Q_OBJECT

private slots:
    void nothing();
    void choosesTheRest_data();
    void choosesTheRest();
    void manyEventsAndOneStray();
    void extremeTimesDoNotOverflow();
};

void tst_InitialView::nothing() {
    QVERIFY(!chooseInitialView({}, JobControl()));
}

void tst_InitialView::choosesTheRest_data() {
    QTest::addColumn<QList<qint64>>("events");  // begin, end, begin, end …
    QTest::addColumn<qint64>("begin");
    QTest::addColumn<qint64>("end");
    QTest::addColumn<int>("outliers");
    using L = QList<qint64>;
    constexpr qint64 kDay = 86'400'000'000'000;
    QTest::newRow("one") << L{5, 9} << qint64{5} << qint64{9} << 0;
    QTest::newRow("even") << L{0, 1, 10, 11, 20, 21} << qint64{0} << qint64{21} << 0;
    QTest::newRow("stray at zero") << L{0, 0, kDay, kDay + 30, kDay + 10, kDay + 16, kDay + 20, kDay + 40} << kDay
                                   << kDay + 40 << 1;
    QTest::newRow("marker days later") << L{0, 0, 100, 600, 700, 750, 3 * kDay, 3 * kDay} << qint64{0} << qint64{750}
                                       << 1;
    QTest::newRow("one on each side") << L{-kDay, -kDay, 0, 50, 60, 100, 70, 90, kDay, kDay} << qint64{0} << qint64{100}
                                      << 2;
    QTest::newRow("999 times is not far enough")
        << L{0, 10, 5, 10, 10 + 9'990, 10'001} << qint64{0} << qint64{10'001} << 0;
    QTest::newRow("1001 times is") << L{0, 10, 5, 10, 10 + 10'010, 10'021} << qint64{0} << qint64{10} << 1;
    QTest::newRow("half and half") << L{0, 10, 5, 8, kDay, kDay + 1, kDay + 2, kDay + 3} << qint64{0} << kDay + 3 << 0;
    QTest::newRow("a rest without length") << L{0, 0, 0, 0, 50, 50} << qint64{0} << qint64{50} << 0;
}

void tst_InitialView::choosesTheRest() {
    QFETCH(QList<qint64>, events);
    QFETCH(qint64, begin);
    QFETCH(qint64, end);
    QFETCH(int, outliers);
    std::vector<Interval> intervals;
    for (qsizetype i = 0; i < events.size(); i += 2) {
        intervals.push_back({events[i], events[i + 1]});
    }
    const auto choice = choose(intervals);
    QVERIFY(choice);
    QCOMPARE(qint64{choice->view.begin}, begin);
    QCOMPARE(qint64{choice->view.end}, end);
    QCOMPARE(static_cast<int>(choice->outliers.size()), outliers);
}

void tst_InitialView::manyEventsAndOneStray() {
    std::vector<Interval> intervals;
    for (TimeNs i = 0; i < 100'000; ++i) {
        intervals.push_back({i * 10, i * 10 + 5});
    }
    intervals.push_back({1'000'000'000'000, 1'000'000'000'000});
    const auto choice = choose(intervals);
    QCOMPARE(choice->outliers, std::vector<uint32_t>{100'000});
    QCOMPARE(choice->view.end, TimeNs{999'995});
}

void tst_InitialView::extremeTimesDoNotOverflow() {
    constexpr TimeNs kMin = std::numeric_limits<TimeNs>::min();
    constexpr TimeNs kMax = std::numeric_limits<TimeNs>::max();
    const auto choice = choose({{kMin, kMin}, {0, 10}, {4, 8}, {5, 10}, {kMax, kMax}});
    QCOMPARE(choice->outliers.size(), size_t{2});
    QCOMPARE(choice->view.begin, TimeNs{0});
    QCOMPARE(choice->view.end, TimeNs{10});
}

QTEST_GUILESS_MAIN(tst_InitialView)
#include "tst_initial_view.moc"
