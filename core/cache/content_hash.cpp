// SPDX-License-Identifier: MIT
#include "core/cache/content_hash.h"

#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/parallel.h"

namespace warpline {

std::string Hash128::text() const {
    std::array<char, 33> digits{};
    std::snprintf(digits.data(), digits.size(), "%016llx%016llx", static_cast<unsigned long long>(high),
                  static_cast<unsigned long long>(low));
    return digits.data();
}

Hash128 hashOf(std::span<const char> bytes) {
    const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
    return {hash.high64, hash.low64};
}

Result<Hash128> contentHash(const StoredBytes& bytes, unsigned threads, const JobControl& job) {
    // The length of a piece is part of what the hash means. A buffer much smaller than a piece stays in the processor's
    // cache between reading and hashing.
    constexpr uint64_t kPieceBytes = uint64_t{8} << 20;
    constexpr size_t kBufferBytes = size_t{256} << 10;
    struct FreeState {
        void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
    };
    const uint64_t size = bytes.size();
    std::vector<Hash128> pieces((size + kPieceBytes - 1) / kPieceBytes);
    std::mutex mutex;
    std::optional<Error> failure;
    const auto fail = [&](Error error) {
        const std::lock_guard lock(mutex);
        failure = failure ? std::move(failure) : std::move(error);
    };
    parallelFor(pieces.size(), threads, [&](size_t i) {
        const std::unique_ptr<XXH3_state_t, FreeState> state(XXH3_createState());
        if (state == nullptr || XXH3_128bits_reset(state.get()) != XXH_OK) {
            throw std::bad_alloc();
        }
        std::vector<char> buffer(kBufferBytes);
        const uint64_t end = std::min(size, (i + 1) * kPieceBytes);
        for (uint64_t at = i * kPieceBytes; at < end;) {
            if (job.stopRequested()) {
                return fail(Error::cancelled());
            }
            const auto wanted = std::span(buffer).first(std::min<uint64_t>(buffer.size(), end - at));
            const auto count = bytes.readAt(at, wanted);
            if (!count || count.value() != wanted.size()) {
                return fail(count ? Error::failed("the file has become shorter while it was read") : count.error());
            }
            XXH3_128bits_update(state.get(), wanted.data(), wanted.size());
            at += wanted.size();
        }
        const XXH128_hash_t hash = XXH3_128bits_digest(state.get());
        pieces[i] = {hash.high64, hash.low64};
    });
    if (failure) {
        return *failure;
    }
    if (const Status unchanged = bytes.checkUnchanged(); !unchanged) {
        return unchanged.error();
    }
    pieces.push_back({0, size});
    return hashOf({reinterpret_cast<const char*>(pieces.data()), pieces.size() * sizeof(Hash128)});
}

}  // namespace warpline
