// SPDX-License-Identifier: GPL-3.0-or-later
// What was set on a trace is there again when it is opened the next time, and can be saved and opened as a file.
#include <QApplication>
#include <QDockWidget>
#include <QFileDialog>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QStatusBar>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <memory>

#include "app/ui/error_page.h"
#include "app/ui/main_window.h"
#include "app/ui/session_store.h"
#include "widgets/support/settings.h"
#include "widgets/support/theme.h"

using namespace warpline;
using namespace warpline::ui;

class TestWindowSession : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void cleanup() { m_window.reset(); }

    void isThereAgainTheNextTime();
    void isSavedWhileTheWindowIsOpen();
    void tracksAndTextsAreThereAgain();
    void aReloadSaysThatTheFilterIsGone();
    void aReloadRestoresNothing();
    void isSavedAndOpenedAsAFile();
    void aBrokenSessionIsExplained();
    void missingFilesAreNamed();

private:
    void newWindow();
    void open(const QString& path);
    TimeRange middle() const {
        const TimeRange all = *m_window->session().trace()->range();
        return {all.begin + all.length() / 4, all.begin + all.length() / 2};
    }
    bool showsMiddle() const {
        const TimeRange view = m_window->session().visibleRange();
        return std::abs(view.begin - middle().begin) <= 2 && std::abs(view.end - middle().end) <= 2;
    }
    const QString m_sample = WARPLINE_SAMPLES_DIR "/multi_stream.trace.json.gz";

    QTemporaryDir m_folder;
    std::unique_ptr<MainWindow> m_window;
};

void TestWindowSession::initTestCase() {
    qputenv("WARPLINE_SHARE_DIR", WARPLINE_SAMPLES_DIR "/..");
    applyTheme(ThemeChoice::Light);
}

void TestWindowSession::init() {
    settings::useTemporary();
    newWindow();
}

void TestWindowSession::newWindow() {
    m_window.reset();
    m_window = std::make_unique<MainWindow>();
    m_window->resize(1200, 760);
    m_window->show();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
}

void TestWindowSession::open(const QString& path) {
    QSignalSpy finished(m_window.get(), &MainWindow::loadFinished);
    m_window->openFiles({path});
    QVERIFY(!finished.isEmpty() || finished.wait(20'000));
}

void TestWindowSession::isThereAgainTheNextTime() {
    open(m_sample);
    m_window->session().setVisibleRange(middle());
    m_window->session().selectEvent(EventRow(11U));
    m_window->session().applyFilter({AreaSelection{middle(), {}}});
    m_window->session().applyNotes({{{"here", middle(), {}}}, {}}, "all");
    m_window->close();
    newWindow();
    open(m_sample);
    QTRY_VERIFY(showsMiddle());
    QCOMPARE(m_window->session().selectedEvent(), EventRow(11U));
    QCOMPARE(m_window->session().filter(), (GlobalFilter{AreaSelection{middle(), {}}}));
    QCOMPARE(m_window->session().notes().bookmarks.at(0).name, QString("here"));
    // Another trace has nothing of it; and coming back finds it again, without a restart.
    open(WARPLINE_SAMPLES_DIR "/quickstart.trace.json.gz");
    QVERIFY(m_window->session().filter().empty());
    open(m_sample);
    QVERIFY(!m_window->session().filter().empty());
}

void TestWindowSession::isSavedWhileTheWindowIsOpen() {
    open(m_sample);
    m_window->session().applyFilter({AreaSelection{middle(), {}}});
    const QDir kept(settings::dataFolder() + "/sessions");
    QTRY_VERIFY_WITH_TIMEOUT(!kept.entryList({"*.json"}).isEmpty(), 10'000);
    // What is saved on a thread does not come after what is saved later.
    for (int i = 1; i <= 20; ++i) {
        m_window->session().applyFilter({AreaSelection{middle(), {}}, i});
        m_window->sessionStore()->saveAside();
        if (i % 2 == 0) {
            m_window->session().applyFilter({AreaSelection{middle(), {}}, 100 + i});
            m_window->sessionStore()->save();
        }
    }
    QTRY_COMPARE(JobRunner::activeJobs(), 0);
    const auto document = readSessionFile(kept.filePath(kept.entryList({"*.json"}).at(0)));
    QVERIFY(document.ok());
    QCOMPARE(document.value().leastDuration, 120);
}

void TestWindowSession::tracksAndTextsAreThereAgain() {
    open(m_sample);
    const Session& first = m_window->session();
    const TrackId last(first.trace()->tracks().size() - 1);
    const SectionRef track = SectionRef::ofTrack(first.trace()->track(last).process, last);
    m_window->session().applyArrangement({{track}, {}, {}, {}}, "pin");
    const auto text = [this](const char* panel, const char* name) {
        for (QLineEdit* line : m_window->findChild<QDockWidget*>(panel)->findChildren<QLineEdit*>()) {
            if (line->accessibleName() == QLatin1String(name)) {
                return line;
            }
        }
        return static_cast<QLineEdit*>(nullptr);
    };
    text("search", "Search")->setText("Memcpy");
    text("op_table", "Filter by name")->setText("gemm");
    QTRY_VERIFY(first.panelStates().contains("search") && first.panelStates()["op_table"].contains("gemm"));
    m_window->close();
    newWindow();
    open(m_sample);
    QCOMPARE(m_window->session().arrangement(), (TrackArrangement{{track}, {}, {}, {}}));
    QCOMPARE(text("search", "Search")->text(), QString("Memcpy"));
    QCOMPARE(text("op_table", "Filter by name")->text(), QString("gemm"));
    QVERIFY(!m_window->session().undoStack().canUndo());
}

void TestWindowSession::aReloadSaysThatTheFilterIsGone() {
    const QString path = m_folder.filePath("shrinks.json");
    const auto write = [&path](const QByteArray& text) {
        QFile file(path);
        return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
    };
    const QByteArray one = R"({"ph":"X","pid":1,"tid":1,"ts":1,"dur":5,"name":"a"})";
    const QByteArray two = R"({"ph":"X","pid":1,"tid":2,"ts":1,"dur":5,"name":"b"})";
    QVERIFY(write("[" + one + "," + two + "]"));
    open(path);
    const Trace& trace = *m_window->session().trace();
    const TrackId gone = trace.sliceName(EventRow(1U)) == "b" ? trace.slices().track[1] : trace.slices().track[0];
    m_window->session().applyFilter({AreaSelection{{0, 5000}, {gone}}});
    QVERIFY(write("[" + one + "]"));
    QSignalSpy finished(m_window.get(), &MainWindow::loadFinished);
    m_window->reload();
    QVERIFY(!finished.isEmpty() || finished.wait(20'000));
    QVERIFY(m_window->session().filter().empty());
    QVERIFY2(m_window->statusBar()->currentMessage().contains("None of the filter's tracks"),
             qPrintable(m_window->statusBar()->currentMessage()));
}

void TestWindowSession::aReloadRestoresNothing() {
    open(m_sample);
    m_window->session().applyFilter({AreaSelection{middle(), {}}});
    m_window->sessionStore()->save();
    m_window->session().applyFilter({});
    QSignalSpy finished(m_window.get(), &MainWindow::loadFinished);
    m_window->reload();
    QVERIFY(finished.wait(20'000));
    QVERIFY(m_window->session().filter().empty());
}

void TestWindowSession::isSavedAndOpenedAsAFile() {
    const QString trace = m_folder.filePath("t.trace.json.gz");
    QVERIFY(QFile::copy(m_sample, trace));
    open(trace);
    m_window->session().setVisibleRange(middle());
    m_window->session().applyNotes({{}, {{{middle(), {}}, "slow", true}}}, "all");
    const QString path = m_folder.filePath("mine.warpline-session");
    QVERIFY(m_window->saveSession(path));
    QVERIFY(QFileInfo(path).size() < 4'000);
    // Elsewhere, with another state of its own.
    QTemporaryDir elsewhere;
    QVERIFY(QFile::copy(path, elsewhere.filePath("mine.warpline-session")));
    QVERIFY(QFile::copy(trace, elsewhere.filePath("t.trace.json.gz")));
    settings::useTemporary();
    newWindow();
    open(elsewhere.filePath("mine.warpline-session"));
    QCOMPARE(m_window->openPaths(), QStringList{elsewhere.filePath("t.trace.json.gz")});
    QTRY_VERIFY(showsMiddle());
    QCOMPARE(m_window->session().notes().marks.at(0).note, QString("slow"));
}

void TestWindowSession::aBrokenSessionIsExplained() {
    open(m_sample);
    const QString path = m_folder.filePath("broken.warpline-session");
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("{}") == 2);
    file.close();
    open(path);
    QCOMPARE(m_window->page(), MainWindow::Page::Failed);
    QVERIFY(m_window->errorPage()->reason().contains("it is no session file of Warpline"));
    QVERIFY2(m_window->session().trace() != nullptr, "what was open stays");

    // Once the file is as it should be, "Try again" opens it, and not what was open before.
    open(m_sample);
    m_window->session().setVisibleRange(middle());
    QVERIFY(m_window->saveSession(path));
    const QByteArray good = [&path] {
        QFile saved(path);
        return saved.open(QIODevice::ReadOnly) ? saved.readAll() : QByteArray();
    }();
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("{}") == 2);
    file.close();
    open(WARPLINE_SAMPLES_DIR "/quickstart.trace.json.gz");
    open(path);
    QCOMPARE(m_window->page(), MainWindow::Page::Failed);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(good) == good.size());
    file.close();
    QSignalSpy finished(m_window.get(), &MainWindow::loadFinished);
    for (QPushButton* button : m_window->errorPage()->findChildren<QPushButton*>()) {
        if (button->text() == "Try again") {
            QTest::mouseClick(button, Qt::LeftButton);
        }
    }
    QVERIFY(!finished.isEmpty() || finished.wait(20'000));
    QCOMPARE(m_window->openPaths(), QStringList{m_sample});
    QTRY_VERIFY(showsMiddle());
}

void TestWindowSession::missingFilesAreNamed() {
    open(m_sample);
    const QString path = m_folder.filePath("lost.warpline-session");
    QVERIFY(m_window->saveSession(path));
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray text = file.readAll().replace("multi_stream", "no_stream");
    file.close();
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
    file.close();
    open(path);
    QCOMPARE(m_window->page(), MainWindow::Page::Failed);
    QVERIFY(m_window->errorPage()->reason().contains("no_stream.trace.json.gz"));
    // It may only have been moved.
    QPushButton* locate = m_window->errorPage()->locateButton();
    QVERIFY(locate->isVisible());
    QVERIFY2(!m_window->errorPage()->advice().contains("Warpline reads"), "what formats there are does not help");
    const QString moved = m_folder.filePath("elsewhere.trace.json.gz");
    QVERIFY(QFile::copy(m_sample, moved));
    QTimer::singleShot(100, m_window.get(), [&moved] {
        auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
        if (dialog != nullptr) {
            dialog->findChild<QLineEdit*>("fileNameEdit")->setText(moved);
            QMetaObject::invokeMethod(dialog, "accept", Qt::QueuedConnection);
        }
    });
    QSignalSpy finished(m_window.get(), &MainWindow::loadFinished);
    QTest::mouseClick(locate, Qt::LeftButton);
    QVERIFY(!finished.isEmpty() || finished.wait(20'000));
    QCOMPARE(m_window->openPaths(), QStringList{moved});
    QCOMPARE(m_window->page(), MainWindow::Page::Trace);
}

QTEST_MAIN(TestWindowSession)
#include "tst_window_session.moc"
