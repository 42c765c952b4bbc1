// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAction>
#include <QDialog>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QStatusBar>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QUrl>

#include <array>
#include <cstdlib>
#include <functional>
#include <memory>

#include "app/ui/change_bar.h"
#include "app/ui/dock_title.h"
#include "app/ui/entry_button.h"
#include "app/ui/error_page.h"
#include "app/ui/layout_keeper.h"
#include "app/ui/load_page.h"
#include "app/ui/main_window.h"
#include "app/ui/place_dialog.h"
#include "app/ui/shortcut_sheet.h"
#include "app/ui/start_page.h"
#include "app/ui/trace_opener.h"
#include "app/ui/workspace.h"
#include "widgets/support/filter_chip.h"
#include "widgets/support/job_runner.h"
#include "widgets/support/key_bindings.h"
#include "widgets/support/settings.h"
#include "widgets/support/table_filter_bar.h"
#include "widgets/support/table_panel.h"

using namespace warpline;
using namespace warpline::ui;

class TestMainWindow : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void cleanup();
    void beginsWithTheStartPage();
    void samplesOpenByAClick();
    void samplesOpenByTheKeyboard();
    void recentFilesAreListedGreyedAndRemoved();
    void aPanelsMenuComesBackWithATrace();
    void menusFitTheWindow();
    void escapeStopsALoadThatBegins();
    void aTimelineThatWasHiddenFillsItsWidth();
    void theTimelineTakesTheRoomOfALargerWindow();
    void severalFilesOpenTogether();
    void aFileGivenTwiceIsOpenedOnce();
    void addedFilesJoinTheView();
    void filesWithoutClocksArePlacedByHand();
    void aReloadKeepsTheView();
    void aFileThatGrowsIsOffered();
    void aFollowedFileIsLoadedAgain();
    void aFailureWhileFollowingKeepsTheView();
    void aFailedLoadKeepsWhatWasOpen();
    void failuresSayWhatToTry_data();
    void failuresSayWhatToTry();
    void retryOpensWhatHasAppeared();
    void aCancelledLoadKeepsWhatWasOpen();
    void escCancels();
    void droppedFilesOpen();
    void droppedTextIsRefused();
    void theLayoutIsRemembered();
    void sizesOfPanelsAreRemembered_data();
    void sizesOfPanelsAreRemembered();
    void theTimelineHasTheKeysAtEveryStart();
    void contentMovesNoBorder();
    void theDrawerComesBackAsHigh();
    void theLayoutIsSavedSoonAfterAChange_data();
    void theLayoutIsSavedSoonAfterAChange();
    void theLayoutIsSavedWhenTheSessionEnds();
    void whatWasNeverShownIsNotSaved();
    void findGoesToTheFilterFromAnywhere_data();
    void findGoesToTheFilterFromAnywhere();
    void findGoesToTheTableUsedLast();
    void slashSearchesFromAnywhere_data() { findGoesToTheFilterFromAnywhere_data(); }
    void slashSearchesFromAnywhere();
    void theSearchFiltersTheTable();
    void resetLayoutBringsEverythingBack();
    void theFilterOfAllPanelsIsUndone();
    void keysRaisePanels();
    void closingGoesBackToStart();
    void theSheetListsEveryShortcut();
    void theStatusBarRaisesItsPanel();
    void closingWhileLoadingIsSafe();
    void theLookIsChosenAndRemembered();

private:
    void openSample(const char* name);
    void trigger(const QKeySequence& keys);
    QString write(const char* name, const QByteArray& bytes, QIODevice::OpenMode mode = QIODevice::WriteOnly) const;
    void waitForLoad(const std::function<void()>& start);
    QString sample(const char* name) const;

    std::unique_ptr<MainWindow> m_window;
    QTemporaryDir m_folder;
};

void TestMainWindow::initTestCase() {
    qputenv("WARPLINE_SHARE_DIR", WARPLINE_SAMPLES_DIR "/..");
    applyTheme(ThemeChoice::Light);
}

void TestMainWindow::init() {
    settings::useTemporary();
    m_window = std::make_unique<MainWindow>();
    m_window->resize(1200, 760);
    m_window->show();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
}

void TestMainWindow::cleanup() {
    m_window.reset();
    QCOMPARE(JobRunner::activeJobs(), 0);
}

QString TestMainWindow::sample(const char* name) const {
    return QStringLiteral(WARPLINE_SAMPLES_DIR "/%1.trace.json.gz").arg(QLatin1String(name));
}

void TestMainWindow::openSample(const char* name) {
    QSignalSpy finished(m_window.get(), &MainWindow::loadFinished);
    m_window->openFiles({sample(name)});
    QVERIFY(finished.count() == 1 || finished.wait(20000));
    QCOMPARE(finished.first().first().toString(), "");
}

void TestMainWindow::trigger(const QKeySequence& keys) {
    QTest::keySequence(m_window.get(), keys);
}

void TestMainWindow::beginsWithTheStartPage() {
    QCOMPARE(m_window->page(), MainWindow::Page::Start);
    QVERIFY(m_window->startPage()->isVisible());
    QCOMPARE(m_window->startPage()->sampleEntries().size(), 3);
    QVERIFY(m_window->startPage()->recentEntries().isEmpty());
    QVERIFY(m_window->startPage()->openButton()->hasFocus());
    QCOMPARE(m_window->windowTitle(), "Warpline");
}

void TestMainWindow::samplesOpenByAClick() {
    QTest::mouseClick(m_window->startPage()->sampleEntries().first(), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(m_window->page(), MainWindow::Page::Trace, 20000);
    QVERIFY(m_window->session().trace() != nullptr);
    QVERIFY2(m_window->windowTitle().startsWith("quickstart.trace.json.gz"), qPrintable(m_window->windowTitle()));
    QVERIFY2(m_window->statusText().contains("slices"), qPrintable(m_window->statusText()));
}

void TestMainWindow::samplesOpenByTheKeyboard() {
    EntryButton* second = m_window->startPage()->sampleEntries().at(1);
    for (int i = 0; i < 20 && !second->hasFocus(); ++i) {
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    }
    QVERIFY(second->hasFocus());
    QTest::keyClick(second, Qt::Key_Space);
    QTRY_COMPARE_WITH_TIMEOUT(m_window->page(), MainWindow::Page::Trace, 20000);
    QVERIFY(m_window->openPaths().first().contains("worked_example"));
}

void TestMainWindow::recentFilesAreListedGreyedAndRemoved() {
    m_window->recentFiles().add("/not/there.json");
    m_window->recentFiles().add(sample("quickstart"));
    QList<EntryButton*> entries = m_window->startPage()->recentEntries();
    QCOMPARE(entries.size(), 2);
    QCOMPARE(entries[0]->text(), "quickstart.trace.json.gz");
    QVERIFY(entries[0]->isEnabled());
    QCOMPARE(entries[1]->text(), "there.json");
    QTRY_COMPARE(JobRunner::activeJobs(), 0);
    entries = m_window->startPage()->recentEntries();
    QVERIFY(entries[0]->isEnabled());
    QVERIFY(!entries[1]->isEnabled());
    QTest::mouseClick(entries[1]->parentWidget()->findChild<QToolButton*>(), Qt::LeftButton);
    QCOMPARE(m_window->startPage()->recentEntries().size(), 1);
    QCOMPARE(m_window->recentFiles().paths(), QStringList{QFileInfo(sample("quickstart")).absoluteFilePath()});
    QTest::mouseClick(m_window->startPage()->recentEntries().first(), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(m_window->page(), MainWindow::Page::Trace, 20000);
}

void TestMainWindow::aPanelsMenuComesBackWithATrace() {
    QAction* timeline = nullptr;
    for (QAction* top : m_window->menuBar()->actions()) {
        timeline = top->text() == "&Timeline" ? top : timeline;
    }
    QVERIFY(timeline != nullptr);
    QVERIFY(!timeline->isEnabled());
    emit timeline->menu()->aboutToShow();
    openSample("quickstart");
    QVERIFY(timeline->isEnabled());
    QVERIFY(timeline->menu()->isEnabled());
    m_window->closeTrace();
    QVERIFY(!timeline->isEnabled());
    // What the mouse does to the same end stands beside the keys.
    QCOMPARE(keyBindings().action("timeline.zoom_in")->property("gesture").toString(), "Ctrl+wheel up, pinch");
}

/// In one column each, at the smallest usual window; and the ways through the timeline stand in Go.
void TestMainWindow::menusFitTheWindow() {
    openSample("quickstart");
    for (QAction* top : m_window->menuBar()->actions()) {
        emit top->menu()->aboutToShow();
        QVERIFY2(top->menu()->sizeHint().height() < 690, qPrintable(top->text()));
        const QList<QAction*> actions = top->menu()->actions();
        QVERIFY(!actions.first()->isSeparator() && !actions.last()->isSeparator());
        for (qsizetype i = 1; i < actions.size(); ++i) {
            QVERIFY2(!actions[i]->isSeparator() || !actions[i - 1]->isSeparator(), qPrintable(top->text()));
        }
        if (top->text() == "&Go") {
            for (const char* id : {"go_to_time", "back", "forward", "next_slice", "previous_slice"}) {
                QVERIFY(actions.contains(keyBindings().action(QStringLiteral("timeline.%1").arg(QLatin1String(id)))));
            }
        }
    }
}

void TestMainWindow::escapeStopsALoadThatBegins() {
    openSample("quickstart");
    const auto before = m_window->session().trace();
    QWidget* timeline = m_window->workspace()->findDock("timeline")->panel;
    timeline->setFocus();
    QTRY_VERIFY(timeline->hasFocus());
    QSignalSpy finished(m_window.get(), &MainWindow::loadFinished);
    m_window->openFiles({sample("multi_stream")});
    QVERIFY(m_window->opener()->busy());
    QTest::keyClick(timeline, Qt::Key_Escape);
    QVERIFY(!m_window->opener()->busy());
    QCOMPARE(finished.count(), 1);
    QCOMPARE(finished.first().first().toString(), "cancelled");
    QCOMPARE(m_window->session().trace(), before);
}

void TestMainWindow::aTimelineThatWasHiddenFillsItsWidth() {
    m_window->workspace()->showOnly("op_table");
    openSample("quickstart");
    m_window->workspace()->raisePanel("timeline");
    QTRY_VERIFY(m_window->workspace()->findDock("timeline")->panel->isVisible());
    QCoreApplication::processEvents();
    const TimeRange view = *m_window->session().trace()->initialView();
    const double share =
        static_cast<double>(m_window->session().visibleRange().length()) / static_cast<double>(view.length());
    QVERIFY2(share > 0.9 && share < 1.1, qPrintable(QString::number(share)));
}

void TestMainWindow::theTimelineTakesTheRoomOfALargerWindow() {
    openSample("quickstart");
    m_window->resize(1280, 800);
    QCoreApplication::processEvents();
    const QWidget* timeline = m_window->workspace()->findDock("timeline")->dock;
    const QWidget* details = m_window->workspace()->findDock("details")->dock;
    const int timelineBefore = timeline->width();
    const int detailsBefore = details->width();
    m_window->resize(1900, 1000);
    QTRY_COMPARE(details->width(), detailsBefore);
    QCOMPARE(timeline->width(), timelineBefore + 620);
    m_window->resize(1280, 800);
    QTRY_COMPARE(details->width(), detailsBefore);
    QCOMPARE(timeline->width(), timelineBefore);
}

void TestMainWindow::severalFilesOpenTogether() {
    QSignalSpy finished(m_window.get(), &MainWindow::loadFinished);
    m_window->openFiles({sample("quickstart"), sample("multi_stream")});
    QVERIFY(finished.wait(20000));
    QCOMPARE(m_window->session().trace()->files().size(), size_t{2});
    QVERIFY2(m_window->windowTitle().contains("and 1 more"), qPrintable(m_window->windowTitle()));
    QCOMPARE(m_window->recentFiles().paths().size(), 2);
}

QString TestMainWindow::write(const char* name, const QByteArray& bytes, QIODevice::OpenMode mode) const {
    QFile file(m_folder.filePath(name));
    if (!file.open(mode) || file.write(bytes) != bytes.size()) {
        qFatal("no temporary file");
    }
    return file.fileName();
}

void TestMainWindow::waitForLoad(const std::function<void()>& start) {
    QSignalSpy finished(m_window.get(), &MainWindow::loadFinished);
    start();
    QVERIFY(finished.count() == 1 || finished.wait(20000));
    QCOMPARE(finished.first().first().toString(), "");
    QTRY_COMPARE(JobRunner::activeJobs(), 0);
}

namespace {

/// `count` slices of 10 us each on one track; the text has no end, as of a file that is still written.
QByteArray openTrace(int count, const char* base = "0") {
    QByteArray text = QByteArray("{\"baseTimeNanoseconds\": ") + base + ", \"traceEvents\": [\n";
    for (int i = 0; i < count; ++i) {
        text += "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"op" + QByteArray::number(i) +
                "\",\"pid\":1,\"tid\":1,\"ts\":" + QByteArray::number(i * 100) + ",\"dur\":10,\"args\":{\"n\":1}},\n";
    }
    return text;
}

}  // namespace

void TestMainWindow::aFileGivenTwiceIsOpenedOnce() {
    const QString path = write("twice.json", openTrace(2));
    waitForLoad([&] { m_window->openFiles({path, m_folder.path() + "/./twice.json"}); });
    QCOMPARE(m_window->session().trace()->files().size(), size_t{1});
    QVERIFY2(m_window->statusBar()->currentMessage().contains("given more than once"),
             qPrintable(m_window->statusBar()->currentMessage()));
}

void TestMainWindow::addedFilesJoinTheView() {
    const QString a = write("a.json", openTrace(20));
    const QString b = write("b.json", openTrace(3, "5000"));
    waitForLoad([&] { m_window->openFiles({a}); });
    Session& session = m_window->session();
    session.setVisibleRange({300'000, 700'000});
    const TimeRange shown = session.visibleRange();
    session.selectEvent(EventRow(4U));
    waitForLoad([&] { m_window->addFiles({b}); });
    QCOMPARE(m_window->openPaths(), (QStringList{a, b}));
    QCOMPARE(session.trace()->files()[1].axisOffsetNs, DurationNs(5000));
    QCOMPARE(session.visibleRange(), shown);
    QCOMPARE(session.trace()->sliceName(session.selectedEvent()), std::string_view("op4"));
}

void TestMainWindow::filesWithoutClocksArePlacedByHand() {
    const QString a = write("a.json", R"([{"ph":"X","name":"a","pid":1,"tid":1,"ts":10,"dur":1}])");
    const QString b = write("b.json", R"([{"ph":"X","name":"b","pid":1,"tid":1,"ts":0,"dur":1}])");
    m_window->openFiles({a, b});
    QTRY_COMPARE_WITH_TIMEOUT(m_window->page(), MainWindow::Page::Failed, 20000);
    QVERIFY2(m_window->errorPage()->reason().contains("gives no base time"),
             qPrintable(m_window->errorPage()->reason()));
    QVERIFY(m_window->errorPage()->placeButton()->isVisible());
    QTest::mouseClick(m_window->errorPage()->placeButton(), Qt::LeftButton);
    auto* dialog = m_window->findChild<PlaceDialog*>();
    QVERIFY(dialog != nullptr);
    dialog->table()->item(1, 5)->setText("-1.5ms");
    waitForLoad([&] { dialog->accept(); });
    QCOMPARE(m_window->page(), MainWindow::Page::Trace);
    QCOMPARE(m_window->session().trace()->files()[1].axisOffsetNs, DurationNs(-1'500'000));
    // It is remembered for these files.
    m_window->closeTrace();
    waitForLoad([&] { m_window->openFiles({a, b}); });
    QCOMPARE(m_window->session().trace()->files()[1].axisOffsetNs, DurationNs(-1'500'000));
}

void TestMainWindow::aReloadKeepsTheView() {
    const QString path = write("grows.json", openTrace(50));
    waitForLoad([&] { m_window->openFiles({path}); });
    Session& session = m_window->session();
    session.setVisibleRange({1'000'000, 2'000'000});
    const TimeRange shown = session.visibleRange();
    session.selectEvent(EventRow(7U));
    session.setArea(AreaSelection{{1'200'000, 1'300'000}, {TrackId(0U)}});
    auto* filter = m_window->workspace()->findDock("op_table")->panel->findChild<QLineEdit*>();
    QVERIFY(filter != nullptr);
    filter->setText("op1");
    write("grows.json", openTrace(80));
    for (const QKeySequence& keys : {QKeySequence(Qt::Key_F5), QKeySequence(Qt::CTRL | Qt::Key_R)}) {
        const auto before = session.trace();
        waitForLoad([&] { trigger(keys); });
        QVERIFY(session.trace() != before);
        QCOMPARE(session.trace()->sliceCount(), 80U);
        QCOMPARE(session.visibleRange(), shown);
        QCOMPARE(session.trace()->sliceName(session.selectedEvent()), std::string_view("op7"));
        QCOMPARE(session.area(), (AreaSelection{{1'200'000, 1'300'000}, {TrackId(0U)}}));
        QCOMPARE(filter->text(), "op1");
    }
}

void TestMainWindow::aFileThatGrowsIsOffered() {
    const QString path = write("grows.json", openTrace(5));
    waitForLoad([&] { m_window->openFiles({path}); });
    QVERIFY(!m_window->changeBar()->isVisible());
    write("grows.json", openTrace(9));
    m_window->fileWatch()->look();
    QTRY_VERIFY_WITH_TIMEOUT(m_window->changeBar()->isVisible(), 20000);
    QVERIFY2(m_window->changeBar()->text().startsWith("grows.json has grown by "),
             qPrintable(m_window->changeBar()->text()));
    QCOMPARE(m_window->session().trace()->sliceCount(), 5U);
    // The old view does not read the new bytes.
    const auto args = m_window->session().trace()->argsJson(EventRow(0U));
    QVERIFY(!args.ok());
    QCOMPARE(QByteArray::fromStdString(args.error().code), QByteArray("file_changed"));
    waitForLoad([&] { QTest::mouseClick(m_window->changeBar()->reloadButton(), Qt::LeftButton); });
    QCOMPARE(m_window->session().trace()->sliceCount(), 9U);
    QVERIFY(!m_window->changeBar()->isVisible());

    QVERIFY(QFile::remove(path));
    m_window->fileWatch()->look();
    QTRY_VERIFY_WITH_TIMEOUT(m_window->changeBar()->isVisible(), 20000);
    QVERIFY(!m_window->changeBar()->reloadButton()->isVisible());
    QTest::mouseClick(m_window->changeBar()->dismissButton(), Qt::LeftButton);
    QVERIFY(!m_window->changeBar()->isVisible());
    QCOMPARE(m_window->page(), MainWindow::Page::Trace);
}

void TestMainWindow::aFollowedFileIsLoadedAgain() {
    const QString path = write("grows.json", openTrace(5));
    waitForLoad([&] { m_window->openFiles({path}); });
    m_window->setFollowing(true);
    QVERIFY(m_window->changeBar()->isVisible());
    write("grows.json", openTrace(9));
    QTRY_COMPARE_WITH_TIMEOUT(m_window->session().trace()->sliceCount(), 9U, 20000);
    QCOMPARE(m_window->page(), MainWindow::Page::Trace);
    write("grows.json", openTrace(12));
    QTRY_COMPARE_WITH_TIMEOUT(m_window->session().trace()->sliceCount(), 12U, 20000);
    QTest::mouseClick(m_window->changeBar()->followButton(), Qt::LeftButton);
    QVERIFY(!m_window->following());
    QVERIFY(!m_window->changeBar()->isVisible());
}

void TestMainWindow::aFailureWhileFollowingKeepsTheView() {
    const QString path = write("grows.json", openTrace(5));
    waitForLoad([&] { m_window->openFiles({path}); });
    m_window->setFollowing(true);
    write("grows.json", "");
    QTRY_VERIFY_WITH_TIMEOUT(m_window->changeBar()->text().contains("empty"), 20000);
    QCOMPARE(m_window->page(), MainWindow::Page::Trace);
    QCOMPARE(m_window->session().trace()->sliceCount(), 5U);
    write("grows.json", openTrace(6));
    QTRY_COMPARE_WITH_TIMEOUT(m_window->session().trace()->sliceCount(), 6U, 20000);
    QVERIFY(m_window->changeBar()->text().contains("whenever writing pauses"));
}

void TestMainWindow::aFailedLoadKeepsWhatWasOpen() {
    openSample("quickstart");
    const auto before = m_window->session().trace();
    m_window->openFiles({"/not/there.json"});
    QTRY_COMPARE(m_window->page(), MainWindow::Page::Failed);
    QCOMPARE(m_window->session().trace(), before);
    // Nothing of the trace that is still open stands under another file's error.
    QCOMPARE(m_window->statusText().trimmed(), "");
    for (const QToolButton* button : m_window->statusBar()->findChildren<QToolButton*>()) {
        QVERIFY2(!button->isVisible(), qPrintable(button->text()));
    }
    QVERIFY(m_window->errorPage()->reason().contains("/not/there.json"));
    QVERIFY(m_window->errorPage()->backButton()->text().contains("quickstart"));
    QTest::mouseClick(m_window->errorPage()->backButton(), Qt::LeftButton);
    QCOMPARE(m_window->page(), MainWindow::Page::Trace);
    QVERIFY(m_window->windowTitle().startsWith("quickstart"));
    QVERIFY2(m_window->statusText().contains("slices"), qPrintable(m_window->statusText()));
    QVERIFY(!m_window->recentFiles().paths().contains("/not/there.json"));
}

void TestMainWindow::failuresSayWhatToTry_data() {
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("advice");
    const auto write = [this](const char* name, const QByteArray& bytes) {
        QFile file(m_folder.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) {
            qFatal("cannot write");
        }
        return file.fileName();
    };
    QTest::newRow("missing") << m_folder.filePath("missing.json") << "no such file";
    QTest::newRow("folder") << m_folder.path() << "folder";
    QTest::newRow("empty") << write("empty.json", {}) << "empty";
    QTest::newRow("foreign") << write("foreign.json", "%PDF-1.4 hello") << "Perfetto trace";
}

void TestMainWindow::failuresSayWhatToTry() {
    QFETCH(QString, path);
    QFETCH(QString, advice);
    m_window->openFiles({path});
    QTRY_COMPARE(m_window->page(), MainWindow::Page::Failed);
    QVERIFY2(m_window->errorPage()->advice().contains(advice), qPrintable(m_window->errorPage()->advice()));
    QVERIFY(!m_window->errorPage()->reason().isEmpty());
    QTest::mouseClick(m_window->errorPage()->backButton(), Qt::LeftButton);
    QCOMPARE(m_window->page(), MainWindow::Page::Start);
}

void TestMainWindow::retryOpensWhatHasAppeared() {
    const QString path = m_folder.filePath("later.json.gz");
    m_window->openFiles({path});
    QTRY_COMPARE(m_window->page(), MainWindow::Page::Failed);
    QVERIFY(QFile::copy(sample("quickstart"), path));
    QTest::mouseClick(m_window->errorPage()->retryButton(), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(m_window->page(), MainWindow::Page::Trace, 20000);
}

void TestMainWindow::aCancelledLoadKeepsWhatWasOpen() {
    openSample("quickstart");
    const auto before = m_window->session().trace();
    QSignalSpy finished(m_window.get(), &MainWindow::loadFinished);
    m_window->openFiles({sample("multi_stream")});
    m_window->opener()->cancel();
    QCOMPARE(finished.count(), 1);
    QCOMPARE(m_window->page(), MainWindow::Page::Trace);
    // Its result, had it been ready, does not come later.
    QTRY_COMPARE(JobRunner::activeJobs(), 0);
    QCOMPARE(m_window->session().trace(), before);
    QVERIFY(m_window->windowTitle().startsWith("quickstart"));
}

void TestMainWindow::escCancels() {
    m_window->openFiles({sample("multi_stream")});
    QVERIFY(m_window->opener()->busy());
    trigger(QKeySequence(Qt::Key_Escape));
    QVERIFY(!m_window->opener()->busy());
    QCOMPARE(m_window->page(), MainWindow::Page::Start);
    QTRY_COMPARE(JobRunner::activeJobs(), 0);
    QVERIFY(m_window->session().trace() == nullptr);
    // Also over an open trace, whose panels have a use for Esc themselves.
    openSample("quickstart");
    m_window->openFiles({sample("multi_stream")});
    trigger(QKeySequence(Qt::Key_Escape));
    QVERIFY(!m_window->opener()->busy());
    QVERIFY(m_window->openPaths().first().contains("quickstart"));
}

void TestMainWindow::droppedFilesOpen() {
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(sample("quickstart"))});
    const QPoint middle = m_window->rect().center();
    QDragEnterEvent enter(middle, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(m_window.get(), &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent drop(middle, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(m_window.get(), &drop);
    QTRY_COMPARE_WITH_TIMEOUT(m_window->page(), MainWindow::Page::Trace, 20000);
}

void TestMainWindow::droppedTextIsRefused() {
    QMimeData data;
    data.setText("hello");
    QDragEnterEvent enter(QPoint(5, 5), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    enter.ignore();
    QApplication::sendEvent(m_window.get(), &enter);
    QVERIFY(!enter.isAccepted());
}

void TestMainWindow::theLayoutIsRemembered() {
    openSample("quickstart");
    QDockWidget* details = m_window->workspace()->findDock("details")->dock;
    QVERIFY(!details->isHidden());
    details->toggleViewAction()->trigger();
    m_window->resize(1010, 690);
    m_window->close();
    MainWindow again;
    QVERIFY(again.workspace()->findDock("details")->dock->isHidden());
    QVERIFY(!again.workspace()->findDock("op_table")->dock->isHidden());
    QCOMPARE(again.size(), QSize(1010, 690));
}

void TestMainWindow::sizesOfPanelsAreRemembered_data() {
    QTest::addColumn<QSize>("window");
    QTest::addColumn<int>("drawnBy");
    QTest::newRow("left alone") << QSize(1200, 760) << 0;
    QTest::newRow("drawn narrow") << QSize(1200, 760) << 60;
    QTest::newRow("drawn wide") << QSize(1200, 760) << -200;
    QTest::newRow("large window, left alone") << QSize(1800, 1000) << 0;
    QTest::newRow("large window, drawn wide") << QSize(1800, 1000) << -300;
    QTest::newRow("small window, drawn narrow") << QSize(1000, 600) << 40;
}

void TestMainWindow::sizesOfPanelsAreRemembered() {
    QFETCH(QSize, window);
    QFETCH(int, drawnBy);
    const auto dock = [this](const char* id) { return m_window->workspace()->findDock(id)->dock; };
    const auto sizes = [&dock] {
        return std::array{dock("timeline")->size(), dock("details")->size(), dock("op_table")->size()};
    };
    // Later events may still move borders: what is compared is what stays.
    const auto settle = [&sizes] {
        auto before = sizes();
        for (int same = 0, tries = 0; same < 3 && tries < 60; ++tries) {
            QTest::qWait(40);
            const auto now = sizes();
            same = now == before ? same + 1 : 0;
            before = now;
        }
    };
    m_window->resize(window);
    openSample("quickstart");
    settle();
    if (drawnBy != 0) {
        m_window->workspace()->resizeDocks({dock("timeline"), dock("details")},
                                           {dock("timeline")->width() + drawnBy, dock("details")->width() - drawnBy},
                                           Qt::Horizontal);
        m_window->workspace()->resizeDocks({dock("timeline"), dock("op_table")},
                                           {dock("timeline")->height() - 50, dock("op_table")->height() + 50},
                                           Qt::Vertical);
        settle();
    }
    const auto left = sizes();
    for (int again = 0; again < 3; ++again) {
        m_window->close();
        m_window = std::make_unique<MainWindow>();
        m_window->show();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        openSample("quickstart");
        settle();
        QCOMPARE(m_window->size(), window);
        const auto found = sizes();
        for (size_t i = 0; i < left.size(); ++i) {
            const QSize off = found[i] - left[i];
            QVERIFY2(std::abs(off.width()) <= 2 && std::abs(off.height()) <= 2,
                     qPrintable(QStringLiteral("start %1, dock %2: off by %3 x %4")
                                    .arg(again + 2)
                                    .arg(i)
                                    .arg(off.width())
                                    .arg(off.height())));
        }
    }
    // In another window the timeline is what changes, and nothing is squeezed.
    const int detailsWidth = dock("details")->width();
    for (const QSize other : {QSize(1500, 900), QSize(820, 560)}) {
        settings::store().setValue(settings::kRightWidth, detailsWidth);
        m_window->close();
        m_window = std::make_unique<MainWindow>();
        m_window->resize(other);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        openSample("quickstart");
        settle();
        QCOMPARE(m_window->size(), other);
        QVERIFY2(dock("timeline")->width() >= other.width() / 3,
                 qPrintable(QString::number(dock("timeline")->width())));
        QVERIFY2(dock("details")->width() <= detailsWidth + 2, qPrintable(QString::number(dock("details")->width())));
        QVERIFY(dock("timeline")->height() >= 120 && dock("op_table")->height() >= 120);
    }
}

void TestMainWindow::theTimelineHasTheKeysAtEveryStart() {
    for (int start = 1; start <= 3; ++start) {
        openSample("quickstart");
        QTest::qWait(50);  // a layout that was kept is taken up once more when the first events are through
        QWidget* timeline = m_window->workspace()->findDock("timeline")->panel;
        QCOMPARE(QApplication::focusWidget(), timeline);
        const DurationNs before = m_window->session().visibleRange().length();
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_W);
        QTRY_VERIFY(m_window->session().visibleRange().length() < before);
        m_window->close();
        m_window = std::make_unique<MainWindow>();
        m_window->show();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }
}

/// What an area, a filter or a selection brings into a panel is scrolled; borders are moved by hand alone.
void TestMainWindow::contentMovesNoBorder() {
    m_window->resize(1280, 720);
    openSample("multi_stream");
    QTest::qWait(100);
    const auto sizes = [this] {
        QList<QSize> all;
        for (const char* id : {"timeline", "op_table", "details"}) {
            all << m_window->workspace()->findDock(id)->dock->size();
        }
        return all;
    };
    const QList<QSize> before = sizes();
    QWidget* timeline = m_window->workspace()->findDock("timeline")->panel;
    const auto press = [&](Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
        timeline->setFocus();
        QTest::keyClick(timeline, key, modifiers);
        QTRY_COMPARE(JobRunner::activeJobs(), 0);
        QTest::qWait(50);
        QCOMPARE(sizes(), before);
    };
    press(Qt::Key_A, Qt::ControlModifier);
    m_window->workspace()->raisePanel("area");
    QTRY_COMPARE(JobRunner::activeJobs(), 0);
    QTest::qWait(50);
    QCOMPARE(sizes(), before);
    press(Qt::Key_Escape);
    m_window->session().selectEvent(EventRow(20U));
    press(Qt::Key_F);
    // The chip of a filter takes a row above all, and gives it back.
    m_window->session().applyFilter({AreaSelection{*m_window->session().trace()->range(), {}}, 100'000});
    QTest::qWait(50);
    QVERIFY(sizes() != before);
    m_window->session().applyFilter({});
    QTRY_COMPARE(JobRunner::activeJobs(), 0);
    QTest::qWait(50);
    QCOMPARE(sizes(), before);
}

void TestMainWindow::theDrawerComesBackAsHigh() {
    m_window->resize(1280, 720);
    openSample("multi_stream");
    QTest::qWait(100);
    QDockWidget* timeline = m_window->workspace()->findDock("timeline")->dock;
    QDockWidget* ops = m_window->workspace()->findDock("op_table")->dock;
    const auto toggleTwice = [&] {
        const int before = timeline->height();
        trigger(Qt::Key_Q);
        QTRY_VERIFY(timeline->height() > before + 100);
        trigger(Qt::Key_Q);
        QTRY_COMPARE(timeline->height(), before);
        QTest::qWait(50);
        QCOMPARE(timeline->height(), before);
    };
    toggleTwice();
    m_window->workspace()->resizeDocks({timeline, ops}, {timeline->height() - 90, ops->height() + 90}, Qt::Vertical);
    QTest::qWait(50);
    toggleTwice();
    m_window->session().setArea(AreaSelection{*m_window->session().trace()->range(), {}});
    QTRY_COMPARE(JobRunner::activeJobs(), 0);
    toggleTwice();
    toggleTwice();
}

void TestMainWindow::theLayoutIsSavedSoonAfterAChange_data() {
    QTest::addColumn<QString>("what");
    QTest::addColumn<QString>("key");
    QTest::newRow("a panel is hidden") << "hide" << settings::kLayout;
    QTest::newRow("a panel floats") << "float" << settings::kLayout;
    QTest::newRow("a border is drawn") << "border" << settings::kLayout;
    QTest::newRow("the window is resized") << "resize" << settings::kGeometry;
}

void TestMainWindow::theLayoutIsSavedSoonAfterAChange() {
    QFETCH(QString, what);
    QFETCH(QString, key);
    openSample("quickstart");
    const int soon = 3 * kSaveLayoutAfterMs;
    QTRY_VERIFY_WITH_TIMEOUT(settings::store().contains(key), soon);
    const QByteArray before = settings::store().value(key).toByteArray();
    QDockWidget* timeline = m_window->workspace()->findDock("timeline")->dock;
    QDockWidget* details = m_window->workspace()->findDock("details")->dock;
    if (what == "hide") {
        details->toggleViewAction()->trigger();
    } else if (what == "float") {
        details->setFloating(true);
    } else if (what == "border") {
        m_window->workspace()->resizeDocks({timeline, details}, {timeline->width() - 60, details->width() + 60},
                                           Qt::Horizontal);
    } else {
        m_window->resize(1010, 690);
    }
    QTRY_VERIFY_WITH_TIMEOUT(settings::store().value(key).toByteArray() != before, soon);
}

void TestMainWindow::theLayoutIsSavedWhenTheSessionEnds() {
    openSample("quickstart");
    m_window->workspace()->findDock("details")->dock->hide();
    settings::store().clear();
    // Nobody but Qt can make a session manager, and nobody here looks at it.
    QObject nobody;
    emit qGuiApp->commitDataRequest(reinterpret_cast<QSessionManager&>(nobody));
    QVERIFY(settings::store().contains(settings::kGeometry));
    MainWindow again;
    QVERIFY(again.workspace()->findDock("details")->dock->isHidden());
    QVERIFY(!again.workspace()->findDock("op_table")->dock->isHidden());
}

void TestMainWindow::whatWasNeverShownIsNotSaved() {
    // On the start page the panels have no sizes yet: they would come back squeezed.
    m_window->close();
    QVERIFY(settings::store().contains(settings::kGeometry));
    QVERIFY(!settings::store().contains(settings::kLayout));
}

void TestMainWindow::findGoesToTheFilterFromAnywhere_data() {
    QTest::addColumn<QString>("from");
    for (const char* id : {"timeline", "op_table", "details", "import_issues"}) {
        QTest::newRow(id) << id;
    }
}

void TestMainWindow::findGoesToTheFilterFromAnywhere() {
    QFETCH(QString, from);
    openSample("quickstart");
    m_window->workspace()->raisePanel(from);
    const Workspace::Dock* origin = m_window->workspace()->findDock(from);
    QTRY_VERIFY(origin->panel->isAncestorOf(QApplication::focusWidget()) || origin->panel->hasFocus());
    QTest::keySequence(QApplication::focusWidget(), QKeySequence::Find);
    const QWidget* ops = m_window->workspace()->findDock("op_table")->panel;
    QTRY_VERIFY(!ops->visibleRegion().isEmpty());
    QVERIFY(qobject_cast<QLineEdit*>(QApplication::focusWidget()) != nullptr);
    QVERIFY(ops->isAncestorOf(QApplication::focusWidget()));
}

void TestMainWindow::findGoesToTheTableUsedLast() {
    openSample("quickstart");
    const Workspace* workspace = m_window->workspace();
    m_window->workspace()->raisePanel("kernel_table");
    m_window->workspace()->raisePanel("import_issues");
    const QWidget* kernels = workspace->findDock("kernel_table")->panel;
    QTRY_VERIFY(kernels->visibleRegion().isEmpty());
    trigger(QKeySequence::Find);
    QTRY_VERIFY(!kernels->visibleRegion().isEmpty());
    QVERIFY(kernels->isAncestorOf(QApplication::focusWidget()));
    // Another one that is seen comes before one that is hidden.
    m_window->workspace()->findDock("op_table")->dock->raise();
    const QWidget* ops = workspace->findDock("op_table")->panel;
    QTRY_VERIFY(!ops->visibleRegion().isEmpty() && kernels->visibleRegion().isEmpty());
    workspace->findDock("timeline")->panel->setFocus();
    trigger(QKeySequence::Find);
    QVERIFY(ops->isAncestorOf(QApplication::focusWidget()));
}

void TestMainWindow::slashSearchesFromAnywhere() {
    QFETCH(QString, from);
    openSample("quickstart");
    m_window->workspace()->raisePanel(from);
    const Workspace::Dock* origin = m_window->workspace()->findDock(from);
    QTRY_VERIFY(origin->panel->isAncestorOf(QApplication::focusWidget()) || origin->panel->hasFocus());
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Slash);
    const QWidget* search = m_window->workspace()->findDock("search")->panel;
    QTRY_VERIFY(!search->visibleRegion().isEmpty());
    auto* text = qobject_cast<QLineEdit*>(QApplication::focusWidget());
    QVERIFY(text != nullptr && search->isAncestorOf(text));
    QTest::keyClicks(text, "gemm");
    QTest::keyClick(text, Qt::Key_Return);
    QTRY_VERIFY(m_window->session().selectedEvent().valid());
    const EventRow first = m_window->session().selectedEvent();
    QTest::keyClick(text, Qt::Key_F3);
    QVERIFY(m_window->session().selectedEvent() != first);
    QTest::keyClick(text, Qt::Key_F3, Qt::ShiftModifier);
    QCOMPARE(m_window->session().selectedEvent(), first);
    QTest::keyClick(text, Qt::Key_Escape);
    QVERIFY(m_window->workspace()->findDock("timeline")->panel->hasFocus());
}

void TestMainWindow::theSearchFiltersTheTable() {
    openSample("quickstart");
    m_window->workspace()->raisePanel("kernel_table");
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Slash);
    QTest::keyClicks(QApplication::focusWidget(), "gemm");
    const auto* search = m_window->workspace()->findDock("search")->panel;
    QTest::mouseClick(search->findChild<QToolButton*>("use_as_filter"), Qt::LeftButton);
    const auto* kernels = qobject_cast<TablePanel*>(m_window->workspace()->findDock("kernel_table")->panel);
    QTRY_VERIFY(!kernels->visibleRegion().isEmpty());
    QCOMPARE(kernels->filterBar()->findChild<QLineEdit*>()->text(), QString("gemm"));
    QVERIFY(kernels->filterBar()->options()->filter.text == "gemm");
}

void TestMainWindow::resetLayoutBringsEverythingBack() {
    openSample("quickstart");
    for (const Workspace::Dock& entry : m_window->workspace()->docks()) {
        entry.dock->close();
    }
    m_window->workspace()->resetLayout();
    QCoreApplication::processEvents();
    for (const Workspace::Dock& entry : m_window->workspace()->docks()) {
        QVERIFY2(!entry.dock->isHidden(), qPrintable(entry.dock->objectName()));
    }
    const QWidget* timeline = m_window->workspace()->findDock("timeline")->dock;
    const QWidget* ops = m_window->workspace()->findDock("op_table")->dock;
    QVERIFY(ops->isVisible() && !ops->visibleRegion().isEmpty());
    QTRY_VERIFY(timeline->height() > ops->height());
    QVERIFY(timeline->y() < ops->y());
    // What shares tabs has no second title.
    QTRY_COMPARE(m_window->workspace()->findDock("op_table")->title->height(), 0);
    QVERIFY(m_window->workspace()->findDock("timeline")->title->height() > 0);
}

void TestMainWindow::theFilterOfAllPanelsIsUndone() {
    openSample("multi_stream");
    Session& session = m_window->session();
    const FilterChip* chip = m_window->filterChip();
    QVERIFY(!chip->isVisible());
    trigger(Qt::Key_G);
    QVERIFY2(session.filter().empty(), "nothing is selected");
    const TimeRange all = *session.trace()->range();
    const AreaSelection half{{all.begin, all.begin + all.length() / 2}, {}};
    session.setArea(half);
    trigger(Qt::Key_G);
    QCOMPARE(session.filter().area, std::optional(half));
    QVERIFY(chip->isVisible());
    trigger(Qt::SHIFT | Qt::Key_G);
    QVERIFY(session.filter().empty());
    QVERIFY(!chip->isVisible());
    trigger(Qt::CTRL | Qt::Key_Z);
    QCOMPARE(session.filter().area, std::optional(half));
    trigger(Qt::CTRL | Qt::Key_Z);
    QVERIFY(session.filter().empty());
    trigger(Qt::CTRL | Qt::SHIFT | Qt::Key_Z);
    QVERIFY(chip->isVisible());
    // What was chosen last is meant.
    session.selectEvent(EventRow(3U));
    trigger(Qt::Key_G);
    const SliceColumns& slices = session.trace()->slices();
    QCOMPARE(session.filter().area->range, (TimeRange{slices.begin[3], slices.end(3)}));
}

void TestMainWindow::keysRaisePanels() {
    openSample("quickstart");
    const auto& docks = m_window->workspace()->docks();
    for (size_t i = 0; i < docks.size(); ++i) {
        trigger(QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + static_cast<int>(i))));
        QTRY_VERIFY2(!docks[i].panel->visibleRegion().isEmpty(), qPrintable(docks[i].factory->info().id));
        const QWidget* focus = QApplication::focusWidget();
        QVERIFY2(focus != nullptr && (focus == docks[i].panel || docks[i].panel->isAncestorOf(focus)),
                 qPrintable(docks[i].factory->info().id));
    }
}

void TestMainWindow::closingGoesBackToStart() {
    openSample("quickstart");
    const std::weak_ptr<const Trace> trace = m_window->session().trace();
    trigger(QKeySequence(Qt::CTRL | Qt::Key_W));
    QCOMPARE(m_window->page(), MainWindow::Page::Start);
    QVERIFY(m_window->session().trace() == nullptr);
    QCOMPARE(m_window->windowTitle(), "Warpline");
    QCOMPARE(m_window->statusText().trimmed(), "");
    QTRY_VERIFY(trace.expired());
    QCOMPARE(m_window->startPage()->recentEntries().size(), 1);
}

void TestMainWindow::theSheetListsEveryShortcut() {
    trigger(QKeySequence("?"));
    auto* sheet = m_window->findChild<ShortcutSheet*>();
    QVERIFY(sheet != nullptr && sheet->isVisible());
    QStringList listed;
    for (int row = 0; row < sheet->table()->rowCount(); ++row) {
        listed << sheet->table()->item(row, 2)->text();
    }
    int shortcuts = 0;
    for (const QAction* action : m_window->findChildren<QAction*>()) {
        const QString keys = action->shortcut().toString(QKeySequence::NativeText);
        const bool isOurs = !keys.isEmpty() && !action->text().isEmpty() && !qobject_cast<QDialog*>(action->parent());
        if (isOurs) {
            ++shortcuts;
            QVERIFY2(listed.join(' ').contains(keys), qPrintable(action->text() + " " + keys));
        }
    }
    QVERIFY(shortcuts > 30);
    sheet->close();
}

void TestMainWindow::theStatusBarRaisesItsPanel() {
    openSample("quickstart");
    QToolButton* link = nullptr;
    for (QToolButton* button : m_window->findChildren<QToolButton*>()) {
        if (button->isVisible() && button->text().contains("mport")) {
            link = button;
        }
    }
    QVERIFY(link != nullptr);
    const QWidget* panel = m_window->workspace()->findDock("import_issues")->panel;
    QVERIFY(panel->visibleRegion().isEmpty());
    QTest::mouseClick(link, Qt::LeftButton);
    QTRY_VERIFY(!panel->visibleRegion().isEmpty());
}

void TestMainWindow::closingWhileLoadingIsSafe() {
    m_window->openFiles({sample("multi_stream")});
    m_window->close();
    m_window.reset();
    QCOMPARE(JobRunner::activeJobs(), 0);
}

void TestMainWindow::theLookIsChosenAndRemembered() {
    QAction* dark = nullptr;
    for (QAction* action : m_window->findChildren<QAction*>()) {
        dark = action->text() == "&Dark" ? action : dark;
    }
    QVERIFY(dark != nullptr);
    dark->trigger();
    QVERIFY(theme().dark);
    QCOMPARE(settings::store().value(settings::kTheme).toString(), "dark");
    applyTheme(ThemeChoice::Light);
}

QTEST_MAIN(TestMainWindow)
#include "tst_main_window.moc"
