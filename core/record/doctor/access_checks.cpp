// SPDX-License-Identifier: MIT
// Who may count, and who else is at it.
#include <algorithm>
#include <cstdlib>

#include "core/record/doctor/checks.h"

namespace warpline::record {

namespace {

std::optional<std::string> valueOf(const std::string& text, const std::string& key) {
    for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find('\n', at), text.size());
        if (text.compare(at, key.size() + 1, key + ":") == 0) {
            const size_t begin = text.find_first_not_of(" \t", at + key.size() + 1);
            return begin < end ? text.substr(begin, end - begin) : std::string();
        }
        at = end + 1;
    }
    return std::nullopt;
}

/// By capability where the kernel tells them: root of a container may lack them.
bool mayCount(const SystemView& system) {
    constexpr int kSysAdmin = 21;
    constexpr int kPerfmon = 38;
    const auto status = system.readFile("/proc/self/status");
    const auto effective = status ? valueOf(*status, "CapEff") : std::nullopt;
    if (!effective) {
        return system.userId() == 0;
    }
    const uint64_t bits = std::strtoull(effective->c_str(), nullptr, 16);
    return (bits >> kSysAdmin & 1) != 0 || (bits >> kPerfmon & 1) != 0;
}

}  // namespace

Check checkCounters(const DoctorInput& input, const ProcessScan& scan) {
    Check check{"counters", "Counters", CheckState::Ok, {}, {}};
    const auto parameters = input.system.readFile("/proc/driver/nvidia/params");
    if (!parameters) {
        check.state = CheckState::NotAvailable;
        check.found = "/proc/driver/nvidia/params cannot be read: whether the driver allows them is not known";
        check.fix = "see Driver";
        return check;
    }
    const auto adminOnly = valueOf(*parameters, "RmProfilingAdminOnly");
    const bool isRoot = input.system.userId() == 0;
    if (adminOnly && *adminOnly == "0") {
        check.found = "allowed to every user (RmProfilingAdminOnly 0)";
    } else if (mayCount(input.system)) {
        check.found = adminOnly ? "allowed to administrators (RmProfilingAdminOnly " + *adminOnly + "), and this is one"
                                : "this is an administrator; the driver does not tell RmProfilingAdminOnly";
    } else {
        check.state = CheckState::Limited;
        check.found = "Timeline works. Counters are blocked by the driver (RmProfilingAdminOnly " +
                      adminOnly.value_or("is not told") + ", user " + std::to_string(input.system.userId()) + ")";
        check.fix = isRoot ? "this root lacks CAP_SYS_ADMIN: start the container with --cap-add=SYS_ADMIN, or ask for "
                             "`options nvidia NVreg_RestrictProfilingToAdminUsers=0` in /etc/modprobe.d"
                           : "ask for `options nvidia NVreg_RestrictProfilingToAdminUsers=0` in /etc/modprobe.d (it "
                             "holds from the next start on), or run as root";
        return check;
    }
    if (!scan.counters.empty()) {
        check.state = CheckState::Limited;
        check.found += "; " + describe(scan.counters) + ", which may hold them";
        check.fix = "sudo dcgmi profile --pause while counting, --resume after it";
    }
    return check;
}

Check checkClients(const DoctorInput& input, const ProcessScan& scan) {
    Check check{"other_clients", "Other profilers", CheckState::Ok, {}, {}};
    const auto own = input.system.environment("CUDA_INJECTION64_PATH");
    if (!scan.clients.empty()) {
        check.state = CheckState::Limited;
        check.found = describe(scan.clients);
        check.fix = "one profiler at a time in a process: programs under these cannot be recorded; end them first";
    } else {
        check.found = "none among " + std::to_string(scan.processes) + " processes";
    }
    if (scan.hidden != 0) {
        check.found += "; the environment of " + std::to_string(scan.hidden) + " may not be read by this user";
    }
    if (own && !own->empty()) {
        check.state = CheckState::Limited;
        check.found += "; CUDA_INJECTION64_PATH is set here (" + *own + "), so programs started here are held by that";
        check.fix += (check.fix.empty() ? "" : "; ") + std::string("unset CUDA_INJECTION64_PATH");
    }
    return check;
}

Check checkRecordings(const DoctorInput& input) {
    Check check{"recordings", "Recordings", CheckState::Ok, {}, {}};
    for (const DeviceSnapshot& device : input.nvml.devices) {
        const auto holder = device.identity.uuid && input.holder ? input.holder(*device.identity.uuid) : std::nullopt;
        if (holder) {
            check.state = CheckState::Limited;
            check.found += (check.found.empty() ? "" : "; ") + device.shortName() + " is being recorded: `" +
                           holder->program + "` (process " + std::to_string(holder->pid) + ", since " +
                           formatUtcSeconds(holder->sinceSeconds) + ")";
            check.fix = "one recording a GPU at a time: wait for it, or end it";
        }
    }
    if (check.found.empty()) {
        check.found = "none of this user is going on";
    }
    return check;
}

Check checkMps(const DoctorInput& input, const ProcessScan& scan) {
    Check check{"mps", "MPS", CheckState::Ok, "off", {}};
    const auto pipes = input.system.environment("CUDA_MPS_PIPE_DIRECTORY");
    const std::string folder = pipes && !pipes->empty() ? *pipes : "/tmp/nvidia-mps";
    if (!scan.mps.empty()) {
        check.state = CheckState::Limited;
        check.found = describe(scan.mps) + ": timeline works, counters of shared GPUs do not";
        check.fix = "for counters: echo quit | nvidia-cuda-mps-control";
    } else if (input.system.exists(folder + "/control")) {
        check.state = CheckState::Limited;
        check.found = "its pipe is at " + folder +
                      ", though no MPS process is seen: programs started here may be its "
                      "clients, and counters do not work for those";
        check.fix = "CUDA_MPS_PIPE_DIRECTORY=/nonexistent keeps a program out of it";
    }
    return check;
}

Check checkVirtualization(const DoctorInput& input) {
    Check check{"virtualization", "Virtualisation", CheckState::Ok, "none seen", {}};
    const std::string version = input.system.readFile("/proc/version").value_or("");
    if (version.find("microsoft") != std::string::npos || version.find("WSL") != std::string::npos) {
        check.state = CheckState::Limited;
        check.found = "WSL: timeline works, counters are limited";
        check.fix =
            "counters need Windows' own setting: NVIDIA Control Panel, Developer, Manage GPU Performance Counters";
        return check;
    }
    for (const DeviceSnapshot& device : input.nvml.devices) {
        const auto& mode = device.identity.virtualization;
        if (!mode) {
            continue;
        }
        if (*mode == VirtualizationMode::Vgpu) {
            check.state = CheckState::Limited;
            check.found = device.shortName() + " is a vGPU: counters, and often the timeline too, are up to the host";
            check.fix = "ask the host's administrator to enable profiling for this vGPU (enable_profiling=1)";
        } else if (*mode == VirtualizationMode::PassThrough && check.state == CheckState::Ok) {
            check.found = "a virtual machine, the GPU is passed through";
        }
    }
    return check;
}

Check checkContainer(const DoctorInput& input) {
    Check check{"container", "Container", CheckState::Ok, "none seen", {}};
    const std::string groups = input.system.readFile("/proc/1/cgroup").value_or("");
    const bool isContainer = input.system.exists("/.dockerenv") || input.system.exists("/run/.containerenv") ||
                             input.system.environment("container").has_value() ||
                             groups.find("docker") != std::string::npos || groups.find("kubepods") != std::string::npos;
    if (isContainer) {
        check.state = CheckState::Limited;
        check.found =
            "in a container: profilers and recordings outside it cannot be seen, and the driver names processes "
            "by the host's numbers, so memory is sampled for the GPU as a whole";
        check.fix = "none is needed for the timeline; docker run --pid=host shows the host's processes";
    }
    return check;
}

}  // namespace warpline::record
