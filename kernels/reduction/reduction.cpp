// SPDX-License-Identifier: MIT
// The sum of an array, in one kernel.
#include <algorithm>
#include <cmath>
#include <memory>

#include "kernels/device/device_kernel.h"
#include "kernels/input_values.h"

namespace warpline::device {
GpuCode code_reduction();
}

namespace warpline::kernels::reduction {

namespace {

using namespace device;

constexpr uint64_t kMostBlocks = 1056;  // eight on each multiprocessor of an H200

SampleKernelInfo describe() {
    SampleKernelInfo info;
    info.id = "reduction";
    info.title = "Sum of an array";
    info.dtype = "fp32";
    info.versions = {{"warp_shuffle", "vectors into registers, one exchange by shuffles a block"},
                     {"shared_tree", "a tree in shared memory for every 256 elements"}};
    info.parameters = {{"N", int64_t{1} << 28, 1, int64_t{1} << 33, "elements", "elements"}};
    return info;
}

class Reduction final : public DeviceKernel {
public:
    Reduction() : DeviceKernel(describe()) {}

    KernelWork work(const ParameterValues& values) const override {
        const auto count = static_cast<uint64_t>(values["N"]);
        return {count - 1, 4 * count + 4};
    }
    uint64_t deviceBytes(const ParameterValues& values) const override {
        return 4 * static_cast<uint64_t>(values["N"]) + 4 * kMostBlocks + 8;
    }

    Status launch(void* stream) override {
        const auto blocks = static_cast<unsigned>(std::min(blocksFor(m_count, 1024), kMostBlocks));
        return m_gpu.launch(m_function, {{blocks}, {256}}, stream, m_in, static_cast<unsigned long long>(m_count),
                            m_parts, m_arrived, m_result);
    }

    Result<KernelCheck> check() override {
        if (Status status = spoilAndRun(m_result, 4); !status.ok()) {
            return status.error();
        }
        const auto got = fetch<float>(m_result, 1);
        if (!got.ok()) {
            return got.error();
        }
        double wanted = 0;
        for (uint64_t i = 0; i < m_count; ++i) {
            wanted += inputValue(i, 1);
        }
        // Inputs are multiples of 2^-10, so that sums below 2^14 are exact, and larger ones nearly.
        Comparison comparison;
        comparison.add(got.value().front(), wanted, std::max(std::abs(wanted), 1024.0));
        return comparison.result(1e-6, "the sum against the CPU's, relative");
    }

protected:
    Status take() override {
        m_count = static_cast<uint64_t>(value("N"));
        return inTurn(
            [&] { return keep(m_gpu.load(code_reduction(), "reduction_" + version() + "_kernel"), m_function); },
            [&] { return keep(m_gpu.allocate(4 * m_count), m_in); },
            [&] { return keep(m_gpu.allocate(4 * kMostBlocks), m_parts); },
            [&] { return keep(m_gpu.allocate(4), m_arrived); }, [&] { return keep(m_gpu.allocate(4), m_result); },
            [&] { return m_gpu.fillBytes(m_arrived, 0, 4, nullptr); },
            [&] { return m_gpu.fillFloats(m_in, m_count, 1, nullptr); });
    }

private:
    GpuFunction m_function;
    uint64_t m_count = 0;
    void *m_in = nullptr, *m_parts = nullptr, *m_arrived = nullptr, *m_result = nullptr;
};

}  // namespace

std::unique_ptr<SampleKernel> make() {
    return std::make_unique<Reduction>();
}

}  // namespace warpline::kernels::reduction
