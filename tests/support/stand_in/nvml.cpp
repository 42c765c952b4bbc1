// SPDX-License-Identifier: MIT
// A stand-in for libnvidia-ml.so.1: a library of its own, opened by tests in its place. What it says is set by the
// environment variable WARPLINE_STAND_IN_NVML, "key=value;key=value"; "1.key=value" is for device 1 alone. Keys: init,
// driver, cuda, devices, name, sm, max_sm, default_sm, memory_clock, power_mw, temperature, reasons, used, total, busy,
// persistence, mig, virtualization, processes ("pid:bytes,pid:bytes"), fail ("nvmlDeviceGetPowerUsage:3,…": what
// functions return). Built with WARPLINE_STAND_IN_OLD it lacks what older drivers lack.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "core/record/nvml/nvml_api.h"

using namespace warpline::record;

#define STAND_IN extern "C" __attribute__((visibility("default")))

namespace {

std::string valueIn(const std::string& list, const std::string& key, char between, char before) {
    size_t at = 0;
    while (at < list.size()) {
        size_t end = list.find(between, at);
        end = end == std::string::npos ? list.size() : end;
        if (list.compare(at, key.size() + 1, key + before) == 0) {
            return list.substr(at + key.size() + 1, end - at - key.size() - 1);
        }
        at = end + 1;
    }
    return {};
}

std::string setting(const std::string& key, const std::string& otherwise) {
    const char* all = std::getenv("WARPLINE_STAND_IN_NVML");
    const std::string value = valueIn(all != nullptr ? all : "", key, ';', '=');
    return value.empty() ? otherwise : value;
}

size_t numberOf(NvmlDevice device) {
    return reinterpret_cast<size_t>(device) - 1;
}

std::string setting(NvmlDevice device, const std::string& key, const std::string& otherwise) {
    return setting(std::to_string(numberOf(device)) + "." + key, setting(key, otherwise));
}

unsigned long long number(NvmlDevice device, const std::string& key, const std::string& otherwise) {
    return std::strtoull(setting(device, key, otherwise).c_str(), nullptr, 0);
}

int codeOf(const char* function) {
    return std::atoi(valueIn(setting("fail", ""), function, ',', ':').c_str());
}

int giveText(const char* function, const std::string& text, char* out, unsigned size) {
    std::snprintf(out, size, "%s", text.c_str());
    return codeOf(function);
}

template <class T>
int give(const char* function, unsigned long long value, T* out) {
    *out = static_cast<T>(value);
    return codeOf(function);
}

template <class T>
int giveList(const char* function, const std::vector<T>& values, unsigned* count, T* out) {
    if (codeOf(function) != 0) {
        return codeOf(function);
    }
    const bool fits = *count >= values.size();
    *count = static_cast<unsigned>(values.size());
    if (!fits) {
        return kNvmlInsufficientSize;
    }
    for (size_t i = 0; i < values.size(); ++i) {
        out[i] = values[i];
    }
    return kNvmlSuccess;
}

}  // namespace

STAND_IN int nvmlInit_v2() {
    return std::atoi(setting("init", "0").c_str());
}

STAND_IN int nvmlShutdown() {
    return kNvmlSuccess;
}

STAND_IN const char* nvmlErrorString(int code) {
    return code == 999 ? "Unknown Error" : "Some Error";
}

STAND_IN int nvmlSystemGetDriverVersion(char* out, unsigned size) {
    return giveText(__func__, setting("driver", "580.95.05"), out, size);
}

STAND_IN int nvmlSystemGetNVMLVersion(char* out, unsigned size) {
    return giveText(__func__, "13." + setting("driver", "580.95.05"), out, size);
}

STAND_IN int nvmlSystemGetCudaDriverVersion_v2(int* out) {
    return give(__func__, std::strtoull(setting("cuda", "13000").c_str(), nullptr, 0), out);
}

STAND_IN int nvmlDeviceGetCount_v2(unsigned* out) {
    return give(__func__, std::strtoull(setting("devices", "1").c_str(), nullptr, 0), out);
}

STAND_IN int nvmlDeviceGetHandleByIndex_v2(unsigned index, NvmlDevice* out) {
    if (index >= std::strtoul(setting("devices", "1").c_str(), nullptr, 0)) {
        return kNvmlInvalidArgument;
    }
    *out = reinterpret_cast<NvmlDevice>(size_t{index} + 1);
    return codeOf(__func__);
}

STAND_IN int nvmlDeviceGetUUID(NvmlDevice device, char* out, unsigned size) {
    return giveText(__func__, "GPU-00000000-0000-0000-0000-00000000000" + std::to_string(numberOf(device)), out, size);
}

STAND_IN int nvmlDeviceGetName(NvmlDevice device, char* out, unsigned size) {
    return giveText(__func__, setting(device, "name", "NVIDIA H200"), out, size);
}

STAND_IN int nvmlDeviceGetPciInfo_v3(NvmlDevice device, NvmlPci* out) {
    std::snprintf(out->busId, sizeof out->busId, "00000000:%02zX:00.0", numberOf(device) + 0x1A);
    return codeOf(__func__);
}

STAND_IN int nvmlDeviceGetCudaComputeCapability(NvmlDevice, int* major, int* minor) {
    *major = 9;
    *minor = 0;
    return codeOf(__func__);
}

STAND_IN int nvmlDeviceGetMemoryInfo(NvmlDevice device, NvmlMemory* out) {
    out->total = number(device, "total", "150754820096");
    out->used = number(device, "used", "1048576") + 600;
    out->free = out->total - out->used;
    return codeOf(__func__);
}

STAND_IN int nvmlDeviceGetClockInfo(NvmlDevice device, int clock, unsigned* out) {
    return give(__func__,
                clock == kNvmlClockMemory ? number(device, "memory_clock", "3201") : number(device, "sm", "1980"), out);
}

STAND_IN int nvmlDeviceGetMaxClockInfo(NvmlDevice device, int clock, unsigned* out) {
    return give(__func__, clock == kNvmlClockMemory ? 3201 : number(device, "max_sm", "1980"), out);
}

STAND_IN int nvmlDeviceGetTemperature(NvmlDevice device, int, unsigned* out) {
    return give(__func__, number(device, "temperature", "41"), out);
}

STAND_IN int nvmlDeviceGetCurrentClocksThrottleReasons(NvmlDevice device, unsigned long long* out) {
    return give(__func__, number(device, "reasons", "0"), out);
}

STAND_IN int nvmlDeviceGetUtilizationRates(NvmlDevice device, NvmlUtilization* out) {
    out->memory = 3;
    return give(__func__, number(device, "busy", "0"), &out->gpu);
}

STAND_IN int nvmlDeviceGetPersistenceMode(NvmlDevice device, int* out) {
    return give(__func__, number(device, "persistence", "1"), out);
}

#ifndef WARPLINE_STAND_IN_OLD

STAND_IN int nvmlDeviceGetMemoryInfo_v2(NvmlDevice device, NvmlMemory2* out) {
    if (out->version != kNvmlMemory2Version) {
        return kNvmlInvalidArgument;
    }
    out->total = number(device, "total", "150754820096");
    out->reserved = 600;
    return give(__func__, number(device, "used", "1048576"), &out->used);
}

STAND_IN int nvmlDeviceGetApplicationsClock(NvmlDevice device, int clock, unsigned* out) {
    return give(__func__, clock == kNvmlClockMemory ? 3201 : number(device, "default_sm", "1830"), out);
}

STAND_IN int nvmlDeviceGetDefaultApplicationsClock(NvmlDevice device, int clock, unsigned* out) {
    return give(__func__, clock == kNvmlClockMemory ? 3201 : number(device, "default_sm", "1830"), out);
}

STAND_IN int nvmlDeviceGetSupportedMemoryClocks(NvmlDevice, unsigned* count, unsigned* out) {
    return giveList<unsigned>(__func__, {1593, 3201}, count, out);
}

/// 345 to 1980 MHz in steps of 5: more than a first guess at their number has room for.
STAND_IN int nvmlDeviceGetSupportedGraphicsClocks(NvmlDevice, unsigned memoryMhz, unsigned* count, unsigned* out) {
    std::vector<unsigned> clocks;
    for (unsigned clock = 345; clock <= 1980 && memoryMhz == 3201; clock += 5) {
        clocks.push_back(clock);
    }
    return giveList<unsigned>(__func__, clocks, count, out);
}

STAND_IN int nvmlDeviceGetPowerUsage(NvmlDevice device, unsigned* out) {
    return give(__func__, number(device, "power_mw", "123456"), out);
}

STAND_IN int nvmlDeviceGetEnforcedPowerLimit(NvmlDevice, unsigned* out) {
    return give(__func__, 700000, out);
}

STAND_IN int nvmlDeviceGetComputeRunningProcesses_v3(NvmlDevice device, unsigned* count, NvmlProcess* out) {
    std::vector<NvmlProcess> processes;
    const std::string all = setting(device, "processes", "");
    for (size_t at = 0; at < all.size();
         at = all.find(',', at) == std::string::npos ? all.size() : all.find(',', at) + 1) {
        NvmlProcess process{};
        process.pid = static_cast<unsigned>(std::strtoul(all.c_str() + at, nullptr, 10));
        const char* bytes = std::strchr(all.c_str() + at, ':') + 1;
        process.usedBytes = *bytes == '?' ? kNvmlUnknownBytes : std::strtoull(bytes, nullptr, 10);
        processes.push_back(process);
    }
    return giveList(__func__, processes, count, out);
}

STAND_IN int nvmlDeviceGetMigMode(NvmlDevice device, unsigned* current, unsigned* pending) {
    *pending = 0;
    return give(__func__, number(device, "mig", "0"), current);
}

STAND_IN int nvmlDeviceGetVirtualizationMode(NvmlDevice device, int* out) {
    return give(__func__, number(device, "virtualization", "0"), out);
}

#endif
