// SPDX-License-Identifier: MIT
#pragma once
// Numbers as people read them. Used by window, CLI tables and reports alike, so that the same value reads the same
// everywhere. Pure; any thread. "n/a" is the caller's business: these take known values.

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/time.h"

namespace warpline {

/// "0 ns", "812 ns", "12.345 us" (shown as "µs"), "1.234 ms", "2.500 s", "3 min 12.0 s". At most three decimals.
std::string formatDuration(DurationNs durationNs);
/// The same for statistics, which may be fractional.
std::string formatDuration(double durationNs);
/// "512 B", "4.00 KiB", "1.50 GiB": 1024-based, as torch.profiler.
std::string formatBytes(double bytes);
/// "1,234,567"
std::string formatCount(uint64_t count);
/// "1 track", "2 tracks", "1,234 tracks"; `many` where an s at the end is not the plural.
std::string formatCountOf(uint64_t count, std::string_view one, std::string_view many = {});
/// 0…1 as "12.3 %".
std::string formatRatio(double ratio);
/// "366 TFLOP/s", "1.54 TB/s": SI prefixes, three significant digits, `unit` appended.
std::string formatRate(double perSecond, std::string_view unit);

}  // namespace warpline
