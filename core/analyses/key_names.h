// SPDX-License-Identifier: MIT
#pragma once
// Names as the rows of tables have them: torch.profiler counts its steps as one and hides some operators. Refers to the
// trace, which must outlive it; any thread.

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/trace/trace.h"

namespace warpline {

/// Names as rows have them: "ProfilerStep#N" becomes "ProfilerStep*"; some are hidden.
class KeyNames {
public:
    explicit KeyNames(const Trace& trace);
    /// An id of the trace's pool, or one past it for a "ProfilerStep*" that is not in the pool.
    uint32_t of(StringId name) const { return isStep(name) ? m_stepId : name.value; }
    bool hidden(StringId name) const { return (m_flags[name.value] & kHidden) != 0; }
    std::string_view text(uint32_t key) const { return key == m_stepId ? kStepName : m_trace->string(StringId(key)); }

private:
    static constexpr std::string_view kStepName = "ProfilerStep*";
    static constexpr uint8_t kHidden = 1, kStep = 2;
    bool isStep(StringId name) const { return (m_flags[name.value] & kStep) != 0; }

    const Trace* m_trace;
    uint32_t m_stepId;
    std::vector<uint8_t> m_flags;  ///< by StringId
};

}  // namespace warpline
