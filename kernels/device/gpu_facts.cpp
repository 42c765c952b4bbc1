// SPDX-License-Identifier: MIT
#include "kernels/device/gpu_facts.h"

#include <cuda_runtime_api.h>

#include "core/base/units.h"
#include "kernels/device/gpu.h"

namespace warpline::device {

namespace {

std::string cudaVersionText(int version) {
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string capabilityText(const GpuFacts& gpu) {
    return gpu.name + " has compute capability " + std::to_string(gpu.computeMajor) + "." +
           std::to_string(gpu.computeMinor);
}

}  // namespace

Result<GpuFacts> openGpu(int ordinal) {
    GpuFacts gpu;
    gpu.ordinal = ordinal;
    int driver = 0;
    if (cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0) {
        return Error::failed(
            "no NVIDIA driver here (libcuda.so.1 cannot be loaded): sample kernels need a GPU of compute "
            "capability 9.0 or newer and its driver",
            "no_driver");
    }
    gpu.driverVersion = driver;
    int count = 0;
    const cudaError_t counted = cudaGetDeviceCount(&count);
    if (counted == cudaErrorInsufficientDriver) {
        return Error::failed("the NVIDIA driver is too old: it knows CUDA " + cudaVersionText(driver) +
                                 ", and this build needs " + cudaVersionText(CUDART_VERSION),
                             "old_driver");
    }
    if (counted == cudaErrorNoDevice || (counted == cudaSuccess && count == 0)) {
        return Error::failed("the NVIDIA driver shows no GPU here (is CUDA_VISIBLE_DEVICES set?)", "no_device");
    }
    if (const Status status = checkCuda(counted, "looking for GPUs"); !status.ok()) {
        return status.error();
    }
    if (ordinal < 0 || ordinal >= count) {
        return Error::failed("--device " + std::to_string(ordinal) +
                                 ": there is no such GPU; the numbers here are 0 to " + std::to_string(count - 1),
                             "no_device");
    }
    cudaDeviceProp properties = {};
    if (const Status status = checkCuda(cudaGetDeviceProperties(&properties, ordinal), "reading what the GPU is");
        !status.ok()) {
        return status.error();
    }
    gpu.name = properties.name;
    gpu.computeMajor = properties.major;
    gpu.computeMinor = properties.minor;
    gpu.smCount = properties.multiProcessorCount;
    gpu.l2Bytes = static_cast<uint64_t>(properties.l2CacheSize);
    if (gpu.computeMajor < 9) {
        return Error::failed(capabilityText(gpu) + "; the sample kernels are built for 9.0 and newer", "old_device");
    }
    size_t freeBytes = 0, all = 0;
    Status status = checkCuda(cudaSetDevice(ordinal), "choosing GPU " + std::to_string(ordinal));
    if (status.ok()) {
        status = checkCuda(cudaMemGetInfo(&freeBytes, &all), "reading the GPU's free memory");
    }
    if (!status.ok()) {
        return status.error();
    }
    gpu.freeBytes = freeBytes;
    gpu.memoryBytes = all;
    return gpu;
}

Status fits(const GpuFacts& gpu, const ChosenKernel& chosen) {
    const std::string name = chosen.kernel->info().id + ":" + chosen.version.id;
    if (chosen.version.needsHopper && (gpu.computeMajor != 9 || gpu.computeMinor != 0)) {
        return Error::failed(name + " is made for compute capability 9.0 alone; " + capabilityText(gpu), "old_device");
    }
    const uint64_t needed = chosen.kernel->deviceBytes(chosen.values);
    if (needed > gpu.freeBytes) {
        return Error::failed(name + " needs " + formatBytes(static_cast<double>(needed)) +
                                 " of GPU memory with these parameters, and " +
                                 formatBytes(static_cast<double>(gpu.freeBytes)) + " of " + gpu.name + " are free",
                             "no_memory");
    }
    return {};
}

}  // namespace warpline::device
