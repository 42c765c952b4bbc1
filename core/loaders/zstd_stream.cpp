// SPDX-License-Identifier: MIT
#include "core/loaders/zstd_stream.h"

#include <zstd_errors.h>

#include <algorithm>

namespace warpline {

namespace {

constexpr size_t kChecksumBytes = 4;
constexpr size_t kSkippableHeaderBytes = 8;
/// Damage to the length of a block shows up to two blocks later, and another frame may have begun by then.
constexpr uint64_t kSearchedAgain = 2 * kMostZstdBlockBytes;

std::string reasonOf(size_t code) {
    if (ZSTD_getErrorCode(code) == ZSTD_error_frameParameter_windowTooLarge) {
        return "its window is larger than " + std::to_string(largestZstdWindow() >> 20) +
               " MiB, the most that is granted here";
    }
    std::string reason = ZSTD_getErrorName(code);
    if (!reason.empty() && reason[0] >= 'A' && reason[0] <= 'Z') {
        reason[0] = static_cast<char>(reason[0] - 'A' + 'a');
    }
    return reason;
}

}  // namespace

ZstdStream::ZstdStream(std::shared_ptr<const StoredBytes> bytes, Frame from)
    : m_bytes(std::move(bytes)),
      m_context(makeZstdContext()),
      m_kind(m_bytes),
      m_search(m_bytes),
      m_input(ZSTD_DStreamInSize()),
      m_inputOffset(from.storedOffset),
      m_textOffset(from.textOffset),
      m_isBehindSound(from.storedOffset != 0) {}

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
    if (m_pending.size - m_pending.pos < kMostZstdHeaderBytes) {
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
        const uint64_t end = at + kSkippableHeaderBytes + littleEndianOf(head.substr(kZstdMagicBytes, 4));
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
        noteDamage(m_damage, {"truncated", "the compressed stream ends early", m_bytes->size(), true});
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
    const size_t given = m_wanted > kZstdBlockHeaderBytes ? m_wanted - kZstdBlockHeaderBytes : 1;
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
        noteDamage(m_damage, {"truncated", "the compressed stream ends early", m_bytes->size(), true});
    } else if (code == kZstdBlockHeaderBytes) {
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
    noteDamage(m_damage, {"bad_checksum", "the checksum does not fit the text", end - kChecksumBytes, false});
    m_lastFrame = {m_textOffset, end};
    return refillAt(end);
}

/// REQUIRES: what stands at `at` cannot be read on.
Status ZstdStream::goOnBehindDamage(uint64_t at, const std::string& reason, uint64_t searchFrom) {
    const auto found = m_search.find(searchFrom, m_kind);
    if (!found) {
        return found.error();
    }
    if (!found.value() && m_isBehindSound && searchFrom > at) {
        noteDamage(m_damage, {"trailing_data", "after the compressed stream", at, false});
        m_state = State::Ended;
        return {};
    }
    const uint64_t next = found.value().value_or(m_bytes->size());
    std::string detail =
        reason + notReadText(next - std::min(next, at), found.value() ? "the next frame" : "the end of the file");
    noteDamage(m_damage, {"invalid_zstd", std::move(detail), at, true});
    if (!found.value()) {
        m_state = State::Ended;
        return {};
    }
    m_isBehindSound = false;
    m_lastFrame = {m_textOffset, next};
    return refillAt(next);
}

}  // namespace warpline
