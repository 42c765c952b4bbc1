// SPDX-License-Identifier: MIT
#pragma once
// What users type to choose names: a part of a name, or a regular expression. The one rule of filters and of the
// search.

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/base/text_finder.h"
#include "core/pattern/name_pattern.h"

namespace warpline {

class NameMatcher {
public:
    /// Fails with the reason if `text` is to be a regular expression and is none (see NamePattern). An empty text is
    /// found everywhere.
    static Result<NameMatcher> compile(const std::string& text, bool isRegex, Case letterCase);

    /// A mangled name also matches by its readable form. Fails where a regular expression is too costly for the name.
    /// Of a matcher for a regular expression, several threads need one each.
    Result<bool> matches(std::string_view name) const;
    /// The same without the readable form: for texts that are no names.
    Result<bool> isFoundIn(std::string_view text) const;

private:
    std::optional<TextFinder> m_finder;  ///< of a text that is not empty
    std::optional<NamePattern> m_pattern;
};

}  // namespace warpline
