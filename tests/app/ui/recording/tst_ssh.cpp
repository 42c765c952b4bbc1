// SPDX-License-Identifier: GPL-3.0-or-later
// Recording on a host: against a stand-in for ssh, and against a real sshd of this machine where there is one.
#include <QApplication>
#include <QDir>
#include <QFile>
#include <QMessageBox>
#include <QProcess>
#include <QPushButton>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <memory>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "app/ui/main_window.h"
#include "app/ui/recorder.h"
#include "app/ui/recording/agent_place.h"
#include "app/ui/recording/record_bar.h"
#include "app/ui/recording/recordings_panel.h"
#include "core/base/version.h"
#include "widgets/support/job_runner.h"
#include "widgets/support/settings.h"
#include "widgets/support/theme.h"

using namespace warpline;
using namespace warpline::ui;

namespace {

/// One that was free a moment ago.
int freePort() {
    const int probe = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    ::bind(probe, reinterpret_cast<sockaddr*>(&address), length);
    ::getsockname(probe, reinterpret_cast<sockaddr*>(&address), &length);
    ::close(probe);
    return ntohs(address.sin_port);
}

}  // namespace

class TestSsh : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void cleanup();

    void theCommandIsTheSystemsSsh();
    void aHostIsRecordedOn();
    void whatSshSaysIsShown_data();
    void whatSshSaysIsShown();
    void aMissingRecorderIsCopied();
    void aCopyThatFailsIsSaid();
    void aCopyIsCancelled();
    void whatCannotRunThereIsSaid();
    void aRealSshd();

private:
    void write(const QString& name, const QByteArray& text, bool isProgram = false) const {
        QFile file(m_folder->filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write(text);
        file.close();
        if (isProgram) {
            file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        }
    }
    /// An ssh that runs the command here, with a home folder of its own. `before`: what it does first.
    void writeSsh(const QByteArray& before = {}) const {
        write("bin/ssh",
              "#!/bin/sh\nprintf '%s\\n' \"$@\" > " + m_folder->filePath("ssh.log").toUtf8() +
                  "\nfor last; do :; done\n" + before + "\nHOME=" + m_folder->filePath("home").toUtf8() +
                  "; export HOME\nexec sh -c \"$last\"\n",
              true);
    }
    void putAgentThere() const { QVERIFY(QFile::link(WARPLINE_STAND_IN_AGENT, m_folder->filePath("bin/warpline"))); }
    Recorder& recorder() const { return *m_window->recorder(); }
    RecordBar& bar() const { return *recorder().bar(); }
    void start(const QString& program, const QString& host = "gpu-server") {
        RecordRequest request;
        request.program = program;
        request.host = host;
        recorder().start(request);
    }
    void waitForEnd() {
        QTRY_VERIFY_WITH_TIMEOUT(!recorder().isUnderWay(), 30000);
        QTRY_COMPARE(JobRunner::activeJobs(), 0);
    }
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
    QString uploaded(const QString& place) const {
        return m_folder->filePath("home/.cache/warpline/" + QString::fromUtf8(kVersion.data(), kVersion.size()) + '/' +
                                  place);
    }

    QByteArray m_path;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<MainWindow> m_window;
    QString m_asked;
};

void TestSsh::initTestCase() {
    m_path = qgetenv("PATH");
    applyTheme(ThemeChoice::Light);
}

void TestSsh::init() {
    settings::useTemporary();
    m_folder = std::make_unique<QTemporaryDir>();
    QDir(m_folder->path()).mkpath("bin");
    QDir(m_folder->path()).mkpath("home");
    // Nothing of this machine's own but what scripts need.
    qputenv("PATH", m_folder->filePath("bin").toUtf8() + ":/usr/bin:/bin");
    qputenv("WARPLINE_AGENT", WARPLINE_STAND_IN_AGENT);
    write("libwarpline_inject.so", QByteArray(3'000'000, 'x'));
    qputenv("WARPLINE_INJECT", m_folder->filePath("libwarpline_inject.so").toUtf8());
    m_window = std::make_unique<MainWindow>();
    m_window->resize(1280, 720);
    m_window->show();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
}

void TestSsh::cleanup() {
    m_window.reset();
    qputenv("PATH", m_path);
    QCOMPARE(JobRunner::activeJobs(), 0);
}

void TestSsh::theCommandIsTheSystemsSsh() {
    const Command command = remoteAgent("me@gpu-server");
    QCOMPARE(command.first(), "ssh");
    QVERIFY(command.contains("-T"));
    QVERIFY(command.contains("ServerAliveInterval=15"));
    // The host can be no option.
    QCOMPARE(command[command.size() - 3], "--");
    QCOMPARE(command[command.size() - 2], "me@gpu-server");
    QVERIFY(command.last().startsWith("sh -c '"));
    QCOMPARE(command.last().count('\''), 2);
}

void TestSsh::aHostIsRecordedOn() {
    writeSsh();
    putAgentThere();
    start("steady 20");
    QTRY_VERIFY2(bar().text().startsWith("Recording steady on gpu-server") || !recorder().isUnderWay(),
                 qPrintable(bar().text() + bar().detail()));
    waitForEnd();
    QVERIFY2(bar().text().contains("exited with 0"), qPrintable(bar().text() + bar().detail()));
    QCOMPARE(recorder().panel()->entries().first().host, "gpu-server");
    QCOMPARE(m_window->session().trace()->counts().slices, 21U * 20 * 2);
    QFile log(m_folder->filePath("ssh.log"));
    QVERIFY(log.open(QIODevice::ReadOnly));
    QVERIFY(log.readAll().contains("\n--\ngpu-server\n"));
}

void TestSsh::whatSshSaysIsShown_data() {
    QTest::addColumn<QByteArray>("said");
    QTest::addColumn<QString>("advice");
    QTest::newRow("name") << QByteArray("ssh: Could not resolve hostname gpu-server: Name or service not known")
                          << "No host of this name is known";
    QTest::newRow("key") << QByteArray("me@gpu-server: Permission denied (publickey).") << "does not take your key";
    QTest::newRow("host key") << QByteArray("Host key verification failed.") << "accept it";
    QTest::newRow("other") << QByteArray("ssh: connect to host gpu-server port 22: Connection refused")
                           << "Try `ssh gpu-server` in a terminal";
}

void TestSsh::whatSshSaysIsShown() {
    QFETCH(QByteArray, said);
    QFETCH(QString, advice);
    writeSsh("echo '" + said + "' >&2; exit 255");
    start("steady");
    waitForEnd();
    QCOMPARE(bar().text(), "gpu-server was not reached by ssh");
    QVERIFY2(bar().detail().contains(advice), qPrintable(bar().detail()));
    QVERIFY2(bar().detail().contains(QString::fromUtf8(said)), qPrintable(bar().detail()));
    QVERIFY(bar().uploadButton()->isHidden());
}

void TestSsh::aMissingRecorderIsCopied() {
    writeSsh();
    start("steady 10");
    waitForEnd();
    QCOMPARE(bar().text(), "There is no recorder on gpu-server");
    QVERIFY(bar().uploadButton()->isVisible());
    // It asks first, with names and sizes.
    answer("Cancel");
    QTest::mouseClick(bar().uploadButton(), Qt::LeftButton);
    QVERIFY2(m_asked.contains("lib/warpline/libwarpline_inject.so (2.86 MiB)"), qPrintable(m_asked));
    QVERIFY2(m_asked.contains("~/.cache/warpline/"), qPrintable(m_asked));
    QVERIFY(!QFile::exists(uploaded("bin/warpline")));
    answer("Copy");
    QTest::mouseClick(bar().uploadButton(), Qt::LeftButton);
    // Then it records by itself.
    QTRY_VERIFY_WITH_TIMEOUT(recorder().link()->wasStarted() && !recorder().isUnderWay(), 60000);
    QVERIFY2(bar().text().contains("exited with 0"), qPrintable(bar().text() + bar().detail()));
    QCOMPARE(QFileInfo(uploaded("lib/warpline/libwarpline_inject.so")).size(), 3'000'000);
    QCOMPARE(QFileInfo(uploaded("bin/warpline")).size(), QFileInfo(WARPLINE_STAND_IN_AGENT).size());
    QVERIFY(QFileInfo(uploaded("bin/warpline")).isExecutable());
    QTRY_COMPARE(JobRunner::activeJobs(), 0);
}

void TestSsh::aCopyThatFailsIsSaid() {
    writeSsh("case \"$last\" in *cat*) echo 'No space left on device' >&2; exit 1;; esac");
    start("steady");
    waitForEnd();
    answer("Copy");
    QTest::mouseClick(bar().uploadButton(), Qt::LeftButton);
    QTRY_COMPARE(bar().text(), "The recorder was not copied to gpu-server");
    QVERIFY2(bar().detail().contains("No space left on device"), qPrintable(bar().detail()));
    QVERIFY(bar().uploadButton()->isVisible());
}

void TestSsh::aCopyIsCancelled() {
    writeSsh("case \"$last\" in *cat*) exec sleep 60;; esac");
    start("steady");
    waitForEnd();
    answer("Copy");
    QTest::mouseClick(bar().uploadButton(), Qt::LeftButton);
    QTRY_VERIFY(bar().text().startsWith("Copying the recorder to gpu-server"));
    QTest::mouseClick(bar().cancelButton(), Qt::LeftButton);
    QVERIFY(bar().isHidden());
    QVERIFY(!QFile::exists(uploaded("lib/warpline/libwarpline_inject.so")));
}

void TestSsh::whatCannotRunThereIsSaid() {
    writeSsh("echo 'warpline: error while loading shared libraries: libfoo.so.1' >&2; exit 127");
    start("steady");
    waitForEnd();
    QCOMPARE(bar().text(), "The recorder on gpu-server cannot run there");
    QVERIFY(bar().uploadButton()->isHidden());
}

void TestSsh::aRealSshd() {
    QString sshd = QStandardPaths::findExecutable("sshd", {"/usr/sbin", "/usr/local/sbin"});
    const QString ssh = QStandardPaths::findExecutable("ssh", {"/usr/bin", "/usr/local/bin"});
    const QString keygen = QStandardPaths::findExecutable("ssh-keygen", {"/usr/bin"});
    if (sshd.isEmpty() || ssh.isEmpty() || keygen.isEmpty()) {
        QSKIP("there is no OpenSSH server on this machine");
    }
    const auto path = [&](const char* name) { return m_folder->filePath(QLatin1String(name)); };
    for (const char* name : {"host_key", "user_key"}) {
        QCOMPARE(QProcess::execute(keygen, {"-q", "-t", "ed25519", "-N", "", "-f", path(name)}), 0);
    }
    QVERIFY(QFile::copy(path("user_key.pub"), path("authorized_keys")));
    putAgentThere();
    const QByteArray port = QByteArray::number(freePort());
    write("sshd_config", "Port " + port + "\nListenAddress 127.0.0.1\nHostKey " + path("host_key").toUtf8() +
                             "\nAuthorizedKeysFile " + path("authorized_keys").toUtf8() +
                             "\nPidFile none\nUsePAM no\nStrictModes no\nPasswordAuthentication no\n"
                             "PermitRootLogin yes\nSetEnv PATH=" +
                             path("bin").toUtf8() + ":/usr/bin:/bin HOME=" + path("home").toUtf8() + "\n");
    write("ssh_config",
          "Host gpu-server\nHostName 127.0.0.1\nPort " + port + "\nIdentityFile " + path("user_key").toUtf8() +
              "\nIdentitiesOnly yes\nStrictHostKeyChecking no\nUserKnownHostsFile /dev/null\nLogLevel ERROR\n");
    write("bin/ssh", "#!/bin/sh\nexec " + ssh.toUtf8() + " -F " + path("ssh_config").toUtf8() + " \"$@\"\n", true);
    if (::geteuid() == 0) {
        QDir().mkpath("/run/sshd");  // where it separates its rights
    }
    QProcess server;
    server.setProcessChannelMode(QProcess::MergedChannels);
    server.start(sshd, {"-D", "-e", "-f", path("sshd_config")});
    QVERIFY(server.waitForStarted());
    bool isUp = false;
    for (int i = 0; i < 100 && !isUp && server.state() == QProcess::Running; ++i) {
        isUp = QProcess::execute("ssh", {"-o", "BatchMode=yes", "gpu-server", "true"}) == 0;
        QTest::qWait(50);
    }
    if (!isUp) {
        server.kill();
        server.waitForFinished();
        QSKIP(("sshd does not serve here: " + server.readAll()).constData());
    }
    start("steady 20");
    waitForEnd();
    QVERIFY2(bar().text().contains("exited with 0"), qPrintable(bar().text() + bar().detail()));
    QCOMPARE(m_window->session().trace()->counts().slices, 21U * 20 * 2);
    // The connection dies in the middle: what came is kept.
    start("steady");
    QTRY_VERIFY(recorder().link()->wasStarted() && recorder().link()->progress().kernels > 100);
    recorder().link()->cancel();
    waitForEnd();
    QCOMPARE(recorder().panel()->entries().first().state, "The connection to gpu-server broke off");
    QVERIFY(m_window->session().trace()->counts().slices > 200);
    // Without the recorder there, it is copied there.
    QVERIFY(QFile::remove(path("bin/warpline")));
    start("steady 10");
    waitForEnd();
    QCOMPARE(bar().text(), "There is no recorder on gpu-server");
    answer("Copy");
    QTest::mouseClick(bar().uploadButton(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(recorder().link()->wasStarted() && !recorder().isUnderWay(), 60000);
    QVERIFY2(bar().text().contains("exited with 0"), qPrintable(bar().text() + bar().detail()));
    QTRY_COMPARE(JobRunner::activeJobs(), 0);
    server.terminate();
    server.waitForFinished();
}

QTEST_MAIN(TestSsh)
#include "tst_ssh.moc"
