// SPDX-License-Identifier: MIT
// Blocks of GPU memory taken, written and given back, over and over, by the three ways that CUDA has for it.
#include <cuda_runtime_api.h>

#include <memory>

#include "kernels/device/device_kernel.h"

namespace warpline::device {
GpuCode code_allocation_churn();
}

namespace warpline::kernels::allocation_churn {

namespace {

using namespace device;

SampleKernelInfo describe() {
    SampleKernelInfo info;
    info.id = "allocation_churn";
    info.title = "Memory taken and given back";
    info.dtype = "fp32";
    info.versions = {
        {"cuda_malloc", "cudaMalloc and cudaFree, which wait for the GPU"},
        {"cuda_malloc_async", "cudaMallocAsync from the device's own pool, which gives memory back at each wait"},
        {"pool", "cudaMallocAsync from a pool of our own that keeps its memory"}};
    info.parameters = {
        {"allocations", 64, 1, 4096, "blocks taken in a run; every other one lives until its end"},
        {"kib", 1024, 1, 1 << 20, "size of the smallest block; the next three are 2, 3 and 4 times that", "KiB"}};
    return info;
}

class AllocationChurn final : public DeviceKernel {
public:
    AllocationChurn() : DeviceKernel(describe()) {}
    ~AllocationChurn() override { destroyPool(); }

    // It is about the allocator; what is written in between means nothing.
    KernelWork work(const ParameterValues& /*values*/) const override { return {}; }
    uint64_t deviceBytes(const ParameterValues& values) const override {
        uint64_t bytes = 0;
        for (int64_t i = 0; i < values["allocations"]; ++i) {
            bytes += blockBytes(values["kib"], i);
        }
        return bytes;
    }
    std::string whyNotInGraph(const KernelVersion& version) const override {
        return version.id == "cuda_malloc" ? "cudaMalloc cannot be part of a CUDA graph"
                                           : "its blocks would be the same in each replay";
    }

    Status launch(void* stream) override { return run(stream, nullptr); }

    Result<KernelCheck> check() override {
        Comparison comparison;
        if (Status status = run(nullptr, &comparison); !status.ok()) {
            return status.error();
        }
        return comparison.result(0, "every word of every block against the CPU");
    }

protected:
    Status take() override {
        Status status = keep(m_gpu.load(code_allocation_churn(), "touch_block_kernel"), m_function);
        return status.ok() && version() == "pool" ? makePool() : status;
    }
    void letGo() override { destroyPool(); }

private:
    static uint64_t blockBytes(int64_t kib, int64_t index) {
        return static_cast<uint64_t>(kib * (1 + index % 4)) << 10U;
    }

    Status makePool() {
        destroyPool();
        int device = 0;
        cudaMemPoolProps properties = {};
        properties.allocType = cudaMemAllocationTypePinned;
        properties.location.type = cudaMemLocationTypeDevice;
        uint64_t keepAll = UINT64_MAX;
        return inTurn([&] { return checkCuda(cudaGetDevice(&device), "asking for the current GPU"); },
                      [&] {
                          properties.location.id = device;
                          return checkCuda(cudaMemPoolCreate(&m_pool, &properties), "making a memory pool");
                      },
                      [&] {
                          return checkCuda(cudaMemPoolSetAttribute(m_pool, cudaMemPoolAttrReleaseThreshold, &keepAll),
                                           "setting up a memory pool");
                      });
    }
    void destroyPool() {
        if (m_pool != nullptr) {
            cudaMemPoolDestroy(m_pool);
            m_pool = nullptr;
        }
    }

    Status takeBlock(void*& block, uint64_t bytes, cudaStream_t stream) {
        const cudaError_t error = version() == "cuda_malloc" ? cudaMalloc(&block, bytes)
                                  : version() == "pool"      ? cudaMallocFromPoolAsync(&block, bytes, m_pool, stream)
                                                             : cudaMallocAsync(&block, bytes, stream);
        m_gpu.counts().allocations += error == cudaSuccess ? 1 : 0;
        return checkCuda(error, "taking a block of GPU memory");
    }
    Status giveBack(void* block, cudaStream_t stream) {
        ++m_gpu.counts().frees;
        return checkCuda(version() == "cuda_malloc" ? cudaFree(block) : cudaFreeAsync(block, stream),
                         "giving a block back");
    }

    Status compare(const void* block, uint64_t bytes, unsigned first, void* stream, Comparison& comparison) {
        std::vector<uint32_t> words(bytes / 4);
        Status status = inTurn([&] { return m_gpu.copyToHost(words.data(), block, bytes, stream); },
                               [&] { return m_gpu.synchronise(stream); });
        for (uint64_t i = 0; i < words.size() && status.ok(); ++i) {
            comparison.add(words[i], static_cast<double>(first + static_cast<uint32_t>(i)));
        }
        return status;
    }

    Status run(void* stream, Comparison* comparison) {
        auto* const cudaStream = static_cast<cudaStream_t>(stream);
        std::vector<void*> kept;
        Status status;
        for (int64_t i = 0; i < value("allocations") && status.ok(); ++i) {
            const uint64_t bytes = blockBytes(value("kib"), i);
            const auto first = static_cast<unsigned>(i) << 24U;
            void* block = nullptr;
            status = takeBlock(block, bytes, cudaStream);
            if (!status.ok()) {
                break;
            }
            status = m_gpu.launch(m_function, {{64}, {256}}, stream, block, static_cast<unsigned>(bytes / 4), first);
            if (status.ok() && comparison != nullptr) {
                status = compare(block, bytes, first, stream, *comparison);
            }
            if (i % 2 == 1) {
                kept.push_back(block);
            } else if (Status freed = giveBack(block, cudaStream); status.ok()) {
                status = freed;
            }
        }
        for (void* block : kept) {
            if (Status freed = giveBack(block, cudaStream); status.ok()) {
                status = freed;
            }
        }
        return status;
    }

    GpuFunction m_function;
    cudaMemPool_t m_pool = nullptr;
};

}  // namespace

std::unique_ptr<SampleKernel> make() {
    return std::make_unique<AllocationChurn>();
}

}  // namespace warpline::kernels::allocation_churn
