// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <thread>

#include "core/record/inject/capture_file.h"

using namespace warpline;
using namespace warpline::record;

class TestCaptureFile : public QObject {
    Q_OBJECT

private slots:
    void names();
    void writesPieces();
    void limit();
    void fullDisk();
    void interrupted();
    void descriptor();
    void closedByTheProgram();
    void numberTakenByTheProgram();
    void removedMeanwhile();
};

namespace {

QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("cannot be read");
}

bool write(CaptureFile& file, std::string_view first, std::string_view second = {}) {
    return file.write({first.data(), first.size()}, {second.data(), second.size()});
}

/// The one that leads there; -1.
int descriptorOf(const QString& path) {
    struct stat wanted {
    }, facts{};
    stat(path.toLocal8Bit().constData(), &wanted);
    for (int i = 0; i < 4096; ++i) {
        if (fstat(i, &facts) == 0 && facts.st_ino == wanted.st_ino && facts.st_dev == wanted.st_dev) {
            return i;
        }
    }
    return -1;
}

}  // namespace

void TestCaptureFile::names() {
    const QTemporaryDir folder;
    std::vector<CaptureFile> files;
    for (int i = 0; i < 3; ++i) {
        auto file = CaptureFile::create(folder.path().toStdString(), 42, 0);
        QVERIFY(file.ok());
        files.push_back(std::move(file).value());
    }
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files), (QStringList{"42.0.wcap", "42.1.wcap", "42.2.wcap"}));
    QCOMPARE(QFile::permissions(folder.filePath("42.0.wcap")) & (QFile::ReadGroup | QFile::ReadOther),
             QFile::Permissions());
    const auto none = CaptureFile::create("/no/such/folder", 42, 0);
    QVERIFY(!none.ok());
    QVERIFY(none.error().message.find("/no/such/folder/42.0.wcap: No such file") == 0);
}

void TestCaptureFile::writesPieces() {
    const QTemporaryDir folder;
    auto file = CaptureFile::create(folder.path().toStdString(), 1, 0);
    QVERIFY(write(file.value(), "head", "body"));
    QVERIFY(write(file.value(), "only"));
    QVERIFY(write(file.value(), "", "rest"));
    QCOMPARE(contentOf(folder.filePath("1.0.wcap")), QByteArray("headbodyonlyrest"));
    QCOMPARE(file.value().bytes(), 16U);
    QCOMPARE(file.value().lastError(), 0);
}

/// What is small, as the end is, has room beyond it.
void TestCaptureFile::limit() {
    const QTemporaryDir folder;
    auto file = CaptureFile::create(folder.path().toStdString(), 1, 10'000);
    const std::string large(6'000, 'x'), small(100, 'y');
    QVERIFY(write(file.value(), large));
    QVERIFY(!file.value().isAtLimit());
    QVERIFY(!write(file.value(), large));
    QVERIFY(file.value().isAtLimit());
    QCOMPARE(file.value().lastError(), 0);
    QVERIFY(write(file.value(), small));
    QCOMPARE(contentOf(folder.filePath("1.0.wcap")).size(), 6'100);
    int written = 0;
    while (written < 20'000 && write(file.value(), small)) {
        ++written;
    }
    QVERIFY(written < 20'000);
    QVERIFY(file.value().bytes() <= 10'000 + (1U << 20));
}

/// In a child, whose files may not grow: what fits is there, and the error is told.
void TestCaptureFile::fullDisk() {
    const QTemporaryDir folder;
    const pid_t child = fork();
    if (child == 0) {
        signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{1000, RLIM_INFINITY};
        setrlimit(RLIMIT_FSIZE, &limit);
        auto file = CaptureFile::create(folder.path().toStdString(), 1, 0);
        const std::string some(600, 'x');
        bool isGood = file.ok() && write(file.value(), some) && !write(file.value(), some, some);
        isGood = isGood && file.value().lastError() == EFBIG && !write(file.value(), "more");
        const rlimit more{RLIM_INFINITY, RLIM_INFINITY};
        setrlimit(RLIMIT_FSIZE, &more);
        isGood = isGood && write(file.value(), "again") && file.value().lastError() == 0;
        _exit(isGood ? 0 : 1);
    }
    int status = 1;
    QCOMPARE(waitpid(child, &status, 0), child);
    QCOMPARE(status, 0);
    QCOMPARE(contentOf(folder.filePath("1.0.wcap")), QByteArray(1000, 'x') + "again");
}

/// Into a pipe that is read slowly while signals come: every byte arrives once.
void TestCaptureFile::interrupted() {
    const QTemporaryDir folder;
    const QByteArray path = folder.filePath("pipe").toLocal8Bit();
    QCOMPARE(mkfifo(path.constData(), 0600), 0);
    const int reader = open(path.constData(), O_RDONLY | O_NONBLOCK);
    QVERIFY(reader >= 0);
    CaptureFile capture(OwnFile(path.toStdString(), O_WRONLY), 0);
    struct sigaction action {
    }, before{};
    action.sa_handler = [](int) {};
    sigaction(SIGUSR1, &action, &before);
    const std::string block(300'000, 'z');
    std::atomic<bool> isDone{false};
    bool isWritten = false;
    std::thread thread([&] {
        isWritten = write(capture, block, block);
        isDone = true;
    });
    size_t got = 0;
    char piece[7'000];
    while (got < 2 * block.size()) {
        if (!isDone) {
            pthread_kill(thread.native_handle(), SIGUSR1);
        }
        const ssize_t count = read(reader, piece, sizeof piece);
        got += count > 0 ? size_t(count) : 0;
    }
    thread.join();
    sigaction(SIGUSR1, &before, nullptr);
    QVERIFY(isWritten);
    QCOMPARE(got, 2 * block.size());
    QVERIFY(read(reader, piece, sizeof piece) <= 0);
    ::close(reader);
}

/// High, so that the program's next one is what it would have been; and gone with the next program.
void TestCaptureFile::descriptor() {
    const QTemporaryDir folder;
    const int before = dup(0);
    ::close(before);
    auto file = CaptureFile::create(folder.path().toStdString(), 1, 0);
    const int after = dup(0);
    ::close(after);
    QCOMPARE(after, before);
    const int own = descriptorOf(folder.filePath("1.0.wcap"));
    QVERIFY(own >= 50);
    QCOMPARE(fcntl(own, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
    file.value().close();
    QCOMPARE(descriptorOf(folder.filePath("1.0.wcap")), -1);
}

void TestCaptureFile::closedByTheProgram() {
    const QTemporaryDir folder;
    auto file = CaptureFile::create(folder.path().toStdString(), 1, 0);
    QVERIFY(write(file.value(), "one"));
    ::close(descriptorOf(folder.filePath("1.0.wcap")));
    QVERIFY(write(file.value(), "two"));
    QCOMPARE(contentOf(folder.filePath("1.0.wcap")), QByteArray("onetwo"));
}

/// Not a byte of ours gets into a file of the program, and that is not closed either.
void TestCaptureFile::numberTakenByTheProgram() {
    const QTemporaryDir folder;
    auto file = CaptureFile::create(folder.path().toStdString(), 1, 0);
    const int own = descriptorOf(folder.filePath("1.0.wcap"));
    const int victim = open(folder.filePath("victim").toLocal8Bit().constData(), O_WRONLY | O_CREAT, 0600);
    QCOMPARE(dup2(victim, own), own);
    QVERIFY(write(file.value(), "ours"));
    file.value().close();
    QCOMPARE(contentOf(folder.filePath("1.0.wcap")), QByteArray("ours"));
    QCOMPARE(contentOf(folder.filePath("victim")), QByteArray());
    QCOMPARE(::write(own, "theirs", 6), ssize_t(6));
    ::close(own);
    ::close(victim);
}

void TestCaptureFile::removedMeanwhile() {
    const QTemporaryDir folder;
    auto file = CaptureFile::create(folder.path().toStdString(), 1, 0);
    QFile::remove(folder.filePath("1.0.wcap"));
    QVERIFY(write(file.value(), "still open"));
    // Closed and gone: an error, and nothing is made anew.
    for (int i = 50; i < 1100; ++i) {
        char path[256] = {};
        const QByteArray link = "/proc/self/fd/" + QByteArray::number(i);
        if (readlink(link.constData(), path, sizeof path - 1) > 0 && QByteArray(path).contains("1.0.wcap")) {
            ::close(i);
        }
    }
    QVERIFY(!write(file.value(), "lost"));
    QCOMPARE(file.value().lastError(), ENOENT);
    QVERIFY(!QFile::exists(folder.filePath("1.0.wcap")));
}

QTEST_GUILESS_MAIN(TestCaptureFile)
#include "tst_capture_file.moc"
