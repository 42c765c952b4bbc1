// SPDX-License-Identifier: MIT
#pragma once
// Applies to records what was decided at launches, and what is asked of them themselves: their device.

#include <cstdint>
#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

#include "core/record/decode/activity_decoder.h"
#include "core/record/options/record_options.h"
#include "core/record/select/launch_selector.h"

namespace warpline::record {

/// Correlation numbers, a bit each; they come about in order, so those from long ago are forgotten.
class CorrelationSet {
public:
    void add(uint32_t correlation);
    bool has(uint32_t correlation) const;

private:
    static constexpr uint32_t kPageBits = 4096 * 8;
    static constexpr size_t kMostPages = 256;  ///< 1 MiB: 8 million numbers

    std::unordered_map<uint32_t, std::vector<uint8_t>> m_pages;
    std::deque<uint32_t> m_order;
};

/// One thread: the one that decodes.
class SelectionFilter final : public RecordFilter {
public:
    /// `names`: of the kernels of graphs, which are not named at their launch.
    /// `originNs`: from when a schedule in time counts.
    SelectionFilter(const RecordOptions& options, std::unique_ptr<KernelNames> names, int64_t originNs = 0);

    /// A launch that is kept. Before its records are decoded.
    void keep(uint32_t correlation) { m_kept.add(correlation); }

    bool keepsKernel(uint32_t correlation, std::string_view mangledName, const capture::KernelRecord& record) override;
    bool keepsWork(uint32_t correlation, capture::FrameType type, int64_t begin,
                   std::optional<uint32_t> device) override;

    /// Whether these options leave anything out that only a filter can.
    static bool isNeeded(const RecordOptions& options) {
        return options.selectsLaunches() || !options.devices.empty() ||
               (options.schedule.isSet() && options.schedule.unit == Schedule::Unit::Nanoseconds);
    }

private:
    bool isWanted(uint32_t device) const;
    bool isInTime(int64_t begin) const;

    const RecordOptions m_options;
    const bool m_selects;
    const int64_t m_originNs;
    std::unique_ptr<KernelNames> m_names;
    CorrelationSet m_kept;
};

}  // namespace warpline::record
