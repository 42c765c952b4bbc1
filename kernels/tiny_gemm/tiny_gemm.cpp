// SPDX-License-Identifier: MIT
// Many small matrix products in a row: bound by launching them.
#include <cmath>
#include <memory>

#include "kernels/device/device_kernel.h"
#include "kernels/input_values.h"

namespace warpline::device {
GpuCode code_tiny_gemm();
}

namespace warpline::kernels::tiny_gemm {

namespace {

using namespace device;

SampleKernelInfo describe() {
    SampleKernelInfo info;
    info.id = "tiny_gemm";
    info.title = "Many tiny matrix products";
    info.dtype = "fp32";
    info.versions = {{"launches", "one launch each"}, {"graph", "all of them as one CUDA graph"}};
    info.parameters = {{"size", 128, 1, 2048, "rows and columns of each matrix", "elements"},
                       {"launches", 200, 1, 10000, "products in a run"}};
    return info;
}

class TinyGemm final : public DeviceKernel {
public:
    TinyGemm() : DeviceKernel(describe()) {}

    KernelWork work(const ParameterValues& values) const override {
        const auto size = static_cast<uint64_t>(values["size"]);
        return {2 * size * size * size, 3 * 4 * size * size};
    }
    uint64_t deviceBytes(const ParameterValues& values) const override { return *work(values).bytes; }
    std::string whyNotInGraph(const KernelVersion& version) const override {
        return version.id == "graph" ? "tiny_gemm:graph replays a graph already; take tiny_gemm:launches" : "";
    }

    Status launch(void* stream) override {
        return version() == "graph" ? m_gpu.replay(m_graph, stream) : launchEach(stream);
    }

    Result<KernelCheck> check() override {
        if (Status status = spoilAndRun(m_c, 4 * m_size * m_size); !status.ok()) {
            return status.error();
        }
        const auto c = fetch<float>(m_c, m_size * m_size);
        if (!c.ok()) {
            return c.error();
        }
        // Some 64 rows and columns are enough of large ones.
        const uint64_t step = m_size / 128 + 1;
        Comparison comparison;
        for (uint64_t row = 0; row < m_size; row += step) {
            for (uint64_t column = 0; column < m_size; column += step) {
                double wanted = 0;
                for (uint64_t d = 0; d < m_size; ++d) {
                    wanted += inputValue(row * m_size + d, 1) * inputValue(d * m_size + column, 2);
                }
                comparison.add(c.value()[row * m_size + column], wanted, std::sqrt(static_cast<double>(m_size)));
            }
        }
        return comparison.result(1e-5, "elements against the CPU; error in roots of the size");
    }

protected:
    Status take() override {
        m_size = static_cast<uint64_t>(value("size"));
        const uint64_t count = m_size * m_size;
        return inTurn([&] { return keep(m_gpu.load(code_tiny_gemm(), "tiny_gemm_kernel"), m_function); },
                      [&] { return keep(m_gpu.allocate(4 * count), m_a); },
                      [&] { return keep(m_gpu.allocate(4 * count), m_b); },
                      [&] { return keep(m_gpu.allocate(4 * count), m_c); },
                      [&] { return m_gpu.fillFloats(m_a, count, 1, nullptr); },
                      [&] { return m_gpu.fillFloats(m_b, count, 2, nullptr); },
                      [&] { return version() == "graph" ? captureGraph() : Status(); });
    }

private:
    Status launchEach(void* stream) {
        const auto blocks = static_cast<unsigned>(blocksFor(m_size, 16));
        Status status;
        for (int64_t i = 0; i < value("launches") && status.ok(); ++i) {
            status =
                m_gpu.launch(m_function, {{blocks, blocks}, {256}}, stream, m_a, m_b, m_c, static_cast<int>(m_size));
        }
        return status;
    }
    Status captureGraph() {
        void* stream = nullptr;
        return inTurn([&] { return keep(m_gpu.makeStream(), stream); }, [&] { return m_gpu.beginCapture(stream); },
                      [&] { return launchEach(stream); }, [&] { return keep(m_gpu.endCapture(stream), m_graph); });
    }

    GpuFunction m_function;
    GpuGraph m_graph;
    uint64_t m_size = 0;
    void *m_a = nullptr, *m_b = nullptr, *m_c = nullptr;
};

}  // namespace

std::unique_ptr<SampleKernel> make() {
    return std::make_unique<TinyGemm>();
}

}  // namespace warpline::kernels::tiny_gemm
