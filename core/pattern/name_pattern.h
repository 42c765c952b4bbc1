// SPDX-License-Identifier: MIT
#pragma once
// A regular expression that users type to choose names: Perl's syntax over UTF-8 (PCRE2). Hostile ones end in an error
// in bounded time and memory, never in a crash.

#include <memory>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/base/text_finder.h"

namespace warpline {

/// Success if `text` is a regular expression that can be used, else why not. The check of the CLI, of input fields and
/// of analyses.
Status checkPattern(const std::string& text);

/// Several threads need one each (matching uses its scratch memory).
class NamePattern {
public:
    /// Fails with the reason and the place if `text` is no regular expression, or too long or too deeply nested.
    static Result<NamePattern> compile(const std::string& text, Case letterCase = Case::Matters);

    NamePattern(NamePattern&&) noexcept;
    NamePattern& operator=(NamePattern&&) noexcept;
    ~NamePattern();

    /// Whether it is found anywhere in `name`, which may hold any bytes. Fails, with the name in the message, if that
    /// takes more steps or memory than is allowed: then it is not known.
    Result<bool> isFoundIn(std::string_view name) const;

private:
    struct State;
    explicit NamePattern(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

}  // namespace warpline
