// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "app/ui/arguments.h"

using namespace warpline;
using namespace warpline::ui;

class TestArguments : public QObject {
    Q_OBJECT

private slots:
    void wrongOnesAreSaid_data();
    void wrongOnesAreSaid();
    void allAreRead();
    void nothingIsFine();
};

void TestArguments::wrongOnesAreSaid_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("unknown option") << QStringList{"--bogus"};
    QTest::newRow("theme") << QStringList{"--theme", "purple"};
    QTest::newRow("size without height") << QStringList{"--size", "100"};
    QTest::newRow("size too small") << QStringList{"--size", "10x900"};
    QTest::newRow("size too large") << QStringList{"--size", "99999x900"};
    QTest::newRow("size negative") << QStringList{"--size", "-500x900"};
    QTest::newRow("screenshot without file") << QStringList{"a.json", "--screenshot"};
    QTest::newRow("screenshot of another format") << QStringList{"--screenshot", "out.jpg"};
    QTest::newRow("offset of no file") << QStringList{"a.json", "--offset", "2:1ms"};
    QTest::newRow("offset of the axis") << QStringList{"a.json", "b.json", "--offset", "1:1ms"};
    QTest::newRow("offset without a time") << QStringList{"a.json", "b.json", "--offset", "2:"};
    QTest::newRow("offset without a number") << QStringList{"a.json", "b.json", "--offset", "1ms"};
    QTest::newRow("offset twice") << QStringList{"a.json", "b.json", "--offset", "2:1", "--offset", "2:2"};
    QTest::newRow("screenshot with empty file") << QStringList{"--screenshot="};
}

void TestArguments::wrongOnesAreSaid() {
    QFETCH(QStringList, arguments);
    QVERIFY(!parseArguments(arguments).error.isEmpty());
}

void TestArguments::allAreRead() {
    const Arguments out = parseArguments({"a.json", "--size", "800x600", "--screenshot", "out.png", "b.json",
                                          "--theme=dark", "--panel", "timeline", "-platform", "offscreen"});
    QCOMPARE(out.error, "");
    QCOMPARE(out.files, (QStringList{"a.json", "b.json"}));
    QCOMPARE(out.size, QSize(800, 600));
    QCOMPARE(out.screenshotPath, "out.png");
    QCOMPARE(out.panel, "timeline");
    QCOMPARE(out.theme, std::optional(ThemeChoice::Dark));
    QVERIFY(!out.help && !out.version);
    QCOMPARE(parseArguments({"--screenshot", "a.dir/OUT.PNG"}).error, "");
    QCOMPARE(parseArguments({"--screenshot", "a.dir/out"}).error, "");
    QVERIFY(parseArguments({"-h"}).help);
    QVERIFY(parseArguments({"--version"}).version);
    QCOMPARE(parseArguments({"--", "--odd.json"}).files, QStringList{"--odd.json"});
    QCOMPARE(parseArguments({"-"}).files, QStringList{"-"});
    const Arguments placed = parseArguments({"a.json", "--offset", "3:-1.5ms", "b.json", "c.json", "--offset=2:7"});
    QCOMPARE(placed.error, "");
    QCOMPARE(placed.offsets, (QMap<int, qint64>{{2, 7}, {3, -1'500'000}}));
}

void TestArguments::nothingIsFine() {
    const Arguments out = parseArguments({});
    QCOMPARE(out.error, "");
    QVERIFY(out.files.isEmpty());
    QVERIFY(!out.size.isValid());
    QVERIFY(!out.theme.has_value());
}

QTEST_APPLESS_MAIN(TestArguments)
#include "tst_arguments.moc"
