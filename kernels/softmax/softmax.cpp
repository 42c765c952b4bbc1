// SPDX-License-Identifier: MIT
// Softmax of the rows of a matrix: how often it is read decides the speed.
#include <algorithm>
#include <cmath>
#include <memory>

#include "kernels/device/device_kernel.h"
#include "kernels/input_values.h"

namespace warpline::device {
GpuCode code_softmax();
}

namespace warpline::kernels::softmax {

namespace {

using namespace device;

SampleKernelInfo describe() {
    SampleKernelInfo info;
    info.id = "softmax";
    info.title = "Softmax of each row";
    info.dtype = "fp32";
    info.versions = {{"registers", "reads a row once and keeps it in registers"},
                     {"online", "largest value and sum in one pass, then a second one"},
                     {"three_pass", "reads a row for the largest value, for the sum, and for the result"}};
    info.parameters = {{"rows", 16384, 1, 1 << 20, "rows", "elements"},
                       {"columns", 8192, 4, 65536, "columns; 8,192 at most for registers", "elements", 4}};
    return info;
}

class Softmax final : public DeviceKernel {
public:
    Softmax() : DeviceKernel(describe()) {}

    Status accepts(const ParameterValues& values, const KernelVersion& version) const override {
        if (version.id == "registers" && values["columns"] > 8192) {
            return Error::failed(
                "--param columns=" + std::to_string(values["columns"]) +
                ": softmax:registers holds rows of 8192 columns at most; softmax:online takes longer ones");
        }
        return {};
    }
    // What an exponential counts is a matter of taste, so there is no number of operations.
    KernelWork work(const ParameterValues& values) const override { return {std::nullopt, 8 * elements(values)}; }
    uint64_t deviceBytes(const ParameterValues& values) const override { return 8 * elements(values); }

    Status launch(void* stream) override {
        return m_gpu.launch(m_function, {{static_cast<unsigned>(m_rows)}, {256}}, stream, m_in, m_out,
                            static_cast<int>(m_columns));
    }

    Result<KernelCheck> check() override {
        if (Status status = spoilAndRun(m_out, 4 * m_rows * m_columns); !status.ok()) {
            return status.error();
        }
        // The first, the last, and some in between.
        const uint64_t step = std::max<uint64_t>(1, m_rows / 61);
        Comparison comparison;
        std::vector<double> wanted(m_columns);
        for (uint64_t row = 0; row < m_rows; row = row + 1 < m_rows ? std::min(row + step, m_rows - 1) : m_rows) {
            const auto got = fetch<float>(static_cast<const float*>(m_out) + row * m_columns, m_columns);
            if (!got.ok()) {
                return got.error();
            }
            double sum = 0;
            for (uint64_t i = 0; i < m_columns; ++i) {
                wanted[i] = std::exp(inputValue(row * m_columns + i, 1));
                sum += wanted[i];
            }
            for (uint64_t i = 0; i < m_columns; ++i) {
                comparison.add(got.value()[i], wanted[i] / sum, wanted[i] / sum);
            }
        }
        return comparison.result(1e-5, "about 60 rows against the CPU, relative");
    }

protected:
    Status take() override {
        m_rows = static_cast<uint64_t>(value("rows"));
        m_columns = static_cast<uint64_t>(value("columns"));
        const uint64_t count = m_rows * m_columns;
        return inTurn([&] { return keep(m_gpu.load(code_softmax(), "softmax_" + version() + "_kernel"), m_function); },
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
    return std::make_unique<Softmax>();
}

}  // namespace warpline::kernels::softmax
