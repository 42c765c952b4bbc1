// SPDX-License-Identifier: MIT
#pragma once
// What sample kernels do with the GPU: memory, code, launches, copies, graphs. Each call is checked, and what it gives
// to the GPU is counted. Handles of CUDA's runtime are opaque pointers here, so that no user needs its headers. All of
// it belongs to the device that is current. One thread at a time.

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "kernels/launch_ledger.h"

namespace warpline::device {

/// Machine code and PTX as nvcc made them (a fatbin). Generated for each .cu by warpline_gpu_code() in CMake.
struct GpuCode {
    const unsigned char* data = nullptr;
    size_t size = 0;
};

/// `code`: a cudaError_t. Success, or an Error "WHAT: what CUDA says (its name)".
Status checkCuda(int code, const std::string& what);

struct GpuFunction {
    void* kernel = nullptr;  ///< a cudaKernel_t
    std::string name;
};

/// Unnamed dimensions are 1.
struct Extent {
    unsigned x = 1, y = 1, z = 1;
};

struct LaunchShape {
    Extent grid;
    Extent block;
    unsigned dynamicSharedBytes = 0;
};

/// Blocks of `each` for `count` things.
constexpr uint64_t blocksFor(uint64_t count, uint64_t each) {
    return (count + each - 1) / each;
}

/// A captured CUDA graph, and what a replay does.
struct GpuGraph {
    void* graph = nullptr;       ///< a cudaGraph_t
    void* executable = nullptr;  ///< a cudaGraphExec_t
    LaunchLedger work;
};

/// Owns what it handed out until releaseAll().
class Gpu {
public:
    Gpu() = default;
    ~Gpu() { releaseAll(); }
    Gpu(const Gpu&) = delete;
    Gpu& operator=(const Gpu&) = delete;

    void startLedger() { m_ledger = {}; }
    const LaunchLedger& ledger() const { return m_ledger; }
    /// For what a kernel does by calls of its own.
    LaunchLedger& counts() { return m_ledger; }

    Result<GpuFunction> load(const GpuCode& code, const std::string& name);
    Result<void*> allocate(uint64_t bytes);
    /// Page-locked host memory.
    Result<void*> allocateHost(uint64_t bytes);
    Result<void*> makeStream();
    void releaseAll();

    template <class... Args>
    Status launch(const GpuFunction& function, const LaunchShape& shape, void* stream, Args... args) {
        void* places[] = {&args..., nullptr};
        return launchWith(function, shape, stream, places);
    }

    Status copyToHost(void* to, const void* from, uint64_t bytes, void* stream);
    Status copyToDevice(void* to, const void* from, uint64_t bytes, void* stream);
    Status copyOnDevice(void* to, const void* from, uint64_t bytes, void* stream);
    Status fillBytes(void* memory, int value, uint64_t bytes, void* stream);
    /// Inputs of inputValue(index, seed).
    Status fillFloats(void* memory, uint64_t count, uint32_t seed, void* stream);
    Status fillHalves(void* memory, uint64_t count, uint32_t seed, void* stream);
    /// Keeps `stream` busy for about so long.
    Status pause(uint64_t nanoseconds, void* stream);
    Status synchronise(void* stream);

    /// What follows on `later` waits for what is on `earlier` now.
    Status order(void* earlier, void* later);

    /// Until endCapture(), what goes to `stream` and to streams ordered after it becomes nodes of a graph.
    Status beginCapture(void* stream);
    Result<GpuGraph> endCapture(void* stream);
    Status replay(const GpuGraph& graph, void* stream);

private:
    Status launchWith(const GpuFunction& function, const LaunchShape& shape, void* stream, void** arguments);
    Status fill(const char* kernel, void* memory, uint64_t count, uint32_t seed, void* stream);

    LaunchLedger m_ledger;
    LaunchLedger m_beforeCapture;
    std::vector<std::pair<const unsigned char*, void*>> m_libraries;  ///< by where their code stands
    std::vector<void*> m_memory, m_hostMemory, m_streams;
    std::vector<GpuGraph> m_graphs;
};

}  // namespace warpline::device
