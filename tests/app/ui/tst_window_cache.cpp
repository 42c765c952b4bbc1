// SPDX-License-Identifier: GPL-3.0-or-later
// The window and the cache of traces: what it keeps, opens again, says, forgets and leaves alone.
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QSignalSpy>
#include <QStatusBar>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

#include "app/ui/main_window.h"
#include "app/ui/trace_opener.h"
#include "core/cache/trace_cache.h"
#include "widgets/support/job_runner.h"
#include "widgets/support/settings.h"
#include "widgets/support/theme.h"

using namespace warpline;
using namespace warpline::ui;

class TestWindowCache : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void cleanup();
    void keepsAndOpensAgain();
    void isCleared();
    void isSwitchedOff();
    void isSwitchedOffByTheEnvironment();
    void closingWhileItKeepsIsSafe();

private:
    void open(const QString& path);
    /// The File menu's actions, as they are when it is opened.
    QAction* action(const QString& text) const;
    QString tip() const;

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<MainWindow> m_window;
    QString m_large;
};

namespace {

constexpr const char* kEvent = R"({"ph":"X","name":"work","pid":1,"tid":1,"ts":1,"dur":2,"args":{"n":7}})";

uint64_t keptBytes() {
    return TraceCache(cacheSettings()).bytes();
}

}  // namespace

void TestWindowCache::initTestCase() {
    applyTheme(ThemeChoice::Light);
}

void TestWindowCache::init() {
    m_folder = std::make_unique<QTemporaryDir>();
    qputenv("XDG_CACHE_HOME", m_folder->filePath("cache").toLocal8Bit());
    qputenv("WARPLINE_CACHE_LIMIT", "1G");
    settings::useTemporary();
    // Large, and read at once: nearly all of it is blanks.
    m_large = m_folder->filePath("large.json");
    QFile file(m_large);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("[" + QByteArray(kEvent) + ",");
    file.write(QByteArray(33 << 20, ' '));
    file.write(QByteArray(kEvent) + "]");
    m_window = std::make_unique<MainWindow>();
    m_window->show();
}

void TestWindowCache::cleanup() {
    m_window.reset();
    QCOMPARE(JobRunner::activeJobs(), 0);
}

void TestWindowCache::open(const QString& path) {
    QSignalSpy finished(m_window.get(), &MainWindow::loadFinished);
    m_window->openFiles({path});
    QVERIFY(finished.count() == 1 || finished.wait(60000));
    QCOMPARE(finished.first().first().toString(), "");
    QTRY_COMPARE_WITH_TIMEOUT(JobRunner::activeJobs(), 0, 60000);
}

QAction* TestWindowCache::action(const QString& text) const {
    QMenu* file = m_window->menuBar()->actions().first()->menu();
    emit file->aboutToShow();
    for (QAction* candidate : file->actions()) {
        if (candidate->text().remove('&').startsWith(text)) {
            return candidate;
        }
    }
    return nullptr;
}

QString TestWindowCache::tip() const {
    for (const QLabel* label : m_window->statusBar()->findChildren<QLabel*>()) {
        if (!label->toolTip().isEmpty()) {
            return label->toolTip();
        }
    }
    return {};
}

void TestWindowCache::keepsAndOpensAgain() {
    open(m_large);
    QVERIFY(!m_window->opener()->isFromCache());
    QCOMPARE(tip(), m_large);
    QVERIFY(keptBytes() > 0);
    const QString status = m_window->statusText();
    open(m_large);
    QVERIFY(m_window->opener()->isFromCache());
    QCOMPARE(tip(), m_large + "\nOpened from the cache");
    QCOMPARE(m_window->statusText(), status);
    const auto args = m_window->session().trace()->argsJson(EventRow(1U));
    QVERIFY(args.ok());
    QCOMPARE(QByteArray::fromStdString(args.value()).replace(" ", ""), QByteArray("{\"n\":7}"));
    // Nothing stands beside the user's file.
    QCOMPARE(QDir(m_folder->path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot | QDir::Hidden),
             QStringList({"cache", "large.json"}));
}

void TestWindowCache::isCleared() {
    QVERIFY(action("Clear the trace cache") != nullptr);
    QVERIFY(!action("Clear the trace cache")->isEnabled());
    open(m_large);
    QAction* clear = action("Clear the trace cache (");
    QVERIFY(clear != nullptr);
    QVERIFY(clear->isEnabled());
    QVERIFY2(clear->text().contains("B)"), qPrintable(clear->text()));
    clear->trigger();
    QTRY_COMPARE(JobRunner::activeJobs(), 0);
    QCOMPARE(keptBytes(), uint64_t{0});
    QCOMPARE(m_window->statusBar()->currentMessage(), QString("The trace cache is empty"));
    QVERIFY(!action("Clear the trace cache")->isEnabled());
    open(m_large);
    QVERIFY(!m_window->opener()->isFromCache());
}

void TestWindowCache::isSwitchedOff() {
    open(m_large);
    const uint64_t kept = keptBytes();
    QAction* keep = action("Keep large traces");
    QVERIFY(keep->isEnabled());
    QVERIFY(keep->isChecked());
    keep->trigger();
    QVERIFY(!keep->isChecked());
    QVERIFY(!settings::store().value(settings::kKeepTraces, true).toBool());
    open(m_large);
    QVERIFY(!m_window->opener()->isFromCache());
    // What was kept can still be cleared, and is used again once it is on.
    QCOMPARE(keptBytes(), kept);
    QVERIFY(action("Clear the trace cache (")->isEnabled());
    action("Keep large traces")->trigger();
    open(m_large);
    QVERIFY(m_window->opener()->isFromCache());
}

void TestWindowCache::isSwitchedOffByTheEnvironment() {
    qputenv("WARPLINE_CACHE_LIMIT", "off");
    open(m_large);
    QAction* keep = action("Keep large traces");
    QVERIFY(!keep->isEnabled());
    QVERIFY(!keep->isChecked());
    QVERIFY(keep->toolTip().contains("WARPLINE_CACHE_LIMIT"));
    QVERIFY(!QDir(m_folder->filePath("cache")).exists());
}

void TestWindowCache::closingWhileItKeepsIsSafe() {
    QSignalSpy finished(m_window.get(), &MainWindow::loadFinished);
    m_window->openFiles({m_large});
    QVERIFY(finished.count() == 1 || finished.wait(60000));
    m_window->closeTrace();
    m_window.reset();
    QCOMPARE(JobRunner::activeJobs(), 0);
    // Whole or not at all.
    const QStringList files = QDir(m_folder->filePath("cache/warpline/traces")).entryList(QDir::Files | QDir::Hidden);
    QVERIFY2(files.isEmpty() || (files.size() == 1 && files.first().endsWith(".image")), qPrintable(files.join(' ')));
}

QTEST_MAIN(TestWindowCache)
#include "tst_window_cache.moc"
