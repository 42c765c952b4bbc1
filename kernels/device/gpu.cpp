// SPDX-License-Identifier: MIT
#include "kernels/device/gpu.h"

#include <cuda_runtime_api.h>

#include <algorithm>

#include "core/base/units.h"

namespace warpline::device {

GpuCode code_helpers();

namespace {

cudaStream_t asStream(void* stream) {
    return static_cast<cudaStream_t>(stream);
}

}  // namespace

Status checkCuda(int code, const std::string& what) {
    const auto error = static_cast<cudaError_t>(code);
    if (error == cudaSuccess) {
        return {};
    }
    // An error that does not stick would else be reported by the next call too.
    cudaGetLastError();
    return Error::failed(what + ": " + cudaGetErrorString(error) + " (" + cudaGetErrorName(error) + ")");
}

Result<GpuFunction> Gpu::load(const GpuCode& code, const std::string& name) {
    auto known = std::find_if(m_libraries.begin(), m_libraries.end(),
                              [&](const auto& entry) { return entry.first == code.data; });
    if (known == m_libraries.end()) {
        cudaLibrary_t library = nullptr;
        if (const Status status =
                checkCuda(cudaLibraryLoadData(&library, code.data, nullptr, nullptr, 0, nullptr, nullptr, 0),
                          "loading the code of " + name);
            !status.ok()) {
            return status.error();
        }
        known = m_libraries.insert(m_libraries.end(), {code.data, library});
    }
    cudaKernel_t kernel = nullptr;
    if (const Status status = checkCuda(
            cudaLibraryGetKernel(&kernel, static_cast<cudaLibrary_t>(known->second), name.c_str()), "finding " + name);
        !status.ok()) {
        return status.error();
    }
    return GpuFunction{kernel, name};
}

Result<void*> Gpu::allocate(uint64_t bytes) {
    void* memory = nullptr;
    const Status status =
        checkCuda(cudaMalloc(&memory, bytes), "taking " + formatBytes(static_cast<double>(bytes)) + " of GPU memory");
    if (!status.ok()) {
        return status.error();
    }
    ++m_ledger.allocations;
    m_memory.push_back(memory);
    return memory;
}

Result<void*> Gpu::allocateHost(uint64_t bytes) {
    void* memory = nullptr;
    const Status status = checkCuda(cudaMallocHost(&memory, bytes),
                                    "taking " + formatBytes(static_cast<double>(bytes)) + " of page-locked memory");
    if (!status.ok()) {
        return status.error();
    }
    m_hostMemory.push_back(memory);
    return memory;
}

Result<void*> Gpu::makeStream() {
    cudaStream_t stream = nullptr;
    if (const Status status = checkCuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "making a stream");
        !status.ok()) {
        return status.error();
    }
    m_streams.push_back(stream);
    return static_cast<void*>(stream);
}

void Gpu::releaseAll() {
    for (const GpuGraph& graph : m_graphs) {
        cudaGraphExecDestroy(static_cast<cudaGraphExec_t>(graph.executable));
        cudaGraphDestroy(static_cast<cudaGraph_t>(graph.graph));
    }
    for (void* stream : m_streams) {
        cudaStreamDestroy(asStream(stream));
    }
    for (void* memory : m_memory) {
        cudaFree(memory);
        ++m_ledger.frees;
    }
    for (void* memory : m_hostMemory) {
        cudaFreeHost(memory);
    }
    for (const auto& [code, library] : m_libraries) {
        cudaLibraryUnload(static_cast<cudaLibrary_t>(library));
    }
    m_graphs.clear();
    m_streams.clear();
    m_memory.clear();
    m_hostMemory.clear();
    m_libraries.clear();
}

Status Gpu::launchWith(const GpuFunction& function, const LaunchShape& shape, void* stream, void** arguments) {
    const dim3 grid{shape.grid.x, shape.grid.y, shape.grid.z};
    const dim3 block{shape.block.x, shape.block.y, shape.block.z};
    Status status =
        checkCuda(cudaLaunchKernel(function.kernel, grid, block, arguments, shape.dynamicSharedBytes, asStream(stream)),
                  "launching " + function.name);
    if (status.ok()) {
        ++m_ledger.kernels[function.name];
    }
    return status;
}

Status Gpu::copyToHost(void* to, const void* from, uint64_t bytes, void* stream) {
    ++m_ledger.hostCopies;
    return checkCuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, asStream(stream)), "copying to the host");
}

Status Gpu::copyToDevice(void* to, const void* from, uint64_t bytes, void* stream) {
    ++m_ledger.hostCopies;
    return checkCuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, asStream(stream)), "copying to the GPU");
}

Status Gpu::copyOnDevice(void* to, const void* from, uint64_t bytes, void* stream) {
    ++m_ledger.deviceCopies;
    return checkCuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, asStream(stream)),
                     "copying on the GPU");
}

Status Gpu::fillBytes(void* memory, int value, uint64_t bytes, void* stream) {
    ++m_ledger.memsets;
    return checkCuda(cudaMemsetAsync(memory, value, bytes, asStream(stream)), "setting GPU memory");
}

Status Gpu::fill(const char* kernel, void* memory, uint64_t count, uint32_t seed, void* stream) {
    const auto function = load(code_helpers(), kernel);
    if (!function.ok()) {
        return function.error();
    }
    const auto blocks = static_cast<unsigned>(std::min<uint64_t>(blocksFor(count, 256), 8192));
    return launch(function.value(), {{blocks}, {256}}, stream, memory, static_cast<unsigned long long>(count),
                  static_cast<unsigned>(seed));
}

Status Gpu::fillFloats(void* memory, uint64_t count, uint32_t seed, void* stream) {
    return fill("fill_float_kernel", memory, count, seed, stream);
}

Status Gpu::fillHalves(void* memory, uint64_t count, uint32_t seed, void* stream) {
    return fill("fill_half_kernel", memory, count, seed, stream);
}

Status Gpu::pause(uint64_t nanoseconds, void* stream) {
    const auto function = load(code_helpers(), "pause_kernel");
    if (!function.ok()) {
        return function.error();
    }
    return launch(function.value(), {}, stream, static_cast<unsigned long long>(nanoseconds));
}

Status Gpu::synchronise(void* stream) {
    return checkCuda(cudaStreamSynchronize(asStream(stream)), "waiting for the GPU");
}

Status Gpu::order(void* earlier, void* later) {
    cudaEvent_t event = nullptr;
    if (Status status = checkCuda(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "making an event");
        !status.ok()) {
        return status;
    }
    Status status = checkCuda(cudaEventRecord(event, asStream(earlier)), "recording an event");
    if (status.ok()) {
        status = checkCuda(cudaStreamWaitEvent(asStream(later), event, 0), "waiting for an event");
    }
    // CUDA keeps what the streams still need of it.
    cudaEventDestroy(event);
    return status;
}

Status Gpu::beginCapture(void* stream) {
    m_beforeCapture = m_ledger;
    return checkCuda(cudaStreamBeginCapture(asStream(stream), cudaStreamCaptureModeThreadLocal), "beginning a graph");
}

Result<GpuGraph> Gpu::endCapture(void* stream) {
    GpuGraph made;
    made.work = m_ledger - m_beforeCapture;
    m_ledger = m_beforeCapture;
    cudaGraph_t graph = nullptr;
    if (const Status status = checkCuda(cudaStreamEndCapture(asStream(stream), &graph), "ending a graph");
        !status.ok()) {
        return status.error();
    }
    made.graph = graph;
    cudaGraphExec_t executable = nullptr;
    if (const Status status = checkCuda(cudaGraphInstantiate(&executable, graph, 0), "preparing a graph");
        !status.ok()) {
        cudaGraphDestroy(graph);
        return status.error();
    }
    made.executable = executable;
    m_graphs.push_back(made);
    return made;
}

Status Gpu::replay(const GpuGraph& graph, void* stream) {
    Status status = checkCuda(cudaGraphLaunch(static_cast<cudaGraphExec_t>(graph.executable), asStream(stream)),
                              "launching a graph");
    if (status.ok()) {
        m_ledger = m_ledger + graph.work;
        ++m_ledger.graphLaunches;
    }
    return status;
}

}  // namespace warpline::device
