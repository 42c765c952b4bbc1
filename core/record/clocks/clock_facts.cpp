// SPDX-License-Identifier: MIT
#include "core/record/clocks/clock_facts.h"

#include <cstdio>

#include "core/record/clocks/clock_protocol.h"
#include "core/record/nvml/throttle_reasons.h"

namespace warpline::record {

namespace {

std::string plain(const std::string& value) {
    return value;
}

std::string plain(uint32_t value) {
    return std::to_string(value);
}

std::string plain(double value) {
    char text[40];
    std::snprintf(text, sizeof text, "%.6g", value);
    return text;
}

std::string plain(bool value) {
    return value ? "on" : "off";
}

template <class T>
std::string textOf(const Reading<T>& reading) {
    return reading ? plain(*reading) : "n/a: " + reading.why;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> clockFacts(const NvmlSnapshot& snapshot, const ClockNotes& notes) {
    std::vector<std::pair<std::string, std::string>> facts;
    facts.emplace_back("nvml", snapshot.error ? "n/a: " + snapshot.error->message : textOf(snapshot.driverVersion));
    for (const DeviceSnapshot& device : snapshot.devices) {
        const std::string prefix = "gpu." + std::to_string(device.identity.index) + ".";
        const auto add = [&](const char* key, std::string value) {
            facts.emplace_back(prefix + key, std::move(value));
        };
        add("uuid", textOf(device.identity.uuid));
        add("name", textOf(device.identity.name));
        add("pci", textOf(device.identity.pciBusId));
        add("sm_clock_mhz", textOf(device.state.smClockMhz));
        add("memory_clock_mhz", textOf(device.state.memoryClockMhz));
        add("max_sm_clock_mhz", textOf(device.identity.maxSmClockMhz));
        add("application_sm_clock_mhz", textOf(device.state.applicationSmClockMhz));
        add("clock_lock", device.identity.uuid
                              ? clockLockText(notes.find(*device.identity.uuid), device.state.smClockMhz)
                              : "n/a: " + device.identity.uuid.why);
        add("throttle", device.state.throttleReasons ? throttleReasonText(*device.state.throttleReasons)
                                                     : "n/a: " + device.state.throttleReasons.why);
        add("temperature_c", textOf(device.state.temperatureC));
        add("power_limit_watts", textOf(device.state.powerLimitWatts));
        add("persistence", textOf(device.state.persistence));
        add("mig", textOf(device.state.mig));
    }
    return facts;
}

}  // namespace warpline::record
