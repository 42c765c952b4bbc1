// SPDX-License-Identifier: MIT
#include <sys/stat.h>

#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <thread>

#include "core/loaders/gzip_source.h"
#include "core/loaders/text_source.h"
#include "tests/core/loaders/loader_testing.h"

using namespace warpline;
using namespace warpline::test;

namespace {

/// 3 MiB in which every stretch of 16 bytes is different.
QByteArray longText() {
    QByteArray text;
    uint32_t state = 1;
    for (int i = 0; i < 200'000; ++i) {
        state = state * 1664525U + 1013904223U;
        text += QByteArray::number(i).rightJustified(8, '0') + QByteArray::number(state % 10'000'000);
    }
    return text;
}

std::string readAll(TextSource& source, size_t step) {
    std::string text;
    std::string buffer(step, '\0');
    for (;;) {
        const auto count = source.readNext(buffer);
        if (!count) {
            return "failed: " + count.error().message;
        }
        text.append(buffer, 0, count.value());
        if (count.value() < step) {
            return text;
        }
    }
}

Result<std::shared_ptr<TextSource>> open(const std::string& path) {
    JobControl job;
    return openTextSource(path, job);
}

std::shared_ptr<TextSource> gzipSource(const QByteArray& stored, uint64_t checkpointBytes = 1 << 20) {
    return makeGzipSource(makeMemoryBytes(stored.toStdString()), checkpointBytes);
}

}  // namespace

class tst_TextSource : public QObject {
    Q_OBJECT

private slots:
    void plainFile();
    void whatCannotBeOpened_data();
    void whatCannotBeOpened();
    void contentDecides();
    void changedFile();
    void gzipWhole_data();
    void gzipWhole();
    void gzipPositionedReads_data();
    void gzipPositionedReads();
    void gzipCutAnywhere();
    void gzipBadChecksum();
    void gzipTrailingData();
    void gzipPaddingIsNoDamage();
    void gzipGarbled();
    void pipe();
    void pipeThatNobodyWritesTo();
    void endlessPipe();

private:
    QString write(const QString& name, const QByteArray& bytes) {
        QFile file(m_folder.filePath(name));
        if (!file.open(QIODevice::WriteOnly)) {
            qFatal("no temporary file");
        }
        file.write(bytes);
        return file.fileName();
    }
    QTemporaryDir m_folder;
};

void tst_TextSource::plainFile() {
    const QString path = write("plain.txt", "0123456789");
    auto source = open(path.toStdString());
    QVERIFY(source.ok());
    QCOMPARE(source.value()->compression(), std::string("none"));
    QCOMPARE(source.value()->storedBytes(), uint64_t(10));
    QCOMPARE(readAll(*source.value(), 3), std::string("0123456789"));
    QCOMPARE(source.value()->storedPosition(), uint64_t(10));
    QCOMPARE(source.value()->read(3, 4).value(), std::string("3456"));
    QVERIFY(!source.value()->read(8, 3).ok());
    QVERIFY(!source.value()->read(UINT64_MAX, 1).ok());
}

void tst_TextSource::whatCannotBeOpened_data() {
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("says");
    QTest::newRow("missing") << m_folder.filePath("missing.json") << "No such file";
    QTest::newRow("folder") << m_folder.path() << "is a folder";
}

void tst_TextSource::whatCannotBeOpened() {
    QFETCH(QString, path);
    QFETCH(QString, says);
    const auto source = open(path.toStdString());
    QVERIFY(!source.ok());
    const QString message = QString::fromStdString(source.error().message);
    QVERIFY2(message.contains(says) && message.contains(path), qPrintable(message));
}

void tst_TextSource::contentDecides() {
    auto packed = open(write("packed.json", gzipped("[]")).toStdString());
    QCOMPARE(packed.value()->compression(), std::string("gzip"));
    QCOMPARE(readAll(*packed.value(), 100), std::string("[]"));
    auto plain = open(write("plain.json.gz", "[1]").toStdString());
    QCOMPARE(plain.value()->compression(), std::string("none"));
    QCOMPARE(readAll(*plain.value(), 100), std::string("[1]"));
    auto empty = open(write("empty.json", "").toStdString());
    QCOMPARE(readAll(*empty.value(), 100), std::string());
}

void tst_TextSource::changedFile() {
    const QString path = write("changing.txt", "0123456789");
    auto source = open(path.toStdString());
    QVERIFY(source.value()->read(0, 10).ok());
    write("changing.txt", "01234");
    const auto text = source.value()->read(0, 5);
    QVERIFY(!text.ok());
    QVERIFY2(QString::fromStdString(text.error().message).contains("changed"), text.error().message.c_str());
}

void tst_TextSource::gzipWhole_data() {
    QTest::addColumn<int>("members");
    QTest::addColumn<int>("step");
    QTest::newRow("one") << 1 << 1'048'576;
    QTest::newRow("one, small steps") << 1 << 777;
    QTest::newRow("three") << 3 << 65536;
}

void tst_TextSource::gzipWhole() {
    QFETCH(int, members);
    QFETCH(int, step);
    const QByteArray text = longText();
    QByteArray stored;
    for (int i = 0; i < members; ++i) {
        const qsizetype from = text.size() * i / members;
        stored += gzipped(text.mid(from, text.size() * (i + 1) / members - from));
    }
    const auto source = gzipSource(stored);
    QVERIFY(readAll(*source, size_t(step)) == text.toStdString());
    QVERIFY(source->damage().empty());
    QCOMPARE(source->storedPosition(), uint64_t(stored.size()));
}

void tst_TextSource::gzipPositionedReads_data() {
    QTest::addColumn<int>("members");
    QTest::addColumn<int>("checkpointBytes");
    QTest::newRow("one member, many checkpoints") << 1 << 100'000;
    QTest::newRow("one member, one checkpoint") << 1 << 100'000'000;
    QTest::newRow("four members") << 4 << 300'000;
}

void tst_TextSource::gzipPositionedReads() {
    QFETCH(int, members);
    QFETCH(int, checkpointBytes);
    const QByteArray text = longText();
    QByteArray stored;
    for (int i = 0; i < members; ++i) {
        const qsizetype from = text.size() * i / members;
        stored += gzipped(text.mid(from, text.size() * (i + 1) / members - from));
    }
    const auto source = gzipSource(stored, uint64_t(checkpointBytes));
    QVERIFY(!source->read(0, 10).ok());  // nothing was decompressed yet
    QVERIFY(readAll(*source, 1 << 20) == text.toStdString());
    for (const qsizetype offset : {qsizetype(0), qsizetype(99'990), text.size() / 2, text.size() / 4 - 20,
                                   text.size() - 500, qsizetype(1'000'000), qsizetype(3)}) {
        const auto piece = source->read(uint64_t(offset), 400);
        QVERIFY2(piece.ok(), piece.ok() ? "" : piece.error().message.c_str());
        QCOMPARE(QByteArray::fromStdString(piece.value()), text.mid(offset, 400));
    }
    const auto across = source->read(50'000, 900'000);
    QVERIFY(across.value() == text.mid(50'000, 900'000).toStdString());
    QVERIFY(!source->read(uint64_t(text.size()) - 5, 6).ok());
}

void tst_TextSource::gzipCutAnywhere() {
    const QByteArray text = longText().left(20'000);
    const QByteArray stored = gzipped(text);
    for (qsizetype length = 2; length < stored.size(); length += 101) {
        const auto source = gzipSource(stored.left(length));
        const std::string got = readAll(*source, 4096);
        QVERIFY(text.toStdString().starts_with(got));
        QCOMPARE(source->damage().size(), size_t(1));
        QCOMPARE(source->damage().front().code, std::string("truncated"));
    }
    // Only the trailer is cut: all the text is there.
    const auto source = gzipSource(stored.chopped(3));
    QVERIFY(readAll(*source, 4096) == text.toStdString());
    QCOMPARE(source->damage().front().code, std::string("truncated"));
}

void tst_TextSource::gzipBadChecksum() {
    QByteArray stored = gzipped("first ");
    stored[stored.size() - 6] = char(stored[stored.size() - 6] ^ 1);
    const auto source = gzipSource(stored + gzipped("second"));
    QCOMPARE(readAll(*source, 100), std::string("first second"));
    QCOMPARE(source->damage().size(), size_t(1));
    QCOMPARE(source->damage().front().code, std::string("bad_checksum"));
}

void tst_TextSource::gzipTrailingData() {
    const QByteArray member = gzipped("text");
    const auto source = gzipSource(member + "rest");
    QCOMPARE(readAll(*source, 100), std::string("text"));
    QCOMPARE(source->damage().size(), size_t(1));
    QCOMPARE(source->damage().front().code, std::string("trailing_data"));
    QCOMPARE(source->damage().front().storedOffset, uint64_t(member.size()));
}

void tst_TextSource::gzipPaddingIsNoDamage() {
    const auto source = gzipSource(gzipped("text") + QByteArray(512, '\0'));
    QCOMPARE(readAll(*source, 100), std::string("text"));
    QVERIFY(source->damage().empty());
}

void tst_TextSource::gzipGarbled() {
    const QByteArray text = longText().left(200'000);
    QByteArray stored = gzipped(text);
    stored.replace(stored.size() / 2, 64, QByteArray(64, '\xff'));
    const auto source = gzipSource(stored);
    const std::string got = readAll(*source, 4096);
    QVERIFY(got.size() > 50'000);
    QVERIFY(got.compare(0, 50'000, text.toStdString(), 0, 50'000) == 0);
    QVERIFY(!source->damage().empty());
}

void tst_TextSource::pipe() {
    const QByteArray path = m_folder.filePath("pipe").toUtf8();
    QCOMPARE(::mkfifo(path.constData(), 0600), 0);
    const QByteArray text = longText();
    std::thread writer([&] {
        QFile file(QString::fromUtf8(path));
        if (file.open(QIODevice::WriteOnly | QIODevice::Unbuffered)) {
            file.write(text);
        }
    });
    const auto source = open(path.toStdString());
    writer.join();
    QVERIFY2(source.ok(), source.ok() ? "" : source.error().message.c_str());
    QCOMPARE(source.value()->storedBytes(), uint64_t(text.size()));
    QVERIFY(readAll(*source.value(), 300'007) == text.toStdString());
    // Across the blocks in which it is held.
    QCOMPARE(QByteArray::fromStdString(source.value()->read(1'048'570, 12).value()), text.mid(1'048'570, 12));
}

void tst_TextSource::pipeThatNobodyWritesTo() {
    const QByteArray path = m_folder.filePath("silent").toUtf8();
    QCOMPARE(::mkfifo(path.constData(), 0600), 0);
    JobControl job;
    std::thread stopper([&] {
        QTest::qSleep(20);
        job.requestStop();
    });
    const auto source = openTextSource(path.toStdString(), job);
    stopper.join();
    QVERIFY(!source.ok());
    QVERIFY(source.error().isCancelled());
}

void tst_TextSource::endlessPipe() {
    JobControl job;
    const auto source = openTextSource("/dev/zero", job, 3'000'000);
    QVERIFY(!source.ok());
    const QString message = QString::fromStdString(source.error().message);
    QVERIFY2(message.contains("/dev/zero") && message.contains("3000000 bytes"), qPrintable(message));
}

QTEST_APPLESS_MAIN(tst_TextSource)
#include "tst_text_source.moc"
