// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "widgets/panels/timeline/view_history.h"

using namespace warpline;
using namespace warpline::timeline;

class TestViewHistory : public QObject {
    Q_OBJECT

private slots:
    void goesBackAndForward();
    void aNewViewEndsTheWayForward();
    void theSameViewIsNoStep();
    void aReplacedViewIsWhereOneIs();
    void forgetsTheOldest();
    void isCarriedOver();
};

namespace {

ViewPoint at(TimeNs begin) {
    return {{begin, 1.0}, {}};
}

}  // namespace

void TestViewHistory::goesBackAndForward() {
    ViewHistory history;
    QVERIFY(!history.back() && !history.forward());
    for (const TimeNs begin : {1, 2, 3}) {
        history.settle(at(begin));
    }
    QVERIFY(!history.canGoForward());
    QCOMPARE(*history.back(), at(2));
    QCOMPARE(*history.back(), at(1));
    QVERIFY(!history.canGoBack());
    QVERIFY(!history.back());
    QCOMPARE(*history.forward(), at(2));
    QCOMPARE(*history.forward(), at(3));
    QVERIFY(!history.forward());
}

void TestViewHistory::aNewViewEndsTheWayForward() {
    ViewHistory history;
    for (const TimeNs begin : {1, 2, 3}) {
        history.settle(at(begin));
    }
    QVERIFY(history.back() && history.back());
    history.settle(at(9));
    QVERIFY(!history.canGoForward());
    QCOMPARE(*history.back(), at(1));
    QCOMPARE(*history.forward(), at(9));
}

void TestViewHistory::theSameViewIsNoStep() {
    ViewHistory history;
    history.settle(at(1));
    history.settle(at(1));
    QVERIFY(!history.canGoBack());
    history.settle({{1, 1.0}, ScrollPlace{SectionRef(), 40}});
    QVERIFY2(history.canGoBack(), "scrolling is a step");
    QVERIFY(history.back());
    history.settle(at(1));
    QVERIFY2(history.canGoForward(), "resting where one went back to ends nothing");
}

void TestViewHistory::aReplacedViewIsWhereOneIs() {
    ViewHistory history;
    history.replace(at(5));
    QVERIFY(!history.canGoBack());
    history.settle(at(1));
    history.settle(at(2));
    QVERIFY(history.back());
    history.replace(at(7));
    history.settle(at(7));
    QCOMPARE(*history.forward(), at(2));
    QCOMPARE(*history.back(), at(7));
}

void TestViewHistory::forgetsTheOldest() {
    ViewHistory history;
    for (size_t i = 0; i < ViewHistory::kMost + 20; ++i) {
        history.settle(at(static_cast<TimeNs>(i)));
    }
    size_t steps = 0;
    ViewPoint last;
    while (const auto view = history.back()) {
        last = *view;
        ++steps;
    }
    QCOMPARE(steps, ViewHistory::kMost - 1);
    QCOMPARE(last, at(20));
}

void TestViewHistory::isCarriedOver() {
    const auto none = [](const ViewPoint&) { return std::optional<ViewPoint>(); };
    ViewHistory history;
    QVERIFY(!history.carry(none));
    QVERIFY(history.empty());
    for (const TimeNs begin : {10, 20, 30, 40, 50}) {
        history.settle(at(begin));
    }
    history.back();  // at 40
    // What was at 20 is gone, 30 and 40 have become the same.
    QVERIFY(history.carry([](const ViewPoint& view) -> std::optional<ViewPoint> {
        const TimeNs begin = view.axis.begin;
        return begin == 20 ? std::nullopt : std::optional(at(begin == 40 ? 31 : begin + 1));
    }));
    QCOMPARE(history.forward()->axis.begin, TimeNs(51));
    QVERIFY(!history.canGoForward());
    QCOMPARE(history.back()->axis.begin, TimeNs(31));
    QCOMPARE(history.back()->axis.begin, TimeNs(11));
    QVERIFY(!history.canGoBack());
    // Where the current one goes, the one before it is current.
    history.forward();
    QVERIFY(!history.carry([](const ViewPoint& view) { return view == at(31) ? std::nullopt : std::optional(view); }));
    QCOMPARE(history.forward()->axis.begin, TimeNs(51));
    QCOMPARE(history.back()->axis.begin, TimeNs(11));
    history.carry(none);
    QVERIFY(history.empty() && !history.canGoBack() && !history.canGoForward());
    history.settle(at(1));
    QVERIFY(!history.canGoBack());
}

QTEST_APPLESS_MAIN(TestViewHistory)
#include "tst_view_history.moc"
