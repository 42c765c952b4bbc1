// SPDX-License-Identifier: MIT
#include "core/analyses/name_matcher.h"

#include <utility>

#include "core/base/demangle.h"

namespace warpline {

Result<NameMatcher> NameMatcher::compile(const std::string& text, bool isRegex, Case letterCase) {
    NameMatcher out;
    if (!isRegex) {
        if (!text.empty()) {
            out.m_finder.emplace(text, letterCase);
        }
        return out;
    }
    auto pattern = NamePattern::compile(text, letterCase);
    if (!pattern) {
        return pattern.error();
    }
    out.m_pattern.emplace(std::move(pattern).value());
    return out;
}

Result<bool> NameMatcher::isFoundIn(std::string_view text) const {
    return m_pattern ? m_pattern->isFoundIn(text) : Result<bool>(!m_finder || m_finder->isFoundIn(text));
}

Result<bool> NameMatcher::matches(std::string_view name) const {
    auto found = isFoundIn(name);
    if (found && !found.value() && name.starts_with("_Z")) {
        found = isFoundIn(demangledName(name));
    }
    return found;
}

}  // namespace warpline
