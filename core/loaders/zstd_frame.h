// SPDX-License-Identifier: MIT
#pragma once
// What a frame of a zstd file looks like (RFC 8878).

#include <zstd.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "core/loaders/part_search.h"

namespace warpline {

/// The magic numbers of a frame with text, and of one to be skipped (which pzstd begins each of its own with).
inline constexpr std::string_view kZstdMagic = "\x28\xb5\x2f\xfd";
inline constexpr size_t kZstdMagicBytes = 4;
/// REQUIRES: `head` has kZstdMagicBytes.
bool isZstdSkippable(std::string_view head);

inline constexpr size_t kZstdBlockHeaderBytes = 3;
inline constexpr size_t kMostZstdBlockBytes = size_t{128} << 10;
/// The longest header of a frame, and that of its first block.
inline constexpr size_t kMostZstdHeaderBytes = 18 + kZstdBlockHeaderBytes;

uint32_t littleEndianOf(std::string_view bytes);

/// A frame may ask for an eighth of the machine's memory, and for no more than the format's library takes (2 GiB): a
/// bomb asks for more.
uint64_t largestZstdWindow();

struct FreeZstdContext {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};
using ZstdContext = std::unique_ptr<ZSTD_DCtx, FreeZstdContext>;
/// Takes windows up to the largest one; null: out of memory.
ZstdContext makeZstdContext();

class ZstdFrame final : public PartKind {
public:
    explicit ZstdFrame(std::shared_ptr<const StoredBytes> bytes) : m_bytes(std::move(bytes)) {}

    std::string_view magic() const override { return kZstdMagic; }
    size_t headBytes() const override { return kMostZstdHeaderBytes; }
    bool mayBegin(std::string_view head) const override;
    /// Whether its first block can be decompressed and is followed by what may follow a block.
    Result<bool> doesBegin(uint64_t at) override;

private:
    std::shared_ptr<const StoredBytes> m_bytes;
    ZstdContext m_trial;  ///< null until it is needed
    std::string m_head, m_text;
};

}  // namespace warpline
