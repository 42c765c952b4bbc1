// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QTemporaryFile>
#include <QTest>

#include "widgets/support/recent_files.h"
#include "widgets/support/settings.h"

using namespace warpline;

class TestRecentFiles : public QObject {
    Q_OBJECT

private slots:
    void init() { settings::useTemporary(); }
    void latestFirstWithoutRepeats();
    void theListIsShort();
    void removingTellsOnce();
    void missingFilesAreFoundOffTheGuiThread();
    void pathsAreAbsolute();
};

void TestRecentFiles::latestFirstWithoutRepeats() {
    RecentFiles recent;
    recent.add("/a");
    recent.add("/b");
    recent.add("/a");
    QCOMPARE(recent.paths(), (QStringList{"/a", "/b"}));
    QCOMPARE(RecentFiles().paths(), (QStringList{"/a", "/b"}));
}

void TestRecentFiles::theListIsShort() {
    RecentFiles recent;
    for (int i = 0; i < 30; ++i) {
        recent.add(QStringLiteral("/%1").arg(i));
    }
    QCOMPARE(recent.paths().size(), RecentFiles::kMax);
    QCOMPARE(recent.paths().first(), "/29");
}

void TestRecentFiles::removingTellsOnce() {
    RecentFiles recent;
    recent.add("/a");
    QSignalSpy changed(&recent, &RecentFiles::changed);
    recent.remove("/a");
    recent.remove("/a");
    QCOMPARE(changed.count(), 1);
    QVERIFY(recent.paths().isEmpty());
}

void TestRecentFiles::missingFilesAreFoundOffTheGuiThread() {
    RecentFiles recent;
    QTemporaryFile there;
    QVERIFY(there.open());
    recent.add(there.fileName());
    recent.add("/not/there");
    QVERIFY(!recent.isMissing("/not/there"));
    QTRY_COMPARE(JobRunner::activeJobs(), 0);
    QVERIFY(recent.isMissing("/not/there"));
    QVERIFY(!recent.isMissing(there.fileName()));
}

void TestRecentFiles::pathsAreAbsolute() {
    RecentFiles recent;
    recent.add("x.json");
    QVERIFY(recent.paths().first().startsWith('/'));
    QVERIFY(recent.paths().first().endsWith("/x.json"));
}

QTEST_MAIN(TestRecentFiles)
#include "tst_recent_files.moc"
