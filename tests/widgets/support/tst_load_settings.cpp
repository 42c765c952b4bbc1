// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "widgets/support/load_settings.h"
#include "widgets/support/settings.h"

using namespace warpline;

class TestLoadSettings : public QObject {
    Q_OBJECT

private slots:
    void init() { settings::useTemporary(); }
    void limitsAreRemembered();
    void whatMakesNoSenseIsNotTaken_data();
    void whatMakesNoSenseIsNotTaken();
    void placementsAreOfASetOfFiles();
};

void TestLoadSettings::limitsAreRemembered() {
    const LoadOptions usual;
    QCOMPARE(settings::loadOptions().maxArgsDepth, usual.maxArgsDepth);
    QCOMPARE(settings::loadOptions().maxPipedBytes, usual.maxPipedBytes);
    LoadOptions raised;
    raised.maxArgsDepth = 1000;
    raised.maxEventBytes = uint64_t{100} << 20;
    raised.maxPipedBytes = uint64_t{32} << 30;
    raised.threads = 3;
    settings::setLoadOptions(raised);
    QCOMPARE(settings::loadOptions().maxArgsDepth, 1000U);
    QCOMPARE(settings::loadOptions().maxEventBytes, uint64_t{100} << 20);
    QCOMPARE(settings::loadOptions().maxPipedBytes, uint64_t{32} << 30);
    QCOMPARE(settings::loadOptions().threads, 3U);
}

void TestLoadSettings::whatMakesNoSenseIsNotTaken_data() {
    QTest::addColumn<QVariant>("depth");
    QTest::newRow("nothing") << QVariant("");
    QTest::newRow("none") << QVariant(0);
    QTest::newRow("negative") << QVariant("-1");
    QTest::newRow("deeper than the stack") << QVariant(4097);
    QTest::newRow("a word") << QVariant("deep");
}

void TestLoadSettings::whatMakesNoSenseIsNotTaken() {
    QFETCH(QVariant, depth);
    settings::store().setValue(settings::kLimitArgsDepth, depth);
    QCOMPARE(settings::loadOptions().maxArgsDepth, LoadOptions().maxArgsDepth);
}

void TestLoadSettings::placementsAreOfASetOfFiles() {
    const settings::Placement placement = {{"/b.json", -1'500'000}, {"/c.json", 7}};
    settings::setPlacement({"/a.json", "/b.json", "/c.json"}, placement);
    QCOMPARE(settings::placementOf({"/a.json", "/b.json", "/c.json"}), placement);
    QCOMPARE(settings::placementOf({"/b.json", "/a.json", "/c.json"}), settings::Placement());  // another axis
    QCOMPARE(settings::placementOf({"/a.json", "/b.json"}), settings::Placement());
    settings::setPlacement({"/a.json", "/b.json", "/c.json"}, {});
    QCOMPARE(settings::placementOf({"/a.json", "/b.json", "/c.json"}), settings::Placement());
}

QTEST_GUILESS_MAIN(TestLoadSettings)
#include "tst_load_settings.moc"
