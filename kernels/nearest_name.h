// SPDX-License-Identifier: MIT
#pragma once
// What somebody may have meant by a name that there is not. Pure; any thread.

#include <string>
#include <string_view>
#include <vector>

namespace warpline {

/// The name that takes the fewest changed, added, lost or swapped letters (of any case); the first of several. Empty if
/// `names` is, or if no name is near: more than half of its letters, or of the wanted one's, would change.
std::string nearestName(std::string_view wanted, const std::vector<std::string>& names);
/// "did you mean tiled?", or "known are naive, tiled".
std::string nearestNameText(std::string_view wanted, const std::vector<std::string>& names);

}  // namespace warpline
