// SPDX-License-Identifier: MIT
// What is loaded into other people's processes: what it needs of them, and what it shows them.
#include <QProcess>
#include <QRegularExpression>
#include <QTest>

#include "tests/support/standin/record_bench.h"

using namespace warpline;

class TestInjectionLibrary : public QObject {
    Q_OBJECT

private slots:
    void needsTheSystemAlone();
    void showsItsEntries();
};

QByteArray readelf(const QStringList& options) {
    QProcess process;
    process.start("readelf", options + QStringList{"-W", test::injectionLibrary()});
    return process.waitForFinished() && process.exitCode() == 0 ? process.readAllStandardOutput() : QByteArray();
}

void TestInjectionLibrary::needsTheSystemAlone() {
    const QByteArray text = readelf({"--dynamic"});
    if (text.isEmpty()) {
        QSKIP("readelf is not here");
    }
    if (WARPLINE_SANITIZED) {
        QSKIP("a sanitizer needs its libraries");
    }
    const QRegularExpression needed("NEEDED.*\\[(.+)\\]");
    QSet<QString> libraries;
    for (auto match = needed.globalMatch(QString::fromLatin1(text)); match.hasNext();) {
        libraries.insert(match.next().captured(1));
    }
    QVERIFY(libraries.contains("libc.so.6"));
    for (const QString& library : libraries) {
        // The libraries of libc itself.
        const bool isSystem =
            QRegularExpression("^(libc|libm|libdl|libpthread|librt|ld-linux.*)\\.so\\..*$").match(library).hasMatch();
        QVERIFY2(isSystem, library.toLatin1().constData());
    }
}

void TestInjectionLibrary::showsItsEntries() {
    const QByteArray text = readelf({"--dyn-syms"});
    if (text.isEmpty()) {
        QSKIP("readelf is not here");
    }
    if (WARPLINE_SANITIZED) {
        QSKIP("a sanitizer shows its own symbols");
    }
    QStringList shown;
    for (const QByteArray& line : text.split('\n')) {
        const QStringList fields = QString::fromLatin1(line).simplified().split(' ');
        if (fields.size() >= 8 && (fields[4] == "GLOBAL" || fields[4] == "WEAK") && fields[6] != "UND") {
            shown << fields[7];
        }
    }
    shown.sort();
    QCOMPARE(shown, (QStringList{"InitializeInjection", "InitializeInjectionNvtx2", "warpline_note_allocation",
                                 "warpline_note_fact"}));
}

QTEST_GUILESS_MAIN(TestInjectionLibrary)
#include "tst_injection_library.moc"
