// SPDX-License-Identifier: MIT
#pragma once
// The parameters of a sample kernel and their values, from text. Pure; any thread.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace warpline {

struct KernelParameter {
    std::string name;
    int64_t defaultValue = 0;
    int64_t least = 1;
    int64_t most = 1;
    std::string meaning;
    std::string unit;  ///< "elements", "KiB", …; empty for a plain number
    int64_t multipleOf = 1;
};

class ParameterValues {
public:
    /// The defaults of `parameters`, with `settings` ("M=4096", each name once at most) in their place. An error names
    /// the setting and what would be right. Numbers may end in k, m or g, powers of 1024.
    static Result<ParameterValues> parse(const std::vector<KernelParameter>& parameters,
                                         const std::vector<std::string>& settings);

    /// REQUIRES: `name` is a parameter.
    int64_t operator[](std::string_view name) const;
    const std::map<std::string, int64_t, std::less<>>& all() const { return m_values; }

private:
    std::map<std::string, int64_t, std::less<>> m_values;
};

}  // namespace warpline
