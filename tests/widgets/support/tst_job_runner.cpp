// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCoreApplication>
#include <QSignalSpy>
#include <QTest>
#include <QThread>

#include <atomic>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include "widgets/support/job_runner.h"

using namespace warpline;

class TestJobRunner : public QObject {
    Q_OBJECT

private slots:
    void runsElsewhereAndDeliversHere();
    void aNewerJobDropsTheOlderResult();
    void cancelledWorkIsNotDelivered();
    void theDestructorStopsAndWaits();
    void whatTheWorkThrowsIsAnError();
    void aDeliveryMayStartTheNextJob();
    void aDeliveryMayDeleteTheRunner();
    void manyJobsInARowDeliverTheLastOnly();
};

namespace {

/// Work that ends only when it is asked to.
Result<int> untilStopped(JobControl& job) {
    while (!job.stopRequested()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return Error::cancelled();
}

}  // namespace

void TestJobRunner::runsElsewhereAndDeliversHere() {
    JobRunner runner;
    QSignalSpy busy(&runner, &JobRunner::busyChanged);
    std::atomic<Qt::HANDLE> workThread{nullptr};
    int got = 0;
    Qt::HANDLE doneThread = nullptr;
    runner.start<int>(
        [&](JobControl& job) -> Result<int> {
            workThread = QThread::currentThreadId();
            job.setProgress(1, 2);
            return 42;
        },
        [&](Result<int> result) {
            got = result.value();
            doneThread = QThread::currentThreadId();
        });
    QVERIFY(runner.busy());
    QCOMPARE(got, 0);
    QCOMPARE(JobRunner::activeJobs(), 1);
    QTRY_COMPARE(got, 42);
    QVERIFY(workThread.load() != QThread::currentThreadId());
    QCOMPARE(doneThread, QThread::currentThreadId());
    QVERIFY(!runner.busy());
    QCOMPARE(runner.control(), nullptr);
    QCOMPARE(JobRunner::activeJobs(), 0);
    QCOMPARE(busy.count(), 2);
}

void TestJobRunner::aNewerJobDropsTheOlderResult() {
    JobRunner runner;
    QList<int> got;
    std::atomic<bool> firstEnded{false};
    runner.start<int>(
        [&](JobControl& job) -> Result<int> {
            (void)untilStopped(job);
            firstEnded = true;
            return 1;  // as if it had not noticed
        },
        [&](Result<int> result) { got << result.value(); });
    runner.start<int>([](JobControl&) -> Result<int> { return 2; }, [&](Result<int> result) { got << result.value(); });
    QTRY_COMPARE(JobRunner::activeJobs(), 0);
    QVERIFY(firstEnded);
    QCOMPARE(got, QList<int>{2});
}

void TestJobRunner::cancelledWorkIsNotDelivered() {
    JobRunner runner;
    bool delivered = false;
    // Finished, but its result not delivered yet.
    runner.start<int>([](JobControl&) -> Result<int> { return 1; }, [&](Result<int>) { delivered = true; });
    QThread::msleep(30);
    runner.cancel();
    QVERIFY(!runner.busy());
    QTRY_COMPARE(JobRunner::activeJobs(), 0);
    QVERIFY(!delivered);
}

void TestJobRunner::theDestructorStopsAndWaits() {
    std::atomic<bool> ended{false};
    bool delivered = false;
    {
        JobRunner runner;
        runner.start<int>(
            [&](JobControl& job) {
                Result<int> result = untilStopped(job);
                ended = true;
                return result;
            },
            [&](Result<int>) { delivered = true; });
    }
    QVERIFY(ended);
    QCoreApplication::processEvents();
    QVERIFY(!delivered);
    QCOMPARE(JobRunner::activeJobs(), 0);
}

void TestJobRunner::whatTheWorkThrowsIsAnError() {
    JobRunner runner;
    QStringList messages;
    const auto keep = [&](Result<int> result) { messages << QString::fromStdString(result.error().message); };
    runner.start<int>([](JobControl&) -> Result<int> { throw std::runtime_error("broken"); }, keep);
    QTRY_COMPARE(messages.size(), 1);
    runner.start<int>([](JobControl&) -> Result<int> { throw std::bad_alloc(); }, keep);
    QTRY_COMPARE(messages.size(), 2);
    QCOMPARE(messages, (QStringList{"broken", "there is not enough memory for this"}));
}

void TestJobRunner::aDeliveryMayStartTheNextJob() {
    JobRunner runner;
    int last = 0;
    std::function<void(int)> startFrom = [&](int n) {
        runner.start<int>([n](JobControl&) -> Result<int> { return n; },
                          [&](Result<int> result) {
                              last = result.value();
                              if (last < 5) {
                                  startFrom(last + 1);
                              }
                          });
    };
    startFrom(1);
    QTRY_COMPARE(last, 5);
    QVERIFY(!runner.busy());
}

void TestJobRunner::aDeliveryMayDeleteTheRunner() {
    auto runner = std::make_unique<JobRunner>();
    bool delivered = false;
    runner->start<int>([](JobControl&) -> Result<int> { return 1; },
                       [&](Result<int>) {
                           delivered = true;
                           runner.reset();
                       });
    QTRY_VERIFY(delivered);
    QCOMPARE(JobRunner::activeJobs(), 0);
}

void TestJobRunner::manyJobsInARowDeliverTheLastOnly() {
    JobRunner runner;
    QList<int> got;
    for (int i = 0; i < 200; ++i) {
        runner.start<int>(
            [i](JobControl& job) -> Result<int> {
                const auto data = std::make_unique<std::vector<int>>(1000, i);
                return job.stopRequested() ? Result<int>(Error::cancelled()) : Result<int>(data->back());
            },
            [&](Result<int> result) { got << result.value(); });
    }
    QTRY_COMPARE(JobRunner::activeJobs(), 0);
    QCOMPARE(got, QList<int>{199});
}

QTEST_GUILESS_MAIN(TestJobRunner)
#include "tst_job_runner.moc"
