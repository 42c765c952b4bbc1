// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "app/ui/session_name.h"

using namespace warpline::ui;

class TestSessionName : public QObject {
    Q_OBJECT
private slots:
    void suggested_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("name");
        QTest::newRow("endings") << "step.trace.json.gz"
                                 << "step.warpline-session";
        QTest::newRow("dots in the name") << "host_1.1234.pt.trace.json"
                                          << "host_1.1234.warpline-session";
        QTest::newRow("none") << "trace"
                              << "trace.warpline-session";
        QTest::newRow("nothing but an ending") << ".json"
                                               << ".json.warpline-session";
        QTest::newRow("upper case") << "RUN.SQLITE"
                                    << "RUN.warpline-session";
    }
    void suggested() {
        QFETCH(QString, file);
        QFETCH(QString, name);
        QTemporaryDir folder;
        const QString path = folder.filePath(file);
        QFile(path).open(QIODevice::WriteOnly);
        QCOMPARE(suggestedSessionPath({path}, "/elsewhere"), folder.filePath(name));
        // What is not there any more has no folder to write in.
        QFile::remove(path);
        QCOMPARE(suggestedSessionPath({path}, "/elsewhere"), "/elsewhere/" + name);
    }
    void ofSeveral() {
        QTemporaryDir folder;
        const QString path = folder.filePath("rank0.json");
        QFile(path).open(QIODevice::WriteOnly);
        QCOMPARE(suggestedSessionPath({path, "/x/rank1.json", "/x/rank2.json"}, {}),
                 folder.filePath("rank0+2.warpline-session"));
        QCOMPARE(suggestedSessionPath({}, "/elsewhere"), QString("/elsewhere/session.warpline-session"));
    }
};

QTEST_GUILESS_MAIN(TestSessionName)
#include "tst_session_name.moc"
