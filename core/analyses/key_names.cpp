// SPDX-License-Identifier: MIT
#include "core/analyses/key_names.h"

#include <array>

namespace warpline {

namespace {

constexpr std::array<std::string_view, 6> kHiddenNames = {"profiler::_record_function_enter",
                                                          "profiler::_record_function_enter_new",
                                                          "profiler::_record_function_exit",
                                                          "aten::is_leaf",
                                                          "aten::output_nr",
                                                          "aten::_version"};

}  // namespace

KeyNames::KeyNames(const Trace& trace)
    : m_trace(&trace), m_stepId(trace.stringCount()), m_flags(trace.stringCount(), 0) {
    for (const std::string_view name : kHiddenNames) {
        if (const auto id = trace.findString(name)) {
            m_flags[id->value] = kHidden;
        }
    }
    // One row for both, should something be named as the folded steps are.
    if (const auto id = trace.findString(kStepName)) {
        m_stepId = id->value;
    }
    for (uint32_t id = 0; id < trace.stringCount(); ++id) {
        if (trace.string(StringId(id)).starts_with("ProfilerStep#")) {
            m_flags[id] |= kStep;
        }
    }
}

}  // namespace warpline
