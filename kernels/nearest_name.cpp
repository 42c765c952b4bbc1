// SPDX-License-Identifier: MIT
#include "kernels/nearest_name.h"

#include <algorithm>
#include <numeric>

namespace warpline {

namespace {

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

size_t distance(std::string_view a, std::string_view b) {
    std::vector<size_t> beforeLast(b.size() + 1), last(b.size() + 1), now(b.size() + 1);
    std::iota(last.begin(), last.end(), size_t{0});
    for (size_t i = 1; i <= a.size(); ++i) {
        now[0] = i;
        for (size_t j = 1; j <= b.size(); ++j) {
            const bool same = lower(a[i - 1]) == lower(b[j - 1]);
            now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1])) {
                now[j] = std::min(now[j], beforeLast[j - 2] + 1);
            }
        }
        std::swap(beforeLast, last);
        std::swap(last, now);
    }
    return last[b.size()];
}

}  // namespace

std::string nearestName(std::string_view wanted, const std::vector<std::string>& names) {
    std::string nearest;
    size_t fewest = SIZE_MAX;
    for (const std::string& name : names) {
        const size_t changes = distance(wanted, name);
        if (changes < fewest && 2 * changes <= std::max(wanted.size(), name.size())) {
            fewest = changes;
            nearest = name;
        }
    }
    return nearest;
}

std::string nearestNameText(std::string_view wanted, const std::vector<std::string>& names) {
    if (const std::string nearest = nearestName(wanted, names); !nearest.empty()) {
        return "did you mean " + nearest + "?";
    }
    std::string text = "known are ";
    for (const std::string& name : names) {
        text += (&name == &names.front() ? "" : ", ") + name;
    }
    return names.empty() ? "there are none" : text;
}

}  // namespace warpline
