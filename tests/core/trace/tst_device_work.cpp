// SPDX-License-Identifier: MIT
#include <QTest>

#include "core/trace/device_work.h"
#include "tests/support/trace_text.h"

using namespace warpline;
using warpline::test::traceFromText;

class tst_DeviceWork : public QObject {
    Q_OBJECT

private slots:
    void delaysAndRates() {
        const auto trace = traceFromText(R"(
            cpu main: cudaMemcpyAsync 10..15 (corr=1) cudaLaunchKernel 90..95 (corr=2)
            gpu 0 stream 7: "Memcpy HtoD" 30..130 (corr=1 bytes=4000) k 200..200 "Memcpy DtoH" 210..210 (bytes=8)
            gpu 0 stream 8: early 80..85 (corr=2))");
        const auto rowOf = [&](std::string_view name) {
            uint32_t row = 0;
            while (trace->sliceName(EventRow(row)) != name) {
                ++row;
            }
            return EventRow(row);
        };
        QCOMPARE(launchDelayNs(*trace, rowOf("Memcpy HtoD")), std::optional(DurationNs{20}));
        QCOMPARE(launchDelayNs(*trace, rowOf("early")), std::optional(DurationNs{-10}));
        QVERIFY(!launchDelayNs(*trace, rowOf("k")));
        QCOMPARE(copyBytesPerSecond(*trace, *trace->findCopyFacts(rowOf("Memcpy HtoD"))), std::optional(4e10));
        QVERIFY(!copyBytesPerSecond(*trace, *trace->findCopyFacts(rowOf("Memcpy DtoH"))));
    }
};

QTEST_APPLESS_MAIN(tst_DeviceWork)
#include "tst_device_work.moc"
