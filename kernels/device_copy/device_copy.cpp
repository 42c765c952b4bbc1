// SPDX-License-Identifier: MIT
// A copy from GPU memory to GPU memory: what the memory gives, for others to be measured by.
#include <algorithm>
#include <memory>

#include "kernels/device/device_kernel.h"
#include "kernels/input_values.h"

namespace warpline::kernels::device_copy {

namespace {

using namespace device;

SampleKernelInfo describe() {
    SampleKernelInfo info;
    info.id = "device_copy";
    info.title = "Copy within GPU memory";
    info.dtype = "fp32";
    info.versions = {{"memcpy", "cudaMemcpyAsync from device to device"}};
    info.parameters = {{"N", int64_t{3} << 27, 1, int64_t{1} << 33, "elements copied, of 4 bytes", "elements"}};
    return info;
}

class DeviceCopy final : public DeviceKernel {
public:
    DeviceCopy() : DeviceKernel(describe()) {}

    KernelWork work(const ParameterValues& values) const override {
        return {std::nullopt, 2 * 4 * static_cast<uint64_t>(values["N"])};
    }
    uint64_t deviceBytes(const ParameterValues& values) const override {
        return 2 * 4 * static_cast<uint64_t>(values["N"]);
    }
    Status launch(void* stream) override { return m_gpu.copyOnDevice(m_to, m_from, 4 * m_count, stream); }

    Result<KernelCheck> check() override {
        if (Status status = spoilAndRun(m_to, 4 * m_count); !status.ok()) {
            return status.error();
        }
        const uint64_t first = m_count - std::min<uint64_t>(m_count, uint64_t{1} << 22U);
        const auto end = fetch<float>(static_cast<const float*>(m_to) + first, m_count - first);
        if (!end.ok()) {
            return end.error();
        }
        Comparison comparison;
        for (uint64_t i = first; i < m_count; ++i) {
            comparison.add(end.value()[i - first], inputValue(i, 1));
        }
        return comparison.result(0, "the last elements against the CPU");
    }

protected:
    Status take() override {
        m_count = static_cast<uint64_t>(value("N"));
        return inTurn([&] { return keep(m_gpu.allocate(4 * m_count), m_from); },
                      [&] { return keep(m_gpu.allocate(4 * m_count), m_to); },
                      [&] { return m_gpu.fillFloats(m_from, m_count, 1, nullptr); });
    }

private:
    uint64_t m_count = 0;
    void *m_from = nullptr, *m_to = nullptr;
};

}  // namespace

std::unique_ptr<SampleKernel> make() {
    return std::make_unique<DeviceCopy>();
}

}  // namespace warpline::kernels::device_copy
