// SPDX-License-Identifier: MIT
#include <QTest>

#include <thread>

#include "core/record/select/launch_selector.h"

using namespace warpline;
using namespace warpline::record;

namespace {

std::unique_ptr<LaunchSelector> selectorOf(const RecordOptions& options) {
    auto names = makeKernelNames(options.kernelPattern);
    return std::make_unique<LaunchSelector>(options, std::move(names).value());
}

/// Which of so many launches are kept, as "x" and ".".
QString kept(LaunchSelector& selector, int launches, const char* name = "_Z6kernelPf") {
    QString text;
    for (int i = 0; i < launches; ++i) {
        text += selector.onLaunch(name).isKept ? 'x' : '.';
    }
    return text;
}

Schedule schedule(uint64_t skipFirst, uint64_t wait, uint64_t warmup, uint64_t active, uint64_t repeat,
                  Schedule::Unit unit = Schedule::Unit::Launches) {
    return {unit, skipFirst, wait, warmup, active, repeat};
}

}  // namespace

class TestLaunchSelector : public QObject {
    Q_OBJECT

private slots:
    void names_data();
    void names();
    void badPattern();
    void skipAndCount();
    void countsMatchesOnly();
    void schedules_data();
    void schedules();
    void cycles();
    void ranges();
    void rangesOfOtherThreads();
    void turnsOfRanges();
    void otherWork();
    void exhaustion();
    void manyThreads();
};

void TestLaunchSelector::names_data() {
    QTest::addColumn<QString>("pattern");
    QTest::addColumn<bool>("matches");
    QTest::newRow("all") << "" << true;
    QTest::newRow("base name, whole") << "^gemm$" << true;
    QTest::newRow("base name, part") << "em" << true;
    QTest::newRow("demangled") << "^void ns::gemm<float>\\(float\\*, int\\)$" << true;
    QTest::newRow("argument") << "float\\*, int" << true;
    QTest::newRow("mangled") << "^_ZN2ns4gemmIfEEvPT_i$" << true;
    QTest::newRow("letter case counts") << "GEMM" << false;
    QTest::newRow("another") << "softmax" << false;
}

void TestLaunchSelector::names() {
    QFETCH(QString, pattern);
    QFETCH(bool, matches);
    const auto names = makeKernelNames(pattern.toStdString());
    QVERIFY(names.ok());
    for (int i = 0; i < 3; ++i) {
        QCOMPARE(names.value()->matches("_ZN2ns4gemmIfEEvPT_i"), matches);
    }
    // What it remembers has a bound; what it forgot it decides again.
    for (int i = 0; i < 20000; ++i) {
        QCOMPARE(names.value()->matches("_Z9unrelated" + std::to_string(i)), pattern.isEmpty());
    }
    QCOMPARE(names.value()->matches("_ZN2ns4gemmIfEEvPT_i"), matches);
}

void TestLaunchSelector::badPattern() {
    const auto names = makeKernelNames("(unclosed");
    QVERIFY(!names.ok());
    QVERIFY(!names.error().message.empty());
}

void TestLaunchSelector::skipAndCount() {
    RecordOptions options;
    options.skip = 3;
    QCOMPARE(kept(*selectorOf(options), 6), "...xxx");
    options.count = 2;
    QCOMPARE(kept(*selectorOf(options), 8), "...xx...");
    options.skip = 0;
    QCOMPARE(kept(*selectorOf(options), 4), "xx..");
}

void TestLaunchSelector::countsMatchesOnly() {
    RecordOptions options;
    options.kernelPattern = "^b$";
    options.skip = 1;
    options.count = 1;
    const auto selector = selectorOf(options);
    QString text;
    for (const char* name : {"a", "b", "a", "a", "b", "a", "b"}) {
        text += selector->onLaunch(name).isKept ? 'x' : '.';
    }
    QCOMPARE(text, "....x..");
}

void TestLaunchSelector::schedules_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("expected");
    QTest::newRow("active") << "active=2"
                            << "xxxxxxxxxxxx";
    QTest::newRow("skip first") << "skip_first=3,active=1"
                                << "...xxxxxxxxx";
    QTest::newRow("wait") << "wait=2,active=1"
                          << "..x..x..x..x";
    QTest::newRow("warm-up") << "wait=1,warmup=1,active=2"
                             << "..xx..xx..xx";
    QTest::newRow("repeat") << "wait=1,active=1,repeat=2"
                            << ".x.x........";
    QTest::newRow("all") << "skip_first=1,wait=1,warmup=1,active=2,repeat=2"
                         << "...xx..xx...";
    QTest::newRow("once") << "active=3,repeat=1"
                          << "xxx.........";
}

void TestLaunchSelector::schedules() {
    QFETCH(QString, text);
    QFETCH(QString, expected);
    RecordOptions options;
    const auto parsed = scheduleOf(text.toStdString(), false);
    QVERIFY(parsed.ok());
    options.schedule = parsed.value();
    QCOMPARE(kept(*selectorOf(options), 12), expected);
}

/// The turn that a launch belongs to, from 1.
void TestLaunchSelector::cycles() {
    RecordOptions options;
    options.schedule = schedule(1, 1, 0, 2, 0);
    const auto selector = selectorOf(options);
    std::vector<uint32_t> cycles;
    for (int i = 0; i < 8; ++i) {
        cycles.push_back(selector->onLaunch("k").cycle);
    }
    QCOMPARE(cycles, (std::vector<uint32_t>{0, 0, 1, 1, 0, 2, 2, 0}));
}

void TestLaunchSelector::ranges() {
    RecordOptions options;
    options.range = "step";
    const auto selector = selectorOf(options);
    QCOMPARE(kept(*selector, 2), "..");
    selector->onRangeBegin("other");
    QCOMPARE(kept(*selector, 1), ".");
    selector->onRangeBegin("step");
    QCOMPARE(kept(*selector, 1), "x");
    selector->onRangeBegin("step");  // nested
    selector->onRangeEnd("step");
    QCOMPARE(kept(*selector, 1), "x");
    selector->onRangeEnd("other");
    QCOMPARE(kept(*selector, 1), "x");
    selector->onRangeEnd("step");
    QCOMPARE(kept(*selector, 1), ".");
    selector->onRangeEnd("step");  // one too many
    selector->onRangeBegin("step");
    QCOMPARE(kept(*selector, 1), "x");
}

/// Frameworks launch for one thread from another.
void TestLaunchSelector::rangesOfOtherThreads() {
    RecordOptions options;
    options.range = "step";
    const auto selector = selectorOf(options);
    std::thread([&] { selector->onRangeBegin("step"); }).join();
    QCOMPARE(kept(*selector, 2), "xx");
    std::thread([&] { selector->onRangeEnd("step"); }).join();
    QCOMPARE(kept(*selector, 2), "..");
}

void TestLaunchSelector::turnsOfRanges() {
    RecordOptions options;
    options.range = "step";
    options.schedule = schedule(1, 1, 0, 1, 2, Schedule::Unit::Ranges);
    const auto selector = selectorOf(options);
    QString text;
    for (int range = 0; range < 8; ++range) {
        selector->onRangeBegin("step");
        text += kept(*selector, 2);
        selector->onRangeEnd("step");
        text += kept(*selector, 1).replace('.', ' ');
    }
    QCOMPARE(text, ".. .. xx .. xx .. .. .. ");
}

/// Copies and graphs are kept while a launch would be.
void TestLaunchSelector::otherWork() {
    RecordOptions options;
    options.kernelPattern = "^k$";
    options.skip = 1;
    options.count = 1;
    const auto selector = selectorOf(options);
    QVERIFY(!selector->onOtherWork().isKept);
    kept(*selector, 1, "k");  // skipped
    QVERIFY(selector->onOtherWork().isKept);
    kept(*selector, 1, "k");  // the one
    QVERIFY(!selector->onOtherWork().isKept);
    RecordOptions turns;
    turns.schedule = schedule(0, 2, 0, 1, 0);
    const auto byTurns = selectorOf(turns);
    QVERIFY(!byTurns->onOtherWork().isKept);
    kept(*byTurns, 3);
    QVERIFY(byTurns->onOtherWork().isKept);
    kept(*byTurns, 1);
    QVERIFY(!byTurns->onOtherWork().isKept);
    RecordOptions within;
    within.range = "step";
    const auto byRange = selectorOf(within);
    QVERIFY(!byRange->onOtherWork().isKept);
    byRange->onRangeBegin("step");
    QVERIFY(byRange->onOtherWork().isKept);
}

void TestLaunchSelector::exhaustion() {
    RecordOptions counted;
    counted.count = 2;
    const auto byCount = selectorOf(counted);
    kept(*byCount, 1);
    QVERIFY(!byCount->isExhausted());
    kept(*byCount, 1);
    QVERIFY(byCount->isExhausted());
    RecordOptions turns;
    turns.schedule = schedule(1, 1, 0, 1, 2);
    const auto byTurns = selectorOf(turns);
    kept(*byTurns, 4);
    QVERIFY(!byTurns->isExhausted());
    kept(*byTurns, 1);
    QVERIFY(byTurns->isExhausted());
    turns.schedule.repeat = 0;
    const auto endless = selectorOf(turns);
    kept(*endless, 1000);
    QVERIFY(!endless->isExhausted());
    RecordOptions ranges;
    ranges.range = "step";
    ranges.schedule = schedule(0, 0, 0, 1, 1, Schedule::Unit::Ranges);
    const auto byRanges = selectorOf(ranges);
    byRanges->onRangeBegin("step");
    QVERIFY(!byRanges->isExhausted());
    byRanges->onRangeEnd("step");
    QVERIFY(byRanges->isExhausted());
}

/// No launch is counted twice or not at all.
void TestLaunchSelector::manyThreads() {
    RecordOptions options;
    options.schedule = schedule(100, 3, 0, 1, 0);
    const auto selector = selectorOf(options);
    std::atomic<int> keptInAll{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&] {
            for (int n = 0; n < 5000; ++n) {
                keptInAll += selector->onLaunch("k").isKept ? 1 : 0;
                selector->onOtherWork();
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    QCOMPARE(keptInAll.load(), (20000 - 100) / 4);
}

QTEST_GUILESS_MAIN(TestLaunchSelector)
#include "tst_launch_selector.moc"
