// SPDX-License-Identifier: MIT
#pragma once
// The GPUs that a recording is about: locked for it, their state written down at its start, and their clocks, power,
// temperature and memory sampled while it runs. Where there is no NVML, that is said in the recording and nothing else
// is missing.

#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/capture/capture_writer.h"
#include "core/record/gpu_lock/gpu_lock.h"
#include "core/record/nvml/device_sampler.h"

namespace warpline::record {

/// Which of `count` GPUs with these UUIDs a program sees that has this CUDA_VISIBLE_DEVICES; all where it is not set.
/// What cannot be told (a part of a GPU) counts as all. Pure.
std::vector<uint32_t> visibleGpus(const std::optional<std::string>& variable, const std::vector<std::string>& uuids);

/// The bytes of "GPU-12345678-…"; nullopt: it is none. Pure.
std::optional<std::array<uint8_t, 16>> uuidBytes(std::string_view text);

/// start() and drain() on one thread; samples come on another.
class GpuWatch {
public:
    /// Locks the GPUs that `program` may use and begins to sample them. Fails if one of them is being recorded, with
    /// who does it.
    static Result<std::unique_ptr<GpuWatch>> start(const std::string& program,
                                                   const std::optional<std::string>& visibleDevices);
    ~GpuWatch();

    /// Facts of the GPUs and of their clocks, as a payload of appendFact().
    const std::string& facts() const { return m_facts; }
    /// Writes what the GPUs are, once, and the samples since.
    void drain(capture::CaptureWriter& writer);
    /// A process that is recorded: its memory counts as the recording's.
    void addProcess(uint32_t pid);

private:
    GpuWatch() = default;

    std::string m_facts;
    std::vector<GpuLock> m_locks;
    std::vector<std::pair<capture::DeviceRecord, std::string>> m_devices;  ///< and their names
    std::mutex m_mutex;
    std::vector<capture::SampleRecord> m_samples;
    std::set<uint32_t> m_processes;
    std::unique_ptr<DeviceSampler> m_sampler;  ///< last: it ends before what it uses
};

}  // namespace warpline::record
