// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "app/ui/change_bar.h"
#include "app/ui/file_watch.h"

using namespace warpline::ui;

class TestFileWatch : public QObject {
    Q_OBJECT

private slots:
    void stamps();
    void growthIsNoticedAndSettles();
    void whatChangedWhileItWasReadIsNoticed();
    void replacedAndRemovedFilesAreNoticed();
    void backToWhatWasLoadedIsNoChange();
    void texts_data();
    void texts();

private:
    QString write(const QByteArray& bytes, QIODevice::OpenMode mode = QIODevice::WriteOnly) {
        QFile file(m_folder.filePath("t.json"));
        if (!file.open(mode) || file.write(bytes) != bytes.size()) {
            qFatal("no temporary file");
        }
        return file.fileName();
    }
    QTemporaryDir m_folder;
};

void TestFileWatch::stamps() {
    const QString path = write("12345");
    QCOMPARE(stampOf(path).bytes, 5);
    QCOMPARE(stampOf(path), stampOf(path));
    QCOMPARE(stampOf("/not/there").bytes, -1);
}

void TestFileWatch::growthIsNoticedAndSettles() {
    const QString path = write("[");
    FileWatch watch;
    QSignalSpy changed(&watch, &FileWatch::changed);
    QSignalSpy settled(&watch, &FileWatch::settled);
    watch.watch({path}, stampsOf({path}));
    write("more", QIODevice::Append);
    QTRY_VERIFY_WITH_TIMEOUT(changed.count() > 0 && watch.current()[0].bytes == 5, 20000);
    QVERIFY(watch.differs());
    QTRY_COMPARE_WITH_TIMEOUT(settled.count(), 1, 20000);
    QCOMPARE(changeText(watch.paths(), watch.loaded(), watch.current()), "t.json has grown by 4 B");
}

void TestFileWatch::whatChangedWhileItWasReadIsNoticed() {
    const QString path = write("[");
    const auto before = stampsOf({path});
    write("[]");
    FileWatch watch;
    QSignalSpy changed(&watch, &FileWatch::changed);
    watch.watch({path}, before);
    QTRY_COMPARE_WITH_TIMEOUT(changed.count(), 1, 20000);
    QVERIFY(watch.differs());
}

void TestFileWatch::replacedAndRemovedFilesAreNoticed() {
    const QString path = write("[]");
    FileWatch watch;
    watch.watch({path}, stampsOf({path}));
    QVERIFY(QFile::remove(path));
    QTRY_COMPARE_WITH_TIMEOUT(watch.current()[0].bytes, qint64{-1}, 20000);
    write("[]\n");
    QTRY_COMPARE_WITH_TIMEOUT(watch.current()[0].bytes, qint64{3}, 20000);
    // The new file is watched too.
    write("[]\n\n");
    QTRY_COMPARE_WITH_TIMEOUT(watch.current()[0].bytes, qint64{4}, 20000);
}

void TestFileWatch::backToWhatWasLoadedIsNoChange() {
    const QString path = write("[]");
    FileWatch watch;
    QSignalSpy settled(&watch, &FileWatch::settled);
    const QString away = path + ".away";
    watch.watch({path}, stampsOf({path}));
    QVERIFY(QFile::rename(path, away));
    QTRY_VERIFY_WITH_TIMEOUT(watch.differs(), 20000);
    QVERIFY(QFile::rename(away, path));
    QTRY_VERIFY_WITH_TIMEOUT(!watch.differs(), 20000);
    settled.clear();
    watch.look();
    QTRY_COMPARE(warpline::JobRunner::activeJobs(), 0);
    QCOMPARE(settled.count(), 0);
}

using Stamps = QList<FileStamp>;

void TestFileWatch::texts_data() {
    QTest::addColumn<Stamps>("now");
    QTest::addColumn<QString>("text");
    // a.json and b.json were of 1,000 bytes each.
    const FileStamp same{1000, 1, 1, 1};
    QTest::newRow("nothing") << Stamps{same, same} << "";
    QTest::newRow("grown") << Stamps{same, {1000 + (12 << 20), 2, 1, 1}} << "b.json has grown by 12.00 MiB";
    QTest::newRow("shorter") << Stamps{{488, 2, 1, 1}, same} << "a.json has become shorter by 512 B";
    QTest::newRow("written anew") << Stamps{{1000, 2, 1, 1}, same} << "a.json has changed on disk";
    QTest::newRow("another file") << Stamps{{1000, 1, 1, 2}, same} << "a.json has changed on disk";
    QTest::newRow("gone") << Stamps{{-1, 0, 0, 0}, same} << "a.json is no longer on disk; what was loaded stays open";
    QTest::newRow("both") << Stamps{{1, 2, 1, 1}, {1, 2, 1, 1}} << "a.json and 1 more have changed on disk";
}

void TestFileWatch::texts() {
    QFETCH(Stamps, now);
    QFETCH(QString, text);
    const FileStamp was{1000, 1, 1, 1};
    QCOMPARE(changeText({"/x/a.json", "/x/b.json"}, {was, was}, {now.begin(), now.end()}), text);
}

QTEST_MAIN(TestFileWatch)
#include "tst_file_watch.moc"
