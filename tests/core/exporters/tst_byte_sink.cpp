// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "core/exporters/byte_sink.h"

using namespace warpline;

class TestByteSink : public QObject {
    Q_OBJECT

private slots:
    void gzipReadsBack();
    void fullDiskIsAnError();
    void fileAppearsWhenFinished();
    void unfinishedFileLeavesTheOldOne();
    void rightsOfTheOldFileStay();
    void linkIsFollowed();
    void deviceIsNotReplaced();
    void missingFolderIsAnError();

private:
    static QByteArray contentOf(const QString& path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(none)");
    }
};

void TestByteSink::gzipReadsBack() {
    std::string packed;
    auto sink = makeGzipSink(makeStringSink(packed));
    std::string text;
    for (int i = 0; i < 100000; ++i) {
        text += std::to_string(i * 7919) + ",";
    }
    QVERIFY(sink->write(text.substr(0, 10)).ok());
    QVERIFY(sink->write(text.substr(10)).ok());
    QVERIFY(sink->finish().ok());
    QVERIFY(packed.size() < text.size());

    z_stream stream{};
    QCOMPARE(inflateInit2(&stream, 15 + 16), Z_OK);
    std::string unpacked(text.size() + 1, '\0');
    stream.next_in = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_in = static_cast<uInt>(packed.size());
    stream.next_out = reinterpret_cast<Bytef*>(unpacked.data());
    stream.avail_out = static_cast<uInt>(unpacked.size());
    QCOMPARE(inflate(&stream, Z_FINISH), Z_STREAM_END);
    unpacked.resize(stream.total_out);
    inflateEnd(&stream);
    QVERIFY(unpacked == text);
}

void TestByteSink::fullDiskIsAnError() {
    const int full = ::open("/dev/full", O_WRONLY);
    QVERIFY(full >= 0);
    auto sink = makeDescriptorSink(full, "the disk");
    const Status status = sink->write("x");
    QVERIFY(!status.ok());
    QCOMPARE(QByteArray::fromStdString(status.error().message), QByteArray("the disk: No space left on device"));
    QVERIFY(!sink->finish().ok());

    auto packed = makeGzipSink(makeDescriptorSink(full, "the disk"));
    static_cast<void>(packed->write("x"));  // may stay in the compressor, so only the end must fail
    QVERIFY(!packed->finish().ok());
    ::close(full);
}

void TestByteSink::fileAppearsWhenFinished() {
    const QTemporaryDir folder;
    const QString path = folder.filePath("out.json");
    auto sink = makeAtomicFileSink(path.toStdString());
    QVERIFY(sink.ok());
    QVERIFY(sink.value()->write("abc").ok());
    QVERIFY(!QFile::exists(path));
    QVERIFY(sink.value()->finish().ok());
    QCOMPARE(contentOf(path), QByteArray("abc"));
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 1);
}

void TestByteSink::unfinishedFileLeavesTheOldOne() {
    const QTemporaryDir folder;
    const QString path = folder.filePath("out.json");
    QFile old(path);
    QVERIFY(old.open(QIODevice::WriteOnly));
    old.write("old");
    old.close();
    {
        auto sink = makeAtomicFileSink(path.toStdString());
        QVERIFY(sink.ok());
        QVERIFY(sink.value()->write("new").ok());
    }
    QCOMPARE(contentOf(path), QByteArray("old"));
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 1);
}

void TestByteSink::rightsOfTheOldFileStay() {
    const QTemporaryDir folder;
    const QString path = folder.filePath("out.json");
    QFile old(path);
    QVERIFY(old.open(QIODevice::WriteOnly));
    old.close();
    const auto rights = QFile::ReadOwner | QFile::WriteOwner | QFile::ReadUser | QFile::WriteUser | QFile::ReadGroup;
    QVERIFY(old.setPermissions(rights));
    auto sink = makeAtomicFileSink(path.toStdString());
    QVERIFY(sink.ok());
    QVERIFY(sink.value()->finish().ok());
    QCOMPARE(QFile(path).permissions(), rights);
}

void TestByteSink::linkIsFollowed() {
    const QTemporaryDir folder;
    const QString real = folder.filePath("real.json");
    const QString link = folder.filePath("link.json");
    QFile file(real);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.close();
    QVERIFY(QFile::link(real, link));
    auto sink = makeAtomicFileSink(link.toStdString());
    QVERIFY(sink.ok());
    QVERIFY(sink.value()->write("abc").ok());
    QVERIFY(sink.value()->finish().ok());
    QCOMPARE(contentOf(real), QByteArray("abc"));
    QVERIFY(QFileInfo(link).isSymLink());
}

void TestByteSink::deviceIsNotReplaced() {
    QVERIFY(!makeAtomicFileSink("/dev/null").ok());
    const QTemporaryDir folder;
    QVERIFY(!makeAtomicFileSink(folder.path().toStdString()).ok());
}

void TestByteSink::missingFolderIsAnError() {
    const auto sink = makeAtomicFileSink("/nowhere/at/all/out.json");
    QVERIFY(!sink.ok());
    QCOMPARE(QByteArray::fromStdString(sink.error().message),
             QByteArray("/nowhere/at/all/out.json: No such file or directory"));
}

QTEST_GUILESS_MAIN(TestByteSink)
#include "tst_byte_sink.moc"
