// SPDX-License-Identifier: MIT
// Chunks that are copied to the GPU, computed with, and copied back: on one stream in turn, or on several at a time.
#include <cmath>
#include <memory>

#include "kernels/device/device_kernel.h"
#include "kernels/input_values.h"

namespace warpline::device {
GpuCode code_streams();
}

namespace warpline::kernels::streams {

namespace {

using namespace device;

SampleKernelInfo describe() {
    SampleKernelInfo info;
    info.id = "streams";
    info.title = "Copies and kernels on several streams";
    info.dtype = "fp32";
    info.versions = {{"overlapped", "chunks take turns on several streams"},
                     {"one_stream", "all chunks on one stream"}};
    info.parameters = {{"streams", 4, 1, 32, "streams of the version overlapped"},
                       {"chunks", 16, 1, 256, "chunks in a run"},
                       {"chunk_kib", 4096, 4, 262144, "size of a chunk", "KiB"},
                       {"iterations", 4000, 1, 1 << 20, "multiply-adds an element"}};
    return info;
}

class Streams final : public DeviceKernel {
public:
    Streams() : DeviceKernel(describe()) {}

    KernelWork work(const ParameterValues& values) const override {
        const uint64_t elements = chunkBytes(values) / 4;
        return {2 * elements * static_cast<uint64_t>(values["iterations"]), 2 * chunkBytes(values)};
    }
    uint64_t deviceBytes(const ParameterValues& values) const override {
        return chunkBytes(values) * static_cast<uint64_t>(values["chunks"]);
    }

    Status launch(void* stream) override {
        Status status;
        for (void* own : m_streams) {
            if (status.ok()) {
                status = m_gpu.order(stream, own);
            }
        }
        const auto elements = static_cast<unsigned>(m_chunkBytes / 4);
        for (uint64_t chunk = 0; chunk < m_chunks && status.ok(); ++chunk) {
            void* on = m_streams.empty() ? stream : m_streams[chunk % m_streams.size()];
            char* host = static_cast<char*>(m_host) + chunk * m_chunkBytes;
            char* results = static_cast<char*>(m_results) + chunk * m_chunkBytes;
            void* chunkMemory = static_cast<char*>(m_memory) + chunk * m_chunkBytes;
            status =
                inTurn([&] { return m_gpu.copyToDevice(chunkMemory, host, m_chunkBytes, on); },
                       [&] {
                           return m_gpu.launch(m_function, {{static_cast<unsigned>(blocksFor(elements, 256))}, {256}},
                                               on, chunkMemory, elements, static_cast<int>(value("iterations")));
                       },
                       [&] { return m_gpu.copyToHost(results, chunkMemory, m_chunkBytes, on); });
        }
        for (void* own : m_streams) {
            if (status.ok()) {
                status = m_gpu.order(own, stream);
            }
        }
        return status;
    }

    Result<KernelCheck> check() override {
        const uint64_t count = m_chunks * m_chunkBytes / 4;
        float* results = static_cast<float*>(m_results);
        std::fill(results, results + count, NAN);
        Status status = launch(nullptr);
        if (status.ok()) {
            status = m_gpu.synchronise(nullptr);
        }
        if (!status.ok()) {
            return status.error();
        }
        // x -> x / 2 + 1 / 4, so often, in closed form.
        const double shrink = std::pow(0.5, static_cast<double>(value("iterations")));
        Comparison comparison;
        for (uint64_t i = 0; i < count; ++i) {
            comparison.add(results[i], 0.5 + (inputValue(i, 1) - 0.5) * shrink);
        }
        return comparison.result(1e-6, "every element against the CPU");
    }

protected:
    Status take() override {
        const auto chunks = static_cast<uint64_t>(value("chunks"));
        m_chunks = chunks;
        m_chunkBytes = static_cast<uint64_t>(value("chunk_kib")) << 10U;
        m_streams.clear();
        Status status = inTurn([&] { return keep(m_gpu.load(code_streams(), "stream_chunk_kernel"), m_function); },
                               [&] { return keep(m_gpu.allocate(chunks * m_chunkBytes), m_memory); },
                               [&] { return keep(m_gpu.allocateHost(chunks * m_chunkBytes), m_host); },
                               [&] { return keep(m_gpu.allocateHost(chunks * m_chunkBytes), m_results); });
        const int64_t streams = version() == "overlapped" ? value("streams") : 0;
        for (int64_t i = 0; i < streams && status.ok(); ++i) {
            void* stream = nullptr;
            status = keep(m_gpu.makeStream(), stream);
            m_streams.push_back(stream);
        }
        if (status.ok()) {
            float* inputs = static_cast<float*>(m_host);
            for (uint64_t i = 0; i < chunks * m_chunkBytes / 4; ++i) {
                inputs[i] = static_cast<float>(inputValue(i, 1));
            }
        }
        return status;
    }

private:
    static uint64_t chunkBytes(const ParameterValues& values) {
        return static_cast<uint64_t>(values["chunk_kib"]) << 10U;
    }

    GpuFunction m_function;
    uint64_t m_chunks = 0, m_chunkBytes = 0;
    void *m_memory = nullptr, *m_host = nullptr, *m_results = nullptr;
    std::vector<void*> m_streams;  // empty: all on the stream of launch()
};

}  // namespace

std::unique_ptr<SampleKernel> make() {
    return std::make_unique<Streams>();
}

}  // namespace warpline::kernels::streams
