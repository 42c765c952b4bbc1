// SPDX-License-Identifier: MIT
// A CUDA graph of short kernels, one after the other or side by side.
#include <algorithm>
#include <cmath>
#include <memory>

#include "kernels/device/device_kernel.h"
#include "kernels/input_values.h"

namespace warpline::device {
GpuCode code_graph();
}

namespace warpline::kernels::graph {

namespace {

using namespace device;

SampleKernelInfo describe() {
    SampleKernelInfo info;
    info.id = "graph";
    info.title = "CUDA graph of short kernels";
    info.dtype = "fp32";
    info.versions = {{"chain", "each node waits for the one before"},
                     {"wide", "all nodes are free to run side by side"}};
    info.parameters = {
        {"nodes", 50, 1, 1000, "kernel nodes of the graph"},
        {"elements", int64_t{1} << 18, 1, int64_t{1} << 26, "elements that a node works on", "elements"}};
    return info;
}

class Graph final : public DeviceKernel {
public:
    Graph() : DeviceKernel(describe()) {}

    KernelWork work(const ParameterValues& values) const override {
        const auto elements = static_cast<uint64_t>(values["elements"]);
        return {2 * elements, 8 * elements};
    }
    uint64_t deviceBytes(const ParameterValues& values) const override {
        return 4 * static_cast<uint64_t>(values["elements"]) * static_cast<uint64_t>(values["nodes"]);
    }
    std::string whyNotInGraph(const KernelVersion& /*version*/) const override {
        return "the sample kernel graph replays a graph already";
    }

    Status launch(void* stream) override { return m_gpu.replay(m_graph, stream); }

    Result<KernelCheck> check() override {
        const bool chain = version() == "chain";
        const uint64_t count = chain ? m_elements : m_elements * m_nodes;
        Status status = inTurn([&] { return m_gpu.fillFloats(m_memory, count, 1, nullptr); },
                               [&] { return launch(nullptr); }, [&] { return m_gpu.synchronise(nullptr); });
        if (!status.ok()) {
            return status.error();
        }
        const auto got = fetch<float>(m_memory, count);
        if (!got.ok()) {
            return got.error();
        }
        // x -> x / 2 + 1 / 4 by each node, in closed form.
        const double shrink = std::pow(0.5, chain ? static_cast<double>(m_nodes) : 1);
        Comparison comparison;
        for (uint64_t i = 0; i < count; ++i) {
            comparison.add(got.value()[i], 0.5 + (inputValue(i, 1) - 0.5) * shrink);
        }
        return comparison.result(1e-6, "every element against the CPU");
    }

protected:
    Status take() override {
        m_nodes = static_cast<uint64_t>(value("nodes"));
        m_elements = static_cast<uint64_t>(value("elements"));
        return inTurn([&] { return keep(m_gpu.load(code_graph(), "graph_node_kernel"), m_function); },
                      [&] { return keep(m_gpu.allocate(4 * m_elements * m_nodes), m_memory); },
                      [&] { return m_gpu.fillFloats(m_memory, m_elements * m_nodes, 1, nullptr); },
                      [&] { return capture(); });
    }

private:
    Status launchNode(uint64_t node, void* stream) {
        float* values = static_cast<float*>(m_memory) + (version() == "wide" ? node * m_elements : 0);
        const auto blocks = static_cast<unsigned>(blocksFor(m_elements, 256));
        return m_gpu.launch(m_function, {{blocks}, {256}}, stream, values, static_cast<unsigned>(m_elements));
    }

    Status capture() {
        void* stream = nullptr;
        std::vector<void*> branches;
        Status status = keep(m_gpu.makeStream(), stream);
        // What a stream gets in a capture is a chain, so a node that is to be free needs its own.
        for (uint64_t node = 1; version() == "wide" && node < m_nodes && status.ok(); ++node) {
            branches.push_back(nullptr);
            status = keep(m_gpu.makeStream(), branches.back());
        }
        if (status.ok()) {
            status = m_gpu.beginCapture(stream);
        }
        for (void* branch : branches) {
            if (status.ok()) {
                status = m_gpu.order(stream, branch);
            }
        }
        for (uint64_t node = 0; node < m_nodes && status.ok(); ++node) {
            status = launchNode(node, node == 0 || branches.empty() ? stream : branches[node - 1]);
        }
        for (void* branch : branches) {
            if (status.ok()) {
                status = m_gpu.order(branch, stream);
            }
        }
        return status.ok() ? keep(m_gpu.endCapture(stream), m_graph) : status;
    }

    GpuFunction m_function;
    GpuGraph m_graph;
    uint64_t m_nodes = 0, m_elements = 0;
    void* m_memory = nullptr;
};

}  // namespace

std::unique_ptr<SampleKernel> make() {
    return std::make_unique<Graph>();
}

}  // namespace warpline::kernels::graph
