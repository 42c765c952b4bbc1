// SPDX-License-Identifier: MIT
#pragma once
// Tells contents apart: 128 bits of XXH3, so that two that differ have the same by no accident. No defence against
// somebody who makes such contents on purpose: what is kept under a hash belongs to the user who reads it.

#include <compare>
#include <cstdint>
#include <span>
#include <string>

#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/loaders/stored_bytes.h"

namespace warpline {

struct Hash128 {
    uint64_t high = 0;
    uint64_t low = 0;
    auto operator<=>(const Hash128&) const = default;
    /// 32 hexadecimal digits.
    std::string text() const;
};

Hash128 hashOf(std::span<const char> bytes);
/// Of all the bytes and how many there are; reads them in pieces on up to `threads` threads. Fails if they cannot be
/// read or have changed since they were opened, and when stopped.
Result<Hash128> contentHash(const StoredBytes& bytes, unsigned threads, const JobControl& job);

}  // namespace warpline
