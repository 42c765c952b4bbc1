// SPDX-License-Identifier: MIT
#pragma once
// Distinct integer types for the things a trace refers to by number, so that a row cannot be passed for a track.
// Each is a plain 32-bit value: copy freely, compare, hash, use as an index through `.value`.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace warpline {

template <class Tag>
struct Id {
    static constexpr uint32_t kNoneValue = 0xffffffffU;
    uint32_t value = kNoneValue;

    constexpr Id() = default;
    constexpr explicit Id(uint32_t v) : value(v) {}
    constexpr explicit Id(size_t v) : value(static_cast<uint32_t>(v)) {}
    static constexpr Id none() { return Id(); }
    constexpr bool valid() const { return value != kNoneValue; }
    constexpr explicit operator bool() const { return valid(); }
    constexpr auto operator<=>(const Id&) const = default;
};

using FileId = Id<struct FileTag>;        ///< index into Trace::files()
using ProcessId = Id<struct ProcessTag>;  ///< index into Trace::processes()
using TrackId = Id<struct TrackTag>;      ///< index into Trace::tracks()
using EventRow = Id<struct EventRowTag>;  ///< index into the slice columns of a sealed trace

/// A string in a StringPool. 0 is the empty string, so a default one reads as "".
struct StringId {
    uint32_t value = 0;
    constexpr StringId() = default;
    constexpr explicit StringId(uint32_t v) : value(v) {}
    constexpr bool empty() const { return value == 0; }
    constexpr auto operator<=>(const StringId&) const = default;
};

}  // namespace warpline

template <class Tag>
struct std::hash<warpline::Id<Tag>> {
    size_t operator()(warpline::Id<Tag> id) const noexcept { return std::hash<uint32_t>()(id.value); }
};
template <>
struct std::hash<warpline::StringId> {
    size_t operator()(warpline::StringId id) const noexcept { return std::hash<uint32_t>()(id.value); }
};
