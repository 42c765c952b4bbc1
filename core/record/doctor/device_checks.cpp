// SPDX-License-Identifier: MIT
// How the GPUs are set, and what they do now.
#include <algorithm>

#include "core/record/clocks/clock_protocol.h"
#include "core/record/doctor/checks.h"
#include "core/record/nvml/throttle_reasons.h"

namespace warpline::record {

namespace {

/// Lines of several devices: what all have in common is said once.
class PerDevice {
public:
    void add(const DeviceSnapshot& device, const std::string& text) {
        m_isSame = m_isSame && (m_count == 0 || text == m_first);
        if (m_count++ == 0) {
            m_first = text;
        }
        m_all += (m_all.empty() ? "" : "; ") + device.shortName() + ": " + text;
    }
    std::string text() const { return m_isSame ? m_first : m_all; }

private:
    std::string m_first;
    std::string m_all;
    size_t m_count = 0;
    bool m_isSame = true;
};

/// Without devices there is nothing to check.
bool hasDevices(const DoctorInput& input, Check& check) {
    if (!input.nvml.devices.empty()) {
        return true;
    }
    check.state = CheckState::NotAvailable;
    check.found = input.nvml.error ? "cannot be told without NVML" : "there is no GPU";
    check.fix = input.nvml.error ? "see NVML" : "see GPUs";
    return false;
}

void raise(Check& check, CheckState state) {
    check.state = std::max(check.state, state);
}

std::string idsOf(const std::vector<uint32_t>& indexes) {
    std::string text;
    for (const uint32_t index : indexes) {
        text += (text.empty() ? "" : ",") + std::to_string(index);
    }
    return text;
}

}  // namespace

Check checkClocks(const DoctorInput& input) {
    Check check{"clocks", "Clocks", CheckState::Ok, {}, {}};
    if (!hasDevices(input, check)) {
        return check;
    }
    PerDevice lines;
    for (const DeviceSnapshot& device : input.nvml.devices) {
        const auto& clock = device.state.smClockMhz;
        const auto& most = device.identity.maxSmClockMhz;
        std::string text = clock ? "SM at " + std::to_string(*clock) + " MHz" : "SM clock not known: " + clock.why;
        if (clock && most) {
            text += " of " + std::to_string(*most);
        }
        const auto note = device.identity.uuid ? input.notes.find(*device.identity.uuid) : std::nullopt;
        const std::string lock = clockLockText(note, clock);
        text += ", " + lock;
        if (!clock) {
            raise(check, CheckState::NotAvailable);
        } else if (lock.find("undone") != std::string::npos) {
            raise(check, CheckState::Limited);
            check.fix = "warpline clocks lock --device " + std::to_string(device.identity.index) + ", or reset";
        }
        lines.add(device, text);
    }
    check.found = lines.text();
    if (check.state == CheckState::Ok && check.found.find("not locked") != std::string::npos) {
        check.found += "; before comparing times: warpline clocks lock";
    }
    return check;
}

Check checkThrottling(const DoctorInput& input) {
    Check check{"throttling", "Throttling now", CheckState::Ok, {}, {}};
    if (!hasDevices(input, check)) {
        return check;
    }
    PerDevice lines;
    uint64_t slowing = 0;
    for (const DeviceSnapshot& device : input.nvml.devices) {
        const auto& reasons = device.state.throttleReasons;
        if (!reasons) {
            raise(check, CheckState::NotAvailable);
            lines.add(device, "not known: " + reasons.why);
            continue;
        }
        std::string text = throttleReasonText(*reasons);
        if (slowingReasons(*reasons) != 0) {
            slowing |= slowingReasons(*reasons);
            raise(check, CheckState::Limited);
            if (device.state.temperatureC) {
                text += " at " + std::to_string(*device.state.temperatureC) + " °C";
            }
            if (device.state.powerWatts) {
                text += (device.state.temperatureC ? ", " : " at ") +
                        std::to_string(static_cast<int64_t>(*device.state.powerWatts + 0.5)) + " W";
            }
        }
        lines.add(device, text);
    }
    check.found = lines.text();
    if ((slowing & (kSoftwareThermalSlowdown | kHardwareThermalSlowdown)) != 0) {
        check.fix = "too hot: see to its cooling, or wait; times taken now are too long";
    } else if (slowing != 0) {
        check.fix =
            "short of power: times taken now are too long; warpline clocks lock --sm-mhz N with a lower N keeps "
            "them even";
    }
    return check;
}

Check checkPersistence(const DoctorInput& input) {
    Check check{"persistence", "Persistence", CheckState::Ok, {}, {}};
    if (!hasDevices(input, check)) {
        return check;
    }
    PerDevice lines;
    std::vector<uint32_t> off;
    for (const DeviceSnapshot& device : input.nvml.devices) {
        const auto& mode = device.state.persistence;
        lines.add(device, mode ? (*mode ? "on" : "off") : "not known: " + mode.why);
        if (!mode) {
            raise(check, CheckState::NotAvailable);
        } else if (!*mode) {
            raise(check, CheckState::Limited);
            off.push_back(device.identity.index);
        }
    }
    check.found = lines.text();
    if (!off.empty()) {
        check.found +=
            ": the driver goes to sleep between programs, the next one starts slowly, and locked clocks are lost";
        check.fix = "sudo nvidia-smi -i " + idsOf(off) + " -pm 1";
    }
    return check;
}

Check checkMig(const DoctorInput& input) {
    Check check{"mig", "MIG", CheckState::Ok, {}, {}};
    if (!hasDevices(input, check)) {
        return check;
    }
    PerDevice lines;
    std::vector<uint32_t> on;
    for (const DeviceSnapshot& device : input.nvml.devices) {
        const auto& mode = device.state.mig;
        // A GPU that cannot be divided is not.
        const bool cannot = !mode && mode.isFinal;
        lines.add(device, mode ? (*mode ? "on" : "off") : cannot ? "not on this GPU" : "not known: " + mode.why);
        if (!mode && !cannot) {
            raise(check, CheckState::NotAvailable);
        } else if (mode && *mode) {
            raise(check, CheckState::Limited);
            on.push_back(device.identity.index);
        }
    }
    check.found = lines.text();
    if (!on.empty()) {
        check.found += ": timeline works, counters are limited, and clocks, power and load are those of the whole GPU";
        check.fix = "to use the GPU as one: sudo nvidia-smi -i " + idsOf(on) + " -mig 0";
    }
    return check;
}

}  // namespace warpline::record
