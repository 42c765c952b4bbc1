// SPDX-License-Identifier: MIT
#include "core/trace/event_id.h"

namespace warpline {

std::optional<uint64_t> idNumber(std::string_view text) {
    constexpr size_t kMostDigits = 18;
    if (text.empty() || text.size() > kMostDigits || (text.size() > 1 && text.front() == '0')) {
        return std::nullopt;
    }
    uint64_t number = 0;
    for (const char c : text) {
        if (c < '0' || c > '9') {
            return std::nullopt;
        }
        number = number * 10 + static_cast<uint64_t>(c - '0');
    }
    return number;
}

}  // namespace warpline
