// SPDX-License-Identifier: MIT
#include <QTest>

#include "core/analyses/wait_summary.h"
#include "core/loaders/load_trace.h"
#include "tests/support/trace_text.h"

using namespace warpline;
using warpline::test::traceFromText;

namespace {

/// Two threads that wait at once, a wait inside of a wait, and one for nothing.
constexpr const char* kScene = R"t(
    cpu main: cudaLaunchKernel 0..5 (corr=1) cudaStreamSynchronize 20..120 cudaLaunchKernel 130..135 (corr=2) cudaStreamSynchronize 140..220 cudaStreamSynchronize 230..234 cudaMemcpy 300..400 (corr=3) { cuMemcpyDtoH_v2 310..390 }
    cpu other: cudaStreamSynchronize 100..160
    gpu 0 stream 7: k 10..90 (corr=1) k 136..200 (corr=2) "Memcpy DtoH" 320..380 (corr=3))t";

WaitSummary summaryOf(const Trace& trace, TimeRange range, const std::vector<TrackId>& tracks = {}) {
    JobControl job;
    return computeWaitSummary(trace, range, tracks, job).value();
}

/// "cudaMemcpy for Memcpy DtoH: 1 x, 100, longest 100 at 300"
QStringList linesOf(const Trace& trace, const WaitSummary& summary) {
    QStringList lines;
    const auto text = [&](StringId id) { return QString::fromStdString(std::string(trace.string(id))); };
    for (const WaitSum& group : summary.groups) {
        const QString what = group.answer == WaitAnswer::Work          ? text(group.work)
                             : group.answer == WaitAnswer::NothingLeft ? QString("nothing")
                                                                       : QString("? %1").arg(int(group.gap));
        QString line = QString("%1 for %2: %3 x, %4")
                           .arg(text(group.call), what)
                           .arg(group.calls.size())
                           .arg(*group.total.value());
        if (group.longest) {
            line += QString(", longest %1 at %2").arg(group.longestNs).arg(trace.slices().begin[group.longest.value]);
        }
        lines << (group.unknownEnds > 0 ? line + QString(", %1 without an end").arg(group.unknownEnds) : line);
    }
    return lines;
}

TrackId trackAt(const Trace& trace, TimeNs begin) {
    for (uint32_t row = 0; row < trace.sliceCount(); ++row) {
        if (trace.slices().begin[row] == begin) {
            return trace.slices().track[row];
        }
    }
    throw std::runtime_error("no such slice");
}

}  // namespace

class TestWaitSummary : public QObject {
    Q_OBJECT
private slots:
    void byCallAndWhatItWaitedFor() {
        const auto trace = traceFromText(kScene);
        const WaitSummary all = summaryOf(*trace, *trace->range());
        // The thread `other` waits from 100 on for what was launched before: k had ended.
        QCOMPARE(linesOf(*trace, all), QStringList({"cudaStreamSynchronize for k: 2 x, 180, longest 100 at 20",
                                                    "cudaMemcpy for Memcpy DtoH: 1 x, 100, longest 100 at 300",
                                                    "cudaStreamSynchronize for nothing: 2 x, 64, longest 60 at 100"}));
        QVERIFY(all.recorded == WaitSummary::Recorded::Yes);
        QCOMPARE(all.count, uint64_t{5});
        QCOMPARE(all.total, Sum(344));
        QCOMPARE(all.waitedNs, DurationNs{100 + 40 + 60 + 4 + 100});  // 20..220 without a gap, 230..234, 300..400
        QCOMPARE(all.groups[0].calls.size(), size_t{2});
        QVERIFY(trace->slices().begin[all.groups[0].calls[0].value] == 20);
    }
    void thePartInsideCounts() {
        const auto trace = traceFromText(kScene);
        const WaitSummary part = summaryOf(*trace, {110, 310});
        QCOMPARE(linesOf(*trace, part), QStringList({"cudaStreamSynchronize for k: 2 x, 90, longest 80 at 140",
                                                     "cudaStreamSynchronize for nothing: 2 x, 54, longest 50 at 100",
                                                     "cudaMemcpy for Memcpy DtoH: 1 x, 10, longest 10 at 300"}));
        QCOMPARE(part.waitedNs, DurationNs{110 + 4 + 10});
        QCOMPARE(summaryOf(*trace, {240, 300}).count, uint64_t{0});
        QVERIFY(summaryOf(*trace, {240, 300}).recorded == WaitSummary::Recorded::Yes);
    }
    void ofSomeThreads() {
        const auto trace = traceFromText(kScene);
        const WaitSummary other = summaryOf(*trace, *trace->range(), {trackAt(*trace, 100)});
        QCOMPARE(linesOf(*trace, other),
                 QStringList({"cudaStreamSynchronize for nothing: 1 x, 60, longest 60 at 100"}));
        QCOMPARE(other.waitedNs, DurationNs{60});
        const WaitSummary stream = summaryOf(*trace, *trace->range(), {trackAt(*trace, 136)});
        QVERIFY(stream.recorded == WaitSummary::Recorded::NotOnTracks);
    }
    void whatIsNotRecordedIsUnknown() {
        const auto device = traceFromText("cpu main: step 0..50\ngpu 0 stream 7: k 10..90");
        QVERIFY(summaryOf(*device, *device->range()).recorded == WaitSummary::Recorded::NotInTrace);
        const auto launches =
            traceFromText("cpu main: cudaLaunchKernel 0..5 (corr=1)\ngpu 0 stream 7: k 10..90 (corr=1)");
        QVERIFY(summaryOf(*launches, *launches->range()).recorded == WaitSummary::Recorded::Yes);
        QVERIFY(summaryOf(*launches, *launches->range()).groups.empty());
    }
    void withoutAnEnd() {
        const auto trace = traceFromText(R"(cpu main: cudaStreamSynchronize 40..?
            gpu 0 stream 7: k 10..90 (corr=1))");
        const WaitSummary all = summaryOf(*trace, {0, 100});
        QCOMPARE(linesOf(*trace, all),
                 QStringList(
                     {QString("cudaStreamSynchronize for ? %1: 1 x, 0, 1 without an end").arg(int(WaitGap::NoEnd))}));
        QCOMPARE(all.waitedNs, DurationNs{0});
    }
    /// The sums are those that tst_host_waits has from a script of its own; the rest of one that reads the same JSON.
    void whatTheCpuWaitsForInSyncHeavy() {
        JobControl job;
        const auto trace = loadTrace({WARPLINE_TEST_DATA_DIR "/sync_heavy.trace.json.gz"}, {}, job).value();
        const WaitSummary all = summaryOf(*trace, *trace->range());
        QCOMPARE(all.count, uint64_t{220 + 20 + 20 + 52});
        QCOMPARE(all.total, Sum(1'419'591 + 2'194'617 + 45'807 + 135'226));
        QCOMPARE(all.waitedNs, DurationNs{3'795'241});
        QCOMPARE(linesOf(*trace, all),
                 QStringList({
                     "cudaMemcpyAsync for Memcpy DtoH (Device -> Pageable): 20 x, 2194617, longest 136336 at "
                     "5110168968682574",
                     "cudaStreamSynchronize for Memcpy DtoH (Device -> Pinned): 220 x, 1419591, longest 20484 at "
                     "5110168961763106",
                     "cudaDeviceSynchronize for nothing: 52 x, 135226, longest 8007 at 5110168969198709",
                     "cudaStreamSynchronize for nothing: 20 x, 45807, longest 2989 at 5110168966481475",
                 }));
    }
    void itStops() {
        const auto trace = traceFromText(kScene);
        JobControl job;
        job.requestStop();
        QVERIFY(computeWaitSummary(*trace, *trace->range(), {}, job).error().isCancelled());
    }
};

QTEST_GUILESS_MAIN(TestWaitSummary)
#include "tst_wait_summary.moc"
