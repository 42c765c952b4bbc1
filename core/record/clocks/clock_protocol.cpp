// SPDX-License-Identifier: MIT
#include "core/record/clocks/clock_protocol.h"

#include <algorithm>
#include <cstdlib>

#include "core/record/clocks/run_tool.h"
#include "core/record/gpu_lock/gpu_lock.h"

namespace warpline::record {

namespace {

std::string mhz(uint32_t clock) {
    return std::to_string(clock) + " MHz";
}

/// How nvidia-smi ends without permission.
constexpr int kExitNoPermission = 4;

std::string trimmed(std::string text) {
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) {
        text.pop_back();
    }
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

Status setClocks(const std::string& nvidiaSmi, const std::string& uuid, std::vector<std::string> setting) {
    std::string words = nvidiaSmi + " -i " + uuid;
    for (const std::string& word : setting) {
        words += " " + word;
    }
    setting.insert(setting.begin(), {"-i", uuid});
    const auto run = runTool(nvidiaSmi, setting);
    if (!run.ok()) {
        return run.error();
    }
    const std::string& output = run.value().output;
    if (run.value().code == kExitNoPermission || output.find("permission") != std::string::npos ||
        output.find("Permission") != std::string::npos) {
        return Error::failed("the driver lets only root set clocks", kNeedsRoot);
    }
    if (run.value().code != 0) {
        return Error::failed("`" + words + "` failed (" + std::to_string(run.value().code) + "): " + trimmed(output));
    }
    // Some versions say so and end with 0 all the same.
    if (output.find("not supported") != std::string::npos) {
        return Error::failed("`" + words + "`: " + trimmed(output));
    }
    return {};
}

struct Near {
    uint32_t mhz = 0;
    std::string note;
};

Result<Near> nearest(uint32_t asked, const Reading<std::vector<uint32_t>>& supported, const std::string& what,
                     const Reading<uint32_t>& highest) {
    if (!supported || supported->empty()) {
        if (highest && asked > *highest) {
            return Error::failed(what + " " + mhz(asked) + " is above the highest, " + mhz(*highest), "out_of_range");
        }
        return Near{asked, "as asked for"};
    }
    const auto [least, most] = std::minmax_element(supported->begin(), supported->end());
    if (asked < *least || asked > *most) {
        return Error::failed(what + " " + mhz(asked) + " is out of range: " + mhz(*least) + " to " + mhz(*most),
                             "out_of_range");
    }
    const auto distance = [&](uint32_t clock) { return clock > asked ? clock - asked : asked - clock; };
    const uint32_t found = *std::min_element(supported->begin(), supported->end(), [&](uint32_t a, uint32_t b) {
        return distance(a) != distance(b) ? distance(a) < distance(b) : a < b;
    });
    return Near{found, found == asked ? "as asked for" : "the nearest to " + mhz(asked) + " that can be set"};
}

}  // namespace

Result<ClockChoice> chooseClocks(const DeviceIdentity& device, const Reading<std::vector<uint32_t>>& supportedSmMhz,
                                 const Reading<std::vector<uint32_t>>& supportedMemoryMhz, const ClockWish& wish) {
    ClockChoice choice;
    if (wish.smMhz) {
        const auto near = nearest(*wish.smMhz, supportedSmMhz, "SM clock", device.maxSmClockMhz);
        if (!near.ok()) {
            return near.error();
        }
        choice.smMhz = near.value().mhz;
        choice.why = near.value().note;
    } else if (device.defaultSmClockMhz && *device.defaultSmClockMhz != 0) {
        choice.smMhz = *device.defaultSmClockMhz;
        const bool isHighest = device.maxSmClockMhz && *device.maxSmClockMhz <= choice.smMhz;
        choice.why = isHighest
                         ? "its default application clock, which is its highest too: heavy work may meet the power "
                           "limit and run slower, which recordings show"
                         : "its default application clock, which it keeps up under load";
    } else if (device.maxSmClockMhz && *device.maxSmClockMhz != 0) {
        choice.smMhz = *device.maxSmClockMhz;
        choice.why =
            "its highest clock, since it names no default application clock: heavy work may meet the power "
            "limit and run slower, which recordings show";
    } else {
        return Error::failed("the device does not tell its clocks (" + device.maxSmClockMhz.why +
                             "); give one with --sm-mhz");
    }
    if (wish.memoryMhz) {
        const auto near = nearest(*wish.memoryMhz, supportedMemoryMhz, "memory clock", device.maxMemoryClockMhz);
        if (!near.ok()) {
            return near.error();
        }
        choice.memoryMhz = near.value().mhz;
        if (near.value().mhz != *wish.memoryMhz) {
            choice.why += "; memory: " + near.value().note;
        }
    }
    return choice;
}

std::string nvidiaSmiProgram() {
    const char* program = std::getenv("WARPLINE_NVIDIA_SMI");
    return program != nullptr && *program != 0 ? program : "nvidia-smi";
}

Status lockClocks(const std::string& nvidiaSmi, const ClockNotes& notes, const std::string& uuid,
                  const ClockChoice& choice, int64_t nowSeconds) {
    const auto before = notes.find(uuid);
    const auto pair = [](uint32_t clock) { return std::to_string(clock) + "," + std::to_string(clock); };
    // Noted first: a lock that nobody knows of is worse than a note that is taken back.
    ClockNote note{choice.smMhz, before ? before->memoryMhz : std::nullopt, nowSeconds};
    Status status = notes.write(uuid, note);
    if (!status.ok()) {
        return status;
    }
    status = setClocks(nvidiaSmi, uuid, {"-lgc", pair(choice.smMhz)});
    if (!status.ok()) {
        const Status restored = before ? notes.write(uuid, *before) : notes.remove(uuid);
        return restored.ok() ? status : restored;
    }
    if (choice.memoryMhz) {
        status = setClocks(nvidiaSmi, uuid, {"-lmc", pair(*choice.memoryMhz)});
        if (!status.ok()) {
            return Error::failed("the SM clock is locked at " + mhz(choice.smMhz) +
                                     ", the memory clock could not be: " + status.error().message,
                                 status.error().code);
        }
        note.memoryMhz = choice.memoryMhz;
        status = notes.write(uuid, note);
    }
    return status;
}

Status resetClocks(const std::string& nvidiaSmi, const ClockNotes& notes, const std::string& uuid) {
    const auto note = notes.find(uuid);
    Status status = setClocks(nvidiaSmi, uuid, {"-rgc"});
    if (!status.ok()) {
        return status;
    }
    status = setClocks(nvidiaSmi, uuid, {"-rmc"});
    // Many devices have no lock of the memory clock to undo.
    if (!status.ok() && note && note->memoryMhz) {
        return Error::failed("the SM clock is free again, the memory clock is not: " + status.error().message,
                             status.error().code);
    }
    return notes.remove(uuid);
}

std::string clockLockText(const std::optional<ClockNote>& note, const Reading<uint32_t>& smClockMhz) {
    if (!note) {
        return "not locked by warpline";
    }
    std::string text = "locked by warpline at " + mhz(note->smMhz);
    if (note->memoryMhz) {
        text += ", memory at " + mhz(*note->memoryMhz);
    }
    text += " since " + formatUtcSeconds(note->sinceSeconds);
    // Clocks move in steps of up to 15 MHz. Below the lock they may be for many reasons.
    constexpr uint32_t kStepMhz = 15;
    if (smClockMhz && *smClockMhz > note->smMhz + kStepMhz) {
        text += "; but it runs at " + mhz(*smClockMhz) + " now: something else has undone the lock";
    }
    return text;
}

}  // namespace warpline::record
