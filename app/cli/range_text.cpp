// SPDX-License-Identifier: MIT
#include "app/cli/range_text.h"

#include <limits>
#include <string>

#include "core/base/time_text.h"

namespace warpline::cli {

Result<TimeRange> parseRange(std::string_view text, TimeNs start) {
    const auto wrong = [&](const char* why) {
        return Error::failed("--range " + std::string(text) + ": " + why + "; wanted is A:B, for example 10ms:20ms");
    };
    const size_t colon = text.find(':');
    if (colon == std::string_view::npos || text.find(':', colon + 1) != std::string_view::npos) {
        return wrong("not one colon");
    }
    const std::string_view from = text.substr(0, colon);
    const std::string_view to = text.substr(colon + 1);
    TimeRange range{std::numeric_limits<TimeNs>::min(), std::numeric_limits<TimeNs>::max()};
    const auto read = [&](std::string_view part, TimeNs& time) {
        if (part.empty()) {
            return true;
        }
        const auto offset = parseTimeText(part);
        return offset && !__builtin_add_overflow(start, *offset, &time);
    };
    if (!read(from, range.begin) || !read(to, range.end)) {
        return wrong("not a time (a number with ns, us, ms, s or nothing for ns)");
    }
    if (range.end <= range.begin) {
        return wrong("the end is not after the start");
    }
    return range;
}

}  // namespace warpline::cli
