// SPDX-License-Identifier: MIT
#include <QTest>

#include "core/record/select/selection_filter.h"

using namespace warpline;
using namespace warpline::capture;
using namespace warpline::record;

class TestSelectionFilter : public QObject {
    Q_OBJECT

private slots:
    void isNeeded();
    void byDevice();
    void byLaunch();
    void kernelsOfGraphs();
    void forgets();
    void allNumbers();
    void turnsInTime();
};

SelectionFilter filterOf(const RecordOptions& options) {
    return {options, makeKernelNames(options.kernelPattern).value()};
}

KernelRecord kernelOn(uint32_t device, uint64_t graphNode = 0) {
    KernelRecord kernel;
    kernel.device = device;
    kernel.graphNode = graphNode;
    return kernel;
}

void TestSelectionFilter::isNeeded() {
    RecordOptions options;
    QVERIFY(!SelectionFilter::isNeeded(options));
    options.devices = {0};
    QVERIFY(SelectionFilter::isNeeded(options));
    options.devices = {};
    options.count = 1;
    QVERIFY(SelectionFilter::isNeeded(options));
    // What comes while CUPTI warms up for a turn in time is left out.
    options.count = 0;
    options.schedule.active = 5;
    options.schedule.unit = Schedule::Unit::Nanoseconds;
    QVERIFY(SelectionFilter::isNeeded(options));
    options.schedule.unit = Schedule::Unit::Launches;
    QVERIFY(SelectionFilter::isNeeded(options));
}

void TestSelectionFilter::byDevice() {
    RecordOptions options;
    options.devices = {1, 3};
    SelectionFilter filter = filterOf(options);
    QVERIFY(!filter.keepsKernel(5, "k", kernelOn(0)));
    QVERIFY(filter.keepsKernel(5, "k", kernelOn(1)));
    QVERIFY(filter.keepsKernel(5, "k", kernelOn(3)));
    QVERIFY(!filter.keepsWork(5, FrameType::Copies, 100, 2));
    QVERIFY(filter.keepsWork(5, FrameType::Copies, 100, 3));
    QVERIFY(filter.keepsWork(5, FrameType::Calls, 100, std::nullopt));
}

void TestSelectionFilter::byLaunch() {
    RecordOptions options;
    options.kernelPattern = "gemm";
    SelectionFilter filter = filterOf(options);
    filter.keep(7);
    QVERIFY(filter.keepsKernel(7, "anything", kernelOn(0)));
    QVERIFY(!filter.keepsKernel(8, "gemm", kernelOn(0)));
    QVERIFY(filter.keepsWork(7, FrameType::Calls, 100, std::nullopt));
    QVERIFY(!filter.keepsWork(8, FrameType::Calls, 100, std::nullopt));
}

/// They are not named at their launch.
void TestSelectionFilter::kernelsOfGraphs() {
    RecordOptions options;
    options.kernelPattern = "gemm";
    SelectionFilter filter = filterOf(options);
    filter.keep(7);
    QVERIFY(filter.keepsKernel(7, "_Z4gemmPf", kernelOn(0, 1)));
    QVERIFY(!filter.keepsKernel(7, "_Z7softmaxPf", kernelOn(0, 1)));
}

/// Numbers come about in order: of long ago those are forgotten, of late none.
void TestSelectionFilter::forgets() {
    CorrelationSet set;
    constexpr uint32_t kAll = 12'000'000, kKept = 8'000'000;
    for (uint32_t number = 1; number <= kAll; number += 3) {
        set.add(number);
    }
    for (uint32_t number = kAll - kKept; number <= kAll; ++number) {
        if (set.has(number) != (number % 3 == 1)) {
            QFAIL(QByteArray::number(number).constData());
        }
    }
    QVERIFY(!set.has(1));
}

void TestSelectionFilter::allNumbers() {
    CorrelationSet set;
    for (const uint32_t number : {0U, 1U, 7U, 8U, 32767U, 32768U, 0xfffffffeU, 0xffffffffU}) {
        QVERIFY(!set.has(number));
        set.add(number);
        set.add(number);
        QVERIFY(set.has(number));
    }
    QVERIFY(!set.has(2));
    QVERIFY(!set.has(32769));
    QVERIFY(!set.has(0x7fffffffU));
}

/// 100 ns are waited for, 50 warm up, 30 count; twice.
void TestSelectionFilter::turnsInTime() {
    RecordOptions options;
    options.schedule = scheduleOf("wait=100ns,warmup=50ns,active=30ns,repeat=2", false).value();
    QVERIFY(SelectionFilter::isNeeded(options));
    SelectionFilter filter(options, makeKernelNames("").value(), 1000);
    KernelRecord kernel;
    for (const auto& [begin, isKept] : std::initializer_list<std::pair<int64_t, bool>>{{900, false},
                                                                                       {1100, false},
                                                                                       {1149, false},
                                                                                       {1150, true},
                                                                                       {1179, true},
                                                                                       {1180, false},
                                                                                       {1330, true},
                                                                                       {1360, false},
                                                                                       {1510, false}}) {
        kernel.begin = begin;
        QCOMPARE(filter.keepsKernel(1, "k", kernel), isKept);
        QCOMPARE(filter.keepsWork(1, FrameType::Calls, begin, std::nullopt), isKept);
    }
    QVERIFY(filter.keepsWork(1, FrameType::Calls, 0, std::nullopt));  // without a time it is not judged by one
}

QTEST_GUILESS_MAIN(TestSelectionFilter)
#include "tst_selection_filter.moc"
