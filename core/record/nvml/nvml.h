// SPDX-License-Identifier: MIT
#pragma once
// What the driver tells of its GPUs, through NVML, which is opened at run time: a machine without a driver is an Error,
// not a program that does not start. Reads only; changes nothing on a device. Any thread.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/record/nvml/reading.h"

namespace warpline::record {

/// A process that has a context on a device. In a container these are the host's numbers.
struct GpuProcess {
    uint32_t pid = 0;
    Reading<uint64_t> usedBytes;
};

enum class VirtualizationMode { None = 0, PassThrough = 1, Vgpu = 2, HostVgpu = 3, HostVsga = 4 };

/// Facts of a device that do not change while it runs.
struct DeviceIdentity {
    uint32_t index = 0;  ///< NVML's: by PCI bus id, whatever CUDA_VISIBLE_DEVICES says
    Reading<std::string> uuid;
    Reading<std::string> name;
    Reading<std::string> pciBusId;
    Reading<uint64_t> memoryBytes;
    Reading<std::string> computeCapability;  ///< "9.0"
    Reading<uint32_t> maxSmClockMhz;
    Reading<uint32_t> maxMemoryClockMhz;
    Reading<uint32_t> defaultSmClockMhz;  ///< the default application clock: what the vendor has it run at under load
    Reading<VirtualizationMode> virtualization;
};

/// What a device does now, and how it is set.
struct DeviceState {
    Reading<uint32_t> smClockMhz;
    Reading<uint32_t> memoryClockMhz;
    Reading<uint32_t> applicationSmClockMhz;
    Reading<uint32_t> applicationMemoryClockMhz;
    Reading<double> powerWatts;
    Reading<double> powerLimitWatts;
    Reading<uint32_t> temperatureC;
    Reading<uint64_t> throttleReasons;  ///< bits, see throttle_reasons.h
    Reading<uint64_t> usedBytes;        ///< by all processes, as nvidia-smi says it
    Reading<uint32_t> gpuBusyPercent;   ///< of the driver's last period, tens to hundreds of milliseconds
    Reading<std::vector<GpuProcess>> processes;
    Reading<bool> persistence;
    Reading<bool> mig;
};

/// The reason codes of the Errors of Nvml::open().
namespace nvml_error {
inline constexpr const char* kNoLibrary = "no_library";
inline constexpr const char* kUnusable = "unusable_library";  ///< it is no NVML, or too old a one
inline constexpr const char* kNoDriver = "no_driver";
inline constexpr const char* kMismatch = "version_mismatch";
inline constexpr const char* kNoPermission = "no_permission";
inline constexpr const char* kFailed = "failed";
}  // namespace nvml_error

class Nvml {
public:
    /// The library named by the environment variable WARPLINE_NVML, else the system's libnvidia-ml.so.1.
    static Result<std::shared_ptr<const Nvml>> open();
    static Result<std::shared_ptr<const Nvml>> openLibrary(const std::string& path);
    ~Nvml();
    Nvml(const Nvml&) = delete;
    Nvml& operator=(const Nvml&) = delete;

    /// The file that was loaded.
    const std::string& libraryPath() const;
    Reading<std::string> driverVersion() const;  ///< "580.95.05"
    Reading<std::string> nvmlVersion() const;
    Reading<uint32_t> cudaVersion() const;  ///< the newest CUDA that the driver runs: 13000 is 13.0

    Reading<uint32_t> deviceCount() const;
    DeviceIdentity identity(uint32_t index) const;
    DeviceState state(uint32_t index) const;

    Reading<uint32_t> smClockMhz(uint32_t index) const;
    Reading<uint32_t> memoryClockMhz(uint32_t index) const;
    Reading<double> powerWatts(uint32_t index) const;
    Reading<uint32_t> temperatureC(uint32_t index) const;
    Reading<uint64_t> throttleReasons(uint32_t index) const;
    Reading<uint64_t> usedBytes(uint32_t index) const;
    Reading<uint32_t> gpuBusyPercent(uint32_t index) const;
    Reading<std::vector<GpuProcess>> processes(uint32_t index) const;
    /// What can be set, highest first, at the highest memory clock.
    Reading<std::vector<uint32_t>> supportedSmClocksMhz(uint32_t index) const;
    Reading<std::vector<uint32_t>> supportedMemoryClocksMhz(uint32_t index) const;

private:
    struct Library;
    explicit Nvml(std::unique_ptr<Library> library);
    std::unique_ptr<Library> m_library;
};

}  // namespace warpline::record
