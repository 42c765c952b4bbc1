// SPDX-License-Identifier: MIT
#include <sqlite3.h>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "core/exporters/chrome_trace/chrome_trace_writer.h"
#include "core/loaders/load_trace.h"
#include "core/loaders/nsys_sqlite/nsys_sqlite_loader.h"
#include "tests/core/loaders/loader_testing.h"
#include "tests/support/nsys_export.h"

using namespace warpline;
using namespace warpline::test;
using loaders::nsys_sqlite::NsysSqliteLoader;

namespace {

using Loaded = Result<std::shared_ptr<const Trace>>;

Loaded load(const std::shared_ptr<TextSource>& source, JobControl& job) {
    TraceBuilder builder;
    FileInfo info;
    info.path = "test.sqlite";
    info.offsetSpace = source->offsetSpace();
    const FileId file = builder.addFile(info);
    if (const Status status = NsysSqliteLoader().load(source, file, builder, {}, job); !status) {
        return status.error();
    }
    return builder.seal(job);
}

Loaded loadFile(const QByteArray& bytes) {
    JobControl job;
    return load(makeMemorySource(bytes.toStdString()), job);
}

/// A step of one process on one GPU, with all that the loader knows.
QByteArray sampleSql() {
    return nsysSchema() + QString(R"(
INSERT INTO StringIds VALUES (1, 'cudaLaunchKernel_v7000'), (2, 'void gemm<int, 3>(float*)'), (3, 'gemm'),
    (4, 'cudaMemcpyAsync_v3020'), (5, 'registered'), (6, 'main thread'), (7, 'poll'), (8, 'cuMemAlloc_v2'),
    (9, '_Z4gemmIiLi3EEvPf'), (10, 'cudaStreamSynchronize_v3020');
INSERT INTO PROCESSES VALUES (%1, 50, 'python3');
INSERT INTO ThreadNames VALUES (6, 0, %2);
INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_SCHEMA_VERSION', '3.16.1');
INSERT INTO META_DATA_CAPTURE VALUES ('CAPTURE_EVENT_TYPE', 'Cuda'), ('CAPTURE_EVENT_TYPE', 'NvtxEvents');
INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (1790000000000000000, '', '');
INSERT INTO TARGET_INFO_GPU (vmId, id, name, totalMemory, smCount, threadsPerWarp, maxWarpsPerSm, maxRegistersPerSm,
    maxRegistersPerBlock, maxShmemPerBlock, maxShmemPerBlockOptin, maxShmemPerSm, maxThreadsPerBlock, computeMajor,
    computeMinor) VALUES (0, 4, 'NVIDIA H200', 150754820096, 132, 32, 64, 65536, 65536, 49152, 232448, 233472, 1024, 9, 0);
INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (4, 0, 50, '', 132);
INSERT INTO DIAGNOSTIC_EVENT VALUES (0, 0, 0, 1, 'Profiling has started.', NULL),
    (0, 0, 0, 2, 'Not all CUDA events might have been collected.', NULL);
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1000, 1010, 0, %2, 11, 1, 0, NULL), (1020, 1030, 0, %2, 12, 4, 0, NULL),
    (1040, 1045, 1, %2, 13, 8, 0, NULL), (1050, 1300, 0, %2, 14, 10, 0, NULL);
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1100, 1200, 0, 1, NULL, 7, 11, %1, 2, 3, 9, 1, 0, 64, 132, 2, 1, 256, 1, 1,
    1024, 8192, 16, 0, 77, 102400, NULL, 0);
INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (1210, 1260, 0, 1, 13, 12, %1, 4096, 1, 1, 2, 0, 0, NULL);
INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES (1270, 1280, 0, 1, 13, NULL, %1, 0, 512, NULL, 2);
INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES (1055, 1290, 0, 1, 7, 14, %1, 3, 0),
    (1295, 1296, 0, 1, 4294967295, 0, %1, 4, 0);
INSERT INTO CUDA_GPU_MEMORY_USAGE_EVENTS VALUES (1041, %1, 0, 1, 140000000000000, 0, 2097152, 2, 0, NULL, 13, NULL),
    (1400, %1, 0, 1, 140000000000000, 0, 2097152, 2, 1, NULL, NULL, NULL),
    (1410, %1, 0, 1, 4096, 0, 100, 1, 0, NULL, NULL, NULL);
INSERT INTO NVTX_EVENTS (start, end, eventType, text, globalTid) VALUES (990, 1310, 59, 'step', %2);
INSERT INTO NVTX_EVENTS (start, end, eventType, textId, globalTid, int64Value) VALUES (995, 1015, 59, 5, %2, -3);
INSERT INTO NVTX_EVENTS (start, end, eventType, rangeId, text, globalTid, endGlobalTid) VALUES (1000, 1500, 60, 9, 'long', %2, %3);
INSERT INTO NVTX_EVENTS (start, eventType, text, globalTid) VALUES (1005, 34, 'mark', %2), (0, 75, 'domain', %2),
    (3, 99, 'news', %2);
INSERT INTO OSRT_API VALUES (1060, 1200, 27, %2, 7, 1, 0, 0);
)")
                              .arg(globalId(50))
                              .arg(globalId(50, 51))
                              .arg(globalId(50, 52))
                              .toUtf8();
}

/// Slices as "track name category kind begin+duration".
QStringList sliceLines(const Trace& trace) {
    QStringList lines;
    const SliceColumns& s = trace.slices();
    for (uint32_t i = 0; i < s.size(); ++i) {
        lines << QString("%1 %2 %3 %4 %5+%6")
                     .arg(trackText(trace, s.track[i]), textOf(trace, s.name[i]), textOf(trace, s.category[i]),
                          QString::fromUtf8(eventKindName(s.kind[i]).data()))
                     .arg(s.begin[i])
                     .arg(trace.slices().knownDuration(i));
    }
    lines.sort();
    return lines;
}

EventRow rowNamed(const Trace& trace, std::string_view name) {
    for (uint32_t i = 0; i < trace.sliceCount(); ++i) {
        if (trace.sliceName(EventRow(i)) == name) {
            return EventRow(i);
        }
    }
    return EventRow::none();
}

}  // namespace

class tst_NsysSqlite : public QObject {
    Q_OBJECT

private slots:
    void realExport_data();
    void realExport();
    void slices();
    void factsAndLinks();
    void rangesAndMarks();
    void rangesThatCross();
    void memory();
    void memoryLevels();
    void sessionAndDevices();
    void argsAreReadAgain();
    void convertedReadsBackTheSame();
    void processesKeepTheirOwnNumbers();
    void oldExports();
    void oddValues_data();
    void oddValues();
    void missingTimesAndNames();
    void damagedTablesKeepTheirOtherRows();
    void everyLostPageIsSaid();
    void pagesThatReadAsEmptyAreSaid();
    void bytesThatDoNotBelongAreSaid();
    void damagedRowInAWholePage();
    void rowsWithImpossibleValues();
    void cutAtEveryPlace();
    void garbledAnywhere();
    void hostileSchemas_data();
    void hostileSchemas();
    void packedAndPlainAreTheSame();
    void theUsersFileIsLeftAlone();
    void writeAheadLog();
    void foreignDatabases();
    void sniffing();
    void stops();
};

void tst_NsysSqlite::slices() {
    const auto trace = loadFile(sqliteFile(sampleSql()));
    QVERIFY2(trace.ok(), trace.ok() ? "" : trace.error().message.c_str());
    const QStringList expected = {
        "50/51 cuMemAlloc_v2 cuda_driver driver 1040+5",
        "50/51 cudaLaunchKernel cuda_runtime runtime 1000+10",
        "50/51 cudaMemcpyAsync cuda_runtime runtime 1020+10",
        "50/51 cudaStreamSynchronize cuda_runtime runtime 1050+250",
        "50/51 poll os_runtime other 1060+140",
        "50/51 registered user_annotation annotation 995+20",
        "50/51 step user_annotation annotation 990+320",
        "GPU 4/-1 Context sync cuda_sync sync 1295+1",
        "GPU 4/13 Memcpy HtoD (Pinned -> Device) gpu_memcpy memcpy 1210+50",
        "GPU 4/13 Memset (Device) gpu_memset memset 1270+10",
        "GPU 4/7 Stream sync cuda_sync sync 1055+235",
        "GPU 4/7 void gemm<int, 3>(float*) kernel kernel 1100+100",
    };
    QCOMPARE(sliceLines(*trace.value()), expected);
    QStringList names;
    for (const Track& track : trace.value()->tracks()) {
        if (track.hasEvents) {
            names << textOf(*trace.value(), trace.value()->process(track.process).label) + ": " +
                         textOf(*trace.value(), track.label) + (track.isDevice ? " (device)" : "");
        }
    }
    QVERIFY2(names.contains("python3: main thread"), qPrintable(names.join('\n')));
    QVERIFY2(names.contains("GPU 4 NVIDIA H200: stream 7 (device)"), qPrintable(names.join('\n')));
}

void tst_NsysSqlite::factsAndLinks() {
    const auto loaded = loadFile(sqliteFile(sampleSql()));
    QVERIFY(loaded.ok());
    const Trace& trace = *loaded.value();
    QCOMPARE(trace.kernelFacts().size(), size_t(1));
    const KernelFacts& kernel = trace.kernelFacts()[0];
    QCOMPARE(kernel.device, 4);
    QCOMPARE(kernel.stream, int64_t(7));
    QCOMPARE(kernel.context, int64_t(1));
    QCOMPARE(kernel.grid, (std::array<int32_t, 3>{132, 2, 1}));
    QCOMPARE(kernel.block, (std::array<int32_t, 3>{256, 1, 1}));
    QCOMPARE(kernel.registersPerThread, 64);
    QCOMPARE(kernel.staticSharedBytes, int64_t(1024));
    QCOMPARE(kernel.dynamicSharedBytes, int64_t(8192));
    QCOMPARE(kernel.sharedBytes, int64_t(9216));
    QCOMPARE(kernel.localBytesPerThread, int64_t(16));
    QCOMPARE(trace.sliceName(trace.launchOf(kernel.row)), std::string_view("cudaLaunchKernel"));
    const EventRow copy = rowNamed(trace, "Memcpy HtoD (Pinned -> Device)");
    QCOMPARE(trace.findCopyFacts(copy)->bytes, int64_t(4096));
    QCOMPARE(trace.findCopyFacts(copy)->stream, int64_t(13));
    QCOMPARE(trace.sliceName(trace.launchOf(copy)), std::string_view("cudaMemcpyAsync"));
    const EventRow memset = rowNamed(trace, "Memset (Device)");
    QCOMPARE(trace.findCopyFacts(memset)->bytes, int64_t(512));
    QVERIFY(!trace.launchOf(memset).valid());
    QCOMPARE(trace.report().countOf("orphan_kernel"), uint64_t(1));
}

void tst_NsysSqlite::rangesAndMarks() {
    const auto loaded = loadFile(sqliteFile(sampleSql()));
    QVERIFY(loaded.ok());
    const Trace& trace = *loaded.value();
    QCOMPARE(trace.asyncSlices().size(), size_t(1));
    QCOMPARE(textOf(trace, trace.asyncSlices()[0].name), QString("long"));
    QCOMPARE(trace.asyncSlices()[0].begin, TimeNs(1000));
    QCOMPARE(trace.asyncSlices()[0].duration, DurationNs(500));
    QCOMPARE(trace.idText(*trace.asyncSlices()[0].id), std::string("9"));
    QCOMPARE(trace.instants().size(), size_t(1 + 3));  // and those of memory
    const auto mark =
        std::ranges::find_if(trace.instants(), [&](const Instant& i) { return textOf(trace, i.name) == "mark"; });
    QVERIFY(mark != trace.instants().end());
    QCOMPARE(mark->time, TimeNs(1005));
    // A sort of event that is not known is said, not guessed at.
    const auto& issues = trace.report().issues();
    const auto it = std::ranges::find(issues, "unknown_phase", &Issue::code);
    QVERIFY(it != issues.end());
    QCOMPARE(it->severity, Severity::DataLoss);
    QCOMPARE(it->count, uint64_t(1));
    QVERIFY(it->detail.find("99") != std::string::npos);
}

/// Each row has both its times, so ids that are missing or shared join nothing: neither here nor in what is written.
void tst_NsysSqlite::rangesThatCross() {
    const auto loaded = loadFile(sqliteFile(
        nsysSchema() +
        QString("INSERT INTO NVTX_EVENTS (start, end, eventType, rangeId, text, globalTid, int64Value) VALUES"
                " (0, 100, 60, NULL, 'r', %1, 1), (50, 200, 60, NULL, 'r', %1, 2),"
                " (60, 250, 60, NULL, 'r', %2, 3), (0, 100, 60, 5, 'q', %1, 4), (50, 200, 60, 5, 'q', %2, 5),"
                " (210, 220, 60, 5, 'q', %1, 6), (211, 212, 60, 5, 'q', %1, 7), (30, NULL, 60, 5, 'q', %1, 8),"
                " (300, 300, 60, 5, 'q', %1, 9), (10, 20, 60, 6, 'other', %3, 10);"
                "INSERT INTO NVTX_EVENTS (start, eventType, text, globalTid) VALUES (1, 39, 'loader', %1);")
            .arg(globalId(50, 51))
            .arg(globalId(50, 52))
            .arg(globalId(60, 61))
            .toUtf8()));
    QVERIFY(loaded.ok());
    const auto lines = [](const Trace& trace) {
        QStringList list;
        for (const AsyncSlice& slice : trace.asyncSlices()) {
            const auto args = trace.argsJson(slice.track, slice.source, slice.endSource);
            const auto json = nlohmann::json::parse(args ? args.value() : "{}");
            list << QString("%1 %2+%3 %4%5")
                        .arg(textOf(trace, slice.name))
                        .arg(slice.begin)
                        .arg(slice.duration)
                        .arg(json.value("int64Value", 0))
                        .arg(slice.unfinished ? " open" : "");
        }
        list.sort();
        return list;
    };
    const Trace& trace = *loaded.value();
    const QString unknown = QString::number(kUnknownDuration);
    QCOMPARE(lines(trace),
             (QStringList{"other 10+10 10", "q 0+100 4", "q 210+10 6", "q 211+1 7", "q 30+" + unknown + " 8 open",
                          "q 300+0 9", "q 50+150 5", "r 0+100 1", "r 50+150 2", "r 60+190 3"}));
    QCOMPARE(trace.report().lostCount(), uint64_t(0));
    QCOMPARE(textOf(trace, *trace.track(trace.asyncSlices()[0].track).name), QString("loader"));

    std::string text;
    const auto sink = makeStringSink(text);
    JobControl job;
    QVERIFY(exporters::writeChromeTrace(trace, FileId(size_t{0}), *sink, job).ok());
    QTemporaryDir folder;
    QFile file(folder.filePath("a.json"));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text.data(), qint64(text.size())) == qint64(text.size()));
    file.close();
    const auto again = loadTrace({file.fileName().toStdString()}, {}, job);
    QVERIFY2(again.ok(), again.ok() ? "" : again.error().message.c_str());
    QCOMPARE(lines(*again.value()), lines(trace));
    QCOMPARE(again.value()->report().countOf("unmatched_end"), uint64_t(0));
    // Where ranges nest, their ids are kept.
    QSet<QString> ids;
    for (const AsyncSlice& slice : again.value()->asyncSlices()) {
        ids << (slice.id ? QString::fromStdString(again.value()->idText(*slice.id)) : QString("none"));
    }
    QCOMPARE(ids, (QSet<QString>{"none", "#2", "#3", "5", "5#2", "6"}));
}

void tst_NsysSqlite::memory() {
    const auto loaded = loadFile(sqliteFile(sampleSql()));
    QVERIFY(loaded.ok());
    const Trace& trace = *loaded.value();
    const auto events = trace.memoryEvents();
    QCOMPARE(events.size(), size_t(3));
    QCOMPARE(events[0].time, TimeNs(1041));
    QCOMPARE(events[0].bytes, int64_t(2097152));
    QCOMPARE(events[0].device, int64_t(4));
    QCOMPARE(events[0].deviceType, MemoryDeviceType::Cuda);
    QCOMPARE(events[0].address, uint64_t(140000000000000));
    QCOMPARE(trackText(trace, events[0].track), QString("50/51"));  // the thread of its call
    QCOMPARE(events[0].totalAllocated, int64_t(-1));                // the file does not say
    QCOMPARE(events[1].bytes, int64_t(-2097152));
    QCOMPARE(trackText(trace, events[1].track), QString("50/-"));
    QCOMPARE(events[2].deviceType, MemoryDeviceType::Cpu);
    QCOMPARE(events[2].device, int64_t(-1));
    // As Kineto has them: marks on the thread of the call, whose args say it all.
    QStringList marks;
    for (const Instant& instant : trace.instants()) {
        const auto args = trace.argsJson(instant.track, instant.source);
        const auto json = nlohmann::json::parse(args ? args.value() : "{}");
        if (textOf(trace, instant.name) == "[memory]") {
            marks << QString("%1 %2 %3 %4 %5 %6 %7")
                         .arg(trackText(trace, instant.track), textOf(trace, instant.category))
                         .arg(instant.time)
                         .arg(json.value("Device Type", -9))
                         .arg(json.value("Device Id", -9))
                         .arg(json.value("Bytes", qint64(0)))
                         .arg(json.value("Addr", qint64(0)));
        }
    }
    marks.sort();
    QCOMPARE(marks, (QStringList{"50/- cpu_instant_event 1400 1 4 -2097152 140000000000000",
                                 "50/- cpu_instant_event 1410 0 -1 100 4096",
                                 "50/51 cpu_instant_event 1041 1 4 2097152 140000000000000"}));
}

/// What each series of each counter is at its times.
static QStringList levelLines(const Trace& trace) {
    QStringList lines;
    for (const Counter& counter : trace.counters()) {
        for (const CounterSeries& series : counter.series) {
            QString line = textOf(trace, counter.name) + ", " + textOf(trace, series.name) + ":";
            for (size_t i = 0; i < series.time.size(); ++i) {
                line += QString(" %1=%2").arg(series.time[i]).arg(series.value[i]);
            }
            lines << line;
        }
    }
    lines.sort();
    return lines;
}

void tst_NsysSqlite::memoryLevels() {
    const auto loaded = loadFile(sqliteFile(nsysSchema() + QString(R"(
INSERT INTO CUDA_GPU_MEMORY_USAGE_EVENTS (start, globalPid, deviceId, contextId, address, pc, bytes, memKind,
    memoryOperationType) VALUES (20, %1, 0, 1, 2000, 0, 50, 2, 0), (10, %1, 0, 1, 1000, 0, 100, 2, 0),
    (30, %1, 0, 1, 1000, 0, 100, 2, 1), (40, %1, 0, 1, 9000, 0, 4000, 2, 1), (45, %1, 0, 1, 3000, 0, 7, 1, 0),
    (50, %1, 1, 1, 2000, 0, 8, 2, 0), (60, %1, 0, 1, 2000, 0, 50, 2, 1);
)")
                                                               .arg(globalId(50))
                                                               .toUtf8()));
    QVERIFY(loaded.ok());
    const Trace& trace = *loaded.value();
    // What was taken before the recording is not known: giving it back takes nothing from what was taken since.
    QCOMPARE(levelLines(trace),
             (QStringList{"GPU 0 memory taken in the recording (bytes), Device: 10=100 20=150 30=50 40=50 60=0",
                          "GPU 1 memory taken in the recording (bytes), Device: 50=8",
                          "Host memory taken in the recording (bytes), Pinned: 45=7"}));
    QCOMPARE(trace.report().countOf("memory_before"), uint64_t(1));
    QCOMPARE(trace.report().lostCount(), uint64_t(0));
}

void tst_NsysSqlite::sessionAndDevices() {
    const auto loaded = loadFile(sqliteFile(sampleSql()));
    QVERIFY(loaded.ok());
    const Trace& trace = *loaded.value();
    const FileInfo& file = trace.files()[0];
    QCOMPARE(file.format, std::string("nsys-sqlite"));
    QCOMPARE(file.baseTimeNs, std::optional<int64_t>(1790000000000000000));
    QCOMPARE(file.properties.at("EXPORT_SCHEMA_VERSION"), std::string("\"3.16.1\""));
    QVERIFY(nlohmann::json::parse(file.properties.at("CAPTURE_EVENT_TYPE")) ==
            nlohmann::json::parse(R"(["Cuda", "NvtxEvents"])"));
    QCOMPARE(trace.devices().size(), size_t(1));
    const DeviceInfo* device = trace.findDevice(FileId(size_t{0}), 4);
    QVERIFY(device != nullptr);
    QCOMPARE(device->name, std::string("NVIDIA H200"));
    QCOMPARE(device->smCount, std::optional<int64_t>(132));
    QCOMPARE(device->computeMajor, std::optional<int64_t>(9));
    QCOMPARE(device->memoryBytes, std::optional<int64_t>(150754820096));
    QCOMPARE(device->maxThreadsPerSm, std::optional<int64_t>(2048));
    QCOMPARE(device->sharedBytesPerBlockOptin, std::optional<int64_t>(232448));
    QStringList notes;
    for (const Issue& issue : trace.report().issues()) {
        if (issue.code == "recorder_note") {
            notes << QString::fromUtf8(severityName(issue.severity).data()) + ": " +
                         QString::fromStdString(issue.detail);
        }
    }
    QCOMPARE(notes,
             (QStringList{"warning: Not all CUDA events might have been collected.", "info: Profiling has started."}));
    QCOMPARE(trace.report().lostCount(), uint64_t(1));  // the range of an unknown type
    QVERIFY(trace.report().complete());
}

void tst_NsysSqlite::argsAreReadAgain() {
    const auto loaded = loadFile(sqliteFile(sampleSql()));
    QVERIFY(loaded.ok());
    const Trace& trace = *loaded.value();
    const auto args = [&](std::string_view name) {
        const auto text = trace.argsJson(rowNamed(trace, name));
        return nlohmann::json::parse(text ? text.value() : "\"" + text.error().message + "\"");
    };
    const auto kernel = args("void gemm<int, 3>(float*)");
    QCOMPARE(QString::fromStdString(kernel.dump()),
             QString(R"({"block":[256,1,1],"cacheConfig":0,"context":1,"correlation":11,)"
                     R"j("demangledName":"void gemm<int, 3>(float*)","device":4,"dynamicSharedMemory":8192,)j"
                     R"("globalPid":%1,"grid":[132,2,1],"gridId":77,"launchType":1,"localMemoryPerThread":16,)"
                     R"("localMemoryTotal":0,"mangledName":"_Z4gemmIiLi3EEvPf","registers per thread":64,)"
                     R"("shared memory":9216,"sharedMemoryExecuted":102400,"sharedMemoryLimitConfig":0,)"
                     R"("shortName":"gemm","staticSharedMemory":1024,"stream":7})")
                 .arg(globalId(50)));
    QVERIFY(args("Memcpy HtoD (Pinned -> Device)")["bytes"] == 4096);
    QVERIFY(args("registered")["int64Value"] == -3);
    QVERIFY(args("registered")["textId"] == "registered");
    QVERIFY(args("cudaLaunchKernel")["nameId"] == "cudaLaunchKernel_v7000");
    QVERIFY(args("poll")["returnValue"] == 1);
    const auto instant =
        std::ranges::find_if(trace.instants(), [&](const Instant& i) { return textOf(trace, i.name) == "mark"; });
    QVERIFY(instant != trace.instants().end());
    const auto mark = trace.argsJson(instant->track, instant->source);
    QVERIFY(mark.ok() && nlohmann::json::parse(mark.value())["text"] == "mark");
}

void tst_NsysSqlite::convertedReadsBackTheSame() {
    const auto loaded = loadFile(sqliteFile(sampleSql()));
    QVERIFY(loaded.ok());
    std::string text;
    const auto sink = makeStringSink(text);
    JobControl job;
    QVERIFY(exporters::writeChromeTrace(*loaded.value(), FileId(size_t{0}), *sink, job).ok());
    QVERIFY(sink->finish().ok());
    const auto again = loadText(QByteArray::fromStdString(text));
    QVERIFY(again.ok());
    QCOMPARE(sliceLines(*again.value()), sliceLines(*loaded.value()));
    QCOMPARE(again.value()->kernelFacts()[0].grid, loaded.value()->kernelFacts()[0].grid);
    const KernelFacts& facts = again.value()->kernelFacts()[0];
    QCOMPARE(facts.sharedBytes, int64_t(9216));
    QCOMPARE(facts.staticSharedBytes, int64_t(1024));
    QCOMPARE(facts.dynamicSharedBytes, int64_t(8192));
    QCOMPARE(facts.localBytesPerThread, int64_t(16));
    const auto memory = [](const Trace& trace) {
        QStringList lines;
        for (const MemoryEvent& m : trace.memoryEvents()) {
            lines << QString("%1 %2 device %3.%4 bytes %5 at %6")
                         .arg(m.time)
                         .arg(trackText(trace, m.track))
                         .arg(m.rawDeviceType)
                         .arg(m.device)
                         .arg(m.bytes)
                         .arg(m.address);
        }
        return lines;
    };
    QCOMPARE(memory(*loaded.value()).size(), qsizetype(3));
    QCOMPARE(memory(*again.value()), memory(*loaded.value()));
    QCOMPARE(levelLines(*again.value()), levelLines(*loaded.value()));
    QCOMPARE(again.value()->sliceName(again.value()->launchOf(again.value()->kernelFacts()[0].row)),
             std::string_view("cudaLaunchKernel"));
}

void tst_NsysSqlite::processesKeepTheirOwnNumbers() {
    // Both count their calls from 1 and call their GPU 0; the first one's is GPU 1.
    const QByteArray sql = nsysSchema() + QString(R"(
INSERT INTO StringIds VALUES (1, 'cudaLaunchKernel_v7000'), (2, 'a'), (3, 'b');
INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (1, 0, 100, '', 1), (0, 0, 200, '', 1), (0, 1, 300, '', 1);
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (10, 11, 0, %1, 1, 1, 0, NULL), (20, 21, 0, %2, 1, 1, 0, NULL);
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL
    (start, end, deviceId, contextId, streamId, correlationId, globalPid, demangledName, shortName, registersPerThread,
     gridX, gridY, gridZ, blockX, blockY, blockZ, staticSharedMemory, dynamicSharedMemory, localMemoryPerThread,
     localMemoryTotal, gridId)
VALUES (30, 40, 0, 1, 7, 1, %1, 2, 2, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0),
       (30, 40, 0, 1, 7, 1, %2, 3, 3, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0),
       (35, 45, 1, 1, 7, 9, %3, 3, 3, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0);
)")
                                              .arg(globalId(100))
                                              .arg(globalId(200))
                                              .arg(globalId(300))
                                              .toUtf8();
    const auto loaded = loadFile(sqliteFile(sql));
    QVERIFY(loaded.ok());
    const Trace& trace = *loaded.value();
    QCOMPARE(sliceLines(trace),
             (QStringList{"100/0 cudaLaunchKernel cuda_runtime runtime 10+1",
                          "200/0 cudaLaunchKernel cuda_runtime runtime 20+1", "GPU 0, pid 300/7 b kernel kernel 35+10",
                          "GPU 0/7 b kernel kernel 30+10", "GPU 1/7 a kernel kernel 30+10"}));
    const EventRow a = rowNamed(trace, "a");
    QCOMPARE(trace.slices().begin[trace.launchOf(a).value], TimeNs(10));
    for (uint32_t i = 0; i < trace.sliceCount(); ++i) {
        if (trace.sliceName(EventRow(i)) == "b" && trace.slices().begin[i] == 30) {
            QCOMPARE(trace.slices().begin[trace.launchOf(EventRow(i)).value], TimeNs(20));
        }
    }
    QCOMPARE(trace.report().countOf("overlap"), uint64_t(0));
}

void tst_NsysSqlite::oldExports() {
    // No enumerations, no process of a kernel, no memory kinds, no domains: what is there is taken.
    const auto loaded = loadFile(sqliteFile(R"(
CREATE TABLE StringIds (id INT, value TEXT);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INT, end INT, deviceId INT, streamId INT, correlationId INT, shortName INT);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INT, end INT, deviceId INT, streamId INT, correlationId INT, bytes INT,
    copyKind INT);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INT, end INT, globalTid INT, correlationId INT, nameId INT);
CREATE TABLE NVTX_EVENTS (start INT, end INT, text TEXT);
CREATE TABLE GPU_METRICS (timestamp INT, value INT);
INSERT INTO StringIds VALUES (1, 'k'), (2, 'cudaLaunchKernel_v7000');
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1, 2, 838860851, 5, 2);
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (10, 20, 0, 7, 5, 1);
INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (20, 30, 0, 7, 6, 8, 8);
INSERT INTO NVTX_EVENTS VALUES (0, 9, 'range'), (5, NULL, 'mark');
)"));
    QVERIFY2(loaded.ok(), loaded.ok() ? "" : loaded.error().message.c_str());
    const Trace& trace = *loaded.value();
    QCOMPARE(sliceLines(trace),
             (QStringList{"-/- range user_annotation annotation 0+9", "50/51 cudaLaunchKernel cuda_runtime runtime 1+1",
                          "GPU 0/7 Memcpy DtoD gpu_memcpy memcpy 20+10", "GPU 0/7 k kernel kernel 10+10"}));
    QCOMPARE(trace.instants().size(), size_t(1));
    QCOMPARE(trace.sliceName(trace.launchOf(rowNamed(trace, "k"))), std::string_view("cudaLaunchKernel"));
    const KernelFacts* facts = trace.findKernelFacts(rowNamed(trace, "k"));
    QVERIFY(!facts->hasLaunchShape());
    QCOMPARE(facts->registersPerThread, -1);
    QCOMPARE(facts->sharedBytes, kUnknownFact);
    QVERIFY(!trace.files()[0].baseTimeNs.has_value());
    QVERIFY(trace.report().countOf("missing_column") >= 10);
    QCOMPARE(trace.report().countOf("skipped_table"), uint64_t(1));
    QCOMPARE(trace.report().lostCount(), uint64_t(0));
}

void tst_NsysSqlite::oddValues_data() {
    QTest::addColumn<QByteArray>("row");
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("severity");
    QTest::addColumn<int>("slices");
    const auto row = [](const char* name, const char* values, const char* code, const char* severity, int slices) {
        QTest::newRow(name) << QByteArray(values) << QString(code) << QString(severity) << slices;
    };
    row("text as start", "'soon', 20, 1", "bad_timestamp", "data_loss", 1);
    row("real as start", "1.5, 20, 1", "bad_timestamp", "data_loss", 1);
    row("null as start", "NULL, 20, 1", "bad_timestamp", "data_loss", 1);
    row("blob as start", "x'00', 20, 1", "bad_timestamp", "data_loss", 1);
    row("null as end", "10, NULL, 1", "missing_duration", "warning", 2);
    row("end before start", "10, 5, 1", "negative_duration", "warning", 2);
    row("whole range of numbers", "-9223372036854775808, 9223372036854775807, 1", "outlier", "data_loss", 1);
    row("end that cannot be held", "10, 9223372036854775807, 1", "outlier", "data_loss", 1);
    row("name without text", "10, 20, 77", "missing_name", "warning", 2);
    row("text as name", "10, 20, 'k'", "missing_name", "warning", 2);
    row("null as name", "10, 20, NULL", "missing_name", "warning", 2);
    row("name of the largest number", "10, 20, 9223372036854775807", "", "", 2);
}

void tst_NsysSqlite::oddValues() {
    QFETCH(QByteArray, row);
    QFETCH(QString, code);
    QFETCH(QString, severity);
    QFETCH(int, slices);
    const auto loaded = loadFile(sqliteFile(
        "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT);"
        "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start, end, demangledName, deviceId, streamId, correlationId, gridX,"
        " gridY, gridZ, blockX, blockY, blockZ, registersPerThread, staticSharedMemory, dynamicSharedMemory, globalPid,"
        " contextId, localMemoryPerThread);"
        "INSERT INTO StringIds VALUES (1, 'k'), (9223372036854775807, 'last'), (-9223372036854775808, 'first');"
        "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, demangledName) VALUES (1, 2, 1);"
        "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, demangledName, gridX, blockX, registersPerThread) VALUES "
        "(" +
        row + ", 9223372036854775807, -1, 'many');"));
    QVERIFY2(loaded.ok(), loaded.ok() ? "" : loaded.error().message.c_str());
    const Trace& trace = *loaded.value();
    QCOMPARE(int(trace.sliceCount()), slices);
    if (code.isEmpty()) {
        QVERIFY(rowNamed(trace, "last").valid());
    } else {
        bool isThere = false;
        for (const Issue& issue : trace.report().issues()) {
            if (QString::fromStdString(issue.code) == code) {
                isThere = true;
                QCOMPARE(QString::fromUtf8(severityName(issue.severity).data()), severity);
                QCOMPARE(issue.count, uint64_t(1));
                QVERIFY(issue.severity != Severity::DataLoss || issue.firstOffset.has_value());
            }
        }
        QVERIFY(isThere);
    }
    for (const KernelFacts& facts : trace.kernelFacts()) {
        QCOMPARE(facts.registersPerThread, -1);
        QCOMPARE(facts.grid[0], -1);
    }
}

void tst_NsysSqlite::missingTimesAndNames() {
    const auto loaded =
        loadFile(sqliteFile(nsysSchema() + "INSERT INTO StringIds VALUES (1, x'6b80ff');"
                                           "INSERT INTO NVTX_EVENTS (start, end, eventType, globalTid) VALUES"
                                           " (1, 2, 59, 1), (5, NULL, 59, 1), (7, NULL, 60, 1);"
                                           "INSERT INTO NVTX_EVENTS (start, end, eventType, textId, globalTid) VALUES"
                                           " (2, 3, 59, 1, 1);"));
    QVERIFY(loaded.ok());
    const Trace& trace = *loaded.value();
    QCOMPARE(trace.report().countOf("missing_name"), uint64_t(3));
    QCOMPARE(trace.report().countOf("missing_duration"), uint64_t(2));
    QCOMPARE(trace.report().countOf("invalid_utf8"), uint64_t(1));
    QVERIFY(rowNamed(trace, "k\xef\xbf\xbd\xef\xbf\xbd").valid());
    QCOMPARE(trace.asyncSlices().size(), size_t(1));
    QVERIFY(trace.asyncSlices()[0].unfinished);
}

namespace {

QByteArray manyKernels(int count) {
    return sqliteFile(nsysSchema() + "INSERT INTO StringIds VALUES (1, 'k');" +
                      QString("WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < %1) "
                              "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, deviceId, contextId, streamId, "
                              "demangledName, shortName, registersPerThread, gridX, gridY, gridZ, blockX, blockY, "
                              "blockZ, staticSharedMemory, dynamicSharedMemory, localMemoryPerThread, "
                              "localMemoryTotal, gridId) SELECT i * 10, i * 10 + 5, 0, 1, 7, 1, 1, 1, 1, 1, 1, 1, 1, "
                              "1, 0, 0, 0, 0, i FROM n;")
                          .arg(count - 1)
                          .toUtf8());
}

}  // namespace

void tst_NsysSqlite::damagedTablesKeepTheirOtherRows() {
    QByteArray bytes = manyKernels(1000);
    const auto whole = loadFile(bytes);
    QVERIFY(whole.ok());
    QCOMPARE(whole.value()->sliceCount(), 1000U);
    // Two leaf pages in the table: the first byte says what a page is, the fourth and fifth how many rows it has.
    const qsizetype pages = bytes.size() / 512;
    uint32_t lost = 0;
    for (const qsizetype page : {pages - 60, pages - 40}) {
        QCOMPARE(int(bytes[page * 512]), 13);
        lost += uint8_t(bytes[page * 512 + 4]);
        bytes.replace(page * 512, 512, QByteArray(512, '\xee'));
    }
    const auto loaded = loadFile(bytes);
    QVERIFY2(loaded.ok(), loaded.ok() ? "" : loaded.error().message.c_str());
    const Trace& trace = *loaded.value();
    QCOMPARE(trace.sliceCount(), 1000 - lost);
    const auto& issues = trace.report().issues();
    const auto it = std::ranges::find(issues, "invalid_sqlite", &Issue::code);
    QVERIFY(it != issues.end());
    QCOMPARE(it->severity, Severity::DataLoss);
    QCOMPARE(it->count, uint64_t(2));
    QVERIFY(it->message.find("CUPTI_ACTIVITY_KIND_KERNEL") != std::string::npos);
    QCOMPARE(it->firstOffset, std::optional<uint64_t>((pages - 60) * 512));
    QVERIFY(!trace.report().complete());
}

namespace {

QByteArray realExportBytes() {
    JobControl job;
    const auto source = openTextSource(WARPLINE_TEST_DATA_DIR "/nsys/graphs.sqlite.gz", job);
    [&] { QVERIFY(source.ok()); }();
    std::string text(size_t{1} << 20, '\0');
    const auto count = source.value()->readNext(text);
    [&] { QVERIFY(count.ok()); }();
    return {text.data(), qsizetype(count.value())};
}

/// Not of a tree: the text of a table's columns. What is lost with it is told by the place where SQLite met it.
constexpr qsizetype kTextPage = 27;

/// What is missing against `whole` is said to be lost, at `offset`.
void verifyLossIsSaid(const QByteArray& damaged, const QStringList& whole, uint64_t offset, int& losses) {
    const auto loaded = loadFile(damaged);
    if (!loaded) {
        QVERIFY(!loaded.error().message.empty());
        return;
    }
    const ImportReport& report = loaded.value()->report();
    QCOMPARE(report.complete(), report.lostCount() == 0);
    if (digest(*loaded.value()) != whole) {
        QVERIFY2(report.countOf("invalid_sqlite") > 0, qPrintable(QString::number(offset)));
        QCOMPARE(std::ranges::find(report.issues(), "invalid_sqlite", &Issue::code)->firstOffset,
                 std::optional<uint64_t>(offset));
        ++losses;
    }
}

}  // namespace

void tst_NsysSqlite::everyLostPageIsSaid() {
    const QByteArray bytes = realExportBytes();
    const QStringList whole = digest(*loadFile(bytes).value());
    constexpr qsizetype kPage = 4096;
    QCOMPARE(bytes.size(), 64 * kPage);
    int losses = 0;
    for (qsizetype page = 1; page < 64; ++page) {
        if (page == kTextPage) {
            continue;
        }
        QByteArray damaged = bytes;
        damaged.replace(page * kPage, kPage, QByteArray(kPage, '\0'));
        verifyLossIsSaid(damaged, whole, uint64_t(page * kPage), losses);
    }
    QVERIFY2(losses >= 12, qPrintable(QString::number(losses)));
    // A leaf of the list of tables: the tables that it names are gone.
    QByteArray noTables = bytes;
    noTables.replace(10 * kPage, kPage, QByteArray(kPage, '\0'));
    const auto loaded = loadFile(noTables);
    QVERIFY(loaded.ok());
    QCOMPARE(loaded.value()->sliceCount(), 0U);
    QVERIFY(!loaded.value()->report().complete());
    QVERIFY(issueLines(*loaded.value()).contains("invalid_sqlite data_loss 1 @40960"));
}

void tst_NsysSqlite::pagesThatReadAsEmptyAreSaid() {
    const QByteArray bytes = realExportBytes();
    const QStringList whole = digest(*loadFile(bytes).value());
    constexpr qsizetype kPage = 4096;
    int losses = 0;
    for (qsizetype page = 1; page < 64; ++page) {
        if (page == kTextPage) {
            continue;
        }
        QByteArray damaged = bytes;
        damaged.replace(page * kPage + 3, 2, QByteArray(2, '\0'));  // the number of cells
        verifyLossIsSaid(damaged, whole, uint64_t(page * kPage), losses);
    }
    QVERIFY2(losses >= 12, qPrintable(QString::number(losses)));
}

void tst_NsysSqlite::bytesThatDoNotBelongAreSaid() {
    const QByteArray bytes = realExportBytes();
    QByteArray shifted = bytes;
    shifted.insert(43806, QByteArray(100, '\0'));
    const auto loaded = loadFile(shifted);
    QVERIFY(loaded.ok());
    QVERIFY(loaded.value()->report().countOf("invalid_sqlite") > 0);
    QVERIFY(!loaded.value()->report().complete());
    // Behind all pages they take nothing away.
    const auto longer = loadFile(bytes + "abc");
    QVERIFY(longer.ok());
    QCOMPARE(longer.value()->sliceCount(), 163U);
    QVERIFY(longer.value()->report().complete());
    QVERIFY(issueLines(*longer.value()).contains("trailing_data warning 1 @262144"));
}

void tst_NsysSqlite::damagedRowInAWholePage() {
    QByteArray bytes = manyKernels(1000);
    // The record of the third row on a leaf: the length of its header becomes more than it has.
    const qsizetype page = (bytes.size() / 512 - 40) * 512;
    QCOMPARE(int(bytes[page]), 13);
    const qsizetype cell = page + (uint8_t(bytes[page + 12]) << 8 | uint8_t(bytes[page + 13]));
    bytes[cell + 3] = '\x7f';
    const auto loaded = loadFile(bytes);
    QVERIFY(loaded.ok());
    QVERIFY2(loaded.value()->sliceCount() == 999, qPrintable(QString::number(loaded.value()->sliceCount())));
    QCOMPARE(loaded.value()->report().lostCount(), uint64_t(1));
    QVERIFY(!loaded.value()->report().complete());
}

/// SQLite gives such rows without a word: with what stands further on in the record, or values of another type.
void tst_NsysSqlite::rowsWithImpossibleValues() {
    const QByteArray bytes = sqliteFile(
        "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT); INSERT INTO StringIds VALUES (1, 'poll');"
        "CREATE TABLE OSRT_API (start INTEGER NOT NULL, end INTEGER NOT NULL, nameId INTEGER NOT NULL, globalTid "
        "INTEGER);"
        "INSERT INTO OSRT_API VALUES (0, 10, 1, 5000000000000000000), (10, 15, 1, 5000000000000000000);");
    // The record of the first row: 5 bytes of types, 8 (a 0), 1, 9 (a 1), 6, and 9 bytes of values.
    const qsizetype at = bytes.indexOf(QByteArray("\x0e\x01\x05\x08\x01\x09\x06", 7));
    QVERIFY(at > 0);
    const auto found = [&](int type, char value) {
        QByteArray damaged = bytes;
        damaged[at + 3 + type] = value;
        const auto loaded = loadFile(damaged);
        if (!loaded) {
            return QString::fromStdString(loaded.error().message);
        }
        const Trace& trace = *loaded.value();
        return QString("%1 rows in %2 processes, %3 lost at %4")
            .arg(trace.sliceCount())
            .arg(trace.processOrder().size())
            .arg(trace.report().lostCount())
            .arg(trace.report().complete() ? -1 : int(*trace.report().issues()[0].firstOffset - uint64_t(at)));
    };
    QCOMPARE(found(0, 8), QString("2 rows in 1 processes, 0 lost at -1"));
    for (const char type : {'\x02', '\x04', '\x0a', '\x0b', '\x0d', '\x10'}) {
        QCOMPARE(found(1, type), QString("1 rows in 1 processes, 1 lost at 0"));
    }
    // Of the same length, and of no type that the column has; where the page begins is all that is known of their
    // place.
    const QString ofPage = QString("1 rows in 1 processes, 1 lost at %1").arg(-(at % 512));
    QCOMPARE(found(0, '\x00'), ofPage);  // null where none may be
    QCOMPARE(found(0, '\x0c'), ofPage);  // an empty blob
    QCOMPARE(found(1, '\x0f'), ofPage);  // a text
    QCOMPARE(found(3, '\x07'), ofPage);  // a fraction
    QCOMPARE(found(3, '\x1c'), ofPage);  // a blob
    QCOMPARE(found(3, '\x1d'), ofPage);  // a text
    // An empty text is what imports put for null.
    QCOMPARE(found(0, '\x0d'), QString("1 rows in 1 processes, 1 lost at -1"));
}

void tst_NsysSqlite::cutAtEveryPlace() {
    const QByteArray bytes = manyKernels(300);
    uint32_t most = 0;
    for (qsizetype length = 0; length < bytes.size(); length += 311) {
        const auto loaded = loadFile(bytes.left(length));
        if (!loaded) {
            QVERIFY(!loaded.error().message.empty());
            continue;
        }
        QVERIFY(loaded.value()->report().countOf("truncated") == 1);
        QVERIFY(!loaded.value()->report().complete());
        QVERIFY(loaded.value()->sliceCount() < 300);
        most = std::max(most, loaded.value()->sliceCount());
    }
    QVERIFY(most > 200);  // the rows before the cut are kept
}

void tst_NsysSqlite::garbledAnywhere() {
    const QByteArray bytes = sqliteFile(sampleSql());
    // Sanitizers slow every byte down.
    for (qsizetype at = 0; at < bytes.size(); at += WARPLINE_SANITIZED ? 149 : 23) {
        for (const char byte : {'\xff', '\0', '\x05'}) {
            QByteArray garbled = bytes;
            garbled[at] = byte;
            const auto loaded = loadFile(garbled);
            QVERIFY(loaded.ok() || !loaded.error().message.empty());
            if (loaded.ok() && loaded.value()->sliceCount() > 0) {
                const auto args = loaded.value()->argsJson(EventRow(0U));
                QVERIFY(args.ok() || !args.error().message.empty());
            }
        }
    }
}

void tst_NsysSqlite::hostileSchemas_data() {
    QTest::addColumn<QByteArray>("sql");
    const QByteArray strings = "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT);";
    QTest::newRow("a view without end")
        << strings +
               "CREATE VIEW CUPTI_ACTIVITY_KIND_KERNEL AS WITH RECURSIVE n(start) AS (SELECT 1 UNION ALL SELECT "
               "start + 1 FROM n) SELECT start, start AS end, 1 AS demangledName FROM n;"
               "CREATE TABLE NVTX_EVENTS (start, end, text);";
    QTest::newRow("generated columns") << strings +
                                              "CREATE TABLE NVTX_EVENTS (start, end, text AS (hex(zeroblob(1000000))));"
                                              "INSERT INTO NVTX_EVENTS VALUES (1, 2);";
    QTest::newRow("without row ids") << strings +
                                            "CREATE TABLE NVTX_EVENTS (start INT PRIMARY KEY, end, text) WITHOUT ROWID;"
                                            "INSERT INTO NVTX_EVENTS VALUES (1, 2, 'x');";
    QTest::newRow("no columns that are known") << strings +
                                                      "CREATE TABLE NVTX_EVENTS (a, b);"
                                                      "INSERT INTO NVTX_EVENTS VALUES (1, 2);";
    QTest::newRow("names with quotes") << strings +
                                              R"(CREATE TABLE "x"" y" ("a""b"); CREATE TABLE NVTX_EVENTS (start);)";
    QTest::newRow("numbers of texts twice") << QByteArray(
        "CREATE TABLE StringIds (id, value); INSERT INTO StringIds VALUES (1, 'a'), "
        "(1, 'b'), ('x', 'c'); CREATE TABLE NVTX_EVENTS (start);");
}

void tst_NsysSqlite::hostileSchemas() {
    QFETCH(QByteArray, sql);
    const auto loaded = loadFile(sqliteFile(sql));
    QVERIFY2(loaded.ok(), loaded.ok() ? "" : loaded.error().message.c_str());
    QVERIFY(loaded.value()->sliceCount() <= 1);
    if (loaded.value()->sliceCount() == 1) {
        QVERIFY(loaded.value()->argsJson(EventRow(0U)).ok());
    }
}

void tst_NsysSqlite::packedAndPlainAreTheSame() {
    QTemporaryDir folder;
    const QByteArray bytes = sqliteFile(sampleSql());
    const auto write = [&](const QString& name, const QByteArray& content) {
        QFile file(folder.filePath(name));
        [&] { QVERIFY(file.open(QIODevice::WriteOnly)); }();
        file.write(content);
        return file.fileName().toStdString();
    };
    const QByteArray packed = gzipped(bytes);
    const std::string plain = write("a.sqlite", bytes);
    const std::string gzip = write("b.sqlite.gz", packed);
    const std::string cut = write("c.sqlite.gz", packed.left(packed.size() - 200));
    JobControl job;
    const auto a = loadTrace({plain}, {}, job);
    const auto b = loadTrace({gzip}, {}, job);
    QVERIFY(a.ok() && b.ok());
    QCOMPARE(digest(*b.value()), digest(*a.value()));
    QCOMPARE(b.value()->files()[0].compression, std::string("gzip"));
    QCOMPARE(job.done(), job.total());
    const auto c = loadTrace({cut}, {}, job);
    QVERIFY(c.ok() ? !c.value()->report().complete() : c.error().code == "truncated");
    LoadOptions small;
    small.maxPipedBytes = 4096;
    const auto refused = loadTrace({gzip}, small, job);
    QVERIFY(!refused.ok());
    QVERIFY(refused.error().message.find("unpack the file first") != std::string::npos);
}

void tst_NsysSqlite::theUsersFileIsLeftAlone() {
    QTemporaryDir folder;
    QFile file(folder.filePath("a.sqlite"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    const QByteArray bytes = sqliteFile(sampleSql());
    file.write(bytes);
    file.close();
    QVERIFY(file.setPermissions(QFile::ReadOwner));
    // A hot journal beside it must be neither played back nor removed.
    QFile journal(folder.filePath("a.sqlite-journal"));
    QVERIFY(journal.open(QIODevice::WriteOnly));
    journal.write("\xd9\xd5\x05\xf9\x20\xa1\x63\xd7 not ours");
    journal.close();
    JobControl job;
    const auto loaded = loadTrace({file.fileName().toStdString()}, {}, job);
    QVERIFY(loaded.ok());
    QVERIFY(loaded.value()->argsJson(EventRow(0U)).ok());
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files), (QStringList{"a.sqlite", "a.sqlite-journal"}));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), bytes);
}

namespace {

struct CloseDatabase {
    void operator()(sqlite3* database) const { sqlite3_close(database); }
};
using OpenDatabase = std::unique_ptr<sqlite3, CloseDatabase>;

OpenDatabase openDatabase(const QString& path) {
    sqlite3* database = nullptr;
    if (sqlite3_open(path.toUtf8().constData(), &database) != SQLITE_OK) {
        qFatal("no database");
    }
    return OpenDatabase(database);
}

bool run(const OpenDatabase& database, const QByteArray& sql) {
    return sqlite3_exec(database.get(), sql.constData(), nullptr, nullptr, nullptr) == SQLITE_OK;
}

}  // namespace

void tst_NsysSqlite::writeAheadLog() {
    QTemporaryDir folder;
    const QString path = folder.filePath("a.sqlite");
    const QString log = path + "-wal";
    const auto found = [&](const QString& file) {
        JobControl job;
        const auto loaded = loadTrace({file.toStdString()}, {}, job);
        if (!loaded) {
            return QString::fromStdString(loaded.error().message);
        }
        const Trace& trace = *loaded.value();
        QString text = QString("%1 slices, ").arg(trace.sliceCount()) +
                       (trace.report().complete() ? "whole, " : "not whole, ") +
                       (trace.files()[0].source->recipe() ? "cached" : "not cached");
        for (const Issue& issue : trace.report().issues()) {
            const QString severity = QString::fromUtf8(severityName(issue.severity).data());
            text += issue.code == "sqlite_log" ? QString(", %1: %2").arg(severity).arg(issue.count) : QString();
        }
        return text;
    };
    OpenDatabase database = openDatabase(path);
    QVERIFY(run(database, "PRAGMA page_size=512; PRAGMA journal_mode=wal; PRAGMA wal_autocheckpoint=0;" + sampleSql()));
    QVERIFY(run(database, "PRAGMA wal_checkpoint(TRUNCATE);"));
    // An empty log, then one in which all is in the database too.
    QCOMPARE(found(path), QString("12 slices, whole, not cached"));
    QVERIFY(run(database, "INSERT INTO OSRT_API VALUES (1, 2, 27, 5, 7, 1, 0, 0);"));
    QVERIFY(run(database, "PRAGMA wal_checkpoint(PASSIVE);"));
    QVERIFY(QFileInfo(log).size() > 0);
    QCOMPARE(found(path), QString("13 slices, whole, not cached"));
    // Rows that are in the log alone: a new leaf, and the page of the list of tables or the root that leads there.
    QVERIFY(run(database, "INSERT INTO OSRT_API VALUES (3, 4, 27, 5, 7, 1, 0, 0);"));
    QCOMPARE(found(path), QString("13 slices, not whole, not cached, data_loss: 1"));
    // What was not committed, or of a log whose checksums do not hold, SQLite would not take either.
    QFile file(log);
    QVERIFY(file.open(QIODevice::ReadWrite));
    const QByteArray frames = file.readAll();
    const auto rewrite = [&](const QByteArray& bytes) {
        return file.seek(0) && file.resize(0) && file.write(bytes) == bytes.size() && file.flush();
    };
    QByteArray broken = frames;
    broken[32 + 16] = char(broken[32 + 16] ^ 1);
    QVERIFY(rewrite(broken));
    QCOMPARE(found(path), QString("13 slices, whole, not cached"));
    QVERIFY(rewrite(frames.left(20)));
    QCOMPARE(found(path), QString("13 slices, whole, not cached"));
    QVERIFY(rewrite(frames));
    QCOMPARE(found(path), QString("13 slices, not whole, not cached, data_loss: 1"));
    // Merged and gone: nothing is missing.
    database.reset();
    QVERIFY(!QFileInfo::exists(log));
    QCOMPARE(found(path), QString("14 slices, whole, not cached"));
    // Of a pipe or a packed copy it cannot be told.
    QFile stored(path);
    QVERIFY(stored.open(QIODevice::ReadOnly));
    QByteArray bytes = stored.readAll();
    const QString packed = folder.filePath("b.sqlite.gz");
    std::string text;
    const auto sink = makeGzipSink(makeStringSink(text));
    QVERIFY(sink->write(std::string_view(bytes.constData(), size_t(bytes.size()))).ok() && sink->finish().ok());
    QFile copy(packed);
    QVERIFY(copy.open(QIODevice::WriteOnly) && copy.write(text.data(), qint64(text.size())) == qint64(text.size()));
    copy.close();
    QCOMPARE(found(packed), QString("14 slices, whole, not cached, info: 1"));
    // No database in this mode.
    bytes[18] = 1;
    bytes[19] = 1;
    QFile plain(folder.filePath("c.sqlite"));
    QVERIFY(plain.open(QIODevice::WriteOnly) && plain.write(bytes) == bytes.size());
    plain.close();
    QCOMPARE(found(plain.fileName()), QString("14 slices, whole, cached"));
}

void tst_NsysSqlite::foreignDatabases() {
    const auto foreign = loadFile(sqliteFile("CREATE TABLE bookmarks (url TEXT);"));
    QVERIFY(!foreign.ok());
    QCOMPARE(foreign.error().code, std::string("unsupported"));
    QVERIFY(foreign.error().message.find("no export of Nsight Systems") != std::string::npos);
    QVERIFY(!loadFile("SQLite format 3").ok());
    QVERIFY(!loadFile(QByteArray("SQLite format 3\0", 16) + QByteArray(4096, 'x')).ok());
    QVERIFY(!loadFile("{\"traceEvents\": []}").ok());
    QByteArray noPages = sqliteFile(sampleSql());
    noPages.replace(16, 2, QByteArray(2, '\0'));  // the size of a page
    noPages.replace(28, 4, QByteArray(4, '\0'));  // their number
    QVERIFY(!loadFile(noPages).ok());
    // All tables there, all empty: a session in which nothing happened.
    const auto empty = loadFile(sqliteFile(nsysSchema()));
    QVERIFY(empty.ok());
    QCOMPARE(empty.value()->report().countOf("no_events"), uint64_t(1));
}

void tst_NsysSqlite::sniffing() {
    const auto score = [](const QByteArray& bytes) {
        const std::string_view text(bytes.constData(), size_t(bytes.size()));
        return NsysSqliteLoader().sniff({text.substr(0, 65536), "x"});
    };
    QVERIFY(score(sqliteFile(sampleSql())) >= 90);
    const int foreign = score(sqliteFile("CREATE TABLE bookmarks (url TEXT);"));
    QVERIFY(foreign > 0 && foreign <= 50);
    QCOMPARE(score("{\"traceEvents\": []}"), 0);
    QCOMPARE(score("SQLite format 2"), 0);
    QCOMPARE(score(""), 0);
}

void tst_NsysSqlite::stops() {
    const QByteArray bytes = manyKernels(5000);
    JobControl job;
    job.requestStop();
    const auto stopped = load(makeMemorySource(bytes.toStdString()), job);
    QVERIFY(!stopped.ok() && stopped.error().isCancelled());
}

void tst_NsysSqlite::realExport_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("kernels");  // and whole graphs
    QTest::addColumn<qint64>("kernelNs");
    QTest::addColumn<qint64>("copyNs");
    QTest::addColumn<qint64>("memsetNs");
    QTest::addColumn<qint64>("callNs");
    QTest::addColumn<qint64>("firstLaunch");  // both on the export's own clock
    QTest::addColumn<qint64>("firstKernel");
    // By SQL's count() and sum(end - start) over the tables.
    QTest::newRow("graph nodes") << "graph_nodes" << 21 << 1'174'234LL << 10'064'019LL << 23'872LL << 156'494'112LL
                                 << 526'606'512LL << 526'916'130LL;
    QTest::newRow("whole graphs") << "graphs" << 15 + 3 << 983'037LL + 188'703LL << 8'446'069LL << 23'840LL
                                  << 140'175'716LL << 478'030'067LL << 478'340'401LL;
}

/// Exports of Nsight Systems 2025.3.1 from a program on an H200: five steps of a memset, copies and three kernels on
/// two streams, then a graph of two kernels, launched three times.
void tst_NsysSqlite::realExport() {
    QFETCH(QString, name);
    QFETCH(int, kernels);
    QFETCH(qint64, kernelNs);
    QFETCH(qint64, copyNs);
    QFETCH(qint64, memsetNs);
    QFETCH(qint64, callNs);
    QFETCH(qint64, firstLaunch);
    QFETCH(qint64, firstKernel);
    JobControl job;
    const auto loaded = loadTrace({QString(WARPLINE_TEST_DATA_DIR "/nsys/%1.sqlite.gz").arg(name).toStdString()},
                                  LoadOptions(), job, {});
    QVERIFY2(loaded.ok(), loaded.ok() ? "" : loaded.error().message.c_str());
    const Trace& trace = *loaded.value();
    QCOMPARE(trace.report().lostCount(), uint64_t(0));
    const SliceColumns& s = trace.slices();
    std::map<EventKind, std::pair<int, qint64>> found;
    std::optional<uint32_t> kernel;
    for (uint32_t row = 0; row < s.size(); ++row) {
        auto& [count, sum] = found[s.kind[row]];
        ++count;
        sum += s.duration[row];
        if (s.kind[row] == EventKind::Kernel && (!kernel || s.begin[row] < s.begin[*kernel])) {
            kernel = row;
        }
    }
    QCOMPARE(found[EventKind::Kernel], std::pair(kernels, kernelNs));
    QCOMPARE(found[EventKind::Memcpy], std::pair(20, copyNs));
    QCOMPARE(found[EventKind::Memset], std::pair(5, memsetNs));
    QCOMPARE(found[EventKind::Runtime].first + found[EventKind::Driver].first, 98);
    QCOMPARE(found[EventKind::Runtime].second + found[EventKind::Driver].second, callNs);
    QCOMPARE(s.begin[*kernel], TimeNs(firstKernel));
    const auto launch = trace.launchOf(EventRow(*kernel));
    QVERIFY(launch.valid());
    QCOMPARE(s.begin[launch.value], TimeNs(firstLaunch));
    QCOMPARE(trace.string(s.name[*kernel]), std::string_view("scale(float *, int, float)"));
    const KernelFacts* facts = trace.findKernelFacts(EventRow(*kernel));
    QVERIFY(facts != nullptr);
    QCOMPARE(facts->grid, (std::array<int32_t, 3>{16384, 1, 1}));
    QCOMPARE(facts->block, (std::array<int32_t, 3>{256, 1, 1}));
    QCOMPARE(facts->registersPerThread, 16);
    QCOMPARE(facts->stream, int64_t(13));
    qint64 bytes = 0;
    for (uint32_t row = 0; row < s.size(); ++row) {
        const CopyFacts* copy = s.kind[row] == EventKind::Memcpy ? trace.findCopyFacts(EventRow(row)) : nullptr;
        bytes += copy != nullptr ? copy->bytes : 0;
    }
    QCOMPARE(bytes, 83'886'080LL + 167'772'160LL + 83'886'080LL);
    QCOMPARE(trace.memoryEvents().size(), size_t(name == "graphs" ? 0 : 6));
    QCOMPARE(trace.devices().front().name, std::string("NVIDIA H200"));
    QCOMPARE(trace.report().countOf("graph_as_whole"), uint64_t(name == "graphs" ? 3 : 0));
}

QTEST_APPLESS_MAIN(tst_NsysSqlite)
#include "tst_nsys_sqlite.moc"
