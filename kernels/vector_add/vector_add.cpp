// SPDX-License-Identifier: MIT
// c = a + b of single-precision arrays: bound by memory, whatever one does.
#include <algorithm>
#include <memory>

#include "kernels/device/device_kernel.h"
#include "kernels/input_values.h"

namespace warpline::device {
GpuCode code_vector_add();
}

namespace warpline::kernels::vector_add {

namespace {

using namespace device;

SampleKernelInfo describe() {
    SampleKernelInfo info;
    info.id = "vector_add";
    info.title = "Sum of two arrays";
    info.dtype = "fp32";
    info.versions = {{"vectorised", "16 bytes an access"}, {"scalar", "one element a thread"}};
    info.parameters = {{"N", int64_t{1} << 28, 1, int64_t{1} << 33, "elements of each array", "elements"}};
    return info;
}

class VectorAdd final : public DeviceKernel {
public:
    VectorAdd() : DeviceKernel(describe()) {}

    KernelWork work(const ParameterValues& values) const override {
        const auto count = static_cast<uint64_t>(values["N"]);
        return {count, 3 * 4 * count};
    }
    uint64_t deviceBytes(const ParameterValues& values) const override {
        return 3 * 4 * static_cast<uint64_t>(values["N"]);
    }

    Status launch(void* stream) override {
        const uint64_t threads = version() == "scalar" ? m_count : m_count / 4 + m_count % 4;
        return m_gpu.launch(m_function, {{static_cast<unsigned>(blocksFor(threads, 256))}, {256}}, stream, m_a, m_b,
                            m_c, static_cast<unsigned long long>(m_count));
    }

    Result<KernelCheck> check() override {
        if (Status status = spoilAndRun(m_c, 4 * m_count); !status.ok()) {
            return status.error();
        }
        // In parts, so that the host needs little memory.
        constexpr uint64_t kPart = uint64_t{1} << 24U;
        Comparison comparison;
        for (uint64_t first = 0; first < m_count; first += kPart) {
            const uint64_t count = std::min(kPart, m_count - first);
            const auto part = fetch<float>(static_cast<const float*>(m_c) + first, count);
            if (!part.ok()) {
                return part.error();
            }
            for (uint64_t i = 0; i < count; ++i) {
                comparison.add(part.value()[i], inputValue(first + i, 1) + inputValue(first + i, 2));
            }
        }
        return comparison.result(0, "every element against the CPU");
    }

protected:
    Status take() override {
        m_count = static_cast<uint64_t>(value("N"));
        return inTurn(
            [&] { return keep(m_gpu.load(code_vector_add(), "vector_add_" + version() + "_kernel"), m_function); },
            [&] { return keep(m_gpu.allocate(4 * m_count), m_a); },
            [&] { return keep(m_gpu.allocate(4 * m_count), m_b); },
            [&] { return keep(m_gpu.allocate(4 * m_count), m_c); },
            [&] { return m_gpu.fillFloats(m_a, m_count, 1, nullptr); },
            [&] { return m_gpu.fillFloats(m_b, m_count, 2, nullptr); });
    }

private:
    GpuFunction m_function;
    uint64_t m_count = 0;
    void *m_a = nullptr, *m_b = nullptr, *m_c = nullptr;
};

}  // namespace

std::unique_ptr<SampleKernel> make() {
    return std::make_unique<VectorAdd>();
}

}  // namespace warpline::kernels::vector_add
