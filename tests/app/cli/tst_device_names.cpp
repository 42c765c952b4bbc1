// SPDX-License-Identifier: MIT
#include <QTest>

#include "app/cli/device_names.h"
#include "core/devices/occupancy.h"

using namespace warpline;

class TestDeviceNames : public QObject {
    Q_OBJECT

private slots:
    void found_data();
    void found();
    void notFound_data();
    void notFound();
    void everyModelHasLimits();
};

void TestDeviceNames::found_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("computeMajor");
    QTest::addColumn<int>("computeMinor");
    QTest::addColumn<int>("smCount");  // -1: unknown
    QTest::newRow("model") << "H200" << 9 << 0 << 132;
    QTest::newRow("as a trace says it") << "NVIDIA H200" << 9 << 0 << 132;
    QTest::newRow("lower case") << "rtx4090" << 8 << 9 << 128;
    QTest::newRow("brand") << "NVIDIA GeForce RTX 4090" << 8 << 9 << 128;
    QTest::newRow("capability") << "9.0" << 9 << 0 << -1;
    QTest::newRow("two digits") << "12.0" << 12 << 0 << -1;
    QTest::newRow("architecture") << "sm_86" << 8 << 6 << -1;
    QTest::newRow("long architecture") << "sm_120" << 12 << 0 << -1;
}

void TestDeviceNames::found() {
    QFETCH(QString, name);
    QFETCH(int, computeMajor);
    QFETCH(int, computeMinor);
    QFETCH(int, smCount);
    const auto device = cli::findDeviceByName(name.toStdString());
    QVERIFY(device.has_value());
    QCOMPARE(static_cast<int>(device->computeMajor.value()), computeMajor);
    QCOMPARE(static_cast<int>(device->computeMinor.value()), computeMinor);
    QCOMPARE(static_cast<int>(device->smCount.value_or(-1)), smCount);
}

void TestDeviceNames::notFound_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"", "Z80", "9", "9.", ".0", "9.0.1", "sm_", "sm_9", "sm_9x", "-9.0"}) {
        QTest::newRow(*name == '\0' ? "empty" : name) << name;
    }
}

void TestDeviceNames::notFound() {
    QFETCH(QString, name);
    QVERIFY(!cli::findDeviceByName(name.toStdString()).has_value());
}

void TestDeviceNames::everyModelHasLimits() {
    QVERIFY(!cli::knownDeviceNames().empty());
    for (const std::string& name : cli::knownDeviceNames()) {
        const auto device = cli::findDeviceByName(name);
        QVERIFY2(device && smLimitsOf(*device), name.c_str());
    }
}

QTEST_GUILESS_MAIN(TestDeviceNames)
#include "tst_device_names.moc"
