// SPDX-License-Identifier: MIT
#include "core/loaders/zstd_stream.h"

#include <zstd_errors.h>

#include <algorithm>
#include <array>
#include <bit>

#include "core/base/page_memory.h"

namespace warpline {

namespace {

constexpr size_t kBlockHeaderBytes = 3;
constexpr size_t kChecksumBytes = 4;
constexpr size_t kSkippableHeaderBytes = 8;
/// The longest header of a frame, and that of its first block.
constexpr size_t kMostHeaderBytes = 18 + kBlockHeaderBytes;
constexpr size_t kMostBlockBytes = size_t{128} << 10;
/// Damage to the length of a block shows up to two blocks later, and another frame may have begun by then.
constexpr uint64_t kSearchedAgain = 2 * kMostBlockBytes;
/// Random bytes look like the begin of a frame once in some gigabytes. A file made to look so more often is given up,
/// as trying takes time.
constexpr int kMostTrials = 4000;

/// A frame may ask for an eighth of the machine's memory, and for no more than the format's library takes (2 GiB): a
/// bomb asks for more.
int largestWindowLog() {
    constexpr int kLeast = 27;  // what every decompressor takes
    constexpr int kMost = sizeof(size_t) == 4 ? 30 : 31;
    const auto bits = static_cast<int>(std::bit_width(physicalMemoryBytes() / 8));
    return std::clamp(bits - 1, kLeast, kMost);
}

std::string reasonOf(size_t code) {
    if (ZSTD_getErrorCode(code) == ZSTD_error_frameParameter_windowTooLarge) {
        return "its window is larger than " + std::to_string((uint64_t{1} << largestWindowLog()) >> 20) +
               " MiB, the most that is granted here";
    }
    std::string reason = ZSTD_getErrorName(code);
    if (!reason.empty() && reason[0] >= 'A' && reason[0] <= 'Z') {
        reason[0] = static_cast<char>(reason[0] - 'A' + 'a');
    }
    return reason;
}

uint32_t littleEndian(std::string_view bytes) {
    uint32_t value = 0;
    for (size_t i = bytes.size(); i-- > 0;) {
        value = value << 8 | static_cast<unsigned char>(bytes[i]);
    }
    return value;
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
    if (bytes.size() < kBlockHeaderBytes) {
        return std::nullopt;
    }
    constexpr uint32_t kRunOfOneByte = 1;
    constexpr uint32_t kReserved = 3;
    const uint32_t header = littleEndian(bytes.substr(0, kBlockHeaderBytes));
    const uint32_t type = header >> 1 & 3;
    const size_t size = header >> 3;
    if (type == kReserved || size > kMostBlockBytes) {
        return std::nullopt;
    }
    return kBlockHeaderBytes + (type == kRunOfOneByte ? 1 : size);
}

}  // namespace

bool isZstdSkippable(std::string_view head) {
    return (littleEndian(head.substr(0, kZstdMagicBytes)) & ~uint32_t{0xf}) == ZSTD_MAGIC_SKIPPABLE_START;
}

ZstdStream::ZstdStream(std::shared_ptr<const StoredBytes> bytes, Frame from)
    : m_bytes(std::move(bytes)),
      m_context(makeContext()),
      m_input(ZSTD_DStreamInSize()),
      m_inputOffset(from.storedOffset),
      m_textOffset(from.textOffset),
      m_isBehindSound(from.storedOffset != 0) {}

ZstdStream::Context ZstdStream::makeContext() {
    Context context(ZSTD_createDCtx());
    if (context != nullptr) {
        // Fails only for a number out of bounds; then the limit stays as it was.
        static_cast<void>(ZSTD_DCtx_setParameter(context.get(), ZSTD_d_windowLogMax, largestWindowLog()));
    }
    return context;
}

Result<size_t> ZstdStream::next(std::span<char> out) {
    if (m_context == nullptr) {
        return Error::failed("out of memory while decompressing");
    }
    ZSTD_outBuffer target{out.data(), out.size(), 0};
    while (target.pos < target.size && m_state == State::Running) {
        if (const Status status = m_isBetweenFrames ? beginFrame() : decompressPiece(target); !status) {
            return status.error();
        }
    }
    return target.pos;
}

Status ZstdStream::refillAt(uint64_t storedOffset) {
    const auto count = m_bytes->readAt(storedOffset, m_input);
    if (!count) {
        return count.error();
    }
    m_inputOffset = storedOffset + count.value();
    m_pending = {m_input.data(), count.value(), 0};
    return {};
}

/// Passes over frames to be skipped, up to one with text, the end, or what is neither.
Status ZstdStream::beginFrame() {
    if (m_pending.size - m_pending.pos < kMostHeaderBytes) {
        if (const Status status = refillAt(storedOffset()); !status) {
            return status.error();
        }
    }
    const uint64_t at = storedOffset();
    const std::string_view head(m_input.data() + m_pending.pos, m_pending.size - m_pending.pos);
    if (head.empty()) {
        m_state = State::Ended;
        return {};
    }
    if (head.starts_with(kZstdMagic)) {
        ZSTD_DCtx_reset(m_context.get(), ZSTD_reset_session_only);
        m_wanted = kZstdMagicBytes + 1;
        m_frameStored = at;
        m_blockStored = at;
        m_isBetweenFrames = false;
        return {};
    }
    const bool isSkippable = head.size() >= kZstdMagicBytes && isZstdSkippable(head);
    if (isSkippable && head.size() >= kSkippableHeaderBytes) {
        const uint64_t end = at + kSkippableHeaderBytes + littleEndian(head.substr(kZstdMagicBytes, 4));
        if (end - at <= head.size()) {
            m_pending.pos += end - at;
            return {};
        }
        if (end <= m_bytes->size()) {
            return refillAt(end);
        }
    }
    if (isSkippable || kZstdMagic.starts_with(head)) {
        m_state = State::Cut;
        note({"truncated", "the compressed stream ends early", m_bytes->size(), true});
        return {};
    }
    return goOnBehindDamage(at, "no frame begins here", at + 1);
}

Status ZstdStream::decompressPiece(ZSTD_outBuffer& target) {
    if (m_pending.pos == m_pending.size) {
        if (const Status status = refillAt(m_inputOffset); !status) {
            return status.error();
        }
    }
    // Without input there may still be text to come.
    const bool hasInput = m_pending.size != 0;
    const size_t before = target.pos;
    // What a call has decompressed is lost if it fails, so none gets the end of a block and all of the header that
    // follows: the number asked for includes that, and a header alone comes byte by byte.
    const size_t given = m_wanted > kBlockHeaderBytes ? m_wanted - kBlockHeaderBytes : 1;
    ZSTD_inBuffer piece{m_pending.src, std::min(m_pending.size, m_pending.pos + given), m_pending.pos};
    const size_t code = ZSTD_decompressStream(m_context.get(), &target, &piece);
    m_pending.pos = piece.pos;
    m_textOffset += target.pos - before;
    if (ZSTD_isError(code) != 0) {
        return frameFailed(code);
    }
    m_wanted = code;
    if (code == 0) {
        m_isBetweenFrames = true;
        m_isBehindSound = true;
        m_lastFrame = {m_textOffset, storedOffset()};
    } else if (!hasInput && target.pos == before) {
        m_state = State::Cut;
        note({"truncated", "the compressed stream ends early", m_bytes->size(), true});
    } else if (code == kBlockHeaderBytes) {
        m_blockStored = storedOffset();
    }
    return {};
}

Status ZstdStream::frameFailed(size_t code) {
    m_isBetweenFrames = true;
    m_isBehindSound = false;
    if (ZSTD_getErrorCode(code) != ZSTD_error_checksum_wrong) {
        const uint64_t behindMagic = m_frameStored + kZstdMagicBytes;
        return goOnBehindDamage(m_blockStored, reasonOf(code),
                                std::max(behindMagic, m_blockStored - std::min(m_blockStored, kSearchedAgain)));
    }
    const uint64_t end = storedOffset() + 1;  // its last byte alone was not taken
    note({"bad_checksum", "the checksum does not fit the text", end - kChecksumBytes, false});
    m_lastFrame = {m_textOffset, end};
    return refillAt(end);
}

/// REQUIRES: what stands at `at` cannot be read on.
Status ZstdStream::goOnBehindDamage(uint64_t at, const std::string& reason, uint64_t searchFrom) {
    const auto found = findFrame(searchFrom);
    if (!found) {
        return found.error();
    }
    if (!found.value() && m_isBehindSound && searchFrom > at) {
        note({"trailing_data", "after the compressed stream", at, false});
        m_state = State::Ended;
        return {};
    }
    const uint64_t next = found.value().value_or(m_bytes->size());
    std::string detail = reason;
    if (next > at) {
        detail += "; " + std::to_string(next - at) + (next == at + 1 ? " byte" : " bytes") + " as stored, up to " +
                  (found.value() ? "the next frame" : "the end of the file") + ", " + (next == at + 1 ? "is" : "are") +
                  " not read";
    }
    note({"invalid_zstd", std::move(detail), at, true});
    if (!found.value()) {
        m_state = State::Ended;
        return {};
    }
    m_isBehindSound = false;
    m_lastFrame = {m_textOffset, next};
    return refillAt(next);
}

Result<std::optional<uint64_t>> ZstdStream::findFrame(uint64_t from) {
    constexpr size_t kPieceBytes = size_t{1} << 20;
    m_search.resize(kPieceBytes);
    while (from < m_bytes->size() && m_trials < kMostTrials) {
        if (m_job != nullptr && m_job->stopRequested()) {
            return Error::cancelled();
        }
        const auto count = m_bytes->readAt(from, m_search);
        if (!count) {
            return count.error();
        }
        const std::string_view text = std::string_view(m_search).substr(0, count.value());
        if (text.size() < kZstdMagicBytes) {
            break;
        }
        size_t at = text.find(kZstdMagic);
        for (; at != std::string_view::npos && m_trials < kMostTrials; at = text.find(kZstdMagic, at + 1)) {
            // Cheap to see, for most of what a file made for it could hold; what the piece cuts is looked at in full.
            const std::string_view head = text.substr(at);
            const size_t length = frameHeaderBytes(head);
            const bool isCut = head.size() < kMostHeaderBytes;
            if (!isCut && (length == 0 || !blockBytes(head.substr(length)))) {
                continue;
            }
            ++m_trials;
            if (m_job != nullptr && m_job->stopRequested()) {
                return Error::cancelled();
            }
            const auto isOne = isFrame(from + at);
            if (!isOne) {
                return isOne.error();
            }
            if (isOne.value()) {
                return std::optional(from + at);
            }
        }
        from += text.size() - (kZstdMagicBytes - 1);
    }
    return std::optional<uint64_t>();
}

/// Whether a frame begins there whose first block can be decompressed and is followed by what may follow a block.
Result<bool> ZstdStream::isFrame(uint64_t at) {
    m_head.resize(kMostHeaderBytes + kMostBlockBytes + kBlockHeaderBytes);
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
    const bool hasNext = blocks.size() >= *first + kBlockHeaderBytes;
    if (!isLast && hasNext && !blockBytes(blocks.substr(*first))) {
        return false;
    }
    if (m_trial == nullptr) {
        m_trial = makeContext();
    }
    if (m_trial == nullptr) {
        return Error::failed("out of memory while decompressing");
    }
    ZSTD_DCtx_reset(m_trial.get(), ZSTD_reset_session_only);
    m_text.resize(kMostBlockBytes);
    ZSTD_inBuffer piece{bytes.data(), header + *first, 0};
    while (piece.pos < piece.size) {
        ZSTD_outBuffer target{m_text.data(), m_text.size(), 0};
        if (ZSTD_isError(ZSTD_decompressStream(m_trial.get(), &target, &piece)) != 0) {
            return false;
        }
    }
    return true;
}

void ZstdStream::note(TextSource::Damage damage) {
    const auto known = std::ranges::find(m_damage, damage.code, &TextSource::Damage::code);
    if (known == m_damage.end()) {
        m_damage.push_back(std::move(damage));
    } else {
        ++known->count;
    }
}

}  // namespace warpline
