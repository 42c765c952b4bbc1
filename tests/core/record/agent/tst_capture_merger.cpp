// SPDX-License-Identifier: MIT
#include <sys/resource.h>
#include <sys/stat.h>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "core/capture/capture_writer.h"
#include "core/capture/texts.h"
#include "core/record/agent/capture_merger.h"
#include "tests/support/capture_reader.h"

using namespace warpline;
using namespace warpline::capture;
using namespace warpline::record;
using namespace warpline::test;

namespace {

/// A capture that a process writes, in pieces.
class Growing {
public:
    explicit Growing(const QString& path, const char* pid = "7") : m_file(path) {
        if (!m_file.open(QIODevice::WriteOnly | QIODevice::Append | QIODevice::Unbuffered)) {
            qFatal("no file");
        }
        std::string facts;
        appendFact(facts, fact::kPid, pid);
        writer.writeFacts(facts);
        release();
    }
    CaptureWriter writer{[this](std::span<const char> header, std::span<const char> payload) {
        m_held.append(header.data(), header.size()).append(payload.data(), payload.size());
        return true;
    }};
    /// So many of the bytes that were written get into the file; all.
    void release(size_t bytes = SIZE_MAX) {
        bytes = std::min(bytes, m_held.size());
        m_file.write(m_held.data(), qint64(bytes));
        m_held.erase(0, bytes);
    }
    void addKernels(int count) {
        for (int i = 0; i < count; ++i) {
            KernelRecord kernel;
            kernel.begin = ++m_time;
            kernel.end = kernel.begin + 1;
            kernel.name = writer.number("kernel");
            writer.add(kernel);
        }
        writer.flush();
    }
    size_t held() const { return m_held.size(); }
    void spoil(size_t at) { m_held[at] = static_cast<char>(~m_held[at]); }

private:
    QFile m_file;
    std::string m_held;
    int64_t m_time = 0;
};

struct Stream {
    std::string bytes;
    CaptureMerger merger{[this](std::string_view piece) {
        bytes += piece;
        return true;
    }};
    CaptureContent content() const { return readCapture(bytes); }
};

}  // namespace

class TestCaptureMerger : public QObject {
    Q_OBJECT

private slots:
    void growsByPieces();
    void severalSources();
    void ownFrames();
    void packs();
    void damage();
    void counts();
    void ends();
    void sinkFails();
    void boundedAtOnce();
    void givesDiskBack();
    void missingFile();
    void moreProcessesThanDescriptors();
    void whatTheSinkRefusesIsLost();
};

/// Whatever the pieces are, each frame comes once and as a whole.
void TestCaptureMerger::growsByPieces() {
    const QTemporaryDir folder;
    const QString path = folder.filePath("7.0.wcap");
    Growing source(path);
    Stream stream;
    size_t step = 1;
    for (int round = 0; round < 20; ++round) {
        source.addKernels(50);
        while (source.held() != 0) {
            source.release(step = step * 7 % 997 + 1);
            QVERIFY(stream.merger.readOn(path.toStdString()));
        }
    }
    const CaptureContent content = stream.content();
    QCOMPARE(content.records<KernelRecord>().size(), 1000U);
    QCOMPARE(content.damage.places, 0U);
    QCOMPARE(content.damage.missingFrames, 0U);
    QCOMPARE(content.sources(), (std::set<uint32_t>{1}));
    QCOMPARE(content.fact(1, "pid"), std::string("7"));
    QCOMPARE(stream.merger.counts().kernels, 1000U);
    QCOMPARE(stream.merger.counts().completeToNs, 1001);
    QCOMPARE(stream.merger.counts().bytes, stream.bytes.size());
}

void TestCaptureMerger::severalSources() {
    const QTemporaryDir folder;
    const QString one = folder.filePath("1.0.wcap"), two = folder.filePath("2.0.wcap");
    Growing first(one, "1"), second(two, "2");
    Stream stream;
    for (int round = 0; round < 5; ++round) {
        first.addKernels(10);
        second.addKernels(20);
        first.release();
        second.release(100);
        stream.merger.readOn(one.toStdString());
        stream.merger.readOn(two.toStdString());
    }
    second.release();
    stream.merger.readOn(two.toStdString());
    const CaptureContent content = stream.content();
    QCOMPARE(content.records<KernelRecord>(1).size(), 50U);
    QCOMPARE(content.records<KernelRecord>(2).size(), 100U);
    QCOMPARE(content.fact(2, "pid"), std::string("2"));
    QCOMPARE(content.damage.missingFrames, 0U);
    QCOMPARE(stream.merger.counts().sources, 2U);
}

void TestCaptureMerger::ownFrames() {
    Stream stream;
    std::string facts;
    appendFact(facts, "role", "recorder");
    stream.merger.own().writeFacts(facts);
    stream.merger.own().add(ClockRecord{1, 2, 3, 4});
    stream.merger.own().writeEnd(facts);
    const CaptureContent content = stream.content();
    QCOMPARE(content.frames.size(), 3U);
    QCOMPARE(content.frames[0].header.source, 0U);
    QCOMPARE(content.fact(0, "role"), std::string("recorder"));
    QCOMPARE(content.records<ClockRecord>().at(0).cupti, 3);
}

void TestCaptureMerger::packs() {
    const QTemporaryDir folder;
    const QString path = folder.filePath("7.0.wcap");
    Growing source(path);
    source.addKernels(5000);
    source.release();
    Stream stream;
    stream.merger.readOn(path.toStdString());
    QVERIFY(stream.bytes.size() * 3 < size_t(QFileInfo(path).size()));
    size_t packed = 0;
    for (const CaptureContent::Frame& frame : stream.content().frames) {
        packed += (frame.header.flags & kPackedByZstd) != 0 ? 1 : 0;
    }
    QVERIFY(packed > 0);
    QCOMPARE(stream.content().records<KernelRecord>().size(), 5000U);
}

/// What cannot be read is passed over and counted; the gap in the numbers goes on into the stream.
void TestCaptureMerger::damage() {
    const QTemporaryDir folder;
    const QString path = folder.filePath("7.0.wcap");
    Growing source(path);
    source.addKernels(10);
    source.release();
    source.addKernels(10);
    source.spoil(source.held() / 2);
    const size_t spoiled = source.held();
    source.release();
    source.addKernels(10);
    source.release();
    Stream stream;
    stream.merger.readOn(path.toStdString());
    const CaptureContent content = stream.content();
    QCOMPARE(content.records<KernelRecord>().size(), 20U);
    QCOMPARE(content.damage.places, 0U);
    QCOMPARE(content.damage.missingFrames, 1U);
    QCOMPARE(stream.merger.counts().damagedBytes, spoiled);
}

void TestCaptureMerger::counts() {
    const QTemporaryDir folder;
    const QString path = folder.filePath("7.0.wcap");
    Growing source(path, "77");
    source.writer.add(CallRecord{});
    source.writer.add(CopyRecord{});
    source.writer.add(SetRecord{});
    source.writer.add(MemoryRecord{});
    source.writer.add(RangeRecord{});
    source.writer.add(LossRecord{0, 0, 5, LossKind::CuptiDropped});
    source.writer.add(LossRecord{0, 0, 7, LossKind::NoBuffer});
    source.writer.add(LossRecord{0, 0, 1000, LossKind::Filtered});
    source.writer.add(LossRecord{1, 0, 0, LossKind::TakenOver});
    source.writer.add(LossRecord{1, 2, 0, LossKind::TakenOver});
    std::string facts;
    appendFact(facts, fact::kError, "no room");
    source.writer.writeEnd(facts);
    source.release();
    Stream stream;
    stream.merger.readOn(path.toStdString());
    const MergeCounts& counts = stream.merger.counts();
    QCOMPARE(counts.launches, 1U);
    QCOMPARE(counts.copies, 2U);
    QCOMPARE(counts.allocations, 1U);
    QCOMPARE(counts.ranges, 1U);
    QCOMPARE(counts.events, 5U);
    QCOMPARE(counts.lost, 12U);
    QCOMPARE(counts.takeOvers, 1U);
    QCOMPARE(counts.ended, 1U);
    QCOMPARE(counts.refusals, (std::vector<std::string>{"process 77: no room"}));
}

void TestCaptureMerger::ends() {
    const QTemporaryDir folder;
    Stream stream;
    // Of those that have ended no descriptor is kept.
    const auto openFiles = [] { return QDir("/proc/self/fd").entryList(QDir::Files | QDir::System).size(); };
    const auto before = openFiles();
    for (int i = 0; i < 50; ++i) {
        const QString path = folder.filePath(QString::number(i) + ".0.wcap");
        {
            Growing source(path);
            source.release();
            stream.merger.readOn(path.toStdString());
            QVERIFY(!stream.merger.hasEnded(path.toStdString()));
            source.writer.writeEnd({});
            source.release();
        }
        stream.merger.readOn(path.toStdString());
        QVERIFY(stream.merger.hasEnded(path.toStdString()));
        stream.merger.readOn(path.toStdString());
    }
    QCOMPARE(openFiles(), before);
    QCOMPARE(stream.merger.counts().sources, 50U);
    QCOMPARE(stream.merger.counts().ended, 50U);
    QVERIFY(!stream.merger.hasEnded("/no/such/file"));
}

void TestCaptureMerger::sinkFails() {
    const QTemporaryDir folder;
    const QString path = folder.filePath("7.0.wcap");
    Growing source(path);
    source.addKernels(5000);
    source.release();
    int calls = 0;
    CaptureMerger merger([&](std::string_view) { return ++calls <= 2; });
    QVERIFY(!merger.readOn(path.toStdString()));
    QVERIFY(!merger.readOn(path.toStdString()));
    merger.own().writeEnd({});
    QCOMPARE(calls, 3);
    QCOMPARE(merger.own().framesLost(), 1U);
}

/// Who follows a process that writes without end comes to other things too.
void TestCaptureMerger::boundedAtOnce() {
    const QTemporaryDir folder;
    const QString path = folder.filePath("7.0.wcap");
    Growing source(path);
    for (int i = 0; i < 40; ++i) {
        source.writer.writeModule(ModuleHead{0, uint64_t(i + 1)}, std::string(1 << 20, 'x'));
    }
    source.release();
    Stream stream;
    const qint64 size = QFileInfo(path).size();
    int reads = 0;
    while (stream.merger.counts().bytesRead < uint64_t(size)) {
        const uint64_t before = stream.merger.counts().bytesRead;
        stream.merger.readOn(path.toStdString());
        const uint64_t read = stream.merger.counts().bytesRead - before;
        QVERIFY(read > 0 && read <= CaptureMerger::kMostAtOnce + (1U << 20));
        ++reads;
    }
    QVERIFY(reads >= 2);
    QCOMPARE(stream.content().count(FrameType::Module), 40U);
}

/// A long recording does not lie on the disk twice.
void TestCaptureMerger::givesDiskBack() {
    const QTemporaryDir folder;
    const QString path = folder.filePath("7.0.wcap");
    Growing source(path);
    for (int i = 0; i < 40; ++i) {
        source.writer.writeModule(ModuleHead{0, uint64_t(i + 1)}, std::string(1 << 20, 'x'));
    }
    source.release();
    struct stat before {
    }, after{};
    QCOMPARE(stat(path.toLocal8Bit().constData(), &before), 0);
    Stream stream;
    for (int i = 0; i < 5; ++i) {
        stream.merger.readOn(path.toStdString());
    }
    QCOMPARE(stat(path.toLocal8Bit().constData(), &after), 0);
    QCOMPARE(after.st_size, before.st_size);
    if (after.st_blocks == before.st_blocks) {
        QSKIP("this file system cannot do that");
    }
    QVERIFY(after.st_blocks < before.st_blocks / 2);
    source.addKernels(10);
    source.release();
    stream.merger.readOn(path.toStdString());
    QCOMPARE(stream.content().records<KernelRecord>().size(), 10U);
    QCOMPARE(stream.content().damage.places, 0U);
}

void TestCaptureMerger::missingFile() {
    Stream stream;
    const QTemporaryDir folder;
    const std::string path = folder.filePath("late.wcap").toStdString();
    QVERIFY(stream.merger.readOn(path));
    QVERIFY(stream.merger.readOn(path));
    QCOMPARE(stream.merger.counts().unreadable, 1U);  // and not forgotten
    Growing late(QString::fromStdString(path));
    late.addKernels(3);
    late.release();
    QVERIFY(stream.merger.readOn(path));
    QCOMPARE(stream.merger.counts().unreadable, 0U);
    QCOMPARE(stream.merger.counts().kernels, 3U);
}

/// Processes that were killed have no end, so that one more piece of each may come at any time.
void TestCaptureMerger::moreProcessesThanDescriptors() {
    const QTemporaryDir folder;
    constexpr int kProcesses = 100;
    std::vector<std::string> paths;
    for (int i = 0; i < kProcesses; ++i) {
        const QString path = folder.filePath(QString("%1.0.wcap").arg(i));
        Growing source(path);
        source.addKernels(2);
        source.release();
        paths.push_back(path.toStdString());
    }
    rlimit before{};
    QCOMPARE(getrlimit(RLIMIT_NOFILE, &before), 0);
    rlimit few = before;
    few.rlim_cur = 40;
    QCOMPARE(setrlimit(RLIMIT_NOFILE, &few), 0);
    Stream stream;
    for (int look = 0; look < 2; ++look) {
        for (const std::string& path : paths) {
            stream.merger.readOn(path);
        }
    }
    QCOMPARE(setrlimit(RLIMIT_NOFILE, &before), 0);
    QCOMPARE(stream.merger.counts().unreadable, 0U);
    QCOMPARE(stream.merger.counts().sources, uint64_t(kProcesses));
    QCOMPARE(stream.content().records<KernelRecord>().size(), size_t(2 * kProcesses));
}

void TestCaptureMerger::whatTheSinkRefusesIsLost() {
    const QTemporaryDir folder;
    Growing source(folder.filePath("7.0.wcap"));
    source.addKernels(50);
    source.release();
    int frames = 0;
    CaptureMerger merger([&](std::string_view) { return ++frames < 2; });
    QVERIFY(!merger.readOn(folder.filePath("7.0.wcap").toStdString()));
    QCOMPARE(merger.counts().kernels, 0U);
    QCOMPARE(merger.counts().lost + merger.counts().kernels, 50U);
}

QTEST_GUILESS_MAIN(TestCaptureMerger)
#include "tst_capture_merger.moc"
