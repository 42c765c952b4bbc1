// SPDX-License-Identifier: MIT
#include <QTest>

#include "core/devices/kernel_occupancy.h"
#include "tests/support/trace_text.h"

using namespace warpline;
using warpline::test::traceFromText;

namespace {

KernelFacts launch() {
    KernelFacts facts;
    facts.device = 0;
    facts.grid = {528, 1, 1};
    facts.block = {256, 1, 1};
    facts.registersPerThread = 64;
    facts.sharedBytes = 0;
    return facts;
}

}  // namespace

class tst_KernelOccupancy : public QObject {
    Q_OBJECT

private slots:
    void known() {
        const auto trace = traceFromText("device 0 sm_90");
        const KernelOccupancy out = kernelOccupancy(*trace, FileId(size_t{0}), launch());
        QVERIFY(out.gap == OccupancyGap::None);
        // 65,536 registers over 64 x 256 are 4 blocks of 8 warps: 32 of 64 warps; 132 SMs hold the grid once.
        QCOMPARE(out.occupancy->activeBlocks, int64_t{4});
        QCOMPARE(out.occupancy->ratio, 0.5);
        QVERIFY(out.occupancy->limiter == OccupancyLimiter::Registers);
        QCOMPARE(out.waves, std::optional(1.0));
    }
    void gaps_data() {
        QTest::addColumn<int>("what");
        QTest::addColumn<int>("gap");
        const char* names[] = {"other device", "side unknown", "empty block", "endless block",
                               "no registers", "no shared",    "cannot run"};
        const OccupancyGap gaps[] = {OccupancyGap::Device, OccupancyGap::Block,     OccupancyGap::Block,
                                     OccupancyGap::Block,  OccupancyGap::Resources, OccupancyGap::Resources,
                                     OccupancyGap::Limits};
        for (int i = 0; i < 7; ++i) {
            QTest::newRow(names[i]) << i << static_cast<int>(gaps[i]);
        }
    }
    void gaps() {
        QFETCH(int, what);
        QFETCH(int, gap);
        constexpr int32_t kHuge = 2'000'000'000;
        KernelFacts facts = launch();
        switch (what) {
            case 0:
                facts.device = 3;
                break;
            case 1:
                facts.block = {256, -1, 1};
                break;
            case 2:
                facts.block = {256, 0, 1};
                break;
            case 3:
                facts.block = {kHuge, kHuge, kHuge};
                break;
            case 4:
                facts.registersPerThread = -1;
                break;
            case 5:
                facts.sharedBytes = kUnknownFact;
                break;
            default:
                facts.block = {2048, 1, 1};
        }
        const auto trace = traceFromText("device 0 sm_90");
        const KernelOccupancy out = kernelOccupancy(*trace, FileId(size_t{0}), facts);
        QCOMPARE(static_cast<int>(out.gap), gap);
        QVERIFY(!out.occupancy && !out.waves);
    }
    void anEndlessGridHasNoWaves() {
        const auto trace = traceFromText("device 0 sm_90");
        KernelFacts facts = launch();
        facts.grid = {2'000'000'000, 2'000'000'000, 2'000'000'000};
        const KernelOccupancy out = kernelOccupancy(*trace, FileId(size_t{0}), facts);
        QVERIFY(out.occupancy && !out.waves);
    }
};

QTEST_APPLESS_MAIN(tst_KernelOccupancy)
#include "tst_kernel_occupancy.moc"
