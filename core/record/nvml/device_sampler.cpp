// SPDX-License-Identifier: MIT
#include "core/record/nvml/device_sampler.h"

#include <algorithm>

namespace warpline::record {

using capture::SampleKind;

namespace {

int64_t realtimeNs() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
        .count();
}

}  // namespace

DeviceSampler::DeviceSampler(std::shared_ptr<const Nvml> nvml, SamplerOptions options, Sink sink)
    : m_nvml(std::move(nvml)), m_options(std::move(options)), m_sink(std::move(sink)), m_thread([this] { run(); }) {}

DeviceSampler::~DeviceSampler() {
    stop();
}

void DeviceSampler::stop() {
    {
        const std::lock_guard lock(m_mutex);
        m_stop = true;
    }
    m_wake.notify_all();
    if (m_thread.joinable()) {
        m_thread.join();
    }
}

uint64_t DeviceSampler::rounds() const {
    const std::lock_guard lock(m_mutex);
    return m_rounds;
}

std::vector<DeviceSampler::Failure> DeviceSampler::failures() const {
    const std::lock_guard lock(m_mutex);
    return m_failures;
}

void DeviceSampler::run() {
    using Clock = std::chrono::steady_clock;
    auto due = Clock::now();
    std::unique_lock lock(m_mutex);
    while (!m_stop) {
        lock.unlock();
        m_samples.clear();
        for (const SampledDevice& device : m_options.devices) {
            readDevice(device);
        }
        if (!m_samples.empty()) {
            m_sink(m_samples);
        }
        lock.lock();
        ++m_rounds;
        // A round that took longer than the interval is not made up for.
        due = std::max(due + m_options.interval, Clock::now());
        m_wake.wait_until(lock, due, [this] { return m_stop; });
    }
}

void DeviceSampler::readDevice(const SampledDevice& device) {
    take(device, SampleKind::SmClockMhz, &Nvml::smClockMhz);
    take(device, SampleKind::MemoryClockMhz, &Nvml::memoryClockMhz);
    take(device, SampleKind::PowerWatts, &Nvml::powerWatts);
    take(device, SampleKind::TemperatureC, &Nvml::temperatureC);
    take(device, SampleKind::ThrottleReasons, &Nvml::throttleReasons);
    take(device, SampleKind::UsedBytes, &Nvml::usedBytes);
    take(device, SampleKind::GpuBusyPercent, &Nvml::gpuBusyPercent);
    if (m_options.isRecorded) {
        takeProcesses(device);
    }
}

template <class T>
void DeviceSampler::take(const SampledDevice& device, SampleKind kind, Reading<T> (Nvml::*read)(uint32_t) const) {
    if (isGivenUp(device.number, kind)) {
        return;
    }
    const Reading<T> reading = ((*m_nvml).*read)(device.nvmlIndex);
    if (reading) {
        m_samples.push_back({realtimeNs(), static_cast<double>(*reading), device.number, kind});
    } else {
        countFailure(device.number, kind, reading.why, reading.isFinal);
    }
}

void DeviceSampler::takeProcesses(const SampledDevice& device) {
    constexpr SampleKind kKind = SampleKind::ProcessUsedBytes;
    if (isGivenUp(device.number, kKind)) {
        return;
    }
    const auto processes = m_nvml->processes(device.nvmlIndex);
    if (!processes) {
        countFailure(device.number, kKind, processes.why, processes.isFinal);
        return;
    }
    // A process that the driver knows by another number (in a container) must not read as one that uses nothing.
    double sum = 0;
    bool isKnown = false;
    for (const GpuProcess& process : *processes) {
        if (!m_options.isRecorded(process.pid)) {
            continue;
        }
        if (!process.usedBytes) {
            countFailure(device.number, kKind, process.usedBytes.why, false);
            return;
        }
        sum += static_cast<double>(*process.usedBytes);
        isKnown = true;
    }
    if (isKnown) {
        m_samples.push_back({realtimeNs(), sum, device.number, kKind});
    }
}

bool DeviceSampler::isGivenUp(uint32_t device, SampleKind kind) const {
    const std::lock_guard lock(m_mutex);
    return std::any_of(m_failures.begin(), m_failures.end(), [&](const Failure& failure) {
        return failure.isGivenUp && failure.device == device && failure.kind == kind;
    });
}

void DeviceSampler::countFailure(uint32_t device, SampleKind kind, const std::string& why, bool isFinal) {
    const std::lock_guard lock(m_mutex);
    auto found = std::find_if(m_failures.begin(), m_failures.end(),
                              [&](const Failure& failure) { return failure.device == device && failure.kind == kind; });
    if (found == m_failures.end()) {
        found = m_failures.insert(m_failures.end(), Failure{device, kind, 0, false, {}});
    }
    ++found->count;
    found->isGivenUp = isFinal;
    found->why = why;
}

}  // namespace warpline::record
