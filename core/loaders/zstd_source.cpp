// SPDX-License-Identifier: MIT
#include "core/loaders/zstd_source.h"

#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/base/page_memory.h"
#include "core/loaders/spill_file.h"

namespace warpline {

namespace {

constexpr uint64_t kFrameDistance = uint64_t{16} << 20;
constexpr size_t kPieceBytes = size_t{1} << 20;
/// So much is decompressed again at most, for who reads at places, before all text is kept in a file.
constexpr uint64_t kMostAgain = uint64_t{64} << 20;

/// A frame may ask for an eighth of the machine's memory, and for no more than the format's library takes (2 GiB): a
/// bomb asks for more.
int largestWindowLog() {
    constexpr int kLeast = 27;  // what every decompressor takes
    constexpr int kMost = sizeof(size_t) == 4 ? 30 : 31;
    const auto bits = static_cast<int>(std::bit_width(physicalMemoryBytes() / 8));
    return std::clamp(bits - 1, kLeast, kMost);
}

/// The begin of a frame.
struct Frame {
    uint64_t textOffset = 0;
    uint64_t storedOffset = 0;
};

/// Decompresses from the begin of a frame on. One thread.
class Decompressor {
public:
    enum class State { Running, Ended, Cut, Invalid };

    Decompressor(std::shared_ptr<const StoredBytes> bytes, Frame from)
        : m_bytes(std::move(bytes)),
          m_context(ZSTD_createDCtx()),
          m_input(ZSTD_DStreamInSize()),
          m_inputOffset(from.storedOffset),
          m_textOffset(from.textOffset),
          m_firstWanted(m_context == nullptr ? 0 : ZSTD_initDStream(m_context.get())),
          m_wanted(m_firstWanted) {
        if (m_context != nullptr) {
            // Fails only for a number out of bounds; then the limit stays as it was.
            static_cast<void>(ZSTD_DCtx_setParameter(m_context.get(), ZSTD_d_windowLogMax, largestWindowLog()));
        }
    }

    Result<size_t> next(std::span<char> out) {
        if (m_context == nullptr) {
            return Error::failed("out of memory while decompressing");
        }
        ZSTD_outBuffer target{out.data(), out.size(), 0};
        while (target.pos < target.size && m_state == State::Running) {
            if (m_pending.pos == m_pending.size) {
                const auto count = m_bytes->readAt(m_inputOffset, m_input);
                if (!count) {
                    return count.error();
                }
                m_inputOffset += count.value();
                m_pending = {m_input.data(), count.value(), 0};
                // Without input there may still be text to come.
                if (count.value() == 0 && m_isBetweenFrames) {
                    m_state = State::Ended;
                    break;
                }
            }
            const bool hasInput = m_pending.size != 0;
            const size_t before = target.pos;
            const uint64_t frameStart = storedOffset();
            // What a call has decompressed is lost if it fails, so none gets the end of a block and all of the header
            // that follows: the number asked for includes that, and a header alone comes byte by byte.
            constexpr size_t kHeaderBytes = 3;
            const size_t given = m_wanted > kHeaderBytes ? m_wanted - kHeaderBytes : 1;
            ZSTD_inBuffer piece{m_pending.src, std::min(m_pending.size, m_pending.pos + given), m_pending.pos};
            const size_t code = ZSTD_decompressStream(m_context.get(), &target, &piece);
            m_pending.pos = piece.pos;
            m_textOffset += target.pos - before;
            m_wanted = code == 0 ? m_firstWanted : code;
            if (ZSTD_isError(code) != 0) {
                fail(code, frameStart);
            } else if (code == 0) {
                m_isBetweenFrames = true;
                m_lastFrame = {m_textOffset, storedOffset()};
            } else if (!hasInput && target.pos == before) {
                m_state = State::Cut;
            } else {
                m_isBetweenFrames = false;
            }
        }
        return target.pos;
    }

    State state() const { return m_state; }
    uint64_t textOffset() const { return m_textOffset; }
    uint64_t storedOffset() const { return m_inputOffset - (m_pending.size - m_pending.pos); }
    /// The last place at which a frame ended, and so another may begin.
    Frame lastFrame() const { return m_lastFrame; }
    const std::optional<TextSource::Damage>& damage() const { return m_damage; }

private:
    struct Free {
        void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
    };

    void fail(size_t code, uint64_t frameStart) {
        std::string reason = ZSTD_getErrorName(code);
        const ZSTD_ErrorCode error = ZSTD_getErrorCode(code);
        if (error == ZSTD_error_frameParameter_windowTooLarge) {
            reason = "its window is larger than " + std::to_string((uint64_t{1} << largestWindowLog()) >> 20) +
                     " MiB, the most that is granted here";
        }
        m_state = State::Invalid;
        if (error == ZSTD_error_prefix_unknown && m_isBetweenFrames && m_textOffset != 0) {
            m_state = State::Ended;
            m_damage = {"trailing_data", "after the compressed stream", frameStart, false};
        } else if (error == ZSTD_error_checksum_wrong) {
            constexpr uint64_t kChecksumBytes = 4;
            const uint64_t begin = storedOffset() + 1 - kChecksumBytes;  // its last byte alone was not taken
            const bool isLast = begin + kChecksumBytes >= m_bytes->size();
            m_damage = {"bad_checksum", "the checksum does not fit the text", begin, !isLast};
        } else {
            m_damage = {"invalid_zstd", reason, storedOffset(), true};
        }
    }

    std::shared_ptr<const StoredBytes> m_bytes;
    std::unique_ptr<ZSTD_DCtx, Free> m_context;
    std::vector<char> m_input;
    ZSTD_inBuffer m_pending{nullptr, 0, 0};
    uint64_t m_inputOffset;
    uint64_t m_textOffset;
    size_t m_firstWanted;  ///< bytes that the next call asks for at the begin of a frame
    size_t m_wanted;
    bool m_isBetweenFrames = true;
    Frame m_lastFrame;
    State m_state = State::Running;
    std::optional<TextSource::Damage> m_damage;
};

class ZstdSource final : public TextSource {
public:
    explicit ZstdSource(std::shared_ptr<const StoredBytes> bytes)
        : m_bytes(std::move(bytes)), m_stream(m_bytes, {}), m_frames(1) {}

    Result<size_t> readNext(std::span<char> buffer) override {
        const auto count = m_stream.next(buffer);
        m_position.store(m_stream.storedOffset(), std::memory_order_relaxed);
        const std::lock_guard lock(m_mutex);
        m_textEnd = m_stream.textOffset();
        const Frame frame = m_stream.lastFrame();
        if (frame.textOffset >= m_frames.back().textOffset + kFrameDistance && frame.storedOffset < m_bytes->size()) {
            m_frames.push_back(frame);
        }
        return count;
    }

    Result<std::string> read(uint64_t offset, size_t length) const override {
        if (const Status unchanged = m_bytes->checkUnchanged(); !unchanged) {
            return unchanged.error();
        }
        const std::lock_guard lock(m_mutex);
        if (offset > m_textEnd || length > m_textEnd - offset) {
            return Error::failed("bytes " + std::to_string(offset) + " to " + std::to_string(offset + length) +
                                 " are beyond what was decompressed");
        }
        std::string text;
        while (text.size() < length) {
            const uint64_t position = offset + text.size();
            if (m_spill != nullptr && position < m_spill->size()) {
                if (const Status status = readSpilled(position, length, text); !status) {
                    return status.error();
                }
                continue;
            }
            if (const Status status = movePiece(position); !status) {
                return status.error();
            }
            text.append(m_piece, position - m_pieceOffset, length - text.size());
        }
        return text;
    }

    uint64_t storedBytes() const override { return m_bytes->size(); }
    uint64_t storedPosition() const override { return m_position.load(std::memory_order_relaxed); }
    std::string compression() const override { return "zstd"; }
    std::vector<Damage> damage() const override {
        if (m_stream.damage()) {
            return {*m_stream.damage()};
        }
        if (m_stream.state() == Decompressor::State::Cut) {
            return {{"truncated", "the compressed stream ends early", m_bytes->size(), true}};
        }
        return {};
    }

private:
    /// Appends what there is of the spilled text from `position` on until `text` has `length` bytes. REQUIRES: m_mutex
    /// is held.
    Status readSpilled(uint64_t position, size_t length, std::string& text) const {
        const size_t before = text.size();
        const auto count = static_cast<size_t>(std::min<uint64_t>(length - before, m_spill->size() - position));
        text.resize(before + count);
        const auto got = m_spill->readAt(position, std::span(text).subspan(before));
        if (!got) {
            return got.error();
        }
        return got.value() == count ? Status::success() : Error::failed("a temporary file has become shorter");
    }

    /// Decompresses all that was read before once more, into a file: from then on a step back costs nothing. Where
    /// there is no room for it, all stays as it was. REQUIRES: m_mutex is held.
    void spill() const {
        m_mayStillSpill = false;
        std::unique_ptr<SpillFile> file = SpillFile::create();
        Decompressor all(m_bytes, {});
        std::string piece;
        while (file != nullptr && file->size() < m_textEnd) {
            piece.resize(kPieceBytes);
            const auto count = all.next(piece);
            if (!count || count.value() == 0 || !file->append(std::span(piece).first(count.value()))) {
                return;
            }
        }
        m_spill = std::move(file);
    }

    /// Makes m_piece the one that holds `position`. REQUIRES: m_mutex is held.
    Status movePiece(uint64_t position) const {
        const auto after = std::upper_bound(m_frames.begin(), m_frames.end(), position,
                                            [](uint64_t p, const Frame& frame) { return p < frame.textOffset; });
        const Frame& frame = *std::prev(after);
        const bool isHeld = position >= m_pieceOffset && position < m_pieceOffset + m_piece.size();
        if (!isHeld && (!m_again || m_again->textOffset() > position || m_again->textOffset() < frame.textOffset)) {
            m_again.emplace(m_bytes, frame);
            m_piece.clear();
            m_pieceOffset = frame.textOffset;
            // Steps forward alone take one more time in all.
            if (m_mayStillSpill && m_decompressedAgain > kMostAgain) {
                spill();
            }
        }
        while (position >= m_pieceOffset + m_piece.size()) {
            m_pieceOffset = m_again->textOffset();
            m_piece.resize(kPieceBytes);
            const auto count = m_again->next(m_piece);
            m_piece.resize(count ? count.value() : 0);
            m_decompressedAgain += m_piece.size();
            if (!count) {
                return count.error();
            }
            if (m_piece.empty()) {
                return Error::failed("the compressed file gives less text than before");
            }
        }
        return Status::success();
    }

    std::shared_ptr<const StoredBytes> m_bytes;
    Decompressor m_stream;
    std::atomic<uint64_t> m_position{0};

    mutable std::mutex m_mutex;  ///< guards what follows
    std::vector<Frame> m_frames;
    uint64_t m_textEnd = 0;
    mutable std::optional<Decompressor> m_again;  ///< for read()
    mutable std::string m_piece;                  ///< the text that it gave last, which begins at m_pieceOffset
    mutable uint64_t m_pieceOffset = 0;
    mutable uint64_t m_decompressedAgain = 0;
    mutable bool m_mayStillSpill = true;
    mutable std::unique_ptr<SpillFile> m_spill;  ///< the text from its begin on; null if it is not needed
};

}  // namespace

std::shared_ptr<TextSource> makeZstdSource(std::shared_ptr<const StoredBytes> bytes) {
    return std::make_shared<ZstdSource>(std::move(bytes));
}

}  // namespace warpline
