// SPDX-License-Identifier: MIT
#include "core/loaders/capture/capture_reader.h"

#include <zstd.h>

namespace warpline::loaders::capture {

PayloadUnpacker::Outcome PayloadUnpacker::unpack(const wire::FrameHeader& header, std::string_view stored) {
    m_unpacked = {};
    if ((header.flags & ~uint32_t{wire::kPackedByZstd}) != 0) {
        return Outcome::Unknown;
    }
    if ((header.flags & wire::kPackedByZstd) == 0) {
        m_unpacked = stored;
        return Outcome::Done;
    }
    const unsigned long long bytes = ZSTD_getFrameContentSize(stored.data(), stored.size());
    // A block takes four bytes at least and holds 128 KiB at most: who says more lies.
    constexpr uint64_t kMostOfBlock = uint64_t{128} << 10;
    constexpr uint64_t kLeastOfBlock = 4;
    if (bytes == ZSTD_CONTENTSIZE_UNKNOWN || bytes == ZSTD_CONTENTSIZE_ERROR || bytes > wire::kMostPayload ||
        bytes / kMostOfBlock * kLeastOfBlock > stored.size()) {
        return Outcome::Unreadable;
    }
    if (bytes > m_capacity) {
        m_buffer = std::make_unique_for_overwrite<char[]>(bytes);
        m_capacity = bytes;
    }
    const size_t count = ZSTD_decompress(m_buffer.get(), bytes, stored.data(), stored.size());
    if (ZSTD_isError(count) != 0 || count != bytes) {
        return Outcome::Unreadable;
    }
    m_unpacked = {m_buffer.get(), count};
    return Outcome::Done;
}

std::optional<CaptureFrame> CaptureReader::next() {
    auto frame = m_frames.next();
    while (frame && frame->offset < m_passBefore && !m_isNeeded(frame->type())) {
        frame = m_frames.next();
    }
    if (!frame) {
        return std::nullopt;
    }
    CaptureFrame out{frame->header, frame->offset, {}, m_unpacker.unpack(frame->header, frame->payload)};
    out.payload = m_unpacker.unpacked();
    return out;
}

}  // namespace warpline::loaders::capture
