// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>

#include "app/ui/place_dialog.h"
#include "app/ui/settings_dialog.h"
#include "widgets/support/settings.h"

using namespace warpline;
using namespace warpline::ui;

class TestPlaceDialog : public QObject {
    Q_OBJECT

private slots:
    void factsOfTheFilesAreShown();
    void offsetsAreRead();
    void whatIsNoTimeIsSaid();
    void filesThatDidNotLoadCanBePlaced();
    void settingsAreTakenOnOk();
};

namespace {

QStringList cellsOf(const PlaceDialog& dialog, int row) {
    QStringList cells;
    for (int column = 0; column < dialog.table()->columnCount(); ++column) {
        cells << dialog.table()->item(row, column)->text();
    }
    return cells;
}

}  // namespace

void TestPlaceDialog::factsOfTheFilesAreShown() {
    QTemporaryDir folder;
    std::vector<std::string> paths;
    QStringList names;
    for (const QByteArray base : {"1700000000000000000", "1700000000500000000"}) {
        QFile file(folder.filePath(base + ".json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{\"baseTimeNanoseconds\":" + base + ",\"distributedInfo\":{\"rank\":" + base.mid(10, 1) +
                   "},\"traceEvents\":[{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":10,\"dur\":1}]}");
        names << file.fileName();
        paths.push_back(file.fileName().toStdString());
    }
    JobControl job;
    const auto trace = loadTrace(paths, {}, job);
    QVERIFY(trace.ok());
    const PlaceDialog dialog(names, {{names[1], -1'500'000}}, trace.value());
    QCOMPARE(cellsOf(dialog, 0), (QStringList{"1700000000000000000.json", "0", "2023-11-14 22:13:20.000000000", "10us",
                                              "0 (the axis)", ""}));
    QCOMPARE(cellsOf(dialog, 1), (QStringList{"1700000000500000000.json", "5", "2023-11-14 22:13:20.500000000", "10us",
                                              "500ms", "-1.5ms"}));
    QVERIFY(!dialog.table()->item(0, 5)->flags().testFlag(Qt::ItemIsEditable));
    QVERIFY(dialog.table()->item(1, 5)->flags().testFlag(Qt::ItemIsEditable));
    QCOMPARE(dialog.placement(), (settings::Placement{{names[1], -1'500'000}}));
}

void TestPlaceDialog::offsetsAreRead() {
    PlaceDialog dialog({"/a.json", "/b.json", "/c.json"}, {}, nullptr);
    dialog.table()->item(1, 5)->setText(" 2 s ");
    dialog.table()->item(2, 5)->setText("-7us");
    QCOMPARE(dialog.placement(), (settings::Placement{{"/b.json", 2'000'000'000}, {"/c.json", -7'000}}));
    QVERIFY(dialog.applyButton()->isEnabled());
    dialog.table()->item(1, 5)->setText("");
    QCOMPARE(dialog.placement(), (settings::Placement{{"/c.json", -7'000}}));
}

void TestPlaceDialog::whatIsNoTimeIsSaid() {
    PlaceDialog dialog({"/a.json", "/b.json"}, {}, nullptr);
    dialog.table()->item(1, 5)->setText("soon");
    QVERIFY2(dialog.problem().contains("b.json: 'soon'"), qPrintable(dialog.problem()));
    QVERIFY(!dialog.applyButton()->isEnabled());
    dialog.table()->item(1, 5)->setText("1ms");
    QCOMPARE(dialog.problem(), "");
    QVERIFY(dialog.applyButton()->isEnabled());
}

void TestPlaceDialog::filesThatDidNotLoadCanBePlaced() {
    const PlaceDialog dialog({"/a.json", "/b.json"}, {}, nullptr);
    QCOMPARE(cellsOf(dialog, 1), (QStringList{"b.json", "n/a", "n/a", "n/a", "n/a", ""}));
}

void TestPlaceDialog::settingsAreTakenOnOk() {
    settings::useTemporary();
    SettingsDialog dialog;
    const QList<QSpinBox*> boxes = dialog.findChildren<QSpinBox*>();
    QCOMPARE(boxes.size(), 5);
    QCOMPARE(boxes[0]->value(), 256);
    QCOMPARE(boxes[1]->value(), 64);
    QCOMPARE(boxes[2]->value(), 8);
    QCOMPARE(boxes[3]->value(), 0);
    QCOMPARE(boxes[3]->text(), QString("half of this machine's"));
    boxes[0]->setValue(500);
    boxes[2]->setValue(16);
    boxes[3]->setValue(3);
    QCOMPARE(settings::loadOptions().maxArgsDepth, 256U);
    for (QPushButton* button : dialog.findChildren<QPushButton*>()) {
        if (button->isDefault() || button->text().contains("OK")) {
            button->click();
            break;
        }
    }
    QCOMPARE(settings::loadOptions().maxArgsDepth, 500U);
    QCOMPARE(settings::loadOptions().maxPipedBytes, uint64_t{16} << 30);
    QCOMPARE(settings::loadOptions().maxTraceBytes, uint64_t{3} << 30);
}

QTEST_MAIN(TestPlaceDialog)
#include "tst_place_dialog.moc"
