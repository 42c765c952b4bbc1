// SPDX-License-Identifier: MIT
// libFuzzer on the decompressors: zlib and the fast one give the same text and damage, and any place reads as before.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "core/loaders/gzip_source.h"
#include "core/loaders/zstd_source.h"

using namespace warpline;

namespace {

constexpr size_t kMostText = size_t{4} << 20;

void require(bool isTrue, const char* what) {
    if (!isTrue) {
        std::fprintf(stderr, "broken: %s\n", what);
        std::abort();
    }
}

std::string readAll(TextSource& source) {
    std::string text;
    std::string piece(10'000, '\0');
    for (;;) {
        const auto count = source.readNext(piece);
        if (!count) {
            break;
        }
        text.append(piece, 0, count.value());
        if (count.value() < piece.size() || text.size() > kMostText) {
            break;
        }
    }
    for (size_t at = 0; at < text.size(); at += 1 + text.size() / 5) {
        const size_t length = std::min<size_t>(50, text.size() - at);
        const auto again = source.read(at, length);
        require(again.ok() && again.value() == text.substr(at, length), "the same text at any place");
    }
    return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string stored(reinterpret_cast<const char*>(data), size);
    const auto fast = makeGzipSource(makeMemoryBytes(stored), 4096, true);
    const auto slow = makeGzipSource(makeMemoryBytes(stored), 4096, false);
    require(readAll(*fast) == readAll(*slow), "both decompressors give the same text");
    require(fast->damage().size() == slow->damage().size(), "and find the same damage");
    static_cast<void>(readAll(*makeZstdSource(makeMemoryBytes(stored))).size());
    return 0;
}
