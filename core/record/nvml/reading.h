// SPDX-License-Identifier: MIT
#pragma once
// A value that a device may not give: then the reason stands in its place.

#include <optional>
#include <string>
#include <utility>

namespace warpline::record {

template <class T>
struct Reading {
    std::optional<T> value;
    std::string why;       ///< there is no value, in words
    bool isFinal = false;  ///< asking again will not help: the device or the driver does not have it

    static Reading of(T known) { return {std::move(known), {}, false}; }
    static Reading none(std::string reason, bool final = false) { return {std::nullopt, std::move(reason), final}; }
    explicit operator bool() const { return value.has_value(); }
    const T& operator*() const { return *value; }
    const T* operator->() const { return &*value; }
};

}  // namespace warpline::record
