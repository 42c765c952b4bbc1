// SPDX-License-Identifier: MIT
#include "core/loaders/chrome_trace/text_head.h"

#include <cstddef>

namespace warpline::loaders::chrome_trace {

bool looksLikeUtf16(std::string_view head) {
    if (head.starts_with("\xff\xfe") || head.starts_with("\xfe\xff")) {
        return true;
    }
    constexpr size_t kMost = 8;
    head = head.substr(0, kMost);
    if (head.size() < 4) {
        return head.size() >= 2 && (head[0] == '\0') != (head[1] == '\0');
    }
    size_t zeros[2] = {0, 0};
    for (size_t i = 0; i < head.size(); ++i) {
        zeros[i % 2] += head[i] == '\0' ? 1 : 0;
    }
    const size_t half = head.size() / 2;
    const bool bigEndian = zeros[0] == (head.size() + 1) / 2 && zeros[1] == 0;
    const bool littleEndian =
        zeros[1] == half && head[0] != '\0' && (head[2] != '\0' || head.size() < kMost || head[4] != '\0');
    return bigEndian || littleEndian;
}

}  // namespace warpline::loaders::chrome_trace
