// SPDX-License-Identifier: GPL-3.0-or-later
// Recording in the window, with a stand-in for the agent: from the dialog to the recording that is opened at the end.
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTest>
#include <QTimer>

#include <functional>
#include <memory>

#include "app/ui/entry_button.h"
#include "app/ui/main_window.h"
#include "app/ui/recorder.h"
#include "app/ui/recording/level_form.h"
#include "app/ui/recording/output_view.h"
#include "app/ui/recording/record_bar.h"
#include "app/ui/recording/record_dialog.h"
#include "app/ui/recording/record_presets.h"
#include "app/ui/recording/recordings_panel.h"
#include "app/ui/recording/what_form.h"
#include "app/ui/start_page.h"
#include "widgets/support/job_runner.h"
#include "widgets/support/key_bindings.h"
#include "widgets/support/settings.h"
#include "widgets/support/theme.h"

using namespace warpline;
using namespace warpline::ui;

class TestRecording : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void cleanup();

    void theDialogRecordsWhatIsTyped();
    void theLiveViewGrows();
    void whatAnH200SentShowsLive();
    void theViewFollowsUntilItIsMoved();
    void aRecordingEndsAsItEnds_data();
    void aRecordingEndsAsItEnds();
    void failuresSayWhatToDo_data();
    void failuresSayWhatToDo();
    void anOpenTraceStaysWhenNothingStarts();
    void itIsPausedAndResumed();
    void itIsStoppedInterruptedAndKilled_data();
    void itIsStoppedInterruptedAndKilled();
    void aConnectionIsGivenUp();
    void aBrokenStreamIsKept();
    void withheldKernelsAreSaid();
    void noiseBeforeTheStreamIsPassedOver();
    void aHugeStreamArrivesWhole();
    void aChattyProgramIsCut();
    void otherFilesCanBeOpenedMeanwhile();
    void closingAsksFirst();
    void withoutCudaIsSaid();
    void theRecorderItselfRunsPrograms();

private:
    Recorder& recorder() const { return *m_window->recorder(); }
    RecordBar& bar() const { return *recorder().bar(); }
    void start(const QString& program, const QString& host = {}) {
        RecordRequest request;
        request.program = program;
        request.host = host;
        recorder().start(request);
    }
    bool isLive() const { return m_window->page() == MainWindow::Page::Trace && recorder().isShown(); }
    uint64_t slices() const { return m_window->session().trace() ? m_window->session().trace()->counts().slices : 0; }
    static void click(QWidget* widget) {
        QVERIFY2(widget->isVisible() && widget->isEnabled(), qPrintable(widget->objectName() + widget->toolTip()));
        QTest::mouseClick(widget, Qt::LeftButton);
    }
    /// Presses the button of the next message box that has this text.
    void answer(const QString& button) {
        auto* timer = new QTimer(this);
        connect(timer, &QTimer::timeout, this, [this, timer, button] {
            if (auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget())) {
                timer->deleteLater();
                m_asked = box->text();
                for (QAbstractButton* each : box->buttons()) {
                    if (each->text().remove('&') == button) {
                        return each->click();
                    }
                }
                box->reject();
            }
        });
        timer->start(20);
    }

    std::unique_ptr<MainWindow> m_window;
    QString m_asked;
};

void TestRecording::initTestCase() {
    qputenv("WARPLINE_AGENT", WARPLINE_STAND_IN_AGENT);
    QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    applyTheme(ThemeChoice::Light);
}

void TestRecording::init() {
    settings::useTemporary();
    qunsetenv("WARPLINE_STAND_IN_BEFORE");
    qunsetenv("WARPLINE_STAND_IN_LOG");
    m_asked.clear();
    m_window = std::make_unique<MainWindow>();
    m_window->resize(1280, 720);
    m_window->show();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
}

void TestRecording::cleanup() {
    m_window.reset();
    QCOMPARE(JobRunner::activeJobs(), 0);
}

void TestRecording::theDialogRecordsWhatIsTyped() {
    const QString log = QDir::tempPath() + "/warpline-stand-in.json";
    qputenv("WARPLINE_STAND_IN_LOG", log.toUtf8());
    click(m_window->startPage()->recordButton());
    RecordDialog* dialog = recorder().dialog();
    QVERIFY(dialog != nullptr);
    QTRY_VERIFY(dialog->what()->programEdit()->hasFocus());
    QVERIFY(!dialog->recordButton()->isEnabled());
    QTest::keyClicks(dialog->what()->programEdit(), "A=1 exit 0 'two words'");
    QTest::mouseClick(dialog->level()->patternEdit(), Qt::LeftButton);
    QTest::keyClicks(dialog->level()->patternEdit(), "^gemm");
    QCOMPARE(dialog->commandLine(), "env A=1 warpline record --kernel '^gemm' -- exit 0 'two words'");
    QTest::mouseClick(dialog->copyButton(), Qt::LeftButton);
    QCOMPARE(QApplication::clipboard()->text(), dialog->commandLine());
    QTest::keyClick(dialog->level()->patternEdit(), Qt::Key_Return);
    QVERIFY(recorder().dialog() == nullptr || !recorder().dialog()->isVisible());
    QTRY_VERIFY(!recorder().isUnderWay());
    QFile file(log);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QJsonObject command = QJsonDocument::fromJson(file.readAll()).object();
    QCOMPARE(command["program"].toArray(), (QJsonArray{"exit", "0", "two words"}));
    QCOMPARE(command["environment"].toObject(), (QJsonObject{{"A", "1"}}));
    const auto options = record::optionsOf(command["options"].toString().toStdString());
    QVERIFY(options.ok());
    QCOMPARE(options.value().kernelPattern, "^gemm");
    QVERIFY(options.value().isLive);
    // What was recorded last is what the dialog begins with.
    QCOMPARE(presets::last().program, "A=1 exit 0 'two words'");
    file.remove();
    QTRY_COMPARE(m_window->page(), MainWindow::Page::Trace);
}

void TestRecording::theLiveViewGrows() {
    start("steady");
    QTRY_COMPARE(m_window->page(), MainWindow::Page::Trace);
    QVERIFY(isLive());
    const uint64_t first = slices();
    QVERIFY(first > 0);
    QTRY_VERIFY(slices() > first + 200);
    QTRY_VERIFY(bar().text().contains("kernels/s"));
    QVERIFY2(bar().text().startsWith("Recording steady"), qPrintable(bar().text()));
    QTRY_VERIFY(recorder().output()->text().contains("step 0\n"));
    QVERIFY(recorder().output()->text().contains("warning of step 0"));
    QTest::mouseClick(bar().killButton(), Qt::LeftButton);
    QTRY_VERIFY(!recorder().isUnderWay());
    QTRY_COMPARE(JobRunner::activeJobs(), 0);
    // All of it, and not only what the live view had: the figures of the recorder and of the trace are the same.
    const auto events = static_cast<uint64_t>(recorder().link()->progress().kernels) * 2;
    QCOMPARE(slices(), events);
    QCOMPARE(m_window->openPaths(), QStringList(recorder().link()->path()));
}

/// The bytes of an agent on another machine, each when it came there.
void TestRecording::whatAnH200SentShowsLive() {
    start("paced '" WARPLINE_TEST_DATA_DIR "/captures/live.paced'");
    QTRY_COMPARE(m_window->page(), MainWindow::Page::Trace);
    int growths = 0;
    uint64_t last = 0;
    const auto counted = connect(&m_window->session(), &Session::traceChanged, this, [&] {
        if (isLive() && slices() > last) {
            last = slices();
            ++growths;
        }
    });
    QTRY_VERIFY_WITH_TIMEOUT(!recorder().isUnderWay(), 60000);
    disconnect(counted);
    QTRY_COMPARE(JobRunner::activeJobs(), 0);
    QVERIFY2(growths >= 2, qPrintable(QString::number(growths)));
    // What the programs there say that they launched.
    QVERIFY(recorder().output()->text().contains("\"kernels\": 4000"));
    QVERIFY(recorder().output()->text().contains("\"kernels\": 402"));
    const Trace& trace = *m_window->session().trace();
    const SliceColumns& columns = trace.slices();
    QCOMPARE(std::ranges::count(columns.kind, EventKind::Kernel), 4402);
}

void TestRecording::theViewFollowsUntilItIsMoved() {
    start("steady");
    QTRY_VERIFY(isLive());
    Session& session = m_window->session();
    const auto end = [&] { return session.trace()->range()->end; };
    const TimeNs first = end();
    QTRY_VERIFY(end() > first);
    QVERIFY(recorder().live()->follows());
    QVERIFY(bar().followButton()->isHidden());
    const auto isAtEnd = [&] { return session.visibleRange().end >= end() && session.visibleRange().begin < end(); };
    QTRY_VERIFY(isAtEnd());
    // The user zooms in at the beginning.
    const TimeNs begin = session.trace()->range()->begin;
    session.setVisibleRange({begin, begin + 1'000'000});
    const TimeRange chosen = session.visibleRange();
    QVERIFY(!recorder().live()->follows());
    const TimeNs before = end();
    QTRY_VERIFY(end() > before);
    QCOMPARE(session.visibleRange(), chosen);
    click(bar().followButton());
    QVERIFY(recorder().live()->follows());
    QTRY_VERIFY(isAtEnd());
    // As wide as it was.
    QVERIFY(std::abs(session.visibleRange().length() - chosen.length()) < chosen.length() / 10);
}

void TestRecording::aRecordingEndsAsItEnds_data() {
    QTest::addColumn<QString>("program");
    QTest::addColumn<QString>("says");
    QTest::addColumn<QString>("state");
    QTest::newRow("well") << "exit 0"
                          << "Recorded exit: the program exited with 0"
                          << "exited with 0";
    QTest::newRow("with a code") << "exit 3"
                                 << "the program exited with 3"
                                 << "exited with 3";
    QTest::newRow("by a signal") << "exit 139"
                                 << "the program ended by signal 11 (Segmentation fault)"
                                 << "ended by signal 11 (Segmentation fault)";
}

void TestRecording::aRecordingEndsAsItEnds() {
    QFETCH(QString, program);
    QFETCH(QString, says);
    QFETCH(QString, state);
    start(program);
    QTRY_VERIFY(!recorder().isUnderWay());
    QVERIFY2(bar().text().contains(says), qPrintable(bar().text()));
    QVERIFY2(bar().text().contains("60 kernels") || bar().text().contains("80 kernels"), qPrintable(bar().text()));
    QCOMPARE(recorder().panel()->entries().size(), 1);
    const RecordingEntry& entry = recorder().panel()->entries().first();
    QCOMPARE(entry.state, state);
    QCOMPARE(entry.kernels.value(), recorder().link()->progress().kernels);
    QCOMPARE(entry.lost.value(), 0U);
    QTRY_COMPARE(m_window->page(), MainWindow::Page::Trace);
    click(bar().dismissButton());
    QVERIFY(bar().isHidden());
}

void TestRecording::failuresSayWhatToDo_data() {
    QTest::addColumn<QString>("program");
    QTest::addColumn<QString>("title");
    QTest::addColumn<QString>("advice");
    QTest::newRow("program") << "fail 'fail: No such file or directory'"
                             << "fail was not found on this machine"
                             << "full path";
    QTest::newRow("folder") << "fail '/nowhere: No such file or directory'"
                            << "working folder is not there"
                            << "leave the field empty";
    QTest::newRow("no right") << "fail 'fail: Permission denied'"
                              << "fail cannot be started"
                              << "interpreter";
    QTest::newRow("no library") << "fail 'the library that records (libwarpline_inject.so) is not there (/x)'"
                                << "library that records is missing"
                                << "CUPTI's headers";
    QTest::newRow("GPU taken") << "fail 'GPU-1f2e is in use by \"warpline record\" (pid 7)'"
                               << "being recorded already"
                               << "end the other one";
    QTest::newRow("other client") << "refuse 'another profiler holds CUPTI in this process (nsys)'"
                                  << "another profiler holds CUPTI"
                                  << "End nsys";
    QTest::newRow("no permission") << "refuse 'CUPTI refuses to record: CUPTI_ERROR_INSUFFICIENT_PRIVILEGES (35)'"
                                   << "does not permit"
                                   << "NVreg_RestrictProfilingToAdminUsers=0";
    QTest::newRow("no CUPTI") << "refuse 'CUPTI was not found (tried libcupti.so.13)'"
                              << "no CUPTI that fits"
                              << "WARPLINE_CUPTI=";
    QTest::newRow("no driver") << "refuse 'libcuda.so.1: no driver'"
                               << "no usable NVIDIA driver"
                               << "--gpus all";
}

void TestRecording::failuresSayWhatToDo() {
    QFETCH(QString, program);
    QFETCH(QString, title);
    QFETCH(QString, advice);
    start(program);
    QTRY_VERIFY(!recorder().isUnderWay());
    const QString said = bar().text() + '\n' + bar().detail();
    QVERIFY2(said.contains(title), qPrintable(said));
    QVERIFY2(said.contains(advice), qPrintable(said));
    QVERIFY(bar().isVisible());
    // Back to the dialog, as it was asked for.
    QTRY_COMPARE(JobRunner::activeJobs(), 0);
    click(bar().changeButton());
    QVERIFY(recorder().dialog() != nullptr);
    QCOMPARE(recorder().dialog()->what()->programEdit()->text(), program);
    QTest::keyClick(recorder().dialog(), Qt::Key_Escape);
}

void TestRecording::anOpenTraceStaysWhenNothingStarts() {
    QSignalSpy finished(m_window.get(), &MainWindow::loadFinished);
    m_window->openFiles({QStringLiteral(WARPLINE_SAMPLES_DIR "/quickstart.trace.json.gz")});
    QVERIFY(finished.wait(20000));
    const auto trace = m_window->session().trace();
    start("fail 'fail: No such file or directory'");
    QTRY_VERIFY(!recorder().isUnderWay());
    QCOMPARE(m_window->session().trace(), trace);
    QCOMPARE(m_window->page(), MainWindow::Page::Trace);
    QVERIFY(recorder().panel()->entries().isEmpty());
    QVERIFY(QDir(recorder().store().folder()).entryList(QDir::Files).isEmpty());
}

void TestRecording::itIsPausedAndResumed() {
    start("steady");
    QTRY_VERIFY(isLive());
    click(bar().pauseButton());
    QTRY_COMPARE(recorder().link()->state(), RecordingLink::State::Paused);
    QVERIFY(bar().text().startsWith("Paused: steady"));
    QTest::qWait(600);
    const quint64 kernels = recorder().link()->progress().kernels;
    QTest::qWait(600);
    QCOMPARE(recorder().link()->progress().kernels, kernels);
    QCOMPARE(bar().pauseButton()->text(), "Resume");
    keyBindings().action("window.record_pause")->trigger();
    QTRY_VERIFY(recorder().link()->progress().kernels > kernels);
}

void TestRecording::itIsStoppedInterruptedAndKilled_data() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<QString>("says");
    QTest::newRow("stop") << "window.record_stop"
                          << "the recording was ended; the program goes on";
    QTest::newRow("interrupt") << "window.record_interrupt"
                               << "ended by signal 2 (Interrupt)";
    QTest::newRow("kill") << "window.record_kill"
                          << "ended by signal 9 (Killed)";
}

void TestRecording::itIsStoppedInterruptedAndKilled() {
    QFETCH(QString, id);
    QFETCH(QString, says);
    QVERIFY(!keyBindings().action(id)->isEnabled());
    start("steady");
    QTRY_VERIFY(isLive());
    QVERIFY(keyBindings().action(id)->isEnabled());
    QVERIFY(!keyBindings().action("window.record")->isEnabled());
    click(id.endsWith("stop")        ? bar().stopButton()
          : id.endsWith("interrupt") ? bar().interruptButton()
                                     : bar().killButton());
    QTRY_VERIFY(!recorder().isUnderWay());
    QVERIFY2(bar().text().contains(says), qPrintable(bar().text()));
    QVERIFY(!keyBindings().action(id)->isEnabled());
    QVERIFY(keyBindings().action("window.record")->isEnabled());
}

void TestRecording::aConnectionIsGivenUp() {
    qputenv("WARPLINE_STAND_IN_BEFORE", "silent");
    start("steady");
    QTRY_VERIFY(bar().isVisible());
    QCOMPARE(bar().text(), "Starting steady…");
    QCOMPARE(m_window->page(), MainWindow::Page::Start);
    click(bar().cancelButton());
    QTRY_VERIFY(!recorder().isUnderWay());
    QVERIFY(bar().isHidden());
    QVERIFY(QDir(recorder().store().folder()).entryList(QDir::Files).isEmpty());
}

void TestRecording::aBrokenStreamIsKept() {
    start("broken");
    QTRY_VERIFY(isLive());
    QTRY_VERIFY(!recorder().isUnderWay());
    QVERIFY2(bar().text().contains("The recorder ended unexpectedly"), qPrintable(bar().text()));
    QVERIFY2(bar().detail().contains("kept") && bar().detail().contains("the line went dead"),
             qPrintable(bar().detail()));
    QTRY_COMPARE(JobRunner::activeJobs(), 0);
    QCOMPARE(m_window->page(), MainWindow::Page::Trace);
    QVERIFY(slices() >= 12 * 20 * 2);
    QCOMPARE(recorder().panel()->entries().first().state, "The recorder ended unexpectedly");
}

void TestRecording::withheldKernelsAreSaid() {
    start("held");
    QTRY_VERIFY(isLive());
    QTRY_VERIFY2(bar().detail().contains("withheld behind a running kernel"), qPrintable(bar().detail()));
    QVERIFY2(bar().detail().contains("outstanding"), qPrintable(bar().detail()));
}

void TestRecording::noiseBeforeTheStreamIsPassedOver() {
    qputenv("WARPLINE_STAND_IN_BEFORE", "noise");
    start("exit 0");
    QTRY_VERIFY(!recorder().isUnderWay());
    QVERIFY2(bar().text().contains("exited with 0"), qPrintable(bar().text()));
    QFile file(recorder().link()->path());
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(!file.readAll().contains("Welcome"));
}

void TestRecording::aHugeStreamArrivesWhole() {
    start("huge 40");
    // The window answers all the time: a turn of its event loop after the other.
    QElapsedTimer patience;
    patience.start();
    int turns = 0;
    while (recorder().isUnderWay() && patience.elapsed() < 120'000) {
        QTest::qWait(5);
        ++turns;
    }
    QVERIFY(turns > 20);
    QTRY_COMPARE_WITH_TIMEOUT(JobRunner::activeJobs(), 0, 60000);
    QCOMPARE(recorder().link()->progress().kernels, 200'000U);
    QCOMPARE(slices(), 400'000U);
}

void TestRecording::aChattyProgramIsCut() {
    start("chatty 6");
    QTRY_VERIFY_WITH_TIMEOUT(!recorder().isUnderWay(), 30000);
    QVERIFY2(recorder().output()->note().contains("left out") || recorder().output()->note().contains("The last"),
             qPrintable(recorder().output()->note()));
    // The latest of it is there.
    QVERIFY(recorder().output()->text().contains(QString::number(6 * 8192 - 1) + " xxx"));
}

void TestRecording::otherFilesCanBeOpenedMeanwhile() {
    start("steady");
    QTRY_VERIFY(isLive());
    QSignalSpy finished(m_window.get(), &MainWindow::loadFinished);
    m_window->openFiles({QStringLiteral(WARPLINE_SAMPLES_DIR "/quickstart.trace.json.gz")});
    QVERIFY(finished.wait(20000));
    const auto trace = m_window->session().trace();
    QVERIFY(recorder().isUnderWay());
    QTest::qWait(1000);
    QCOMPARE(m_window->session().trace(), trace);
    QCOMPARE(bar().followButton()->text(), "Show live");
    click(bar().followButton());
    QTRY_VERIFY(isLive());
    QVERIFY(m_window->session().trace() != trace);
    m_window->openFiles({QStringLiteral(WARPLINE_SAMPLES_DIR "/quickstart.trace.json.gz")});
    QVERIFY(finished.wait(20000));
    recorder().killProgram();
    QTRY_VERIFY(!recorder().isUnderWay());
    QVERIFY(m_window->windowTitle().startsWith("quickstart"));
    click(bar().openButton());
    QTRY_COMPARE(m_window->openPaths(), QStringList(recorder().link()->path()));
}

void TestRecording::closingAsksFirst() {
    start("steady");
    QTRY_VERIFY(isLive());
    answer("Cancel");
    QVERIFY(!m_window->close());
    QVERIFY2(m_asked.contains("steady"), qPrintable(m_asked));
    QVERIFY(recorder().isUnderWay());
    answer("Close");
    QVERIFY(m_window->close());
}

void TestRecording::withoutCudaIsSaid() {
    start("idle");
    QTRY_COMPARE(m_window->page(), MainWindow::Page::Waiting);
    QTest::qWait(300);
    QCOMPARE(m_window->page(), MainWindow::Page::Waiting);
    recorder().interruptProgram();
    QTRY_VERIFY(!recorder().isUnderWay());
    QVERIFY2(bar().detail().contains("No process used CUDA"), qPrintable(bar().detail()));
    QTRY_COMPARE(JobRunner::activeJobs(), 0);
    QVERIFY(m_window->page() != MainWindow::Page::Waiting);
}

void TestRecording::theRecorderItselfRunsPrograms() {
    qputenv("WARPLINE_AGENT", WARPLINE_CLI_PATH);
    // Only CUDA's driver would load it, and the program uses none.
    qputenv("WARPLINE_INJECT", WARPLINE_STAND_IN_NVML);
    start("GREETING=hello sh -c 'echo $GREETING from $PWD; echo trouble >&2; exit 3'");
    QTRY_VERIFY_WITH_TIMEOUT(!recorder().isUnderWay(), 30000);
    QVERIFY2(bar().text().contains("exited with 3"), qPrintable(bar().text() + bar().detail()));
    QVERIFY2(bar().detail().contains("No process used CUDA"), qPrintable(bar().detail()));
    QVERIFY(recorder().output()->text().contains("hello from " + QDir::currentPath()));
    QVERIFY(recorder().output()->text().contains("trouble"));
    start("warpline-no-such-program --x");
    QTRY_VERIFY_WITH_TIMEOUT(!recorder().isUnderWay(), 30000);
    QCOMPARE(bar().text(), "warpline-no-such-program was not found on this machine");
    // It is sent what the window says.
    start("sleep 600");
    QTRY_VERIFY_WITH_TIMEOUT(recorder().link()->wasStarted(), 30000);
    click(bar().interruptButton());
    QTRY_VERIFY_WITH_TIMEOUT(!recorder().isUnderWay(), 30000);
    QVERIFY2(bar().text().contains("ended by signal 2"), qPrintable(bar().text()));
    // A window that goes takes the program with it.
    const QTemporaryDir folder;
    start("sh -c 'trap \"touch " + folder.filePath("gone") + "; exit\" HUP; echo set; while :; do sleep 0.1; done'");
    QTRY_VERIFY_WITH_TIMEOUT(recorder().output()->text().contains("set"), 30000);
    m_window.reset();
    qputenv("WARPLINE_AGENT", WARPLINE_STAND_IN_AGENT);
    qunsetenv("WARPLINE_INJECT");
    QTRY_VERIFY(QFile::exists(folder.filePath("gone")));
}

QTEST_MAIN(TestRecording)
#include "tst_recording.moc"
