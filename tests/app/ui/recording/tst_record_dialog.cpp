// SPDX-License-Identifier: GPL-3.0-or-later
// The record dialog by mouse and keys.
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QInputDialog>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QRadioButton>
#include <QSpinBox>
#include <QTableWidget>
#include <QTest>
#include <QTimer>

#include <memory>

#include "app/ui/recording/form_field.h"
#include "app/ui/recording/level_form.h"
#include "app/ui/recording/record_dialog.h"
#include "app/ui/recording/record_presets.h"
#include "app/ui/recording/what_form.h"
#include "kernels/registry.h"
#include "widgets/support/settings.h"
#include "widgets/support/theme.h"

using namespace warpline;
using namespace warpline::ui;

class TestRecordDialog : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup() { m_dialog.reset(); }

    void problemsStandAtTheirFields();
    void nothingIsSaidBeforeAnythingIsTyped();
    void enterRecordsAndEscapeDoesNot();
    void everythingIsReachedByTab();
    void everyFieldSaysWhatItMeans();
    void kernelsHaveTheirParameters();
    void theEnvironmentIsATable();
    void levelsSwitchWhatTheySay();
    void theCostFollows();
    void presetsAreSavedAndChosen();
    void theColumnsFitTheWidth();

private:
    void open(const RecordRequest& request = {}) {
        m_dialog = std::make_unique<RecordDialog>(request);
        m_dialog->show();
        QVERIFY(QTest::qWaitForWindowActive(m_dialog.get()));
    }
    static void type(QLineEdit* edit, const QString& text) {
        QTest::mouseClick(edit, Qt::LeftButton);
        edit->selectAll();
        QTest::keyClick(edit, Qt::Key_Delete);
        QTest::keyClicks(edit, text);
    }
    std::unique_ptr<RecordDialog> m_dialog;
};

void TestRecordDialog::init() {
    settings::useTemporary();
    applyTheme(ThemeChoice::Light);
}

void TestRecordDialog::problemsStandAtTheirFields() {
    open();
    WhatForm* what = m_dialog->what();
    LevelForm* level = m_dialog->level();
    type(what->programEdit(), "a | b");
    QVERIFY(what->field(field::kProgram)->problem().contains("needs a shell"));
    QVERIFY(what->programEdit()->property("invalid").toBool());
    QVERIFY(!m_dialog->recordButton()->isEnabled());
    QVERIFY(!m_dialog->copyButton()->isEnabled());
    type(what->programEdit(), "a b");
    QCOMPARE(what->field(field::kProgram)->problem(), "");
    QVERIFY(!what->programEdit()->property("invalid").toBool());
    QVERIFY(m_dialog->recordButton()->isEnabled());
    type(level->patternEdit(), "gemm(");
    QVERIFY(level->field(field::kPattern)->problem().contains("regular expression"));
    type(level->patternEdit(), "gemm");
    type(level->scheduleEdit(), "wait=1");
    QVERIFY(level->field(field::kSchedule)->problem().contains("active"));
    type(level->scheduleEdit(), "wait=1,active=2s");
    QVERIFY(level->field(field::kSchedule)->problem().contains("unit"));
    type(level->scheduleEdit(), "wait=1,active=2");
    type(what->folderEdit(), "/no/such");
    QVERIFY(what->field(field::kFolder)->problem().contains("no such folder"));
    type(what->hostBox()->lineEdit(), "-x");
    QVERIFY(!what->field(field::kHost)->problem().isEmpty());
    type(what->hostBox()->lineEdit(), "me@there");
    QVERIFY(what->field(field::kHost)->problem().isEmpty());
    QVERIFY(what->field(field::kFolder)->problem().isEmpty());
    QVERIFY(m_dialog->recordButton()->isEnabled());
}

void TestRecordDialog::nothingIsSaidBeforeAnythingIsTyped() {
    open();
    QCOMPARE(m_dialog->what()->field(field::kProgram)->problem(), "");
    QVERIFY(!m_dialog->recordButton()->isEnabled());
    QCOMPARE(m_dialog->commandLine(), "");
    type(m_dialog->level()->rangeEdit(), "x");
    QVERIFY(m_dialog->what()->field(field::kProgram)->problem().contains("python train.py"));
}

void TestRecordDialog::enterRecordsAndEscapeDoesNot() {
    open();
    QVERIFY(m_dialog->what()->programEdit()->hasFocus());
    QTest::keyClick(m_dialog->what()->programEdit(), Qt::Key_Return);
    QVERIFY(m_dialog->isVisible());
    type(m_dialog->what()->programEdit(), "run");
    QTest::keyClick(m_dialog->what()->programEdit(), Qt::Key_Return);
    QVERIFY(!m_dialog->isVisible());
    QCOMPARE(m_dialog->result(), int(QDialog::Accepted));
    QCOMPARE(m_dialog->request().program, "run");
    open();
    QTest::keyClick(m_dialog.get(), Qt::Key_Escape);
    QCOMPARE(m_dialog->result(), int(QDialog::Rejected));
}

void TestRecordDialog::everythingIsReachedByTab() {
    RecordRequest request;
    request.program = "x";
    open(request);
    QSet<QWidget*> reached;
    for (int i = 0; i < 60; ++i) {
        QWidget* focus = QApplication::focusWidget();
        QVERIFY(focus != nullptr);
        reached << focus;
        QTest::keyClick(focus, Qt::Key_Tab);
    }
    for (QWidget* wanted : QList<QWidget*>{
             m_dialog->what()->programEdit(), m_dialog->what()->environmentTable(), m_dialog->what()->folderEdit(),
             m_dialog->what()->hostBox(), m_dialog->level()->modeBox(), m_dialog->level()->apiBox(),
             m_dialog->level()->memoryBox(), m_dialog->level()->patternEdit(), m_dialog->level()->countBox(),
             m_dialog->level()->rangeEdit(), m_dialog->level()->scheduleEdit(), m_dialog->presetBox(),
             m_dialog->savePresetButton(), m_dialog->copyButton(), m_dialog->recordButton()}) {
        const bool isReached = reached.contains(wanted) || reached.contains(wanted->focusProxy());
        QVERIFY2(isReached, qPrintable(wanted->accessibleName() + wanted->metaObject()->className()));
    }
}

void TestRecordDialog::everyFieldSaysWhatItMeans() {
    open();
    for (QWidget* form : {static_cast<QWidget*>(m_dialog->what()), static_cast<QWidget*>(m_dialog->level())}) {
        for (const QWidget* each : form->findChildren<QWidget*>()) {
            const bool isField = qobject_cast<const QComboBox*>(each) != nullptr ||
                                 qobject_cast<const QAbstractSpinBox*>(each) != nullptr ||
                                 qobject_cast<const QCheckBox*>(each) != nullptr ||
                                 (qobject_cast<const QLineEdit*>(each) != nullptr &&
                                  qobject_cast<const QComboBox*>(each->parent()) == nullptr &&
                                  qobject_cast<const QAbstractSpinBox*>(each->parent()) == nullptr);
            if (isField) {
                QVERIFY2(!each->toolTip().isEmpty(), each->metaObject()->className());
            }
        }
    }
}

void TestRecordDialog::kernelsHaveTheirParameters() {
    if (kernels::all().empty()) {
        QSKIP("this build has no sample kernels");
    }
    open();
    WhatForm* what = m_dialog->what();
    QTest::mouseClick(what->kernelChoice(), Qt::LeftButton, {}, QPoint(8, what->kernelChoice()->height() / 2));
    QVERIFY(what->kernelChoice()->isChecked());
    QVERIFY(!what->programEdit()->isVisible());
    const int gemm = what->kernelBox()->findData("gemm");
    QVERIFY(gemm >= 0);
    what->kernelBox()->setCurrentIndex(gemm);
    QVERIFY(what->versionBox()->count() >= 4);
    QLineEdit* m = what->parameterEdit("M");
    QVERIFY(m != nullptr);
    QVERIFY2(m->toolTip().contains("powers of 1024"), qPrintable(m->toolTip()));
    type(m, "2k");
    QCOMPARE(m_dialog->request().parameters.value("M"), 2048);
    QVERIFY(m_dialog->commandLine().contains("--param M=2048"));
    QVERIFY(m_dialog->recordButton()->isEnabled());
    type(m, "many");
    QVERIFY(what->field(field::kParameters)->problem().contains("M"));
    QVERIFY(!m_dialog->recordButton()->isEnabled());
    // It comes back as it was.
    type(m, "2k");
    const RecordRequest request = m_dialog->request();
    open(request);
    QVERIFY(m_dialog->request() == request);
}

void TestRecordDialog::theEnvironmentIsATable() {
    RecordRequest request;
    request.program = "x";
    open(request);
    QTableWidget* table = m_dialog->what()->environmentTable();
    for (QPushButton* button : m_dialog->what()->findChildren<QPushButton*>()) {
        if (button->text().contains("Add")) {
            QTest::mouseClick(button, Qt::LeftButton);
        }
    }
    QCOMPARE(table->rowCount(), 1);
    QTest::keyClicks(QApplication::focusWidget(), "DEBUG");
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
    QTRY_COMPARE(table->item(0, 0)->text(), "DEBUG");
    table->item(0, 1)->setText("1");
    QCOMPARE(m_dialog->request().environment, (Environment{{"DEBUG", "1"}}));
    QVERIFY(m_dialog->isVisible());
    table->item(0, 0)->setText("");
    QVERIFY(m_dialog->what()->field(field::kEnvironment)->problem().contains("no name"));
}

void TestRecordDialog::levelsSwitchWhatTheySay() {
    RecordRequest request;
    request.program = "x";
    open(request);
    LevelForm* level = m_dialog->level();
    QVERIFY(level->apiBox()->isEnabled());
    QTest::keyClick(level->modeBox(), Qt::Key_Down);
    QVERIFY(m_dialog->request().mode == RecordRequest::Mode::Event);
    QVERIFY(!level->apiBox()->isEnabled() && !level->memoryBox()->isEnabled());
    QCOMPARE(m_dialog->commandLine(), "warpline record --mode event -- x");
    QTest::keyClick(level->modeBox(), Qt::Key_Up);
    QTest::mouseClick(level->memoryBox(), Qt::LeftButton, {}, QPoint(8, level->memoryBox()->height() / 2));
    QCOMPARE(m_dialog->commandLine(), "warpline record --no-memory -- x");
}

void TestRecordDialog::theCostFollows() {
    RecordRequest request;
    request.program = "x";
    open(request);
    QVERIFY(m_dialog->cost().contains("small cost for each launch"));
    m_dialog->level()->modeBox()->setCurrentIndex(2);
    QVERIFY(m_dialog->cost().contains("every CUDA call"));
}

void TestRecordDialog::presetsAreSavedAndChosen() {
    RecordRequest request;
    request.program = "run --fast";
    open(request);
    QVERIFY(!m_dialog->deletePresetButton()->isEnabled());
    const auto answerWith = [this](const QString& name) {
        QTimer::singleShot(50, this, [name] {
            auto* ask = qobject_cast<QInputDialog*>(QApplication::activeModalWidget());
            QVERIFY(ask != nullptr);
            ask->setTextValue(name);
            ask->accept();
        });
    };
    answerWith("fast");
    QTest::mouseClick(m_dialog->savePresetButton(), Qt::LeftButton);
    QCOMPARE(presets::names(), QStringList("fast"));
    QCOMPARE(m_dialog->presetBox()->currentText(), "fast");
    QVERIFY(m_dialog->deletePresetButton()->isEnabled());
    type(m_dialog->what()->programEdit(), "other");
    QTest::keyClick(m_dialog->presetBox(), Qt::Key_Up);
    QCOMPARE(m_dialog->what()->programEdit()->text(), "");  // nothing was recorded yet
    QTest::keyClick(m_dialog->presetBox(), Qt::Key_Down);
    QCOMPARE(m_dialog->what()->programEdit()->text(), "run --fast");
    QTimer::singleShot(50, this, [] {
        auto* ask = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
        QVERIFY(ask != nullptr);
        ask->button(QMessageBox::Yes)->click();
    });
    QTest::mouseClick(m_dialog->deletePresetButton(), Qt::LeftButton);
    QVERIFY(presets::names().isEmpty());
    QCOMPARE(m_dialog->presetBox()->count(), 1);
}

void TestRecordDialog::theColumnsFitTheWidth() {
    open();
    const auto isBeside = [this] {
        return m_dialog->level()->mapTo(m_dialog.get(), QPoint()).x() >
               m_dialog->what()->mapTo(m_dialog.get(), QPoint()).x() + m_dialog->what()->width() / 2;
    };
    m_dialog->resize(1300, 700);
    QTRY_VERIFY(isBeside());
    m_dialog->resize(620, 700);
    QTRY_VERIFY(!isBeside());
}

QTEST_MAIN(TestRecordDialog)
#include "tst_record_dialog.moc"
