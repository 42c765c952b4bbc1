// SPDX-License-Identifier: MIT
#include "core/loaders/text_source.h"

#include <array>
#include <string_view>

#include "core/loaders/gzip_source.h"
#include "core/loaders/read_ahead_source.h"
#include "core/loaders/stored_bytes.h"
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
    uint64_t storedBytes() const override { return m_bytes->size(); }
    uint64_t storedPosition() const override { return m_position; }
    std::string compression() const override { return "none"; }
    std::vector<Damage> damage() const override { return {}; }

private:
    std::shared_ptr<const StoredBytes> m_bytes;
    uint64_t m_position = 0;
};

}  // namespace

Result<std::shared_ptr<TextSource>> openTextSource(const std::string& path, JobControl& job, uint64_t maxPipedBytes) {
    auto opened = openStoredBytes(path, maxPipedBytes, job);
    if (!opened) {
        return opened.error();
    }
    auto bytes = std::move(opened.value());
    std::array<char, 4> magic{};
    const auto count = bytes->readAt(0, magic);
    if (!count) {
        return count.error();
    }
    const std::string_view head(magic.data(), count.value());
    if (head == "\x28\xb5\x2f\xfd") {
        return readAhead(makeZstdSource(std::move(bytes)));
    }
    if (head.starts_with("\x1f\x8b")) {
        return readAhead(makeGzipSource(std::move(bytes)));
    }
    return std::shared_ptr<TextSource>(std::make_shared<PlainSource>(std::move(bytes)));
}

std::shared_ptr<TextSource> makeMemorySource(std::string text) {
    return std::make_shared<PlainSource>(makeMemoryBytes(std::move(text)));
}

}  // namespace warpline
