// SPDX-License-Identifier: MIT
// `warpline occupancy`: values, unknowns, text.
#include <QTest>
#include <nlohmann/json.hpp>

#include "tests/support/cli_process.h"

using namespace warpline::test;
using nlohmann::json;

class TestOccupancy : public QObject {
    Q_OBJECT

private slots:
    void values_data();
    void values();
    void unknownWavesAreNull();
    void blockThatDoesNotFit();
    void text();
};

void TestOccupancy::values_data() {
    QTest::addColumn<QStringList>("launch");
    QTest::addColumn<double>("occupancy");
    QTest::addColumn<QString>("limiter");
    QTest::addColumn<int>("blocks");
    QTest::addColumn<double>("waves");
    // Recorded kernels of an H200, with the occupancy that Nsight Compute gives for them.
    QTest::newRow("registers") << QStringList{"256", "184", "147456", "512"} << 0.125 << "registers" << 1
                               << 512.0 / 132;
    QTest::newRow("full") << QStringList{"128", "32", "0", "1"} << 1.0 << "warps" << 16 << 1.0 / (132 * 16);
    QTest::newRow("one block") << QStringList{"384", "168", "164308", "64"} << 0.1875 << "registers" << 1 << 64.0 / 132;
}

void TestOccupancy::values() {
    QFETCH(QStringList, launch);
    QFETCH(double, occupancy);
    QFETCH(QString, limiter);
    QFETCH(int, blocks);
    QFETCH(double, waves);
    const CliRun run = runCli({"occupancy", "--device", "H200", "--block", launch[0], "--registers", launch[1],
                               "--shared", launch[2], "--grid", launch[3], "--json"});
    QCOMPARE(run.code, 0);
    const json doc = json::parse(run.out.toStdString());
    QCOMPARE(doc["occupancy"].get<double>(), occupancy);
    QCOMPARE(QString::fromStdString(doc["occupancy_limiter"].get<std::string>()), limiter);
    QCOMPARE(doc["active_blocks_per_sm"].get<int>(), blocks);
    QCOMPARE(doc["waves"].get<double>(), waves);
    QCOMPARE(doc["device"]["sm_count"].get<int>(), 132);
}

void TestOccupancy::unknownWavesAreNull() {
    const QStringList launch = {"--block", "128", "--registers", "32", "--grid", "264", "--json"};
    const json unknown = json::parse(runCli(QStringList{"occupancy", "--device", "sm_90"} + launch).out.toStdString());
    QVERIFY(unknown["waves"].is_null());
    QVERIFY(unknown["device"]["sm_count"].is_null());
    const json known =
        json::parse(runCli(QStringList{"occupancy", "--device", "sm_90", "--sms", "132"} + launch).out.toStdString());
    QCOMPARE(known["waves"].get<double>(), 264.0 / (132 * 16));
}

void TestOccupancy::blockThatDoesNotFit() {
    const CliRun run =
        runCli({"occupancy", "--device", "H200", "--block", "128", "--registers", "32", "--shared", "300000"});
    QCOMPARE(run.code, 0);
    QVERIFY2(run.out.contains("does not fit"), run.out.constData());
}

void TestOccupancy::text() {
    const CliRun run = runCli({"occupancy", "--device", "nvidia h200", "--block", "256", "--registers", "184",
                               "--shared", "147456", "--grid", "512"});
    QCOMPARE(run.code, 0);
    QCOMPARE(run.out, QByteArray("Device       NVIDIA H200\n"
                                 "Occupancy    12.5 % (8 of 64 warps, 1 block on a multiprocessor)\n"
                                 "Limited by   registers\n"
                                 "Waves        3.879\n"));
}

QTEST_GUILESS_MAIN(TestOccupancy)
#include "tst_occupancy.moc"
