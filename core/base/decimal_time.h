// SPDX-License-Identifier: MIT
#pragma once
// Exact reading and writing of times that stand as decimal text.

#include <optional>
#include <string>
#include <string_view>

#include "core/base/time.h"

namespace warpline {

enum class DecimalError { None, NotANumber, OutOfRange };

/// Nanoseconds from a JSON number in microseconds ("12", "1.057", "-3.5e2"), rounded half away from zero to the
/// nearest nanosecond. Near 1.7e15 us a double moves in steps of 0.25 us, so the digits themselves are scaled.
/// Surrounding blanks are not accepted; out of range is what a trace does not hold (kLatestTime). On failure returns
/// nullopt and says why in `*error` if given.
std::optional<TimeNs> nsFromMicrosText(std::string_view digits, DecimalError* error = nullptr);

/// The same, quicker, for digits from whose start on this many bytes are readable, however few they are.
inline constexpr size_t kPaddedTimeBytes = 8;
std::optional<TimeNs> nsFromPaddedMicrosText(std::string_view digits, DecimalError* error = nullptr);

/// The inverse: microseconds with as many decimals as needed (0 to 3), e.g. 1500 -> "1.5".
std::string microsTextFromNs(TimeNs ns);

}  // namespace warpline
