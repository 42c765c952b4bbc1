// SPDX-License-Identifier: MIT
#pragma once
// What the sample kernels that run on a GPU share.

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "kernels/device/gpu.h"
#include "kernels/sample_kernel.h"

namespace warpline::device {

class DeviceKernel : public SampleKernel {
public:
    explicit DeviceKernel(SampleKernelInfo info) : m_info(std::move(info)) {}
    const SampleKernelInfo& info() const final { return m_info; }
    const LaunchLedger& ledger() const final { return m_gpu.ledger(); }

    Status prepare(const ParameterValues& values, const KernelVersion& version) final {
        m_gpu.releaseAll();
        m_gpu.startLedger();
        m_values = values;
        m_version = version.id;
        Status status = take();
        return status.ok() ? m_gpu.synchronise(nullptr) : status;
    }
    void release() final {
        letGo();
        m_gpu.releaseAll();
    }

protected:
    /// Loads code, takes memory and fills inputs, on the default stream.
    virtual Status take() = 0;
    /// Before the Gpu's own things are given back.
    virtual void letGo() {}

    int64_t value(std::string_view parameter) const { return m_values[parameter]; }
    const std::string& version() const { return m_version; }
    /// Copies `count` values from the device and waits for them.
    template <class Value>
    Result<std::vector<Value>> fetch(const void* from, uint64_t count) {
        std::vector<Value> values(count);
        Status status = m_gpu.copyToHost(values.data(), from, count * sizeof(Value), nullptr);
        if (status.ok()) {
            status = m_gpu.synchronise(nullptr);
        }
        if (!status.ok()) {
            return status.error();
        }
        return values;
    }
    /// Sets every byte of an output to a value that no right result has (a NaN), runs once and waits.
    Status spoilAndRun(void* output, uint64_t bytes) {
        Status status = m_gpu.fillBytes(output, 0xFF, bytes, nullptr);
        if (status.ok()) {
            status = launch(nullptr);
        }
        return status.ok() ? m_gpu.synchronise(nullptr) : status;
    }

    Gpu m_gpu;

private:
    SampleKernelInfo m_info;
    ParameterValues m_values;
    std::string m_version;
};

/// Stores what an allocation or a load gave; for chains that end at the first error.
template <class Value, class Target>
Status keep(Result<Value> result, Target& target) {
    if (!result.ok()) {
        return result.error();
    }
    target = static_cast<Target>(std::move(result).value());
    return {};
}

/// Calls each in turn until one fails.
template <class... Steps>
Status inTurn(Steps... steps) {
    Status status;
    const auto step = [&](auto& next) {
        status = next();
        return status.ok();
    };
    (step(steps) && ...);
    return status;
}

/// The largest difference between what is there and what should be.
class Comparison {
public:
    void add(double got, double wanted, double scale = 1) {
        ++m_compared;
        const double error = std::abs(got - wanted) / scale;
        // Written so that a NaN counts as the worst.
        m_worst = error <= m_worst ? m_worst : error;
        m_isNan = m_isNan || error != error;
    }
    KernelCheck result(double tolerance, std::string method) const {
        return {!m_isNan && m_compared > 0 && m_worst <= tolerance, m_compared, m_worst, tolerance, std::move(method)};
    }

private:
    uint64_t m_compared = 0;
    double m_worst = 0;
    bool m_isNan = false;
};

}  // namespace warpline::device
