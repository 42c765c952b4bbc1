// SPDX-License-Identifier: MIT
#include "core/loaders/zstd_source.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/loaders/spill_file.h"
#include "core/loaders/zstd_stream.h"

namespace warpline {

namespace {

constexpr uint64_t kFrameDistance = uint64_t{16} << 20;
constexpr size_t kPieceBytes = size_t{1} << 20;
/// So much is decompressed again at most, for who reads at places, before all text is kept in a file.
constexpr uint64_t kMostAgain = uint64_t{64} << 20;

class ZstdSource final : public TextSource {
public:
    explicit ZstdSource(std::shared_ptr<const StoredBytes> bytes)
        : m_bytes(std::move(bytes)), m_stream(m_bytes, {}), m_frames(1) {}

    Result<size_t> readNext(std::span<char> buffer) override {
        const auto count = m_stream.next(buffer);
        m_position.store(m_stream.storedOffset(), std::memory_order_relaxed);
        const std::lock_guard lock(m_mutex);
        m_textEnd = m_stream.textOffset();
        const ZstdStream::Frame frame = m_stream.lastFrame();
        if (frame.textOffset >= m_frames.back().textOffset + kFrameDistance && frame.storedOffset < m_bytes->size()) {
            m_frames.push_back(frame);
        }
        return count;
    }

    void stopWith(const JobControl* job) override { m_stream.stopWith(job); }
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

    Status checkUnchanged() const override { return m_bytes->checkUnchanged(); }
    uint64_t storedBytes() const override { return m_bytes->size(); }
    uint64_t storedPosition() const override { return m_position.load(std::memory_order_relaxed); }
    std::string compression() const override { return "zstd"; }
    std::vector<Damage> damage() const override { return m_stream.damage(); }

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
        ZstdStream all(m_bytes, {});
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
        const auto after =
            std::upper_bound(m_frames.begin(), m_frames.end(), position,
                             [](uint64_t p, const ZstdStream::Frame& frame) { return p < frame.textOffset; });
        const ZstdStream::Frame& frame = *std::prev(after);
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
    ZstdStream m_stream;
    std::atomic<uint64_t> m_position{0};

    mutable std::mutex m_mutex;  ///< guards what follows
    std::vector<ZstdStream::Frame> m_frames;
    uint64_t m_textEnd = 0;
    mutable std::optional<ZstdStream> m_again;  ///< for read()
    mutable std::string m_piece;                ///< the text that it gave last, which begins at m_pieceOffset
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
