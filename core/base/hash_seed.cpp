// SPDX-License-Identifier: MIT
#include "core/base/hash_seed.h"

#include <chrono>
#include <exception>
#include <random>

namespace warpline {

namespace {

uint64_t makeSeed() {
    const auto now = static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
    try {
        std::random_device device;
        return (uint64_t{device()} << 32 | device()) ^ now;
    } catch (const std::exception&) {
        return now * 0x9e3779b97f4a7c15ULL;  // there is no such device here: harder to foresee than nothing
    }
}

}  // namespace

uint64_t hashSeed() {
    static const uint64_t kSeed = makeSeed();
    return kSeed;
}

}  // namespace warpline
