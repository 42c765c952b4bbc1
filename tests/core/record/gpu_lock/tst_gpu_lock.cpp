// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <ctime>

#include "core/record/gpu_lock/gpu_lock.h"

using namespace warpline::record;

namespace {

const std::string kUuid = "GPU-1234";

/// A process that takes the lock and keeps it until it is killed. 0: it could not.
pid_t startHolder(const std::string& folder) {
    int ready[2];
    if (pipe(ready) != 0) {
        return 0;
    }
    const pid_t child = fork();
    if (child == 0) {
        const auto lock = GpuLock::take(kUuid, "train.py --epochs 3", folder);
        const char state = lock.ok() ? 'y' : 'n';
        if (write(ready[1], &state, 1) == 1) {
            while (true) {
                pause();
            }
        }
        _exit(1);
    }
    char state = 'n';
    const bool isHeld = read(ready[0], &state, 1) == 1 && state == 'y';
    close(ready[0]);
    close(ready[1]);
    return isHeld ? child : 0;
}

void killHolder(pid_t holder) {
    kill(holder, SIGKILL);
    waitpid(holder, nullptr, 0);
}

}  // namespace

class TestGpuLock : public QObject {
    Q_OBJECT

private slots:
    void oneHolder();
    void otherGpusAreFree();
    void holderIsNamed();
    void lockOfOneThatWasKilled();
    void programsThatAreStartedDoNotKeepIt();
    void folderOfSomebodyElse();
    void folderThatCannotBeMade();
    void namesOfFilesAreSafe();
    void folderOfTheUser();
    void utcText();
};

void TestGpuLock::oneHolder() {
    const QTemporaryDir dir;
    const std::string folder = dir.path().toStdString();
    QVERIFY(!gpuLockHolder(kUuid, folder));
    {
        auto first = GpuLock::take(kUuid, "a", folder);
        QVERIFY(first.ok());
        const auto second = GpuLock::take(kUuid, "b", folder);
        QVERIFY(!second.ok());
        QCOMPARE(second.error().code, std::string("locked"));
        // Moved, it is still held.
        const GpuLock moved = std::move(first).value();
        QVERIFY(!GpuLock::take(kUuid, "b", folder).ok());
        QCOMPARE(gpuLockHolder(kUuid, folder)->program, std::string("a"));
    }
    QVERIFY(!gpuLockHolder(kUuid, folder));
    QVERIFY(GpuLock::take(kUuid, "b", folder).ok());
}

void TestGpuLock::otherGpusAreFree() {
    const QTemporaryDir dir;
    const std::string folder = dir.path().toStdString();
    const auto first = GpuLock::take("GPU-1", "a", folder);
    const auto second = GpuLock::take("GPU-2", "b", folder);
    QVERIFY(first.ok() && second.ok());
}

void TestGpuLock::holderIsNamed() {
    const QTemporaryDir dir;
    const std::string folder = dir.path().toStdString();
    const std::time_t before = std::time(nullptr);
    const pid_t holder = startHolder(folder);
    QVERIFY(holder != 0);
    const auto found = gpuLockHolder(kUuid, folder);
    const auto lock = GpuLock::take(kUuid, "b", folder);
    const std::time_t after = std::time(nullptr);
    killHolder(holder);
    QVERIFY(found);
    QCOMPARE(found->pid, int64_t{holder});
    QCOMPARE(found->program, std::string("train.py --epochs 3"));
    QVERIFY(before <= found->sinceSeconds && found->sinceSeconds <= after);
    QVERIFY(!lock.ok());
    QCOMPARE(lock.error().message, "GPU-1234 is in use by a recording of `train.py --epochs 3` (process " +
                                       std::to_string(holder) + ", since " + formatUtcSeconds(found->sinceSeconds) +
                                       "); one recording a GPU at a time: wait for it, or end it");
}

void TestGpuLock::lockOfOneThatWasKilled() {
    const QTemporaryDir dir;
    const std::string folder = dir.path().toStdString();
    const pid_t holder = startHolder(folder);
    QVERIFY(holder != 0);
    killHolder(holder);
    QVERIFY(!gpuLockHolder(kUuid, folder));
    QVERIFY(GpuLock::take(kUuid, "b", folder).ok());
}

void TestGpuLock::programsThatAreStartedDoNotKeepIt() {
    const QTemporaryDir dir;
    const std::string folder = dir.path().toStdString();
    pid_t child = 0;
    {
        const auto lock = GpuLock::take(kUuid, "a", folder);
        QVERIFY(lock.ok());
        int started[2];
        QVERIFY(pipe2(started, O_CLOEXEC) == 0);
        child = fork();
        if (child == 0) {
            execlp("sleep", "sleep", "60", static_cast<char*>(nullptr));
            _exit(1);
        }
        close(started[1]);
        char none = 0;
        QCOMPARE(read(started[0], &none, 1), ssize_t{0});  // until exec has closed the child's end
        close(started[0]);
    }
    const bool isFree = GpuLock::take(kUuid, "b", folder).ok();
    killHolder(child);
    QVERIFY(isFree);
}

void TestGpuLock::folderOfSomebodyElse() {
    const QTemporaryDir dir;
    const QString link = dir.filePath("link");
    QVERIFY(QFile::link(dir.path(), link));
    const auto lock = GpuLock::take(kUuid, "a", link.toStdString());
    QVERIFY(!lock.ok());
    QCOMPARE(lock.error().message,
             link.toStdString() + " is not a folder of this user; remove it, or set XDG_RUNTIME_DIR");
}

void TestGpuLock::folderThatCannotBeMade() {
    const auto lock = GpuLock::take(kUuid, "a", "/nowhere/at/all");
    QVERIFY(!lock.ok());
    QCOMPARE(lock.error().message,
             std::string("the folder for locks cannot be made: /nowhere/at/all: No such file or directory"));
}

void TestGpuLock::namesOfFilesAreSafe() {
    const QTemporaryDir dir;
    const auto lock = GpuLock::take("../a b\n", "x\ny", dir.path().toStdString());
    QVERIFY(lock.ok());
    QVERIFY(QFile::exists(dir.filePath("warpline-___a_b_.lock")));
    QCOMPARE(gpuLockHolder("../a b\n", dir.path().toStdString())->program, std::string("x y"));
}

void TestGpuLock::folderOfTheUser() {
    const QTemporaryDir dir;
    const QByteArray before = qgetenv("XDG_RUNTIME_DIR");
    qputenv("XDG_RUNTIME_DIR", dir.path().toUtf8());
    QCOMPARE(gpuLockFolder(), dir.path().toStdString());
    qputenv("XDG_RUNTIME_DIR", "/nowhere/at/all");
    QCOMPARE(gpuLockFolder(), "/tmp/warpline-" + std::to_string(geteuid()));
    qputenv("XDG_RUNTIME_DIR", before);
}

void TestGpuLock::utcText() {
    QCOMPARE(formatUtcSeconds(1779005700), std::string("2026-05-17 08:15:00 UTC"));
}

QTEST_GUILESS_MAIN(TestGpuLock)
#include "tst_gpu_lock.moc"
