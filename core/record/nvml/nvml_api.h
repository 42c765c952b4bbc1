// SPDX-License-Identifier: MIT
#pragma once
// The part of NVML's C interface that is used here, declared from its public documentation, so that no header of the
// CUDA Toolkit is needed. Functions are found by name at run time: one that a driver lacks is null.

#include <cstdint>

namespace warpline::record {

struct NvmlDeviceTag;
using NvmlDevice = NvmlDeviceTag*;

/// What NVML's functions return. Those that need words of their own; others are said by nvmlErrorString().
enum NvmlCode : int {
    kNvmlSuccess = 0,
    kNvmlInvalidArgument = 2,
    kNvmlNotSupported = 3,
    kNvmlNoPermission = 4,
    kNvmlNotFound = 6,
    kNvmlInsufficientSize = 7,
    kNvmlDriverNotLoaded = 9,
    kNvmlLibraryNotFound = 12,
    kNvmlFunctionNotFound = 13,
    kNvmlGpuIsLost = 15,
    kNvmlResetRequired = 16,
    kNvmlVersionMismatch = 18,
};

enum NvmlClock : int { kNvmlClockGraphics = 0, kNvmlClockSm = 1, kNvmlClockMemory = 2 };
inline constexpr int kNvmlTemperatureGpu = 0;
inline constexpr unsigned kNvmlUuidChars = 96;
inline constexpr unsigned kNvmlNameChars = 96;
inline constexpr unsigned kNvmlVersionChars = 80;
/// Stands for the memory of a process that the driver does not tell.
inline constexpr unsigned long long kNvmlUnknownBytes = ~0ULL;

struct NvmlPci {
    char legacyBusId[16];
    unsigned domain, bus, device, pciDeviceId, pciSubsystemId;
    char busId[32];
};

struct NvmlMemory {
    unsigned long long total, free, used;
};

struct NvmlMemory2 {
    unsigned version;
    unsigned long long total, reserved, free, used;
};
inline constexpr unsigned kNvmlMemory2Version = sizeof(NvmlMemory2) | (2U << 24);

struct NvmlUtilization {
    unsigned gpu, memory;  ///< percent of the driver's last period
};

struct NvmlProcess {
    unsigned pid;
    unsigned long long usedBytes;
    unsigned gpuInstance, computeInstance;
};

struct NvmlApi {
    int (*init)() = nullptr;
    int (*shutdown)() = nullptr;
    const char* (*errorString)(int) = nullptr;
    int (*driverVersion)(char*, unsigned) = nullptr;
    int (*nvmlVersion)(char*, unsigned) = nullptr;
    int (*cudaVersion)(int*) = nullptr;
    int (*deviceCount)(unsigned*) = nullptr;
    int (*deviceByIndex)(unsigned, NvmlDevice*) = nullptr;
    int (*uuid)(NvmlDevice, char*, unsigned) = nullptr;
    int (*name)(NvmlDevice, char*, unsigned) = nullptr;
    int (*pci)(NvmlDevice, NvmlPci*) = nullptr;
    int (*computeCapability)(NvmlDevice, int*, int*) = nullptr;
    int (*memory)(NvmlDevice, NvmlMemory*) = nullptr;
    int (*memory2)(NvmlDevice, NvmlMemory2*) = nullptr;
    int (*clock)(NvmlDevice, int, unsigned*) = nullptr;
    int (*maxClock)(NvmlDevice, int, unsigned*) = nullptr;
    int (*applicationClock)(NvmlDevice, int, unsigned*) = nullptr;
    int (*defaultApplicationClock)(NvmlDevice, int, unsigned*) = nullptr;
    int (*supportedMemoryClocks)(NvmlDevice, unsigned*, unsigned*) = nullptr;
    int (*supportedGraphicsClocks)(NvmlDevice, unsigned, unsigned*, unsigned*) = nullptr;
    int (*power)(NvmlDevice, unsigned*) = nullptr;
    int (*powerLimit)(NvmlDevice, unsigned*) = nullptr;
    int (*temperature)(NvmlDevice, int, unsigned*) = nullptr;
    int (*throttleReasons)(NvmlDevice, unsigned long long*) = nullptr;
    int (*utilization)(NvmlDevice, NvmlUtilization*) = nullptr;
    int (*processes)(NvmlDevice, unsigned*, NvmlProcess*) = nullptr;
    int (*persistence)(NvmlDevice, int*) = nullptr;
    int (*mig)(NvmlDevice, unsigned*, unsigned*) = nullptr;
    int (*virtualization)(NvmlDevice, int*) = nullptr;
};

/// Looks each function up in a library that dlopen() gave; newer names before older ones.
NvmlApi loadNvmlApi(void* library);

}  // namespace warpline::record
