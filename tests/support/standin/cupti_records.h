// SPDX-License-Identifier: MIT
#pragma once
// Activity records as CUPTI of various versions would write them.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "core/record/decode/activity_layout.h"

namespace warpline::test {

/// Versions as cuptiGetVersion() gives them.
inline constexpr uint32_t kCupti118 = 18, kCupti120 = 19, kCupti128 = 26, kCupti130 = 130000, kCupti131 = 130100;

/// How long a record of a kind is; 0: that kind is unknown here.
size_t cuptiRecordBytes(uint32_t kind, uint32_t version);

/// What lies behind the members that the recorder knows.
inline constexpr char kBehind = '\xee';

/// The record of that length: cut, or with bytes behind that mean nothing.
template <class Layout>
std::string cuptiRecordOf(const Layout& layout, size_t bytes) {
    std::string record(bytes, kBehind);
    std::memcpy(record.data(), &layout, std::min(bytes, sizeof layout));
    return record;
}

/// As that version writes it.
template <class Layout>
std::string cuptiRecord(const Layout& layout, uint32_t version) {
    return cuptiRecordOf(layout, cuptiRecordBytes(layout.kind, version));
}

}  // namespace warpline::test
