// SPDX-License-Identifier: MIT
// A capture of several turns becomes a capture a turn.
#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include "core/capture/capture_writer.h"
#include "core/record/agent/cycle_splitter.h"
#include "tests/support/capture_reader.h"

using namespace warpline;
using namespace warpline::capture;
using test::CaptureContent;

namespace {

CaptureWriter::Sink into(std::string& stream) {
    return [&stream](std::span<const char> header, std::span<const char> payload) {
        stream.append(header.data(), header.size());
        stream.append(payload.data(), payload.size());
        return true;
    };
}

void addKernel(CaptureWriter& writer, uint32_t correlation, int64_t begin) {
    KernelRecord kernel;
    kernel.begin = begin;
    kernel.end = begin + 10;
    kernel.correlation = correlation;
    kernel.name = writer.number("kernel");
    writer.add(kernel);
    writer.add(CallRecord{begin - 5, begin - 1, 7, correlation, writer.number("cudaLaunchKernel")});
}

QList<uint32_t> correlationsOf(const CaptureContent& content) {
    QList<uint32_t> correlations;
    for (const KernelRecord& kernel : content.records<KernelRecord>()) {
        correlations << kernel.correlation;
    }
    std::ranges::sort(correlations);
    return correlations;
}

struct Written {
    QTemporaryDir folder;
    std::string path(const char* name) const { return folder.filePath(name).toStdString(); }
    void write(const char* name, const std::string& bytes) {
        QFile file(folder.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(bytes.data(), static_cast<qint64>(bytes.size()));
    }
    Result<std::vector<std::string>> split(const char* name) const {
        return record::splitCycles(path(name),
                                   [this](uint32_t cycle) { return path(("turn" + std::to_string(cycle)).c_str()); });
    }
};

}  // namespace

class tst_CycleSplitter : public QObject {
    Q_OBJECT

private slots:
    void byCorrelation();
    void byTime();
    void rangesHaveBothEnds();
    void oneTurnStaysAsItIs();
    void damageIsNotHiddenInTurns();
    void whatCannotBeWrittenLeavesNothing();
};

/// A kernel that ran after the next turn began belongs to the turn that launched it.
void tst_CycleSplitter::byCorrelation() {
    std::string stream;
    CaptureWriter process(into(stream), 1);
    process.writeFacts({});
    process.add(CycleRecord{1000, 100, 1});
    process.add(CycleRecord{2000, 200, 2});
    addKernel(process, 90, 900);
    addKernel(process, 100, 1010);
    addKernel(process, 150, 2500);
    addKernel(process, 200, 2600);
    process.add(MemoryRecord{1500, 0x10, 64});
    process.add(MemoryRecord{2500, 0x20, 128});
    process.add(MemoryRecord{500, 0x30, 256});
    process.add(StreamRecord{1, 7, 0, 0});
    process.writeModule({0, 5, 4, 0, 1, 1}, "code");
    process.writeEnd({});
    CaptureWriter own(into(stream), 0);
    own.writeFacts({});
    own.add(SampleRecord{1800, 1500.0, 0, SampleKind::SmClockMhz});
    own.add(SampleRecord{2800, 1600.0, 0, SampleKind::SmClockMhz});
    own.flush();

    Written files;
    files.write("all", stream);
    const auto turns = files.split("all");
    QVERIFY(turns.ok());
    QCOMPARE(turns.value(), (std::vector<std::string>{files.path("turn1"), files.path("turn2")}));
    const CaptureContent first = test::readCaptureFile(QString::fromStdString(turns.value()[0]));
    const CaptureContent second = test::readCaptureFile(QString::fromStdString(turns.value()[1]));
    QCOMPARE(correlationsOf(first), (QList<uint32_t>{100, 150}));
    QCOMPARE(correlationsOf(second), (QList<uint32_t>{200}));
    QCOMPARE(first.records<CallRecord>().size(), size_t(2));
    QCOMPARE(first.records<MemoryRecord>().size(), size_t(1));
    QCOMPARE(first.records<MemoryRecord>()[0].address, uint64_t(0x10));
    QCOMPARE(second.records<MemoryRecord>()[0].address, uint64_t(0x20));
    QCOMPARE(first.records<SampleRecord>()[0].value, 1500.0);
    QCOMPARE(second.records<SampleRecord>()[0].value, 1600.0);
    for (const CaptureContent* turn : {&first, &second}) {
        QCOMPARE(turn->records<StreamRecord>().size(), size_t(1));
        QCOMPARE(turn->count(FrameType::Module), size_t(1));
        QVERIFY(turn->ended.contains(1));
        QCOMPARE(turn->damage.places, uint64_t(0));
        QCOMPARE(turn->damage.missingFrames, uint64_t(0));
        QCOMPARE(turn->unreadable, uint64_t(0));
        QCOMPARE(turn->text(1, turn->records<KernelRecord>()[0].name), std::string("kernel"));
    }
}

void tst_CycleSplitter::byTime() {
    std::string stream;
    CaptureWriter process(into(stream), 3);
    process.add(CycleRecord{1000, 0, 1});
    process.add(CycleRecord{2000, 0, 2});
    addKernel(process, 1, 1999);
    addKernel(process, 2, 2005);  // its call began before the turn
    process.flush();
    Written files;
    files.write("all", stream);
    const auto turns = files.split("all");
    QVERIFY(turns.ok());
    const CaptureContent first = test::readCaptureFile(QString::fromStdString(turns.value()[0]));
    const CaptureContent second = test::readCaptureFile(QString::fromStdString(turns.value()[1]));
    QCOMPARE(correlationsOf(first), (QList<uint32_t>{1}));
    QCOMPARE(correlationsOf(second), (QList<uint32_t>{2}));
}

void tst_CycleSplitter::rangesHaveBothEnds() {
    std::string stream;
    CaptureWriter process(into(stream), 1);
    process.add(CycleRecord{1000, 0, 1});
    process.add(CycleRecord{2000, 0, 0});
    process.add(CycleRecord{3000, 0, 2});
    const auto add = [&](int64_t time, uint64_t id, RangeAction action) {
        process.add(RangeRecord{time, id, 7, process.number("range"), 0, action});
    };
    add(900, 1, RangeAction::Push);  // reaches into the first turn
    add(1100, 1, RangeAction::Pop);
    add(1200, 2, RangeAction::Push);  // from one turn into the other
    add(3100, 2, RangeAction::Pop);
    add(2100, 3, RangeAction::Push);  // between them
    add(2200, 3, RangeAction::Pop);
    add(3200, 4, RangeAction::Push);  // without an end
    add(3300, 5, RangeAction::Mark);
    process.flush();
    Written files;
    files.write("all", stream);
    const auto turns = files.split("all");
    QVERIFY(turns.ok());
    const auto rangesOf = [&](size_t turn) {
        QStringList ranges;
        for (const RangeRecord& range :
             test::readCaptureFile(QString::fromStdString(turns.value()[turn])).records<RangeRecord>()) {
            ranges << QString("%1 at %2").arg(range.id).arg(range.time);
        }
        ranges.sort();
        return ranges;
    };
    QCOMPARE(rangesOf(0), (QStringList{"1 at 1100", "1 at 900", "2 at 1200", "2 at 3100"}));
    QCOMPARE(rangesOf(1), (QStringList{"2 at 1200", "2 at 3100", "4 at 3200", "5 at 3300"}));
}

void tst_CycleSplitter::oneTurnStaysAsItIs() {
    std::string stream;
    CaptureWriter process(into(stream), 1);
    process.add(CycleRecord{1000, 100, 1});
    addKernel(process, 100, 1010);
    process.flush();
    Written files;
    files.write("all", stream);
    const auto turns = files.split("all");
    QVERIFY(turns.ok());
    QVERIFY(turns.value().empty());
    QCOMPARE(QDir(files.folder.path()).entryList(QDir::Files), QStringList{"all"});
}

void tst_CycleSplitter::damageIsNotHiddenInTurns() {
    std::string stream;
    std::vector<size_t> borders;
    CaptureWriter process(
        [&](std::span<const char> header, std::span<const char> payload) {
            borders.push_back(stream.size());
            return into(stream)(header, payload);
        },
        1);
    process.add(CycleRecord{1000, 100, 1});
    process.add(CycleRecord{2000, 200, 2});
    process.flush();
    addKernel(process, 100, 1010);
    process.flush();
    process.add(StreamRecord{1, 7, 0, 0});
    process.flush();
    Written files;
    std::string wrong = stream;
    wrong[borders[1] + sizeof(FrameHeader)] ^= 1;
    files.write("wrong", wrong);
    std::string gap = stream;
    gap.erase(borders[1], borders[2] - borders[1]);
    files.write("gap", gap);
    for (const char* name : {"wrong", "gap"}) {
        const auto turns = files.split(name);
        QVERIFY2(!turns.ok(), name);
        QVERIFY2(turns.error().message.find(": byte " + std::to_string(borders[1])) != std::string::npos,
                 turns.error().message.c_str());
    }
    QCOMPARE(QDir(files.folder.path()).entryList(QDir::Files), (QStringList{"gap", "wrong"}));
}

void tst_CycleSplitter::whatCannotBeWrittenLeavesNothing() {
    std::string stream;
    CaptureWriter process(into(stream), 1);
    process.add(CycleRecord{1000, 100, 1});
    process.add(CycleRecord{2000, 200, 2});
    process.flush();
    Written files;
    files.write("all", stream);
    const auto turns = record::splitCycles(
        files.path("all"), [&](uint32_t cycle) { return files.path(cycle == 1 ? "turn1" : "no/such/folder"); });
    QVERIFY(!turns.ok());
    QVERIFY(turns.error().message.find("no/such/folder") != std::string::npos);
    QCOMPARE(QDir(files.folder.path()).entryList(QDir::Files), QStringList{"all"});
    QVERIFY(!record::splitCycles(files.path("absent"), [](uint32_t) { return std::string(); }).ok());
}

QTEST_APPLESS_MAIN(tst_CycleSplitter)
#include "tst_cycle_splitter.moc"
