// SPDX-License-Identifier: GPL-3.0-or-later
// The program as it is started from a shell.

#include <QFileInfo>
#include <QImage>
#include <QProcess>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include <signal.h>

#include <csignal>

#include "widgets/support/settings.h"

using namespace warpline;

class TestProgram : public QObject {
    Q_OBJECT

private slots:
    void exitCodes_data();
    void exitCodes();
    void pictures_data();
    void pictures();
    void standardInputIsRead();
    void aBrokenSessionEndsTheProgram();
    void thePictureIsTheSameEachTime();
    void highScalingGivesMorePixels();
    void withoutADisplayItSaysSo();
    void signalsSaveTheLayoutAndEnd_data();
    void signalsSaveTheLayoutAndEnd();
    void ignoredSignalsStayIgnored();

private:
    struct Outcome {
        int code;
        QString out, err;
    };
    /// Without a screen, and with settings of its own in `home`.
    static void startWindow(QProcess& process, const QString& home);
    static Outcome start(const QStringList& arguments, const QStringList& environment = {}, const QString& input = {});
    QTemporaryDir m_folder;
};

TestProgram::Outcome TestProgram::start(const QStringList& arguments, const QStringList& environment,
                                        const QString& input) {
    QProcess process;
    if (!input.isEmpty()) {
        process.setStandardInputFile(input);
    }
    QProcessEnvironment variables = QProcessEnvironment::systemEnvironment();
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "QT_SCALE_FACTOR"}) {
        variables.remove(name);
    }
    for (const QString& pair : environment) {
        variables.insert(pair.section('=', 0, 0), pair.section('=', 1));
    }
    process.setProcessEnvironment(variables);
    process.start(WARPLINE_UI_PATH, arguments);
    if (!process.waitForFinished(60000)) {
        process.kill();
        return {-1, {}, "did not end"};
    }
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -2,
            QString::fromUtf8(process.readAllStandardOutput()), QString::fromUtf8(process.readAllStandardError())};
}

void TestProgram::startWindow(QProcess& process, const QString& home) {
    QProcessEnvironment variables = QProcessEnvironment::systemEnvironment();
    variables.insert("QT_QPA_PLATFORM", "offscreen");
    variables.insert("XDG_CONFIG_HOME", home);
    process.setProcessEnvironment(variables);
    process.start(WARPLINE_UI_PATH, {WARPLINE_SAMPLES_DIR "/quickstart.trace.json.gz"});
}

void TestProgram::exitCodes_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("said");
    const QString picture = m_folder.filePath("x.png");
    QTest::newRow("version") << QStringList{"--version"} << 0 << "warpline-ui ";
    QTest::newRow("help") << QStringList{"--help"} << 0 << "--screenshot OUT.png";
    QTest::newRow("unknown option") << QStringList{"--bogus"} << 2 << "bogus";
    QTest::newRow("unknown panel") << QStringList{"--screenshot", picture, "--panel", "nothing"} << 2 << "op_table";
    QTest::newRow("missing file") << QStringList{"/not/there.json", "--screenshot", picture} << 1 << "/not/there.json";
    QTest::newRow("another format") << QStringList{"--screenshot", m_folder.filePath("x.jpg")} << 2 << "x.jpg";
    QTest::newRow("unwritable") << QStringList{"--screenshot", "/not/there/x.png"} << 1 << "/not/there/x.png";
}

void TestProgram::exitCodes() {
    QFETCH(QStringList, arguments);
    QFETCH(int, code);
    QFETCH(QString, said);
    const Outcome outcome = start(arguments);
    QCOMPARE(outcome.code, code);
    QVERIFY2((code == 0 ? outcome.out : outcome.err).contains(said), qPrintable(outcome.out + outcome.err));
}

void TestProgram::pictures_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QSize>("size");
    QTest::addColumn<bool>("dark");
    const QString trace = WARPLINE_SAMPLES_DIR "/quickstart.trace.json.gz";
    QTest::newRow("start page") << QStringList{} << QSize(1280, 720) << false;
    QTest::newRow("trace") << QStringList{trace} << QSize(1280, 720) << false;
    QTest::newRow("dark") << QStringList{trace, "--theme", "dark"} << QSize(1280, 720) << true;
    QTest::newRow("size") << QStringList{trace, "--size", "1600x900"} << QSize(1600, 900) << false;
    QTest::newRow("panel") << QStringList{trace, "--panel", "kernel_table"} << QSize(1280, 720) << false;
}

void TestProgram::pictures() {
    QFETCH(QStringList, arguments);
    QFETCH(bool, dark);
    const QString path = m_folder.filePath("picture.png");
    QFile::remove(path);
    const Outcome outcome = start(arguments + QStringList{"--screenshot", path});
    QVERIFY2(outcome.code == 0, qPrintable(outcome.err));
    // What the platform cannot do matters to nobody who asks for a picture.
    QCOMPARE(outcome.err, "");
    const QImage image(path);
    QTEST(image.size(), "size");
    QCOMPARE(image.pixelColor(image.width() / 2, 8).lightness() < 128, dark);
}

void TestProgram::standardInputIsRead() {
    const QString picture = m_folder.filePath("input.png");
    const Outcome read = start({"-", "--screenshot", picture}, {}, WARPLINE_SAMPLES_DIR "/quickstart.trace.json.gz");
    QVERIFY2(read.code == 0, qPrintable(read.err));
    QCOMPARE(QImage(picture).size(), QSize(1280, 720));
    const Outcome empty = start({"-", "--screenshot", picture}, {}, "/dev/null");
    QCOMPARE(empty.code, 1);
    QVERIFY2(empty.err.contains("standard input: the file is empty"), qPrintable(empty.err));
}

void TestProgram::aBrokenSessionEndsTheProgram() {
    const QString path = m_folder.filePath("broken.warpline-session");
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("{}") == 2);
    file.close();
    const Outcome outcome = start({path, "--screenshot", m_folder.filePath("broken.png")});
    QCOMPARE(outcome.code, 1);
    QVERIFY2(outcome.err.contains("The session file cannot be read"), qPrintable(outcome.err));
}

void TestProgram::thePictureIsTheSameEachTime() {
    QImage images[2];
    for (QImage& image : images) {
        const QString path = m_folder.filePath("again.png");
        QCOMPARE(start({WARPLINE_SAMPLES_DIR "/quickstart.trace.json.gz", "--screenshot", path}).code, 0);
        image = QImage(path);
    }
    QVERIFY(!images[0].isNull());
    QVERIFY(images[0] == images[1]);
}

void TestProgram::highScalingGivesMorePixels() {
    const QString path = m_folder.filePath("scaled.png");
    const Outcome outcome =
        start({"--screenshot", path, "--size", "800x600"}, {"QT_SCALE_FACTOR=2", "QT_QPA_PLATFORM=offscreen"});
    QVERIFY2(outcome.code == 0, qPrintable(outcome.err));
    QCOMPARE(QImage(path).size(), QSize(1600, 1200));
}

void TestProgram::withoutADisplayItSaysSo() {
    const Outcome outcome = start({});
    QCOMPARE(outcome.code, 1);
    QVERIFY2(outcome.err.contains("no display"), qPrintable(outcome.err));
}

void TestProgram::signalsSaveTheLayoutAndEnd_data() {
    QTest::addColumn<int>("signal");
    QTest::newRow("SIGTERM") << SIGTERM;
    QTest::newRow("SIGINT") << SIGINT;
    QTest::newRow("SIGHUP") << SIGHUP;
}

void TestProgram::signalsSaveTheLayoutAndEnd() {
    QFETCH(int, signal);
    const QTemporaryDir home;
    const QString path = home.filePath("warpline/warpline-ui.ini");
    QProcess process;
    startWindow(process, home.path());
    // What was opened is remembered once it is shown.
    const auto stored = [&path] { return QSettings(path, QSettings::IniFormat).allKeys(); };
    QTRY_VERIFY_WITH_TIMEOUT(stored().contains(settings::kRecentFiles), 60000);
    QVERIFY(QFile::remove(path));
    QCOMPARE(kill(static_cast<pid_t>(process.processId()), signal), 0);
    QVERIFY(process.waitForFinished(60000));
    QCOMPARE(process.exitStatus(), QProcess::NormalExit);
    QCOMPARE(process.exitCode(), 128 + signal);
    QVERIFY2(stored().contains(settings::kLayout) && stored().contains(settings::kGeometry),
             qPrintable(stored().join(' ')));
}

void TestProgram::ignoredSignalsStayIgnored() {
    const QTemporaryDir home;
    QProcess process;
    process.setChildProcessModifier([] { std::signal(SIGHUP, SIG_IGN); });
    startWindow(process, home.path());
    const QString path = home.filePath("warpline/warpline-ui.ini");
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(path), 60000);
    QCOMPARE(kill(static_cast<pid_t>(process.processId()), SIGHUP), 0);
    QCOMPARE(kill(static_cast<pid_t>(process.processId()), SIGTERM), 0);
    QVERIFY(process.waitForFinished(60000));
    QCOMPARE(process.exitCode(), 128 + SIGTERM);
}

QTEST_APPLESS_MAIN(TestProgram)
#include "tst_program.moc"
