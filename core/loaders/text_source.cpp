// SPDX-License-Identifier: MIT
#include "core/loaders/text_source.h"

#include <array>
#include <mutex>
#include <string_view>

#include "core/loaders/gzip_source.h"
#include "core/loaders/read_ahead_source.h"
#include "core/loaders/stored_bytes.h"
#include "core/loaders/zstd_frame.h"
#include "core/loaders/zstd_source.h"

namespace warpline {

namespace {

class PlainSource final : public TextSource {
public:
    explicit PlainSource(std::shared_ptr<const StoredBytes> bytes) : m_bytes(std::move(bytes)) {}

    Result<size_t> readNext(std::span<char> buffer) override {
        auto count = m_bytes->readAt(m_position, buffer);
        if (count) {
            m_position += count.value();
        }
        return count;
    }
    Result<std::string> read(uint64_t offset, size_t length) const override {
        if (const Status unchanged = m_bytes->checkUnchanged(); !unchanged) {
            return unchanged.error();
        }
        if (offset > m_bytes->size() || length > m_bytes->size() - offset) {
            return Error::failed("bytes " + std::to_string(offset) + " to " + std::to_string(offset + length) +
                                 " are beyond the end of the text");
        }
        std::string text(length, '\0');
        const auto count = m_bytes->readAt(offset, text);
        if (!count) {
            return count.error();
        }
        if (count.value() != length) {
            return Error::failed("the file has become shorter since it was opened");
        }
        return text;
    }
    std::shared_ptr<const StoredBytes> plainBytes() const override { return m_bytes; }
    void seek(uint64_t offset) override { m_position = offset; }
    Status checkUnchanged() const override { return m_bytes->checkUnchanged(); }
    uint64_t storedBytes() const override { return m_bytes->size(); }
    uint64_t storedPosition() const override { return m_position; }
    std::string compression() const override { return "none"; }
    std::vector<Damage> damage() const override { return {}; }

private:
    std::shared_ptr<const StoredBytes> m_bytes;
    uint64_t m_position = 0;
};

enum class Compression { None, Gzip, Zstd };

/// By the magic number; the ending of a name says nothing.
Result<Compression> compressionOf(const StoredBytes& bytes) {
    std::array<char, 4> magic{};
    const auto count = bytes.readAt(0, magic);
    if (!count) {
        return count.error();
    }
    const std::string_view head(magic.data(), count.value());
    const bool isZstd = head == kZstdMagic || (head.size() == kZstdMagicBytes && isZstdSkippable(head));
    return isZstd ? Compression::Zstd : head.starts_with("\x1f\x8b") ? Compression::Gzip : Compression::None;
}

std::shared_ptr<TextSource> makeSource(std::shared_ptr<const StoredBytes> bytes, Compression compression) {
    switch (compression) {
        case Compression::Zstd:
            return makeZstdSource(std::move(bytes));
        case Compression::Gzip:
            return makeGzipSource(std::move(bytes));
        case Compression::None:
            break;
    }
    return std::make_shared<PlainSource>(std::move(bytes));
}

/// Compressed text that nobody reads from front to back: it knows places once it was there.
class ReopenedSource final : public TextSource {
public:
    explicit ReopenedSource(std::shared_ptr<TextSource> source) : m_source(std::move(source)) {}

    Result<size_t> readNext(std::span<char> /*buffer*/) override {
        return Error::failed("a text that was opened again is read at places only");
    }
    Result<std::string> read(uint64_t offset, size_t length) const override {
        if (const Status there = decompressTo(offset, length); !there) {
            return there.error();
        }
        return m_source->read(offset, length);
    }
    Status checkUnchanged() const override { return m_source->checkUnchanged(); }
    uint64_t storedBytes() const override { return m_source->storedBytes(); }
    uint64_t storedPosition() const override { return 0; }
    std::string compression() const override { return m_source->compression(); }
    std::vector<Damage> damage() const override { return {}; }

private:
    /// Up to the end of that stretch, or of the text if that is earlier.
    Status decompressTo(uint64_t offset, uint64_t length) const {
        constexpr size_t kPieceBytes = size_t{1} << 20;
        const std::lock_guard lock(m_mutex);
        std::vector<char> piece;
        while (!m_isAtEnd && (m_textEnd < offset || m_textEnd - offset < length)) {
            piece.resize(kPieceBytes);
            const auto count = m_source->readNext(piece);
            if (!count) {
                return count.error();
            }
            m_textEnd += count.value();
            m_isAtEnd = count.value() == 0;
        }
        return Status::success();
    }

    std::shared_ptr<TextSource> m_source;
    mutable std::mutex m_mutex;  ///< guards what follows, and readNext()
    mutable uint64_t m_textEnd = 0;
    mutable bool m_isAtEnd = false;
};

}  // namespace

Result<std::shared_ptr<TextSource>> openTextSource(std::shared_ptr<const StoredBytes> bytes) {
    const auto compression = compressionOf(*bytes);
    if (!compression) {
        return compression.error();
    }
    return compression.value() == Compression::None ? makeSource(std::move(bytes), Compression::None)
                                                    : readAhead(makeSource(std::move(bytes), compression.value()));
}

Result<std::shared_ptr<const TextSource>> reopenTextSource(std::shared_ptr<const StoredBytes> bytes) {
    const auto compression = compressionOf(*bytes);
    if (!compression) {
        return compression.error();
    }
    auto source = makeSource(std::move(bytes), compression.value());
    return compression.value() == Compression::None ? std::shared_ptr<const TextSource>(std::move(source))
                                                    : std::make_shared<const ReopenedSource>(std::move(source));
}

Result<std::shared_ptr<TextSource>> openTextSource(const std::string& path, JobControl& job, uint64_t maxPipedBytes) {
    auto opened = openStoredBytes(path, maxPipedBytes, job);
    if (!opened) {
        return opened.error();
    }
    return openTextSource(std::move(opened.value()));
}

std::shared_ptr<TextSource> makeMemorySource(std::string text) {
    return std::make_shared<PlainSource>(makeMemoryBytes(std::move(text)));
}

}  // namespace warpline
