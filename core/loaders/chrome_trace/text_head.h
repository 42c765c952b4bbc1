// SPDX-License-Identifier: MIT
#pragma once
// What the first bytes of a text tell about it. Pure functions; each looks at every byte a few times at most.

#include <string_view>

namespace warpline::loaders::chrome_trace {

/// UTF-16 or UTF-32 with or without a mark, and not UTF-8 with a hole.
bool looksLikeUtf16(std::string_view head);

/// Of a text that does not begin as JSON: is it a trace all the same, whose first bytes are wrong, lost or not its own?
/// It is if behind these come events, and up to the end of `head` nothing that no trace has; a text that mentions a
/// trace is none.
bool looksLikeDamagedTrace(std::string_view head);

}  // namespace warpline::loaders::chrome_trace
