// SPDX-License-Identifier: MIT
#pragma once
// Reads clocks, power, temperature, throttle reasons, memory and load of devices at even intervals, on a thread of its
// own, and hands them on as records of a capture.

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "core/capture/records.h"
#include "core/record/nvml/nvml.h"

namespace warpline::record {

struct SampledDevice {
    uint32_t nvmlIndex = 0;
    uint32_t number = 0;  ///< what the records call it: CUDA counts devices in another order
};

struct SamplerOptions {
    std::vector<SampledDevice> devices;
    std::chrono::milliseconds interval{100};
    /// Whether a process belongs to the recording: the memory of those that do is summed up as ProcessUsedBytes. Called
    /// on the sampler's thread. Empty: not sampled.
    std::function<bool(uint32_t pid)> isRecorded;
};

/// Made and destroyed by one thread; the rest is safe from any.
class DeviceSampler {
public:
    /// Takes the samples of one round, on the sampler's thread.
    using Sink = std::function<void(std::span<const capture::SampleRecord>)>;

    /// How often a reading could not be had, and why the last time. What a device does not have at all is asked for
    /// once.
    struct Failure {
        uint32_t device = 0;  ///< its number in the records
        capture::SampleKind kind = capture::SampleKind::SmClockMhz;
        uint64_t count = 0;
        bool isGivenUp = false;
        std::string why;
    };

    /// Starts at once: the first round is read without waiting.
    DeviceSampler(std::shared_ptr<const Nvml> nvml, SamplerOptions options, Sink sink);
    ~DeviceSampler();
    DeviceSampler(const DeviceSampler&) = delete;
    DeviceSampler& operator=(const DeviceSampler&) = delete;

    /// Returns when the thread has ended: after the reading that is going on, without waiting for the next round. No
    /// call of the sink comes after it. Not to be called from the sink.
    void stop();
    uint64_t rounds() const;
    std::vector<Failure> failures() const;

private:
    void run();
    void readDevice(const SampledDevice& device);
    template <class T>
    void take(const SampledDevice& device, capture::SampleKind kind, Reading<T> (Nvml::*read)(uint32_t) const);
    void takeProcesses(const SampledDevice& device);
    bool isGivenUp(uint32_t device, capture::SampleKind kind) const;
    void countFailure(uint32_t device, capture::SampleKind kind, const std::string& why, bool isFinal);

    std::shared_ptr<const Nvml> m_nvml;
    SamplerOptions m_options;
    Sink m_sink;
    std::vector<capture::SampleRecord> m_samples;  ///< of this round

    mutable std::mutex m_mutex;
    std::condition_variable m_wake;
    bool m_stop = false;
    uint64_t m_rounds = 0;
    std::vector<Failure> m_failures;
    std::thread m_thread;
};

}  // namespace warpline::record
