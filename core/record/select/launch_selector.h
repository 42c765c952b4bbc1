// SPDX-License-Identifier: MIT
#pragma once
// Which launches are recorded: by kernel, by ranges, by turns. Decided as a launch begins, so that "the third launch of
// this kernel" means what the program did and not in which order records come. No CUPTI: pure decisions.

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/base/result.h"
#include "core/record/options/record_options.h"

namespace warpline::record {

/// Decides whether a kernel's name is one of those that are asked for.
class KernelNames {
public:
    virtual ~KernelNames() = default;
    virtual bool matches(std::string_view mangledName) = 0;
};

/// A regular expression, found in the base, the demangled or the mangled name; "" matches all. Remembers what it has
/// decided. One thread. Fails with what is wrong in the expression.
Result<std::unique_ptr<KernelNames>> makeKernelNames(const std::string& pattern);

/// Any thread.
class LaunchSelector {
public:
    struct Verdict {
        bool isKept = false;
        uint32_t cycle = 0;  ///< of a schedule, from 1; 0: there is none
    };

    /// REQUIRES: `names` is for this alone.
    LaunchSelector(const RecordOptions& options, std::unique_ptr<KernelNames> names);

    /// Of a kernel; once for each launch, in the order of their beginnings.
    Verdict onLaunch(std::string_view mangledName);
    /// Of work that is no single kernel: kept while launches of any kernel would be. `mayHoldKernels`: a graph, whose
    /// kernels are not named at its launch; else a copy or a set, which no choice of kernels includes.
    Verdict onOtherWork(bool mayHoldKernels = true);
    /// A range begins or ends, on any thread; only those of the name that is asked for count. Launches are within one
    /// while one is open on any thread: frameworks launch for one thread from another.
    void onRangeBegin(std::string_view name);
    void onRangeEnd(std::string_view name);

    /// cudaProfilerStart() or cudaProfilerStop() was called.
    void onProfiler(bool isOn);

    /// Nothing can be kept any more.
    bool isExhausted() const;

private:
    Verdict phaseOf(uint64_t step) const;
    bool isInRange() const {
        return (m_options.range.empty() || m_openRanges > 0) && (!m_options.isProfilerRange || m_isProfilerOn);
    }

    const RecordOptions m_options;
    std::unique_ptr<KernelNames> m_names;
    mutable std::mutex m_mutex;
    bool m_isProfilerOn = false;
    uint64_t m_openRanges = 0;
    uint64_t m_rangesBegun = 0;
    uint64_t m_matches = 0;  ///< launches that match, in ranges
    uint64_t m_kept = 0;
    uint64_t m_skipped = 0;
};

}  // namespace warpline::record
