// SPDX-License-Identifier: MIT
#include "kernels/runner.h"

#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>

#include <algorithm>

#include "kernels/device/device_kernel.h"
#include "kernels/device/gpu_facts.h"
#include "kernels/timing_statistics.h"

namespace warpline {

namespace {

using device::checkCuda;
using device::Gpu;

/// Gives back what a kernel took, on every way out.
class Prepared {
public:
    explicit Prepared(SampleKernel& kernel) : m_kernel(&kernel) {}
    ~Prepared() { m_kernel->release(); }
    Prepared(const Prepared&) = delete;
    Prepared& operator=(const Prepared&) = delete;

private:
    SampleKernel* m_kernel;
};

/// Opens the GPU, prepares and checks.
Status begin(const ChosenKernel& chosen, int ordinal, bool checks, GpuFacts& gpu, std::optional<KernelCheck>& check) {
    auto opened = device::openGpu(ordinal);
    if (!opened.ok()) {
        return opened.error();
    }
    gpu = std::move(opened).value();
    Status status = device::fits(gpu, chosen);
    if (status.ok()) {
        status = chosen.kernel->prepare(chosen.values, chosen.version);
    }
    if (!status.ok() || !checks) {
        return status;
    }
    auto result = chosen.kernel->check();
    if (!result.ok()) {
        return result.error();
    }
    check = std::move(result).value();
    if (!check->passed) {
        return Error::failed(chosen.kernel->info().id + ":" + chosen.version.id + " computed a wrong result: " +
                                 check->method + ", off by up to " + std::to_string(check->worstError) + " where " +
                                 std::to_string(check->tolerance) + " is allowed",
                             "wrong_result");
    }
    return {};
}

Status runTimes(SampleKernel& kernel, uint64_t times, void* stream, JobControl& job) {
    for (uint64_t i = 0; i < times; ++i) {
        if (job.stopRequested()) {
            return Error::cancelled();
        }
        if (Status status = kernel.launch(stream); !status.ok()) {
            return status;
        }
    }
    return {};
}

/// A pair of events around what is timed, over and over.
class Stopwatch {
public:
    ~Stopwatch() {
        if (m_start != nullptr) {
            cudaEventDestroy(m_start);
        }
        if (m_stop != nullptr) {
            cudaEventDestroy(m_stop);
        }
    }
    Stopwatch() = default;
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;

    Status make() {
        Status status = checkCuda(cudaEventCreate(&m_start), "making an event");
        return status.ok() ? checkCuda(cudaEventCreate(&m_stop), "making an event") : status;
    }
    Status start(void* stream) {
        return checkCuda(cudaEventRecord(m_start, static_cast<cudaStream_t>(stream)), "recording an event");
    }
    /// Waits for what is timed.
    Result<double> stopNs(void* stream) {
        float milliseconds = 0;
        Status status = checkCuda(cudaEventRecord(m_stop, static_cast<cudaStream_t>(stream)), "recording an event");
        if (status.ok()) {
            status = checkCuda(cudaEventSynchronize(m_stop), "waiting for an event");
        }
        if (status.ok()) {
            status = checkCuda(cudaEventElapsedTime(&milliseconds, m_start, m_stop), "reading events");
        }
        if (!status.ok()) {
            return status.error();
        }
        return static_cast<double>(milliseconds) * 1e6;
    }

private:
    cudaEvent_t m_start = nullptr, m_stop = nullptr;
};

/// The time that the host needs to enqueue a run, in which the GPU is to be kept from starting.
constexpr uint64_t kEnqueueNs = 10'000, kLongestPauseNs = 3'000'000;

class EventTimer {
public:
    EventTimer(const ChosenKernel& chosen, const EventOptions& options, JobControl& job)
        : m_chosen(chosen), m_kernel(*chosen.kernel), m_options(options), m_job(job) {}

    Status run(EventOutcome& outcome) {
        return device::inTurn(
            [&]() -> Status { return begin(m_chosen, m_options.device, m_options.check, outcome.gpu, outcome.check); },
            [&]() -> Status { return device::keep(m_gpu.makeStream(), m_stream); }, [&] { return m_watch.make(); },
            [&] { return warmUp(outcome); }, [&] { return prepareSamples(outcome); },
            [&] { return takeSamples(outcome); });
    }

private:
    Status warmUp(EventOutcome& outcome) {
        const LaunchLedger before = m_kernel.ledger();
        Status status = m_kernel.launch(m_stream);
        outcome.oneRun = m_kernel.ledger() - before;
        if (status.ok()) {
            status = runTimes(m_kernel, std::max<uint64_t>(m_options.warmUps, 1) - 1, m_stream, m_job);
        }
        if (status.ok()) {
            status = m_gpu.synchronise(m_stream);
        }
        const LaunchLedger& run = outcome.oneRun;
        const uint64_t calls =
            run.kernelCount() + run.hostCopies + run.deviceCopies + run.memsets + 2 * run.allocations;
        m_pauseNs = std::min(kEnqueueNs * (2 + (run.graphLaunches > 0 ? 2 : calls)), kLongestPauseNs);
        return status;
    }

    Status prepareSamples(EventOutcome& outcome) {
        if (m_options.flushL2 && !m_options.graphReplay) {
            // Twice the cache, so that nothing of it stays.
            m_flushBytes = std::max<uint64_t>(2 * outcome.gpu.l2Bytes, uint64_t{64} << 20U);
            if (Status status = device::keep(m_gpu.allocate(m_flushBytes), m_flush); !status.ok()) {
                return status;
            }
        }
        if (!m_options.graphReplay) {
            return {};
        }
        const auto once = oneSample();
        if (!once.ok()) {
            return once.error();
        }
        outcome.runsPerSample = runsInGraph(once.value());
        Status status = m_gpu.beginCapture(m_stream);
        if (!status.ok()) {
            return status;
        }
        status = runTimes(m_kernel, outcome.runsPerSample, m_stream, m_job);
        // Ended in any case, so that the stream can be used again.
        auto graph = m_gpu.endCapture(m_stream);
        if (status.ok() && graph.ok()) {
            m_graph = std::move(graph).value();
            status = m_gpu.replay(*m_graph, m_stream);
        }
        if (status.ok() && !graph.ok()) {
            return graph.error();
        }
        return status.ok() ? m_gpu.synchronise(m_stream) : status;
    }

    Result<double> oneSample() {
        Status status;
        if (m_flush != nullptr) {
            status = m_gpu.fillBytes(m_flush, 0, m_flushBytes, m_stream);
        }
        if (status.ok()) {
            status = m_gpu.pause(m_pauseNs, m_stream);
        }
        if (status.ok()) {
            status = m_watch.start(m_stream);
        }
        if (status.ok()) {
            status = m_graph ? m_gpu.replay(*m_graph, m_stream) : m_kernel.launch(m_stream);
        }
        if (!status.ok()) {
            return status.error();
        }
        return m_watch.stopNs(m_stream);
    }

    Status takeSamples(EventOutcome& outcome) {
        for (uint64_t i = 0; i < m_options.samples; ++i) {
            if (m_job.stopRequested()) {
                return Error::cancelled();
            }
            const auto sample = oneSample();
            if (!sample.ok()) {
                return sample.error();
            }
            outcome.samplesNs.push_back(sample.value() / static_cast<double>(outcome.runsPerSample));
        }
        return {};
    }

    const ChosenKernel& m_chosen;
    SampleKernel& m_kernel;
    const EventOptions& m_options;
    JobControl& m_job;
    Gpu m_gpu;
    Stopwatch m_watch;
    void* m_stream = nullptr;
    void* m_flush = nullptr;
    uint64_t m_flushBytes = 0, m_pauseNs = 0;
    std::optional<device::GpuGraph> m_graph;
};

}  // namespace

Result<RunOutcome> runToBeRecorded(const ChosenKernel& chosen, const RunOptions& options, JobControl& job) {
    RunOutcome outcome;
    SampleKernel& kernel = *chosen.kernel;
    const Prepared prepared(kernel);
    Gpu gpu;
    void* stream = nullptr;
    LaunchLedger before;
    const auto since = [&] {
        LaunchLedger done = kernel.ledger() - before;
        before = kernel.ledger();
        return done;
    };
    const Status status = device::inTurn(
        [&]() -> Status { return begin(chosen, options.device, options.check, outcome.gpu, outcome.check); },
        [&]() -> Status { return device::keep(gpu.makeStream(), stream); },
        [&] {
            outcome.prepared = since();
            return runTimes(kernel, options.warmUps, stream, job);
        },
        [&] { return gpu.synchronise(stream); },
        [&] {
            outcome.warmUp = since();
            return checkCuda(cudaProfilerStart(), "cudaProfilerStart");
        },
        [&] { return runTimes(kernel, options.repetitions, stream, job); },
        [&] { return checkCuda(cudaDeviceSynchronize(), "waiting for the GPU"); },
        [&] {
            outcome.measured = since();
            return checkCuda(cudaProfilerStop(), "cudaProfilerStop");
        });
    if (!status.ok()) {
        return status.error();
    }
    kernel.release();
    outcome.total = kernel.ledger();
    return outcome;
}

Result<EventOutcome> timeWithEvents(const ChosenKernel& chosen, const EventOptions& options, JobControl& job) {
    if (options.graphReplay) {
        if (const std::string reason = chosen.kernel->whyNotInGraph(chosen.version); !reason.empty()) {
            return Error::failed("--graph-replay: " + reason, "not_in_graph");
        }
    }
    EventOutcome outcome;
    const Prepared prepared(*chosen.kernel);
    const Status status = EventTimer(chosen, options, job).run(outcome);
    if (!status.ok()) {
        return status.error();
    }
    return outcome;
}

}  // namespace warpline
