// SPDX-License-Identifier: MIT
// A matrix with rows and columns exchanged: how writes and shared memory are accessed decides the speed.
#include <memory>

#include "kernels/device/device_kernel.h"
#include "kernels/input_values.h"

namespace warpline::device {
GpuCode code_transpose();
}

namespace warpline::kernels::transpose {

namespace {

using namespace device;

SampleKernelInfo describe() {
    SampleKernelInfo info;
    info.id = "transpose";
    info.title = "Transposed matrix";
    info.dtype = "fp32";
    info.versions = {{"padded", "through a tile in shared memory, whose rows are padded by one word"},
                     {"tiled", "through a tile in shared memory; 32 bank conflicts a read"},
                     {"naive", "straight; neighbouring threads write far apart"}};
    info.parameters = {{"rows", 8192, 1, 65536, "rows of the input", "elements"},
                       {"columns", 8192, 1, 65536, "columns of the input", "elements"}};
    return info;
}

class Transpose final : public DeviceKernel {
public:
    Transpose() : DeviceKernel(describe()) {}

    // It moves and computes nothing, so there is no rate of operations.
    KernelWork work(const ParameterValues& values) const override { return {std::nullopt, 8 * elements(values)}; }
    uint64_t deviceBytes(const ParameterValues& values) const override { return 8 * elements(values); }

    Status launch(void* stream) override {
        const LaunchShape shape = {
            {static_cast<unsigned>(blocksFor(m_columns, 32)), static_cast<unsigned>(blocksFor(m_rows, 32))}, {32, 8}};
        return m_gpu.launch(m_function, shape, stream, m_in, m_out, static_cast<int>(m_rows),
                            static_cast<int>(m_columns));
    }

    Result<KernelCheck> check() override {
        const uint64_t count = m_rows * m_columns;
        if (Status status = spoilAndRun(m_out, 4 * count); !status.ok()) {
            return status.error();
        }
        const auto out = fetch<float>(m_out, count);
        if (!out.ok()) {
            return out.error();
        }
        Comparison comparison;
        for (uint64_t column = 0; column < m_columns; ++column) {
            for (uint64_t row = 0; row < m_rows; ++row) {
                comparison.add(out.value()[column * m_rows + row], inputValue(row * m_columns + column, 1));
            }
        }
        return comparison.result(0, "every element against the CPU");
    }

protected:
    Status take() override {
        m_rows = static_cast<uint64_t>(value("rows"));
        m_columns = static_cast<uint64_t>(value("columns"));
        const uint64_t count = m_rows * m_columns;
        return inTurn(
            [&] { return keep(m_gpu.load(code_transpose(), "transpose_" + version() + "_kernel"), m_function); },
            [&] { return keep(m_gpu.allocate(4 * count), m_in); },
            [&] { return keep(m_gpu.allocate(4 * count), m_out); },
            [&] { return m_gpu.fillFloats(m_in, count, 1, nullptr); });
    }

private:
    static uint64_t elements(const ParameterValues& values) {
        return static_cast<uint64_t>(values["rows"]) * static_cast<uint64_t>(values["columns"]);
    }

    GpuFunction m_function;
    uint64_t m_rows = 0, m_columns = 0;
    void *m_in = nullptr, *m_out = nullptr;
};

}  // namespace

std::unique_ptr<SampleKernel> make() {
    return std::make_unique<Transpose>();
}

}  // namespace warpline::kernels::transpose
