// SPDX-License-Identifier: MIT
// Small files that would like to be large in memory: each ends within bounds, in an error or a report that says why,
// and limits can be raised.
#include <zstd.h>

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "core/loaders/load_trace.h"
#include "tests/core/loaders/loader_testing.h"
#include "tests/support/perfetto_trace.h"

using namespace warpline;
using namespace warpline::test;

namespace {

/// A sanitizer takes minutes for the texts of some 30 MiB, so it gets a part of them, and of what is allowed.
constexpr int kShare = WARPLINE_SANITIZED ? 20 : 1;
constexpr uint64_t kMiB = uint64_t{1} << 20;
/// What the options allow, and what a load may take in all: chunks that are being read, and tables that grow by half.
constexpr uint64_t kAllowed = 8 * kMiB / kShare;
constexpr uint64_t kMostInAll = 120 * kMiB;

QByteArray repeated(const QByteArray& text, int times, const QByteArray& separator = ",") {
    QByteArray all;
    all.reserve((text.size() + separator.size()) * times);
    for (int i = 0; i < times; ++i) {
        all += i == 0 ? QByteArray() : separator;
        all += text;
    }
    return all;
}

QByteArray inZstd(const QByteArray& text) {
    QByteArray packed(qsizetype(ZSTD_compressBound(size_t(text.size()))), '\0');
    packed.resize(qsizetype(ZSTD_compress(packed.data(), size_t(packed.size()), text.data(), size_t(text.size()), 1)));
    return packed;
}

/// In kB, of "VmRSS" or "VmHWM" of this process.
uint64_t memoryNow(const QByteArray& name) {
    QFile status("/proc/self/status");
    if (status.open(QIODevice::ReadOnly)) {
        for (const QByteArray& line : status.readAll().split('\n')) {
            if (line.startsWith(name + ":")) {
                return line.mid(name.size() + 1).trimmed().split(' ').first().toULongLong();
            }
        }
    }
    return 0;
}

bool resetPeak() {
    QFile file("/proc/self/clear_refs");
    return file.open(QIODevice::WriteOnly) && file.write("5") == 1;
}

}  // namespace

class tst_MemoryBombs : public QObject {
    Q_OBJECT

private slots:
    void staysWithinBounds_data();
    void staysWithinBounds();
    void limitCanBeRaised();
    void whatIsSaid();

private:
    Result<std::shared_ptr<const Trace>> load(const QByteArray& bytes, const LoadOptions& options) {
        QFile file(m_folder.filePath("bomb"));
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) {
            return Error::failed("the test cannot write its file");
        }
        file.close();
        JobControl job;
        return loadTrace({m_folder.filePath("bomb").toStdString()}, options, job, {});
    }

    QTemporaryDir m_folder;
};

void tst_MemoryBombs::staysWithinBounds_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QByteArray>("error");    // of the load, or
    QTest::addColumn<QByteArray>("problem");  // what is reported
    const auto row = [](const char* name, const QByteArray& bytes, const char* error, const char* problem = "") {
        QTest::newRow(name) << bytes << QByteArray(error) << QByteArray(problem);
    };
    const QByteArray slices =
        "[" + repeated(R"({"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":1})", 500'000 / kShare) + "]";
    row("slices in gzip", gzipped(slices), "too_large");
    row("slices in zstd", inZstd(slices), "too_large");
    row("instants", gzipped("[" + repeated(R"({"ph":"i","pid":1,"tid":1,"ts":1})", 800'000 / kShare) + "]"),
        "too_large");
    row("arrows without an end",
        gzipped("[" + repeated(R"({"ph":"s","id":1,"pid":1,"tid":1,"ts":1})", 700'000 / kShare) + "]"), "too_large");
    row("begins without an end",
        gzipped("[" + repeated(R"({"ph":"B","pid":1,"tid":1,"ts":1})", 700'000 / kShare) + "]"), "too_large");
    QByteArray names = "[";
    QByteArray tracks = "[";
    for (int i = 0; i < 300'000 / kShare; ++i) {
        const QByteArray number = QByteArray::number(i);
        names += R"({"ph":"i","pid":1,"ts":1,"name":"a name as long as a kernel's tends to be )" + number + "\"},";
        tracks += R"({"ph":"i","name":"a","ts":1,"pid":)" + number + R"(,"tid":)" + number + "},";
    }
    row("names", gzipped(names + "{}]"), "too_large");
    row("tracks", gzipped(tracks + "{}]"), "too_large");
    row("blanks", gzipped("[" + QByteArray(30'000'000 / kShare, ' ') + "]"), "");
    row("one text",
        gzipped(R"([{"ph":"X","pid":1,"tid":1,"ts":1,"dur":1,"name":")" + QByteArray(30'000'000 / kShare, 'x') +
                "\"}]"),
        "event_too_long");
    row("one list in args",
        gzipped(R"([{"ph":"X","pid":1,"tid":1,"ts":1,"dur":1,"args":{"a":[)" + repeated("1", 15'000'000 / kShare) +
                "]}}]"),
        "event_too_long");
    row("deep args",
        gzipped(R"([{"ph":"X","pid":1,"tid":1,"ts":1,"dur":1,"args":{"a":)" + QByteArray(1'000'000 / kShare, '[') +
                QByteArray(1'000'000 / kShare, ']') + "}}]"),
        "", "too_deep");
    row("deep from the start", gzipped(QByteArray(30'000'000 / kShare, '[')), "event_too_long");
    row("keys beside the events", gzipped("{\"traceEvents\":[]," + repeated(R"("a":1)", 5'000'000 / kShare) + "}"), "");
    row("a profile's nodes",
        gzipped(R"([{"children":[)" +
                repeated(R"({"children":[],"frame":{"name":"a","type":"function"},"metrics":{}})", 400'000 / kShare) +
                R"(],"frame":{"name":"ROOT","type":"function"},"metrics":{}}])"),
        "too_large");
    QByteArray steps = "[[0, 1, 100, 0]";
    for (int i = 1; i < 900'000 / kShare; ++i) {
        steps += ", [" + QByteArray::number(i) + ", 1, 100, 0]";
    }
    row("a memory timeline's events", gzipped(steps + "]"), "too_large");
    row("a memory timeline's times", gzipped("[[" + repeated("1", 15'000'000 / kShare)), "too_large");
    row("a memory timeline's times, whole", gzipped("[[" + repeated("1", 15'000'000 / kShare) + "], [[1, 2]]]"),
        "too_large");
    row("a memory timeline's row", gzipped("[[1, 2], [[1, 2], [" + repeated("1", 15'000'000 / kShare) + "]]]"), "",
        "not_an_event");
    row("a memory timeline's first row", gzipped("[[1, 2], [[" + repeated("1", 15'000'000 / kShare) + "]]]"),
        "unsupported");
    row("a memory timeline's record", gzipped("[[1, 2, 8, 0], [" + repeated("1", 15'000'000 / kShare) + "]]"), "",
        "not_an_event");
    row("a memory timeline's number", gzipped("[[1, 2], [[1, 2], [3, " + QByteArray(30'000'000 / kShare, '7') + "]]]"),
        "", "bad_level");
    row("a memory timeline of damage", gzipped("[[1, 2], [[1, 2], " + repeated("x]", 10'000'000 / kShare, " ") + "]]"),
        "", "invalid_json");
    row("a tree of brackets",
        "[{\"frame\":{\"name\":\"a\"},\"children\":[" + QByteArray(100'000 / kShare, '[') +
            QByteArray(100'000 / kShare, ','),
        "", "truncated");
    row("a memory timeline of strays", gzipped("[[1, 2], [[1, 2], " + repeated("7", 15'000'000 / kShare) + "]]"), "",
        "not_an_event");
    Message packet;
    packet.number(8, 1);
    row("a packet that says it is huge",
        Message().message(1, packet).bytes() + QByteArray("\x0a\xff\xff\xff\xff\xff\xff\xff\x7f", 9), "", "truncated");
    row("a member that says it is huge", QByteArray::fromHex("1f8b080400000000000300ffff") + QByteArray(100, '\0'),
        "truncated");
    row("a frame that says it is huge", QByteArray::fromHex("28b52ffdc0ffffffffffffff7f") + QByteArray(100, '\0'),
        "unsupported");
}

void tst_MemoryBombs::staysWithinBounds() {
    QFETCH(QByteArray, bytes);
    QFETCH(QByteArray, error);
    QFETCH(QByteArray, problem);
    LoadOptions options;
    options.maxTraceBytes = kAllowed;
    options.maxEventBytes = 2 * kMiB / kShare + 4096;
    const bool isMeasured = !WARPLINE_SANITIZED && resetPeak();
    const uint64_t before = memoryNow("VmRSS");
    const auto trace = load(bytes, options);
    const uint64_t taken = (memoryNow("VmHWM") - before) * 1024;
    QCOMPARE(trace.ok() ? QByteArray() : QByteArray::fromStdString(trace.error().code), error);
    if (!problem.isEmpty()) {
        QVERIFY2(trace.value()->report().countOf(problem.toStdString()) > 0,
                 qPrintable(issueLines(*trace.value()).join('\n')));
    }
    if (isMeasured) {
        QVERIFY2(taken < kMostInAll, qPrintable(QString("%1 MiB").arg(taken / kMiB)));
    }
}

void tst_MemoryBombs::limitCanBeRaised() {
    const QByteArray bytes = gzipped("[" + repeated(R"({"ph":"i","pid":1,"tid":1,"ts":1})", 100'000) + "]");
    LoadOptions options;
    options.maxTraceBytes = kMiB;
    QCOMPARE(load(bytes, options).error().code, std::string("too_large"));
    options.maxTraceBytes = 16 * kMiB;
    QCOMPARE(load(bytes, options).value()->instants().size(), size_t(100'000));
    options.maxTraceBytes = 0;
    QCOMPARE(load(bytes, options).value()->instants().size(), size_t(100'000));
}

void tst_MemoryBombs::whatIsSaid() {
    LoadOptions options;
    options.maxTraceBytes = kMiB;
    const auto trace = load("[" + repeated(R"({"ph":"i","pid":1,"tid":1,"ts":1})", 100'000) + "]", options);
    const QString said = QString::fromStdString(trace.error().message);
    QVERIFY2(said.startsWith(m_folder.filePath("bomb") + ": its trace takes more memory than allowed (1 MiB, after "),
             qPrintable(said));
    QVERIFY2(said.contains("--limit-memory"), qPrintable(said));
    QVERIFY(!trace.error().isCancelled());
}

QTEST_GUILESS_MAIN(tst_MemoryBombs)
#include "tst_memory_bombs.moc"
