// SPDX-License-Identifier: MIT
#include "core/loaders/chrome_trace/clang_dialect.h"

#include <algorithm>

namespace warpline::loaders::chrome_trace {

bool isTimeTraceTotal(std::string_view name, std::string_view ts, std::span<const Member> args) {
    return name.starts_with("\"Total ") && ts == "0" && args.size() == 2 &&
           std::ranges::all_of(args,
                               [](const Member& arg) { return isKey(arg.key, "count") || isKey(arg.key, "avg ms"); });
}

}  // namespace warpline::loaders::chrome_trace
