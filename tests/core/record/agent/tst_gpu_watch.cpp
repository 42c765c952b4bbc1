// SPDX-License-Identifier: MIT
// Which GPUs a program will see, by what CUDA documents of CUDA_VISIBLE_DEVICES.
#include <QTest>

#include "core/record/agent/gpu_watch.h"

using namespace warpline::record;

class tst_GpuWatch : public QObject {
    Q_OBJECT

private slots:
    void visible_data();
    void visible();
    void uuids();
};

void tst_GpuWatch::visible_data() {
    QTest::addColumn<QString>("variable");
    QTest::addColumn<QList<int>>("gpus");
    QTest::newRow("not set") << QString() << QList<int>{0, 1, 2};
    QTest::newRow("none") << QString("") << QList<int>{};
    QTest::newRow("one") << QString("1") << QList<int>{1};
    QTest::newRow("in another order") << QString("2,0") << QList<int>{2, 0};
    QTest::newRow("what stands behind a wrong number does not count") << QString("0,7,1") << QList<int>{0};
    QTest::newRow("-1 ends the list") << QString("0,-1,1") << QList<int>{0};
    QTest::newRow("by UUID") << QString("GPU-bbbb-2") << QList<int>{1};
    QTest::newRow("by the beginning of a UUID") << QString("GPU-cc,GPU-aa") << QList<int>{2, 0};
    QTest::newRow("a part of a GPU cannot be told") << QString("MIG-1234") << QList<int>{0, 1, 2};
    QTest::newRow("no such UUID") << QString("GPU-dd") << QList<int>{};
}

void tst_GpuWatch::visible() {
    QFETCH(QString, variable);
    QFETCH(QList<int>, gpus);
    QList<int> seen;
    const auto set = variable.isNull() ? std::nullopt : std::optional(variable.toStdString());
    for (const uint32_t gpu : visibleGpus(set, {"GPU-aaaa-1", "GPU-bbbb-2", "GPU-cccc-3"})) {
        seen << static_cast<int>(gpu);
    }
    QCOMPARE(seen, gpus);
}

void tst_GpuWatch::uuids() {
    const auto bytes = uuidBytes("GPU-00112233-4455-6677-8899-aabbccddeeff");
    QVERIFY(bytes.has_value());
    QCOMPARE((*bytes)[0], uint8_t(0x00));
    QCOMPARE((*bytes)[1], uint8_t(0x11));
    QCOMPARE((*bytes)[15], uint8_t(0xff));
    for (const char* wrong : {"", "GPU-", "00112233-4455-6677-8899-aabbccddeeff",
                              "GPU-00112233-4455-6677-8899-aabbccddee", "GPU-0011223x-4455-6677-8899-aabbccddeeff"}) {
        QVERIFY(!uuidBytes(wrong).has_value());
    }
}

QTEST_APPLESS_MAIN(tst_GpuWatch)
#include "tst_gpu_watch.moc"
