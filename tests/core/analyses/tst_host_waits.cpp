// SPDX-License-Identifier: MIT
#include <QTemporaryFile>
#include <QTest>

#include <map>

#include "core/analyses/host_waits.h"
#include "core/loaders/load_trace.h"
#include "tests/support/trace_text.h"

using namespace warpline;
using warpline::test::traceFromText;

namespace {

QString gapName(WaitGap gap) {
    static const std::map<WaitGap, const char*> kNames = {
        {WaitGap::None, "none"},
        {WaitGap::NoEnd, "no end"},
        {WaitGap::NoDeviceWork, "no device work"},
        {WaitGap::NoCopy, "no copy"},
        {WaitGap::ReturnedBefore, "returned before"},
        {WaitGap::SeveralStreams, "several streams"},
        {WaitGap::SeveralDevices, "several devices"},
        {WaitGap::NoStream, "no stream"},
        {WaitGap::NoEvent, "no event"},
        {WaitGap::WorkWithoutEnd, "work without end"},
        {WaitGap::NoLaunch, "no launch"},
    };
    return kNames.at(gap);
}

QString sourceName(WaitSource source) {
    switch (source) {
        case WaitSource::Call:
            return "call";
        case WaitSource::Record:
            return "record";
        case WaitSource::OnlyOne:
            return "only one";
        case WaitSource::Exclusion:
            return "exclusion";
    }
    return {};
}

/// "k by exclusion: 100 = 60 + 40; busy 50, idle 50", "nothing by record; busy 0, idle 10", "? several streams: a b;
/// …".
QString textOf(const Trace& trace, const HostWait& wait) {
    QString text;
    const auto name = [&](EventRow row) { return QString::fromStdString(std::string(trace.sliceName(row))); };
    switch (wait.answer) {
        case WaitAnswer::Work:
            text = QStringLiteral("%1 by %2: %3 = %4 + %5")
                       .arg(name(wait.work), sourceName(wait.source))
                       .arg(wait.waitedNs)
                       .arg(wait.untilDoneNs)
                       .arg(wait.afterDoneNs);
            break;
        case WaitAnswer::NothingLeft:
            text = QStringLiteral("nothing by %1").arg(sourceName(wait.source));
            break;
        case WaitAnswer::Unknown:
            text = QStringLiteral("? ") + gapName(wait.gap);
            for (const EventRow row : wait.candidates) {
                text += " " + name(row);
            }
            break;
    }
    return wait.busyNs ? text + QStringLiteral("; busy %1, idle %2").arg(*wait.busyNs).arg(*wait.idleNs) : text;
}

HostWait waitOf(const Trace& trace, EventRow call, bool isPrepared) {
    JobControl job;
    HostWaits waits = HostWaits::of(trace, job).value();
    if (isPrepared && !waits.prepareForMany(job).ok()) {
        throw std::runtime_error("not prepared");
    }
    return waits.wait(call, job).value();
}

/// Of the last waiting call in the text.
QString answerTo(const Trace& trace) {
    EventRow call;
    for (uint32_t row = 0; row < trace.sliceCount(); ++row) {
        if (waitOn(trace, EventRow(row))) {
            call = EventRow(row);
        }
    }
    if (!call) {
        return "no wait";
    }
    const QString text = textOf(trace, waitOf(trace, call, false));
    const QString prepared = textOf(trace, waitOf(trace, call, true));
    return prepared == text ? text : QStringLiteral("%1, but prepared %2").arg(text, prepared);
}

std::shared_ptr<const Trace> loadFile(const std::string& path) {
    JobControl job;
    return loadTrace({path}, {}, job).value();
}

/// What Kineto writes with enable_cuda_sync_events: a row on the device for each wait. Times in us.
std::shared_ptr<const Trace> withRecord(const QByteArray& call, const QByteArray& record) {
    static const QByteArray kHead = R"({"schemaVersion": 1, "traceEvents": [
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 9, "tid": 9, "ts": 0, "dur": 1, "args": {"correlation": 1}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaEventRecord", "pid": 9, "tid": 9, "ts": 2, "dur": 1, "args": {"correlation": 2}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 9, "tid": 9, "ts": 4, "dur": 1, "args": {"correlation": 3}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 9, "tid": 9, "ts": 6, "dur": 1, "args": {"correlation": 4}},
{"ph": "X", "cat": "kernel", "name": "a", "pid": 0, "tid": 7, "ts": 3, "dur": 20, "args": {"stream": 7, "device": 0, "correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "b", "pid": 0, "tid": 7, "ts": 23, "dur": 4, "args": {"stream": 7, "device": 0, "correlation": 3}},
{"ph": "X", "cat": "kernel", "name": "c", "pid": 0, "tid": 8, "ts": 7, "dur": 14, "args": {"stream": 8, "device": 0, "correlation": 4}},
)";
    QTemporaryFile file;
    if (!file.open()) {
        throw std::runtime_error("no file");
    }
    file.write(kHead + R"({"ph": "X", "cat": "cuda_runtime", "pid": 9, "tid": 9, "ts": 10, "dur": 20, )" + call +
               "},\n" + R"({"ph": "X", "cat": "cuda_sync", "pid": 0, "ts": 11, "dur": 18, )" + record + "}\n]}");
    file.close();
    return loadFile(file.fileName().toStdString());
}

}  // namespace

class TestHostWaits : public QObject {
    Q_OBJECT
private slots:
    void answers_data() {
        QTest::addColumn<QString>("trace");
        QTest::addColumn<QString>("answer");
        const auto row = [](const char* name, const char* trace, const char* answer) {
            QTest::newRow(name) << trace << answer;
        };
        row("the kernel that was running",
            R"(cpu main: cudaLaunchKernel 0..5 (corr=1) cudaStreamSynchronize 20..120
               gpu 0 stream 7: k 10..90 (corr=1))",
            "k by only one: 100 = 70 + 30; busy 70, idle 30");
        row("the last of several, with a gap between them",
            R"(cpu main: cudaLaunchKernel 0..5 (corr=1) cudaLaunchKernel 6..9 (corr=2) cudaStreamSynchronize 20..120
               gpu 0 stream 7: k 10..50 (corr=1) l 60..100 (corr=2))",
            "l by only one: 100 = 80 + 20; busy 70, idle 30");
        row("nothing: all had ended",
            R"(cpu main: cudaLaunchKernel 0..5 (corr=1) cudaDeviceSynchronize 20..23
               gpu 0 stream 7: k 10..20 (corr=1))",
            "nothing by only one; busy 0, idle 3");
        row("what another thread launched meanwhile does not count",
            R"(cpu main: cudaLaunchKernel 0..5 (corr=1) cudaStreamSynchronize 20..120
               cpu other: cudaLaunchKernel 30..35 (corr=2)
               gpu 0 stream 7: k 10..90 (corr=1) l 95..110 (corr=2))",
            "k by only one: 100 = 70 + 30; busy 85, idle 15");
        row("what another thread launched before does",
            R"(cpu main: cudaStreamSynchronize 20..120
               cpu other: cudaLaunchKernel 10..15 (corr=2)
               gpu 0 stream 7: l 95..110 (corr=2))",
            "l by only one: 100 = 90 + 10; busy 15, idle 85");
        row("what another process launched does not",
            R"(cpu main: cudaStreamSynchronize 20..120
               cpu 200/200: cudaLaunchKernel 10..15 (corr=2)
               gpu 0 stream 7: l 95..110 (corr=2))",
            "nothing by only one; busy 15, idle 85");
        row("the stream that had work left, not the one that had not",
            R"(cpu main: cudaLaunchKernel 0..5 (corr=1) cudaLaunchKernel 6..9 (corr=2) cudaStreamSynchronize 40..120
               gpu 0 stream 7: k 10..30 (corr=1)
               gpu 0 stream 8: l 10..100 (corr=2))",
            "l by exclusion: 80 = 60 + 20; busy 60, idle 20");
        row("not the stream that still had work when the call returned",
            R"(cpu main: cudaLaunchKernel 0..5 (corr=1) cudaLaunchKernel 6..9 (corr=2) cudaStreamSynchronize 40..120
               gpu 0 stream 7: k 10..300 (corr=1)
               gpu 0 stream 8: l 10..100 (corr=2))",
            "l by exclusion: 80 = 60 + 20; busy 80, idle 0");
        row("nor the one whose work began after it",
            R"(cpu main: cudaLaunchKernel 0..5 (corr=1) cudaLaunchKernel 6..9 (corr=2) cudaStreamSynchronize 40..120
               gpu 0 stream 7: k 200..300 (corr=1)
               gpu 0 stream 8: l 10..100 (corr=2))",
            "l by exclusion: 80 = 60 + 20; busy 60, idle 20");
        row("two streams: no guess",
            R"(cpu main: cudaLaunchKernel 0..5 (corr=1) cudaLaunchKernel 6..9 (corr=2) cudaStreamSynchronize 40..120
               gpu 0 stream 7: k 10..90 (corr=1)
               gpu 0 stream 8: l 10..100 (corr=2))",
            "? several streams k l; busy 60, idle 20");
        row("a device: all its streams",
            R"(cpu main: cudaLaunchKernel 0..5 (corr=1) cudaLaunchKernel 6..9 (corr=2) cudaDeviceSynchronize 40..120
               gpu 0 stream 7: k 10..90 (corr=1)
               gpu 0 stream 8: l 10..100 (corr=2))",
            "l by only one: 80 = 60 + 20; busy 60, idle 20");
        row("the device that had work left",
            R"(cpu main: cudaLaunchKernel 0..5 (corr=1) cudaLaunchKernel 6..9 (corr=2) cudaDeviceSynchronize 40..120
               gpu 0 stream 7: k 10..30 (corr=1)
               gpu 1 stream 7: l 10..100 (corr=2))",
            "l by exclusion: 80 = 60 + 20; busy 60, idle 20");
        row("two devices: no guess, not even of what was busy",
            R"(cpu main: cudaLaunchKernel 0..5 (corr=1) cudaLaunchKernel 6..9 (corr=2) cuCtxSynchronize 40..120
               gpu 0 stream 7: k 10..90 (corr=1)
               gpu 1 stream 7: l 10..100 (corr=2))",
            "? several devices k l");
        row("a call that returned before the work ended",
            R"(cpu main: cudaLaunchKernel 0..5 (corr=1) cudaDeviceSynchronize 40..120
               gpu 0 stream 7: k 10..130 (corr=1))",
            "? returned before; busy 80, idle 0");
        row("its own copy",
            R"(cpu main: cudaLaunchKernel 0..5 (corr=1) cudaMemcpy 10..100 (corr=2)
               gpu 0 stream 7: k 10..60 (corr=1) "Memcpy DtoH" 65..85 (corr=2))",
            "Memcpy DtoH by call: 90 = 75 + 15; busy 70, idle 20");
        row("a copy that the call does not wait for",
            R"(cpu main: cudaMemcpy 10..100 (corr=2)
               gpu 0 stream 7: "Memcpy DtoD" 65..185 (corr=2))",
            "? returned before; busy 35, idle 55");
        row("no copy in the trace",
            R"(cpu main: cudaMemcpy 10..100 (corr=2)
               gpu 0 stream 7: k 65..85 (corr=1))",
            "? no copy");
        row("an event without a record",
            R"(cpu main: cudaLaunchKernel 0..5 (corr=1) cudaEventSynchronize 40..120
               gpu 0 stream 7: k 10..90 (corr=1))",
            "? no event k; busy 50, idle 30");
        row("an event before what is still running",
            R"(cpu main: cudaLaunchKernel 0..5 (corr=1) cudaEventSynchronize 40..120
               gpu 0 stream 7: k 10..190 (corr=1))",
            "? no event; busy 80, idle 0");
        row("an event, and nothing was left",
            R"(cpu main: cudaLaunchKernel 0..5 (corr=1) cudaEventSynchronize 40..42
               gpu 0 stream 7: k 10..40 (corr=1))",
            "nothing by only one; busy 0, idle 2");
        row("work from before the recording",
            R"(cpu main: cudaStreamSynchronize 40..120
               gpu 0 stream 7: k 10..90 (corr=1))",
            "k by only one: 80 = 50 + 30; busy 50, idle 30");
        row("work that began meanwhile, launched nobody knows when",
            R"(cpu main: cudaStreamSynchronize 40..120
               gpu 0 stream 7: k 50..90 (corr=1))",
            "? no launch; busy 40, idle 40");
        row("work without an end",
            R"(cpu main: cudaLaunchKernel 0..5 (corr=1) cudaStreamSynchronize 40..120
               gpu 0 stream 7: k 10..? (corr=1))",
            "? work without end; busy 0, idle 80");
        row("a call without an end", R"(cpu main: cudaStreamSynchronize 40..?
               gpu 0 stream 7: k 10..90 (corr=1))",
            "? no end");
        row("no device", "cpu main: cudaStreamSynchronize 40..50", "? no device work");
        row("annotations on the stream are no work",
            R"(cpu main: cudaLaunchKernel 0..5 (corr=1) cudaStreamSynchronize 20..120
               gpu 0 stream 7: outer 5..300 (kind=gpu_annotation) { k 10..90 (corr=1) inner 100..200 (kind=gpu_annotation) })",
            "k by only one: 100 = 70 + 30; busy 70, idle 30");
    }
    void answers() {
        QFETCH(QString, trace);
        QTEST(answerTo(*traceFromText(trace.toStdString())), "answer");
    }

    void records_data() {
        QTest::addColumn<QByteArray>("call");
        QTest::addColumn<QByteArray>("record");
        QTest::addColumn<QString>("answer");
        const auto row = [](const char* name, const char* call, const char* record, const char* answer) {
            QTest::newRow(name) << QByteArray(call) << QByteArray(record) << answer;
        };
        // Without a record both streams could be meant.
        row("none", R"("name": "cudaStreamSynchronize", "args": {"correlation": 5})",
            R"("name": "Stream Sync", "tid": 7, "args": {"stream": 7, "correlation": 6})",
            "? several streams b c; busy 17000, idle 3000");
        row("a stream", R"("name": "cudaStreamSynchronize", "args": {"correlation": 5})",
            R"("name": "Stream Sync", "tid": 8, "args": {"stream": 8, "correlation": 5})",
            "c by record: 20000 = 11000 + 9000; busy 17000, idle 3000");
        row("a stream, as older files have it", R"("name": "cudaStreamSynchronize", "args": {"correlation": 5})",
            R"("name": "Stream Sync", "tid": 1000007, "args": {"stream": 7, "correlation": 5})",
            "b by record: 20000 = 17000 + 3000; busy 17000, idle 3000");
        row("a stream without work", R"("name": "cudaStreamSynchronize", "args": {"correlation": 5})",
            R"("name": "Stream Sync", "tid": 9, "args": {"stream": 9, "correlation": 5})",
            "nothing by record; busy 17000, idle 3000");
        row("no stream", R"("name": "cudaStreamSynchronize", "args": {"correlation": 5})",
            R"("name": "Stream Sync", "tid": 4294967295, "args": {"stream": 4294967295, "correlation": 5})",
            "? no stream; busy 17000, idle 3000");
        row("the device", R"("name": "cudaDeviceSynchronize", "args": {"correlation": 5})",
            R"("name": "Context Sync", "tid": 1, "args": {"stream": -1, "correlation": 5})",
            "b by record: 20000 = 17000 + 3000; busy 17000, idle 3000");
        row("an event: what was there when it was recorded",
            R"("name": "cudaEventSynchronize", "args": {"correlation": 5})",
            R"("name": "Event Sync", "tid": -1, "args": {"wait_on_stream": 7, "wait_on_cuda_event_record_corr_id": 2, "correlation": 5})",
            "a by record: 20000 = 13000 + 7000; busy 17000, idle 3000");
        row("an event, recorded before the trace", R"("name": "cudaEventSynchronize", "args": {"correlation": 5})",
            R"("name": "Event Sync", "tid": -1, "args": {"wait_on_stream": 7, "wait_on_cuda_event_record_corr_id": 99, "correlation": 5})",
            "? no event; busy 17000, idle 3000");
        row("an event that is not told", R"("name": "cudaEventSynchronize", "args": {"correlation": 5})",
            R"("name": "Event Sync", "tid": -1, "args": {"wait_on_stream": -1, "wait_on_cuda_event_record_corr_id": -1, "correlation": 5})",
            "? no event; busy 17000, idle 3000");
    }
    void records() {
        QFETCH(QByteArray, call);
        QFETCH(QByteArray, record);
        QTEST(answerTo(*withRecord(call, record)), "answer");
    }

    /// Sums of what a script of its own reads from the file's JSON, pair by pair.
    void whatTheCpuWaitsForInSyncHeavy() {
        const auto trace = loadFile(WARPLINE_TEST_DATA_DIR "/sync_heavy.trace.json.gz");
        struct Sums {
            int count = 0;
            DurationNs waited = 0, untilDone = 0, afterDone = 0, busy = 0;
            bool operator==(const Sums&) const = default;
        };
        std::map<QString, Sums> sums;
        JobControl job;
        const HostWaits waits = HostWaits::of(*trace, job).value();
        for (uint32_t row = 0; row < trace->sliceCount(); ++row) {
            if (!waitOn(*trace, EventRow(row))) {
                continue;
            }
            const HostWait wait = waits.wait(EventRow(row), job).value();
            const bool isWork = wait.answer == WaitAnswer::Work;
            const QString what = isWork ? QString::fromStdString(std::string(trace->sliceName(wait.work)))
                                 : wait.answer == WaitAnswer::NothingLeft ? QString("nothing")
                                                                          : gapName(wait.gap);
            Sums& sum = sums[QString::fromStdString(std::string(trace->sliceName(EventRow(row)))) + ": " + what];
            ++sum.count;
            sum.waited += wait.waitedNs;
            sum.untilDone += isWork ? wait.untilDoneNs : 0;
            sum.afterDone += isWork ? wait.afterDoneNs : 0;
            sum.busy += *wait.busyNs;
            QCOMPARE(*wait.busyNs + *wait.idleNs, wait.waitedNs);
        }
        QCOMPARE(sums.size(), size_t{4});
        QVERIFY((sums["cudaStreamSynchronize: Memcpy DtoH (Device -> Pinned)"] ==
                 Sums{220, 1'419'591, 656'508, 763'083, 320'642}));
        QVERIFY((sums["cudaMemcpyAsync: Memcpy DtoH (Device -> Pageable)"] ==
                 Sums{20, 2'194'617, 585'490, 1'609'127, 457'405}));
        QVERIFY((sums["cudaStreamSynchronize: nothing"] == Sums{20, 45'807, 0, 0, 0}));
        QVERIFY((sums["cudaDeviceSynchronize: nothing"] == Sums{52, 135'226, 0, 0, 0}));
    }
    void itStops() {
        const auto trace = traceFromText(R"(cpu main: cudaStreamSynchronize 40..120
            gpu 0 stream 7: k 10..90 (corr=1))");
        JobControl job;
        const HostWaits waits = HostWaits::of(*trace, job).value();
        job.requestStop();
        QVERIFY(HostWaits::of(*trace, job).error().isCancelled());
        QVERIFY(waits.wait(EventRow(0U), job).error().isCancelled());
    }
};

QTEST_GUILESS_MAIN(TestHostWaits)
#include "tst_host_waits.moc"
