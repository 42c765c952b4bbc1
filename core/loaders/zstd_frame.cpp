// SPDX-License-Identifier: MIT
#include "core/loaders/zstd_frame.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

#include "core/base/page_memory.h"

namespace warpline {

namespace {

int largestWindowLog() {
    constexpr int kLeast = 27;  // what every decompressor takes
    constexpr int kMost = sizeof(size_t) == 4 ? 30 : 31;
    const auto bits = static_cast<int>(std::bit_width(physicalMemoryBytes() / 8));
    return std::clamp(bits - 1, kLeast, kMost);
}

/// How long the header of the frame at the begin of `bytes` is; 0 if that is none.
size_t frameHeaderBytes(std::string_view bytes) {
    if (bytes.size() <= kZstdMagicBytes || !bytes.starts_with(kZstdMagic)) {
        return 0;
    }
    constexpr std::array<size_t, 4> kIdBytes{0, 1, 2, 4};
    constexpr std::array<size_t, 4> kSizeBytes{0, 2, 4, 8};
    const auto descriptor = static_cast<unsigned char>(bytes[kZstdMagicBytes]);
    const bool isOneSegment = (descriptor & 0x20) != 0;
    const bool isReserved = (descriptor & 0x08) != 0;
    const size_t sizeBytes = descriptor >> 6 == 0 && isOneSegment ? 1 : kSizeBytes[descriptor >> 6];
    const size_t length = kZstdMagicBytes + 1 + (isOneSegment ? 0 : 1) + kIdBytes[descriptor & 3] + sizeBytes;
    return isReserved || length > bytes.size() ? 0 : length;
}

/// How many bytes the block at the begin of `bytes` takes with its header; nullopt if that cannot be one.
std::optional<size_t> blockBytes(std::string_view bytes) {
    if (bytes.size() < kZstdBlockHeaderBytes) {
        return std::nullopt;
    }
    constexpr uint32_t kRunOfOneByte = 1;
    constexpr uint32_t kReserved = 3;
    const uint32_t header = littleEndianOf(bytes.substr(0, kZstdBlockHeaderBytes));
    const uint32_t type = header >> 1 & 3;
    const size_t size = header >> 3;
    if (type == kReserved || size > kMostZstdBlockBytes) {
        return std::nullopt;
    }
    return kZstdBlockHeaderBytes + (type == kRunOfOneByte ? 1 : size);
}

}  // namespace

uint32_t littleEndianOf(std::string_view bytes) {
    uint32_t value = 0;
    for (size_t i = bytes.size(); i-- > 0;) {
        value = value << 8 | static_cast<unsigned char>(bytes[i]);
    }
    return value;
}

bool isZstdSkippable(std::string_view head) {
    return (littleEndianOf(head.substr(0, kZstdMagicBytes)) & ~uint32_t{0xf}) == ZSTD_MAGIC_SKIPPABLE_START;
}

uint64_t largestZstdWindow() {
    return uint64_t{1} << largestWindowLog();
}

ZstdContext makeZstdContext() {
    ZstdContext context(ZSTD_createDCtx());
    if (context != nullptr) {
        // Fails only for a number out of bounds; then the limit stays as it was.
        static_cast<void>(ZSTD_DCtx_setParameter(context.get(), ZSTD_d_windowLogMax, largestWindowLog()));
    }
    return context;
}

bool ZstdFrame::mayBegin(std::string_view head) const {
    const size_t length = frameHeaderBytes(head);
    return length != 0 && blockBytes(head.substr(length)).has_value();
}

Result<bool> ZstdFrame::doesBegin(uint64_t at) {
    m_head.resize(kMostZstdHeaderBytes + kMostZstdBlockBytes + kZstdBlockHeaderBytes);
    const auto count = m_bytes->readAt(at, m_head);
    if (!count) {
        return count.error();
    }
    const std::string_view bytes = std::string_view(m_head).substr(0, count.value());
    const size_t header = frameHeaderBytes(bytes);
    if (header == 0) {
        return false;
    }
    const std::string_view blocks = bytes.substr(header);
    const auto first = blockBytes(blocks);
    if (!first || *first > blocks.size()) {
        return false;
    }
    const bool isLast = (static_cast<unsigned char>(blocks[0]) & 1) != 0;
    const bool hasNext = blocks.size() >= *first + kZstdBlockHeaderBytes;
    if (!isLast && hasNext && !blockBytes(blocks.substr(*first))) {
        return false;
    }
    if (m_trial == nullptr) {
        m_trial = makeZstdContext();
    }
    if (m_trial == nullptr) {
        return Error::failed("out of memory while decompressing");
    }
    ZSTD_DCtx_reset(m_trial.get(), ZSTD_reset_session_only);
    m_text.resize(kMostZstdBlockBytes);
    ZSTD_inBuffer piece{bytes.data(), header + *first, 0};
    while (piece.pos < piece.size) {
        ZSTD_outBuffer target{m_text.data(), m_text.size(), 0};
        if (ZSTD_isError(ZSTD_decompressStream(m_trial.get(), &target, &piece)) != 0) {
            return false;
        }
    }
    return true;
}

}  // namespace warpline
