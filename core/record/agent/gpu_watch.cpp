// SPDX-License-Identifier: MIT
#include "core/record/agent/gpu_watch.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "core/capture/texts.h"
#include "core/record/clocks/clock_facts.h"
#include "core/record/nvml/nvml_snapshot.h"

namespace warpline::record {

using namespace capture;

std::vector<uint32_t> visibleGpus(const std::optional<std::string>& variable, const std::vector<std::string>& uuids) {
    std::vector<uint32_t> all;
    for (uint32_t i = 0; i < uuids.size(); ++i) {
        all.push_back(i);
    }
    if (!variable) {
        return all;
    }
    std::vector<uint32_t> visible;
    std::string_view rest = *variable;
    while (!rest.empty()) {
        const size_t end = std::min(rest.find(','), rest.size());
        const std::string_view entry = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (entry.starts_with("MIG-")) {
            return all;
        }
        uint32_t index = 0;
        const auto number = std::from_chars(entry.data(), entry.data() + entry.size(), index);
        if (number.ec == std::errc() && number.ptr == entry.data() + entry.size()) {
            // CUDA takes no more from where a number is none of a GPU.
            if (index >= uuids.size()) {
                break;
            }
            visible.push_back(index);
            continue;
        }
        const auto found = std::ranges::find_if(
            uuids, [&](const std::string& uuid) { return !entry.empty() && uuid.starts_with(entry); });
        if (found == uuids.end()) {
            break;
        }
        visible.push_back(static_cast<uint32_t>(found - uuids.begin()));
    }
    return visible;
}

std::optional<std::array<uint8_t, 16>> uuidBytes(std::string_view text) {
    constexpr std::string_view kPrefix = "GPU-";
    if (!text.starts_with(kPrefix)) {
        return std::nullopt;
    }
    std::string digits;
    for (const char c : text.substr(kPrefix.size())) {
        if (c != '-') {
            digits += c;
        }
    }
    std::array<uint8_t, 16> bytes{};
    constexpr int kBase = 16;
    if (digits.size() != 2 * bytes.size()) {
        return std::nullopt;
    }
    for (size_t i = 0; i < bytes.size(); ++i) {
        const char* const at = digits.data() + 2 * i;
        const auto [end, error] = std::from_chars(at, at + 2, bytes[i], kBase);
        if (error != std::errc() || end != at + 2) {
            return std::nullopt;
        }
    }
    return bytes;
}

Result<std::unique_ptr<GpuWatch>> GpuWatch::start(const std::string& program,
                                                  const std::optional<std::string>& visibleDevices) {
    std::unique_ptr<GpuWatch> watch(new GpuWatch);
    const auto nvml = Nvml::open();
    const NvmlSnapshot snapshot = takeSnapshot(nvml);
    for (const auto& [key, value] : clockFacts(snapshot, ClockNotes())) {
        appendFact(watch->m_facts, key, value);
    }
    if (!nvml.ok()) {
        return watch;
    }
    std::vector<std::string> uuids;
    for (const DeviceSnapshot& device : snapshot.devices) {
        uuids.push_back(device.identity.uuid.value.value_or(""));
    }
    SamplerOptions options;
    for (const uint32_t index : visibleGpus(visibleDevices, uuids)) {
        if (!uuids[index].empty()) {
            Result<GpuLock> lock = GpuLock::take(uuids[index], program);
            if (!lock.ok() && lock.error().code == "locked") {
                return lock.error();
            }
            if (lock.ok()) {
                watch->m_locks.push_back(std::move(lock).value());
            } else {
                appendFact(watch->m_facts, "gpu." + std::to_string(index) + ".lock", lock.error().message);
            }
        }
        const DeviceIdentity& identity = snapshot.devices[index].identity;
        DeviceRecord record;
        record.device = index;
        record.memoryBytes = identity.memoryBytes.value.value_or(0);
        if (const auto bytes = uuidBytes(uuids[index])) {
            std::ranges::copy(*bytes, record.uuid);
        }
        watch->m_devices.emplace_back(record, identity.name.value.value_or(""));
        options.devices.push_back({index, index});
    }
    GpuWatch* const self = watch.get();
    options.isRecorded = [self](uint32_t pid) {
        const std::scoped_lock lock(self->m_mutex);
        return self->m_processes.contains(pid);
    };
    watch->m_sampler = std::make_unique<DeviceSampler>(
        nvml.value(), std::move(options), [self](std::span<const SampleRecord> samples) {
            const std::scoped_lock lock(self->m_mutex);
            self->m_samples.insert(self->m_samples.end(), samples.begin(), samples.end());
        });
    return watch;
}

GpuWatch::~GpuWatch() {
    m_sampler.reset();
}

void GpuWatch::drain(CaptureWriter& writer) {
    for (auto& [record, name] : m_devices) {
        record.name = writer.number(name);
        writer.add(record);
    }
    m_devices.clear();
    std::vector<SampleRecord> samples;
    {
        const std::scoped_lock lock(m_mutex);
        samples.swap(m_samples);
    }
    for (const SampleRecord& sample : samples) {
        writer.add(sample);
    }
}

void GpuWatch::addProcess(uint32_t pid) {
    const std::scoped_lock lock(m_mutex);
    m_processes.insert(pid);
}

}  // namespace warpline::record
