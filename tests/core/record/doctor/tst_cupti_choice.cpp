// SPDX-License-Identifier: MIT
#include <QTest>

#include "core/record/doctor/cupti_choice.h"
#include "tests/support/made_up_system.h"

using namespace warpline::record;
using warpline::test::MadeUpSystem;

class TestCuptiChoice : public QObject {
    Q_OBJECT

private slots:
    void versions_data();
    void versions();
    void besideTheRuntimeFirst();
    void loaderBeforeToolkits();
    void toolkitsByEnvironmentThenNewest();
    void whereRecordedProcessesLookComesFirst();
    void overrideComesFirst();
    void overrideThatFailsIsNotPassedOver();
    void olderGenerationIsFine();
    void newerGenerationIsPassedOver();
    void belowElevenEightIsRefused();
    void versionThatIsNotTold();
    void driverUnknown();
    void none();
};

void TestCuptiChoice::versions_data() {
    QTest::addColumn<uint32_t>("api");
    QTest::addColumn<uint32_t>("cuda");
    QTest::newRow("11.6") << 17U << 0U;
    QTest::newRow("11.8") << 18U << 11080U;
    QTest::newRow("12.0") << 19U << 12000U;
    QTest::newRow("12.6, and what came before 12.8") << 25U << 12060U;
    QTest::newRow("12.9 update 1") << 28U << 12090U;
    QTest::newRow("13.0") << 130000U << 13000U;
    QTest::newRow("13.0 update 1") << 130001U << 13000U;
    QTest::newRow("13.3") << 130300U << 13030U;
    QTest::newRow("14.10") << 141000U << 14100U;
}

void TestCuptiChoice::versions() {
    QFETCH(uint32_t, api);
    QFETCH(uint32_t, cuda);
    QCOMPARE(cudaOfCupti(api), cuda);
}

void TestCuptiChoice::besideTheRuntimeFirst() {
    MadeUpSystem system;
    system.addLibrary("libcudart.so.13", "/opt/tk/lib/libcudart.so.13");
    system.addLibrary("", "/opt/tk/lib/libcupti.so.13", 130001);
    system.addLibrary("libcupti.so.13", "/usr/lib/libcupti.so.13", 130000);
    system.addLibrary("", "/usr/local/cuda/lib64/libcupti.so.13", 130000);
    const CuptiChoice choice = chooseCupti(system, 13000);
    QVERIFY(choice.chosen);
    QCOMPARE(choice.chosen->probe.path, std::string("/opt/tk/lib/libcupti.so.13"));
    QCOMPARE(choice.chosen->place, std::string("beside libcudart.so.13"));
    QVERIFY(choice.refused.empty());
}

void TestCuptiChoice::loaderBeforeToolkits() {
    MadeUpSystem system;
    system.addLibrary("libcupti.so.13", "/usr/lib/libcupti.so.13", 130000);
    system.addLibrary("", "/usr/local/cuda/lib64/libcupti.so.13", 130000);
    const CuptiChoice choice = chooseCupti(system, 13000);
    QVERIFY(choice.chosen);
    QCOMPARE(choice.chosen->probe.path, std::string("/usr/lib/libcupti.so.13"));
    QCOMPARE(choice.chosen->place, std::string("found by the loader"));
}

void TestCuptiChoice::toolkitsByEnvironmentThenNewest() {
    MadeUpSystem system;
    system.addLibrary("", "/usr/local/cuda-12.4/extras/CUPTI/lib64/libcupti.so.12", 22);
    system.addLibrary("", "/usr/local/cuda-12.8/extras/CUPTI/lib64/libcupti.so.12", 26);
    QCOMPARE(chooseCupti(system, 13000).chosen->probe.path,
             std::string("/usr/local/cuda-12.8/extras/CUPTI/lib64/libcupti.so.12"));
    system.variables["CUDA_HOME"] = "/usr/local/cuda-12.4";
    const CuptiChoice choice = chooseCupti(system, 13000);
    QCOMPARE(choice.chosen->probe.path, std::string("/usr/local/cuda-12.4/extras/CUPTI/lib64/libcupti.so.12"));
    QCOMPARE(choice.chosen->place, std::string("in a toolkit"));
    QVERIFY(choice.chosen->mustBeNamed);
}

void TestCuptiChoice::whereRecordedProcessesLookComesFirst() {
    MadeUpSystem system;
    system.addLibrary("", "/usr/local/cuda-13.1/extras/CUPTI/lib64/libcupti.so.13", 130100);
    system.addLibrary("", "/usr/local/cuda/lib64/libcupti.so.12", 26);
    system.variables["CUDA_HOME"] = "/usr/local/cuda-13.1";
    const CuptiChoice choice = chooseCupti(system, 13000);
    QCOMPARE(choice.chosen->probe.path, std::string("/usr/local/cuda/lib64/libcupti.so.12"));
    QVERIFY(!choice.chosen->mustBeNamed);
}

void TestCuptiChoice::overrideComesFirst() {
    MadeUpSystem system;
    system.addLibrary("libcupti.so.13", "/usr/lib/libcupti.so.13", 130000);
    system.addLibrary("", "/mine/libcupti.so", 26);
    system.variables["WARPLINE_CUPTI"] = "/mine/libcupti.so";
    const CuptiChoice choice = chooseCupti(system, 13000);
    QCOMPARE(choice.chosen->probe.path, std::string("/mine/libcupti.so"));
    QCOMPARE(choice.chosen->place, std::string("named by WARPLINE_CUPTI"));
}

void TestCuptiChoice::overrideThatFailsIsNotPassedOver() {
    MadeUpSystem system;
    system.addLibrary("libcupti.so.13", "/usr/lib/libcupti.so.13", 130000);
    system.variables["WARPLINE_CUPTI"] = "/mine/libcupti.so";
    const CuptiChoice choice = chooseCupti(system, 13000);
    QVERIFY(!choice.chosen);
    QCOMPARE(choice.refused.size(), size_t{1});
    QCOMPARE(choice.refused[0].refused, std::string("/mine/libcupti.so is not there"));
}

void TestCuptiChoice::olderGenerationIsFine() {
    MadeUpSystem system;
    system.addLibrary("libcudart.so.11.0", "/usr/lib/libcudart.so.11.0");
    system.addLibrary("", "/usr/lib/libcupti.so.11.8", 18);
    const CuptiChoice choice = chooseCupti(system, 13000);
    QVERIFY(choice.chosen);
    QCOMPARE(choice.chosen->place, std::string("beside libcudart.so.11.0"));
}

void TestCuptiChoice::newerGenerationIsPassedOver() {
    MadeUpSystem system;
    system.addLibrary("", "/usr/local/cuda/lib64/libcupti.so.13", 130001);
    system.addLibrary("", "/usr/local/cuda/lib64/libcupti.so.12", 26);
    const CuptiChoice choice = chooseCupti(system, 12040);
    QCOMPARE(choice.chosen->probe.path, std::string("/usr/local/cuda/lib64/libcupti.so.12"));
    system.files.erase("/usr/local/cuda/lib64/libcupti.so.12");
    const CuptiChoice without = chooseCupti(system, 12040);
    QVERIFY(!without.chosen);
    QCOMPARE(without.refused.size(), size_t{1});
    QCOMPARE(without.refused[0].refused, std::string("CUPTI 13.0 needs a driver of CUDA 13; this one is of CUDA 12.4"));
}

void TestCuptiChoice::belowElevenEightIsRefused() {
    MadeUpSystem system;
    system.addLibrary("", "/usr/local/cuda/lib64/libcupti.so.11.6", 17);
    const CuptiChoice choice = chooseCupti(system, 12040);
    QVERIFY(!choice.chosen);
    QCOMPARE(choice.refused[0].refused, std::string("it is older than 11.8"));
}

void TestCuptiChoice::versionThatIsNotTold() {
    MadeUpSystem system;
    system.addLibrary("", "/usr/local/cuda/lib64/libcupti.so", {});
    QCOMPARE(chooseCupti(system, 12040).refused[0].refused, std::string("it does not tell its version"));
}

void TestCuptiChoice::driverUnknown() {
    MadeUpSystem system;
    system.addLibrary("libcupti.so.13", "/usr/lib/libcupti.so.13", 130000);
    QVERIFY(chooseCupti(system, std::nullopt).chosen);
}

void TestCuptiChoice::none() {
    const CuptiChoice choice = chooseCupti(MadeUpSystem(), 13000);
    QVERIFY(!choice.chosen);
    QVERIFY(choice.refused.empty());
}

QTEST_GUILESS_MAIN(TestCuptiChoice)
#include "tst_cupti_choice.moc"
