// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Which tracks a text lets through: those whose title, or that of their process, has all its words. Case does not
// count. Pure; any thread.

#include <string>
#include <string_view>
#include <vector>

namespace warpline::timeline {

class TrackFilter {
public:
    TrackFilter() = default;
    /// UTF-8; words are parted by spaces.
    explicit TrackFilter(std::string_view text);

    /// Lets all through.
    bool empty() const { return m_words.empty(); }
    /// What is left to look for in the tracks of a process of this title.
    TrackFilter within(std::string_view process) const;
    bool passes(std::string_view process, std::string_view own) const;

private:
    std::vector<std::string> m_words;
};

}  // namespace warpline::timeline
