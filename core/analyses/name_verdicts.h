// SPDX-License-Identifier: MIT
#pragma once
// Which names of a trace a user's text is found in.

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/base/text_finder.h"
#include "core/trace/trace.h"

namespace warpline {

/// Yes or no for each name that events have: decided once a distinct text, on all cores.
class NameVerdicts {
public:
    /// Everything is a yes.
    NameVerdicts() = default;
    /// `isUsed`, by StringId: those that will be asked for. Fails on a bad or too costly expression, or when cancelled.
    static Result<NameVerdicts> decide(const Trace& trace, const std::vector<uint8_t>& isUsed, const std::string& text,
                                       bool isRegex, Case letterCase, const JobControl& job);
    bool operator()(StringId name) const { return m_isYes.empty() || m_isYes[name.value] != 0; }

private:
    std::vector<uint8_t> m_isYes;  ///< by StringId
};

}  // namespace warpline
