// SPDX-License-Identifier: MIT
#include "core/loaders/nsys_sqlite/source_bytes.h"

#include <algorithm>
#include <list>
#include <string>
#include <unordered_map>
#include <utility>

namespace warpline::loaders::nsys_sqlite {

namespace {

/// Keeps the blocks that were used last.
class CachedBytes final : public SourceBytes {
public:
    CachedBytes(std::shared_ptr<const TextSource> source, uint64_t size) : m_source(std::move(source)), m_size(size) {}

    uint64_t size() const override { return m_size; }

protected:
    bool readAt(uint64_t offset, std::span<char> buffer) override {
        while (!buffer.empty()) {
            const std::string* block = blockAt(offset / kBlockBytes);
            const size_t inside = offset % kBlockBytes;
            if (block == nullptr || inside >= block->size()) {
                return false;
            }
            const size_t count = std::min(buffer.size(), block->size() - inside);
            std::copy_n(block->data() + inside, count, buffer.data());
            buffer = buffer.subspan(count);
            offset += count;
        }
        return true;
    }

private:
    static constexpr uint64_t kBlockBytes = uint64_t{256} << 10;
    static constexpr size_t kMaxBlocks = 32;
    struct Block {
        uint64_t number;
        std::string text;
    };

    const std::string* blockAt(uint64_t number) {
        if (const auto it = m_places.find(number); it != m_places.end()) {
            m_blocks.splice(m_blocks.begin(), m_blocks, it->second);
            return &m_blocks.front().text;
        }
        const uint64_t begin = number * kBlockBytes;
        if (begin >= m_size) {
            return nullptr;
        }
        auto text = m_source->read(begin, static_cast<size_t>(std::min(kBlockBytes, m_size - begin)));
        if (!text) {
            return nullptr;
        }
        if (m_blocks.size() == kMaxBlocks) {
            m_places.erase(m_blocks.back().number);
            m_blocks.pop_back();
        }
        m_blocks.push_front({number, std::move(text.value())});
        m_places[number] = m_blocks.begin();
        return &m_blocks.front().text;
    }

    std::shared_ptr<const TextSource> m_source;
    uint64_t m_size;
    std::list<Block> m_blocks;  ///< the one used last in front
    std::unordered_map<uint64_t, std::list<Block>::iterator> m_places;
};

class MemoryBytes final : public SourceBytes {
public:
    explicit MemoryBytes(std::string text) : m_text(std::move(text)) {}

    uint64_t size() const override { return m_text.size(); }

protected:
    bool readAt(uint64_t offset, std::span<char> buffer) override {
        std::copy_n(m_text.data() + offset, buffer.size(), buffer.data());
        return true;
    }

private:
    std::string m_text;
};

Result<std::unique_ptr<SourceBytes>> unpacked(TextSource& source, uint64_t maxBytes, const JobControl& job) {
    constexpr size_t kStep = size_t{4} << 20;
    std::string text;
    while (true) {
        if (job.stopRequested()) {
            return Error::cancelled();
        }
        const size_t before = text.size();
        text.resize(before + kStep);
        const auto count = source.readNext(std::span(text.data() + before, kStep));
        if (!count) {
            return count.error();
        }
        text.resize(before + count.value());
        if (text.size() > maxBytes) {
            return Error::failed("unpacked, the database has more than " + std::to_string(maxBytes >> 20) +
                                     " MiB, which is held in memory: unpack the file first",
                                 "unsupported");
        }
        if (count.value() < kStep) {
            return std::unique_ptr<SourceBytes>(std::make_unique<MemoryBytes>(std::move(text)));
        }
    }
}

}  // namespace

bool SourceBytes::read(uint64_t offset, std::span<char> buffer) {
    m_lastOffset = offset;
    m_bytesRead += buffer.size();
    const bool isInside = offset <= size() && buffer.size() <= size() - offset;
    return isInside && readAt(offset, buffer);
}

std::unique_ptr<SourceBytes> cachedBytes(std::shared_ptr<const TextSource> source, uint64_t size) {
    return std::make_unique<CachedBytes>(std::move(source), size);
}

Result<std::unique_ptr<SourceBytes>> bytesForLoading(const std::shared_ptr<TextSource>& source, uint64_t maxBytes,
                                                     const JobControl& job) {
    if (source->compression() == "none") {
        return cachedBytes(source, source->storedBytes());
    }
    return unpacked(*source, maxBytes, job);
}

}  // namespace warpline::loaders::nsys_sqlite
