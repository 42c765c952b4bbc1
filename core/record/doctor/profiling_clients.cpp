// SPDX-License-Identifier: MIT
#include "core/record/doctor/profiling_clients.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

namespace warpline::record {

namespace {

struct Tool {
    std::string_view program;
    const char* what;
};
constexpr Tool kTools[] = {
    {"nsys", "Nsight Systems"},
    {"nsys-launcher", "Nsight Systems"},
    {"ncu", "Nsight Compute"},
    {"nv-nsight-cu-cli", "Nsight Compute"},
    {"cuda-gdb", "the CUDA debugger"},
    {"cudagdb", "the CUDA debugger"},
    {"compute-sanitizer", "Compute Sanitizer"},
    {"cuda-memcheck", "cuda-memcheck"},
    {"nvprof", "nvprof"},
};
constexpr Tool kCounterTools[] = {
    {"nv-hostengine", "DCGM"},
    {"dcgm-exporter", "DCGM"},
    {"dcgmi", "DCGM"},
};
constexpr Tool kMpsTools[] = {
    {"nvidia-cuda-mps-control", "MPS control"},
    {"nvidia-cuda-mps-server", "MPS server"},
};

constexpr std::string_view kInjection = "CUDA_INJECTION64_PATH=";

std::string baseName(std::string_view path) {
    const size_t slash = path.rfind('/');
    return std::string(slash == std::string_view::npos ? path : path.substr(slash + 1));
}

/// By the first argument, or by the second where the first is what runs a script.
template <size_t Count>
const Tool* findTool(const Tool (&tools)[Count], const std::string& program, const std::string& script) {
    for (const Tool& tool : tools) {
        if (tool.program == program || tool.program == script) {
            return &tool;
        }
    }
    return nullptr;
}

std::string argument(const std::string& commandLine, size_t which) {
    size_t at = 0;
    for (; which > 0 && at < commandLine.size(); --which) {
        at = std::min(commandLine.find('\0', at), commandLine.size() - 1) + 1;
    }
    return commandLine.substr(at, std::min(commandLine.find('\0', at), commandLine.size()) - at);
}

std::optional<std::string> injectionOf(const std::string& environment) {
    for (size_t at = 0; at < environment.size();) {
        const size_t end = std::min(environment.find('\0', at), environment.size());
        const std::string_view entry(environment.data() + at, end - at);
        if (entry.substr(0, kInjection.size()) == kInjection && entry.size() > kInjection.size()) {
            return std::string(entry.substr(kInjection.size()));
        }
        at = end + 1;
    }
    return std::nullopt;
}

bool runsScripts(const std::string& program) {
    return program.rfind("python", 0) == 0 || program == "sh" || program == "bash" || program == "perl";
}

}  // namespace

ProcessScan scanProcesses(const SystemView& system) {
    ProcessScan scan;
    for (const std::string& name : system.listFolder("/proc")) {
        int64_t pid = 0;
        const auto read = std::from_chars(name.data(), name.data() + name.size(), pid);
        if (read.ec != std::errc() || read.ptr != name.data() + name.size() || pid == system.processId()) {
            continue;
        }
        const std::string folder = "/proc/" + name;
        const auto commandLine = system.readFile(folder + "/cmdline");
        if (!commandLine || commandLine->empty()) {
            continue;  // it has ended, or is a thread of the kernel
        }
        ++scan.processes;
        const std::string program = baseName(argument(*commandLine, 0));
        const std::string script = runsScripts(program) ? baseName(argument(*commandLine, 1)) : "";
        const auto add = [&](auto& list, const std::string& why) { list.push_back({pid, program, why}); };
        if (const Tool* tool = findTool(kTools, program, script)) {
            add(scan.clients, std::string("is ") + tool->what);
            continue;
        }
        if (const Tool* tool = findTool(kCounterTools, program, script)) {
            add(scan.counters, std::string("is ") + tool->what);
            continue;
        }
        if (const Tool* tool = findTool(kMpsTools, program, script)) {
            add(scan.mps, std::string("is ") + tool->what);
            continue;
        }
        const auto environment = system.readFile(folder + "/environ");
        if (!environment) {
            ++scan.hidden;
            continue;
        }
        const auto injection = injectionOf(*environment);
        if (!injection) {
            continue;
        }
        // A shell hands the variable down to all that it starts; only what has opened CUDA is held by it.
        const auto maps = system.readFile(folder + "/maps");
        if (maps && maps->find("/libcuda.so") == std::string::npos) {
            continue;
        }
        add(scan.clients, baseName(*injection) == "libwarpline_inject.so"
                              ? "is recorded by warpline"
                              : "is run under CUDA_INJECTION64_PATH=" + *injection);
    }
    return scan;
}

std::string describe(const std::vector<ProfilingClient>& clients) {
    constexpr size_t kMost = 4;
    std::string text;
    for (size_t i = 0; i < clients.size() && i < kMost; ++i) {
        text += (i == 0 ? "" : ", ") + clients[i].program + " (process " + std::to_string(clients[i].pid) + ") " +
                clients[i].why;
    }
    if (clients.size() > kMost) {
        text += ", and " + std::to_string(clients.size() - kMost) + " more";
    }
    return text;
}

}  // namespace warpline::record
