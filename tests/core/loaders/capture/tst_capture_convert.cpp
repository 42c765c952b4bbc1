// SPDX-License-Identifier: MIT
// A capture that was written as a Chrome trace is read again as what it was, and has what readers of Kineto's traces
// look for; a capture that was written once more is the same one.
#include <nlohmann/json.hpp>

#include <map>

#include "core/analyses/registry.h"
#include "core/exporters/byte_sink.h"
#include "core/exporters/chrome_trace/chrome_trace_writer.h"
#include "core/loaders/capture/repack.h"
#include "core/table/table_format.h"
#include "tests/core/loaders/capture/capture_testing.h"

using namespace warpline;
using namespace warpline::test;
using nlohmann::json;

namespace {

std::string chromeTraceOf(const Trace& trace) {
    std::string out;
    const auto sink = makeStringSink(out);
    JobControl job;
    const auto losses = exporters::writeChromeTrace(trace, FileId(0U), *sink, job);
    return losses.ok() && losses.value().args.empty() ? out : std::string();
}

std::shared_ptr<const Trace> convertedOf(const Trace& trace) {
    const auto again = loadText(QByteArray::fromStdString(chromeTraceOf(trace)));
    return again.ok() ? again.value() : nullptr;
}

/// All that can be known of the events without the place in the file.
QStringList eventsOf(const Trace& trace) {
    QStringList lines;
    const SliceColumns& s = trace.slices();
    for (uint32_t i = 0; i < s.size(); ++i) {
        lines << QString("slice %1 %2 %3 %4+%5 %6 corr %7")
                     .arg(trackText(trace, s.track[i]), stringOf(trace, s.name[i]), stringOf(trace, s.category[i]))
                     .arg(s.begin[i])
                     .arg(s.knownDuration(i))
                     .arg(QString::fromUtf8(eventKindName(s.kind[i]).data()))
                     .arg(s.correlation[i]);
    }
    for (const Instant& i : trace.instants()) {
        lines << QString("instant %1 %2 %3").arg(trackText(trace, i.track), stringOf(trace, i.name)).arg(i.time);
    }
    for (const AsyncSlice& a : trace.asyncSlices()) {
        lines << QString("async %1 %2 %3+%4")
                     .arg(trackText(trace, a.track), stringOf(trace, a.name))
                     .arg(a.begin)
                     .arg(a.duration);
    }
    for (const Counter& c : trace.counters()) {
        for (const CounterSeries& series : c.series) {
            lines << "counter " + stringOf(trace, c.name) + " " + stringOf(trace, series.name) + " " +
                         counterText(trace, trace.string(c.name), trace.string(series.name));
        }
    }
    for (const MemoryEvent& m : trace.memoryEvents()) {
        lines << QString("memory %1 %2 device %3 bytes %4 allocated %5 reserved %6 at %7 %8")
                     .arg(trackText(trace, m.track))
                     .arg(m.time)
                     .arg(m.device)
                     .arg(m.bytes)
                     .arg(m.totalAllocated)
                     .arg(m.totalReserved)
                     .arg(m.address)
                     .arg(m.outOfMemory);
    }
    for (const KernelFacts& k : trace.kernelFacts()) {
        lines << QString("kernel %1 device %2 stream %3 context %4 grid %5 %6 %7 block %8 regs %9")
                         .arg(trackText(trace, s.track[k.row.value]) + " " + QString::number(s.begin[k.row.value]))
                         .arg(k.device)
                         .arg(k.stream)
                         .arg(k.context)
                         .arg(k.grid[0])
                         .arg(k.grid[1])
                         .arg(k.grid[2])
                         .arg(k.block[0])
                         .arg(k.registersPerThread) +
                     QString(" shared %1 %2 local %3 node %4")
                         .arg(k.staticSharedBytes)
                         .arg(k.dynamicSharedBytes)
                         .arg(k.localBytesPerThread)
                         .arg(k.graphNode);
    }
    for (const DeviceInfo& d : trace.devices()) {
        lines << QString("device %1 %2 %3 %4")
                     .arg(d.id)
                     .arg(QString::fromStdString(d.name))
                     .arg(d.smCount.value_or(-1))
                     .arg(d.sharedBytesPerBlockOptin.value_or(-1));
    }
    for (const ProcessId id : trace.processOrder()) {
        const Process& p = trace.process(id);
        lines << "process " + stringOf(trace, p.label) + " " + stringOf(trace, p.labels);
    }
    lines.sort();
    return lines;
}

std::string tableOf(const Trace& trace, std::string_view id) {
    for (const auto& analysis : analyses::all()) {
        if (analysis->info().id == id) {
            JobControl job;
            const auto result = analysis->run(trace, {}, job);
            return result.ok() ? formatTable(result.value().table, TableFormat::Csv) : result.error().message;
        }
    }
    return "none";
}

json documentOf(const Trace& trace) {
    return json::parse(chromeTraceOf(trace), nullptr, false);
}

}  // namespace

class tst_CaptureConvert : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void eventsAreTheSame();
    void tablesAreTheSame_data();
    void tablesAreTheSame();
    void baseTimeAligns();
    void kinetosFields();
    void kinetosArrows();
    void levelsAreWritten();
    void openWorkStaysOpen();
    void repackedIsTheSame();
    void repackedKeepsGaps();
    void repackedRefusesOthers();

private:
    std::shared_ptr<const Trace> m_trace, m_again;
};

void tst_CaptureConvert::initTestCase() {
    m_trace = loadCapture(sampleCapture(3)).value();
    m_again = convertedOf(*m_trace);
    QVERIFY(m_again != nullptr);
    QCOMPARE(m_again->files()[0].format, std::string("kineto-json"));
}

void tst_CaptureConvert::eventsAreTheSame() {
    const QStringList before = eventsOf(*m_trace);
    const QStringList after = eventsOf(*m_again);
    for (qsizetype i = 0; i < std::min(before.size(), after.size()); ++i) {
        QCOMPARE(after[i], before[i]);
    }
    QCOMPARE(after.size(), before.size());
    QCOMPARE(m_again->counts().slices, m_trace->counts().slices);
    QCOMPARE(m_again->counts().instants, m_trace->counts().instants);
    QCOMPARE(m_again->counts().counters, m_trace->counts().counters);
    QCOMPARE(m_again->counts().async, m_trace->counts().async);
}

void tst_CaptureConvert::tablesAreTheSame_data() {
    QTest::addColumn<QString>("id");
    for (const auto& analysis : analyses::all()) {
        QTest::newRow(analysis->info().id.c_str()) << QString::fromStdString(analysis->info().id);
    }
}

void tst_CaptureConvert::tablesAreTheSame() {
    QFETCH(QString, id);
    const std::string before = tableOf(*m_trace, id.toStdString());
    QVERIFY(before.size() > 100);
    QCOMPARE(tableOf(*m_again, id.toStdString()), before);
}

void tst_CaptureConvert::baseTimeAligns() {
    QCOMPARE(m_again->files()[0].baseTimeNs.value_or(0), kCaptureStart);
    QCOMPARE(m_again->files()[0].wallClockNs(6000).value_or(0), kCaptureStart + 6000);
}

void tst_CaptureConvert::kinetosFields() {
    const json document = documentOf(*m_trace);
    QCOMPARE(document["schemaVersion"].get<int>(), 1);
    QCOMPARE(document["baseTimeNanoseconds"].get<int64_t>(), kCaptureStart);
    const json& device = document["deviceProperties"][0];
    QCOMPARE(device["numSms"].get<int>(), 132);
    QCOMPARE(device["totalGlobalMem"].get<int64_t>(), int64_t(150'109'880'320));
    QCOMPARE(device["maxThreadsPerMultiprocessor"].get<int>(), 2048);
    std::map<std::string, std::vector<json>> byCategory;
    std::map<std::string, int> metadata;
    for (const json& event : document["traceEvents"]) {
        if (event["ph"] == "X") {
            byCategory[event["cat"]].push_back(event);
        } else if (event["ph"] == "M") {
            ++metadata[event["name"]];
        }
    }
    const json& kernel = byCategory["kernel"].front();
    QCOMPARE(kernel["pid"].get<int>(), 0);
    QCOMPARE(kernel["tid"].get<int>(), 7);
    for (const char* key : {"device", "context", "stream", "correlation", "grid", "block", "registers per thread",
                            "shared memory", "blocks per SM", "warps per SM", "queued"}) {
        QVERIFY2(kernel["args"].contains(key), key);
    }
    QVERIFY(kernel["args"]["grid"] == json({264, 1, 1}));
    QCOMPARE(kernel["args"]["blocks per SM"].get<double>(), 2.0);
    const json& copy = byCategory["gpu_memcpy"].front();
    QCOMPARE(copy["args"]["bytes"].get<int>(), 1'000'000);
    QCOMPARE(copy["args"]["memory bandwidth (GB/s)"].get<double>(), 250.0);
    QCOMPARE(byCategory["cuda_runtime"].front()["args"]["correlation"].is_number(), true);
    QCOMPARE(metadata["process_name"], 3);
    QCOMPARE(metadata["process_labels"], 3);
    QVERIFY(metadata["process_sort_index"] > 0 && metadata["thread_name"] > 0 && metadata["thread_sort_index"] > 0);
}

void tst_CaptureConvert::kinetosArrows() {
    std::map<uint64_t, json> starts, finishes;
    const json document = documentOf(*m_trace);
    for (const json& event : document["traceEvents"]) {
        if (event.value("cat", "") == "ac2g") {
            QVERIFY(event["name"] == "ac2g");
            (event["ph"] == "s" ? starts : finishes)[event["id"].get<uint64_t>()] = event;
        }
    }
    QCOMPARE(starts.size(), size_t(6));  // three launches of two processes
    QCOMPARE(finishes.size(), size_t(6));
    QCOMPARE(starts[100]["pid"].get<int>(), 4242);
    QCOMPARE(starts[100]["ts"].get<double>(), 1.0);
    QCOMPARE(finishes[100]["pid"].get<int>(), 0);
    QCOMPARE(finishes[100]["tid"].get<int>(), 7);
    QCOMPARE(finishes[100]["ts"].get<double>(), 6.0);
    QVERIFY(finishes[100]["bp"] == "e");
    QCOMPARE(m_again->flows().size(), size_t(6));
    QCOMPARE(m_again->danglingFlows().size(), size_t(0));
    for (const FlowArrow& arrow : m_again->flows()) {
        QCOMPARE(m_again->launchOf(arrow.to), arrow.from);
    }
    // A graph's launch has one start, and an end a node.
    std::string stream;
    CaptureMaker maker(stream);
    maker.begin("1000", "a");
    maker.addLaunch("node", 1000, 1);
    maker.add(maker.kernel("node", 50'000, 1));
    maker.end();
    const auto graph = convertedOf(*loadCapture(stream).value());
    QCOMPARE(graph->flows().size(), size_t(2));
    QCOMPARE(graph->flows()[0].from, graph->flows()[1].from);
}

void tst_CaptureConvert::levelsAreWritten() {
    QStringList levels;
    const json document = documentOf(*m_trace);
    for (const json& event : document["traceEvents"]) {
        if (event["ph"] == "i" && event["tid"] == "PyTorch allocator") {
            const json& args = event["args"];
            levels << QString("%1 %2 %3")
                          .arg(args["Bytes"].get<int64_t>())
                          .arg(args["Total Allocated"].get<int64_t>())
                          .arg(args["Total Reserved"].get<int64_t>());
        }
    }
    QCOMPARE(levels,
             QStringList({"512 512 2097152", "1024 1536 2097152", "-512 1024 2097152", "1073741824 1024 2097152"}));
}

void tst_CaptureConvert::openWorkStaysOpen() {
    using namespace warpline::capture;
    std::string stream;
    CaptureMaker maker(stream);
    maker.begin("1000", "a");
    KernelRecord running = maker.kernel("running", 100, 1);
    running.end = 0;
    maker.add(running);
    KernelRecord torn = maker.kernel("torn", 200, 2);
    torn.stream = 8;
    torn.flags = kEndInferred;
    maker.add(torn);
    maker.add(RangeRecord{kCaptureStart + 50, 1, 5, maker.text("open"), 0, RangeAction::Push});
    maker.add(
        CallRecord{kCaptureStart + 900, kCaptureStart + 1000, 6, 1, maker.text("cudaFree"), CallDomain::Runtime, 0, 0});
    maker.end();
    const auto trace = loadCapture(stream).value();
    const auto again = convertedOf(*trace);
    for (const char* name : {"running", "torn", "open"}) {
        const EventRow row = findSlice(*again, name);
        QCOMPARE(again->slices().knownDuration(row.value), kUnknownDuration);
    }
    QCOMPARE(again->slices().end(findSlice(*again, "running").value), TimeNs(1000));
    QCOMPARE(again->slices().end(findSlice(*again, "open").value), TimeNs(1000));
}

void tst_CaptureConvert::repackedIsTheSame() {
    const std::string before = sampleCapture(50);
    std::string after;
    JobControl job;
    const auto write = [&](std::string_view bytes) {
        after += bytes;
        return Status::success();
    };
    QVERIFY(loaders::capture::repack(*makeMemorySource(before), write, job).ok());
    QVERIFY(after.size() < before.size() / 2);
    const auto trace = loadCapture(before).value();
    const auto again = loadCapture(after).value();
    QCOMPARE(digest(*again, false), digest(*trace, false));
    QCOMPARE(issuesOf(*again), issuesOf(*trace));
    // Once more: what is packed stays as it is.
    std::string twice;
    const auto writeTwice = [&](std::string_view bytes) {
        twice += bytes;
        return Status::success();
    };
    QVERIFY(loaders::capture::repack(*makeMemorySource(after), writeTwice, job).ok());
    QCOMPARE(twice, after);
}

void tst_CaptureConvert::repackedKeepsGaps() {
    std::string damaged = sampleCapture(2);
    const auto borders = frameBorders(damaged);
    damaged[borders[4] + 40] ^= 1;
    std::string after;
    JobControl job;
    const auto write = [&](std::string_view bytes) {
        after += bytes;
        return Status::success();
    };
    QVERIFY(loaders::capture::repack(*makeMemorySource(damaged), write, job).ok());
    QCOMPARE(loadCapture(damaged).value()->report().countOf("missing_frames"), uint64_t(1));
    QCOMPARE(loadCapture(after).value()->report().countOf("missing_frames"), uint64_t(1));
}

void tst_CaptureConvert::repackedRefusesOthers() {
    JobControl job;
    const auto write = [](std::string_view) { return Status::success(); };
    QVERIFY(!loaders::capture::repack(*makeMemorySource("{\"traceEvents\": []}"), write, job).ok());
    const auto fails = [](std::string_view) { return Status(Error::failed("no space")); };
    QCOMPARE(loaders::capture::repack(*makeMemorySource(sampleCapture(1)), fails, job).error().message,
             std::string("no space"));
    job.requestStop();
    QVERIFY(loaders::capture::repack(*makeMemorySource(sampleCapture(1)), write, job).error().isCancelled());
}

QTEST_APPLESS_MAIN(tst_CaptureConvert)
#include "tst_capture_convert.moc"
