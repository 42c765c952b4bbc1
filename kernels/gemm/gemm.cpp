// SPDX-License-Identifier: MIT
// C = A * B in half precision, by one kernel name in five versions: what a profiler shall tell apart.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <memory>

#include "kernels/device/device_kernel.h"
#include "kernels/gemm/tensor_map.h"
#include "kernels/product_check.h"

namespace warpline::device {
GpuCode code_gemm_naive();
GpuCode code_gemm_tiled();
GpuCode code_gemm_spilling();
GpuCode code_gemm_tensor_core();
GpuCode code_gemm_tensor_core_pipelined();
}  // namespace warpline::device

namespace warpline::kernels::gemm {

namespace {

using namespace device;

// Of the version tensor_core_pipelined; its source says the same.
constexpr unsigned kPipelinedShared = 4 * (128 * 64 + 64 * 256) * 2 + 64 + 1024;

SampleKernelInfo describe() {
    SampleKernelInfo info;
    info.id = "gemm";
    info.title = "Matrix product C = A * B, half precision with sums in single precision";
    info.dtype = "fp16";
    info.versions = {
        {"tensor_core_pipelined", "wgmma, fed by TMA through a ring of four stages; a warpgroup fetches, two multiply",
         true},
        {"tensor_core", "mma by warps; loads and products take turns"},
        {"tiled", "fused multiply-add on the CUDA cores, tiles in shared memory"},
        {"naive", "fused multiply-add, one thread an element, straight from global memory"},
        {"spilling", "the tiled version with too few registers for its sums"},
    };
    for (const char* name : {"M", "N", "K"}) {
        const std::string meaning = *name == 'M'   ? "rows of A and C"
                                    : *name == 'N' ? "columns of B and C"
                                                   : "columns of A and rows of B";
        info.parameters.push_back({name, 4096, 8, 65536, meaning, "elements", 8});
    }
    return info;
}

GpuCode codeOf(const std::string& version) {
    return version == "naive"         ? code_gemm_naive()
           : version == "tiled"       ? code_gemm_tiled()
           : version == "spilling"    ? code_gemm_spilling()
           : version == "tensor_core" ? code_gemm_tensor_core()
                                      : code_gemm_tensor_core_pipelined();
}

class Gemm final : public DeviceKernel {
public:
    Gemm() : DeviceKernel(describe()) {}

    KernelWork work(const ParameterValues& values) const override {
        const auto m = static_cast<uint64_t>(values["M"]), n = static_cast<uint64_t>(values["N"]),
                   k = static_cast<uint64_t>(values["K"]);
        return {2 * m * n * k, 2 * (m * k + k * n + m * n)};
    }
    uint64_t deviceBytes(const ParameterValues& values) const override { return *work(values).bytes; }

    Status launch(void* stream) override {
        const auto m = static_cast<int>(m_m), n = static_cast<int>(m_n), k = static_cast<int>(m_k);
        if (version() == "tensor_core_pipelined") {
            const auto tiles = static_cast<unsigned>(blocksFor(m_m, 128) * blocksFor(m_n, 256));
            return m_gpu.launch(m_function, {{std::min(tiles, m_smCount)}, {384}, kPipelinedShared}, stream, m_mapA,
                                m_mapB, m_c, m, n, k);
        }
        const bool naive = version() == "naive";
        const LaunchShape shape = {{static_cast<unsigned>(blocksFor(m_n, naive ? 32 : 128)),
                                    static_cast<unsigned>(blocksFor(m_m, naive ? 8 : 128))},
                                   {256}};
        return m_gpu.launch(m_function, shape, stream, m_a, m_b, m_c, m, n, k);
    }

    Result<KernelCheck> check() override {
        if (Status status = spoilAndRun(m_c, 2 * m_m * m_n); !status.ok()) {
            return status.error();
        }
        const auto c = fetch<uint16_t>(m_c, m_m * m_n);
        if (!c.ok()) {
            return c.error();
        }
        return checkProduct(c.value(), m_m, m_n, m_k);
    }

protected:
    Status take() override {
        m_m = static_cast<uint64_t>(value("M"));
        m_n = static_cast<uint64_t>(value("N"));
        m_k = static_cast<uint64_t>(value("K"));
        return inTurn([&] { return keep(m_gpu.load(codeOf(version()), "gemm_kernel"), m_function); },
                      [&] { return keep(m_gpu.allocate(2 * m_m * m_k), m_a); },
                      [&] { return keep(m_gpu.allocate(2 * m_k * m_n), m_b); },
                      [&] { return keep(m_gpu.allocate(2 * m_m * m_n), m_c); },
                      [&] { return m_gpu.fillHalves(m_a, m_m * m_k, kSeedA, nullptr); },
                      [&] { return m_gpu.fillHalves(m_b, m_k * m_n, kSeedB, nullptr); }, [&] { return takeMaps(); });
    }

private:
    Status takeMaps() {
        if (version() != "tensor_core_pipelined") {
            return {};
        }
        int device = 0, count = 0;
        return inTurn([&] { return checkCuda(cudaGetDevice(&device), "asking for the current GPU"); },
                      [&] {
                          return checkCuda(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device),
                                           "reading the number of multiprocessors");
                      },
                      [&]() -> Status {
                          m_smCount = static_cast<unsigned>(count);
                          return checkCuda(
                              cudaFuncSetAttribute(m_function.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                                   static_cast<int>(kPipelinedShared)),
                              "asking for shared memory");
                      },
                      [&] { return keep(makeTensorMap(m_a, m_m, m_k, 128, 64), m_mapA); },
                      [&] { return keep(makeTensorMap(m_b, m_k, m_n, 64, 64), m_mapB); });
    }

    GpuFunction m_function;
    uint64_t m_m = 0, m_n = 0, m_k = 0;
    unsigned m_smCount = 1;
    void *m_a = nullptr, *m_b = nullptr, *m_c = nullptr;
    TensorMap m_mapA = {}, m_mapB = {};
};

}  // namespace

std::unique_ptr<SampleKernel> make() {
    return std::make_unique<Gemm>();
}

}  // namespace warpline::kernels::gemm
