// SPDX-License-Identifier: GPL-3.0-or-later
// The folder of recordings and its list.
#include <QApplication>
#include <QFile>
#include <QFileDialog>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <memory>

#include "app/ui/recording/recording_store.h"
#include "app/ui/recording/recordings_panel.h"
#include "widgets/support/job_runner.h"
#include "widgets/support/settings.h"
#include "widgets/support/theme.h"

using namespace warpline;
using namespace warpline::ui;

Q_DECLARE_METATYPE(warpline::ui::RecordRequest)

class TestRecordingsPanel : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs); }
    void init();
    void cleanup();

    void namesAreNotTaken();
    void theListIsTheFolder();
    void factsMayBeMissingOrBroken();
    void itIsOpenedByMouseAndKey();
    void itIsRenamed();
    void aTakenNameIsRefused();
    void itIsDeletedOnceAsked();
    void itIsRecordedAgain();
    void itIsSavedElsewhere();
    void whatIsUnderWayStays();
    void everythingIsReachedByTab();

private:
    RecordingEntry add(const QString& name, int minute, const QByteArray& bytes = "frames") {
        RecordingEntry entry;
        entry.begun = QDateTime(QDate(2026, 11, 30), QTime(12, minute));
        entry.path = m_store->newPath(name, entry.begun);
        entry.name = name;
        entry.kernels = 1234567;
        entry.lost = 0;
        entry.state = "exited with 0";
        RecordRequest request;
        request.program = "python " + name;
        entry.request = request;
        QDir().mkpath(m_store->folder());
        QFile file(entry.path);
        if (file.open(QIODevice::WriteOnly)) {
            file.write(bytes);
        }
        if (!m_store->write(entry).ok()) {
            QTest::qFail("cannot be written", __FILE__, __LINE__);
        }
        return entry;
    }
    void show() {
        m_panel = std::make_unique<RecordingsPanel>(*m_store);
        m_panel->resize(1100, 300);
        m_panel->show();
        QVERIFY(QTest::qWaitForWindowActive(m_panel.get()));
    }
    QString cell(int row, int column) const { return m_panel->table()->item(row, column)->text(); }
    void clickRow(int row) {
        QTest::mouseClick(m_panel->table()->viewport(), Qt::LeftButton, {},
                          m_panel->table()->visualItemRect(m_panel->table()->item(row, 1)).center());
    }
    void answer(bool yes) {
        QTimer::singleShot(50, this, [this, yes] {
            auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            QVERIFY(box != nullptr);
            m_asked = box->text();
            for (QAbstractButton* each : box->buttons()) {
                if ((box->buttonRole(each) == QMessageBox::DestructiveRole) == yes) {
                    return each->click();
                }
            }
        });
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<RecordingStore> m_store;
    std::unique_ptr<RecordingsPanel> m_panel;
    QString m_asked;
};

void TestRecordingsPanel::init() {
    settings::useTemporary();
    applyTheme(ThemeChoice::Light);
    m_folder = std::make_unique<QTemporaryDir>();
    m_store = std::make_unique<RecordingStore>(m_folder->filePath("recordings"));
}

void TestRecordingsPanel::cleanup() {
    m_panel.reset();
    QCOMPARE(JobRunner::activeJobs(), 0);
}

void TestRecordingsPanel::namesAreNotTaken() {
    const QDateTime when(QDate(2026, 11, 30), QTime(13, 5, 9));
    QCOMPARE(QFileInfo(m_store->newPath("train.py", when)).fileName(), "train_2026-11-30_13-05-09.wcap");
    QCOMPARE(QFileInfo(m_store->newPath("gemm:tiled", when)).fileName(), "gemm_tiled_2026-11-30_13-05-09.wcap");
    QCOMPARE(QFileInfo(m_store->newPath("../../x y", when)).fileName(), "x_y_2026-11-30_13-05-09.wcap");
    QVERIFY(QFileInfo(m_store->newPath("", when)).fileName().startsWith("recording_"));
    add("a.py", 1);
    const QString second = m_store->newPath("a.py", QDateTime(QDate(2026, 11, 30), QTime(12, 1)));
    QVERIFY2(second.endsWith("-2.wcap"), qPrintable(second));
}

void TestRecordingsPanel::theListIsTheFolder() {
    add("old.py", 1);
    add("new.py", 2, QByteArray(4096, 'x'));
    show();
    QCOMPARE(m_panel->table()->rowCount(), 2);
    QCOMPARE(cell(0, RecordingsPanel::kName), "new.py");
    QCOMPARE(cell(0, RecordingsPanel::kProgram), "python new.py");
    QCOMPARE(cell(0, RecordingsPanel::kHost), "this machine");
    QCOMPARE(cell(0, RecordingsPanel::kWhen), "2026-11-30 12:02:00");
    QCOMPARE(cell(0, RecordingsPanel::kKernels), "1,234,567");
    QCOMPARE(cell(0, RecordingsPanel::kLost), "0");
    QCOMPARE(cell(0, RecordingsPanel::kSize), "4.00 KiB");
    QCOMPARE(cell(0, RecordingsPanel::kState), "exited with 0");
    QCOMPARE(cell(1, RecordingsPanel::kName), "old.py");
    // What is selected stays when the folder changes.
    clickRow(1);
    add("newest.py", 3);
    m_panel->refresh();
    QCOMPARE(m_panel->table()->rowCount(), 3);
    QCOMPARE(m_panel->table()->selectionModel()->selectedRows().size(), 1);
    QCOMPARE(m_panel->table()->selectionModel()->selectedRows().first().row(), 2);
}

void TestRecordingsPanel::factsMayBeMissingOrBroken() {
    const RecordingEntry entry = add("a.py", 1);
    QVERIFY(QFile::remove(entry.path + ".json"));
    const RecordingEntry other = add("b.py", 2);
    QFile broken(other.path + ".json");
    QVERIFY(broken.open(QIODevice::WriteOnly | QIODevice::Truncate));
    broken.write("{\"name\": 3, \"kernels\": \"x\", \"request\": []");
    broken.close();
    show();
    QCOMPARE(m_panel->table()->rowCount(), 2);
    for (int row = 0; row < 2; ++row) {
        QVERIFY(cell(row, RecordingsPanel::kName).contains("2026-11-30"));
        QCOMPARE(cell(row, RecordingsPanel::kKernels), "n/a");
        QCOMPARE(cell(row, RecordingsPanel::kProgram), "n/a");
        QCOMPARE(cell(row, RecordingsPanel::kState), "n/a");
        clickRow(row);
        QVERIFY(!m_panel->againButton()->isEnabled());
        QVERIFY(m_panel->openButton()->isEnabled());
    }
}

void TestRecordingsPanel::itIsOpenedByMouseAndKey() {
    const RecordingEntry entry = add("a.py", 1);
    add("b.py", 2);
    show();
    QSignalSpy opened(m_panel.get(), &RecordingsPanel::openRequested);
    QVERIFY(!m_panel->openButton()->isEnabled());
    clickRow(1);
    QTest::mouseClick(m_panel->openButton(), Qt::LeftButton);
    QTest::keyClick(m_panel->table(), Qt::Key_Return);
    QTest::mouseDClick(m_panel->table()->viewport(), Qt::LeftButton, {},
                       m_panel->table()->visualItemRect(m_panel->table()->item(1, 1)).center());
    QCOMPARE(opened.count(), 3);
    for (const QList<QVariant>& each : opened) {
        QCOMPARE(each.first().toStringList(), QStringList(entry.path));
    }
}

void TestRecordingsPanel::itIsRenamed() {
    const RecordingEntry entry = add("a.py", 1);
    show();
    clickRow(0);
    QSignalSpy renamed(m_panel.get(), &RecordingsPanel::renamed);
    QTest::keyClick(m_panel->table(), Qt::Key_F2);
    auto* editor = m_panel->table()->findChild<QLineEdit*>();
    QVERIFY(editor != nullptr);
    editor->selectAll();
    QTest::keyClicks(editor, "before: the change");
    QTest::keyClick(editor, Qt::Key_Return);
    QTRY_COMPARE(cell(0, RecordingsPanel::kName), "before: the change");
    const QString path = m_folder->filePath("recordings/before_the_change.wcap");
    QVERIFY(QFile::exists(path) && QFile::exists(path + ".json"));
    QVERIFY(!QFile::exists(entry.path) && !QFile::exists(entry.path + ".json"));
    QCOMPARE(renamed.count(), 1);
    QCOMPARE(m_panel->entries().first().kernels.value(), 1234567U);
}

void TestRecordingsPanel::aTakenNameIsRefused() {
    add("a.py", 1);
    const RecordingEntry other = add("b.py", 2);
    show();
    QSignalSpy told(m_panel.get(), &RecordingsPanel::told);
    m_panel->table()->item(1, 0)->setText(QFileInfo(other.path).completeBaseName());
    QCOMPARE(told.count(), 1);
    QVERIFY(told.first().first().toString().contains("is there already"));
    QTRY_COMPARE(cell(1, RecordingsPanel::kName), "a.py");
    QCOMPARE(m_panel->table()->rowCount(), 2);
}

void TestRecordingsPanel::itIsDeletedOnceAsked() {
    const RecordingEntry entry = add("a.py", 1);
    add("b.py", 2);
    show();
    clickRow(1);
    answer(false);
    QTest::mouseClick(m_panel->deleteButton(), Qt::LeftButton);
    QVERIFY2(m_asked.contains("a.py") && m_asked.contains("cannot be undone"), qPrintable(m_asked));
    QVERIFY(QFile::exists(entry.path));
    answer(true);
    QTest::keyClick(m_panel->table(), Qt::Key_Delete);
    QVERIFY(!QFile::exists(entry.path));
    QVERIFY(!QFile::exists(entry.path + ".json"));
    QCOMPARE(m_panel->table()->rowCount(), 1);
    QCOMPARE(cell(0, RecordingsPanel::kName), "b.py");
}

void TestRecordingsPanel::itIsRecordedAgain() {
    add("a.py", 1);
    show();
    clickRow(0);
    RecordRequest got;
    connect(m_panel.get(), &RecordingsPanel::againRequested, this,
            [&](const RecordRequest& request) { got = request; });
    QTest::mouseClick(m_panel->againButton(), Qt::LeftButton);
    QCOMPARE(got.program, "python a.py");
}

void TestRecordingsPanel::itIsSavedElsewhere() {
    add("a.py", 1, QByteArray(3'000'000, 'y'));
    show();
    clickRow(0);
    const QString to = m_folder->filePath("copy.wcap");
    QTimer::singleShot(100, this, [&] {
        auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
        QVERIFY(dialog != nullptr);
        dialog->findChild<QLineEdit*>()->setText(to);
        QTest::keyClick(dialog->findChild<QLineEdit*>(), Qt::Key_Return);
    });
    QSignalSpy told(m_panel.get(), &RecordingsPanel::told);
    QTest::mouseClick(m_panel->saveAsButton(), Qt::LeftButton);
    QTRY_COMPARE(told.count(), 1);
    QCOMPARE(told.first().first().toString(), "Saved as " + to);
    QFile copy(to);
    QVERIFY(copy.open(QIODevice::ReadOnly));
    QCOMPARE(copy.readAll(), QByteArray(3'000'000, 'y'));
}

void TestRecordingsPanel::whatIsUnderWayStays() {
    const RecordingEntry entry = add("a.py", 1);
    show();
    m_panel->setUnderWay(entry.path);
    clickRow(0);
    QCOMPARE(cell(0, RecordingsPanel::kState), "recording");
    QVERIFY(!m_panel->deleteButton()->isEnabled());
    QVERIFY(!m_panel->renameButton()->isEnabled());
    QTest::keyClick(m_panel->table(), Qt::Key_Delete);
    QVERIFY(QFile::exists(entry.path));
    m_panel->setUnderWay({});
    QVERIFY(m_panel->deleteButton()->isEnabled());
}

void TestRecordingsPanel::everythingIsReachedByTab() {
    add("a.py", 1);
    show();
    clickRow(0);
    QSet<QWidget*> reached;
    for (int i = 0; i < 12; ++i) {
        reached << QApplication::focusWidget();
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    }
    for (QWidget* wanted :
         QList<QWidget*>{m_panel->table(), m_panel->openButton(), m_panel->againButton(), m_panel->renameButton(),
                         m_panel->saveAsButton(), m_panel->folderButton(), m_panel->deleteButton()}) {
        QVERIFY(reached.contains(wanted));
    }
}

QTEST_MAIN(TestRecordingsPanel)
#include "tst_recordings_panel.moc"
