// SPDX-License-Identifier: MIT
#include "core/loaders/chrome_trace/text_scan.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/json_string.h"
#include "core/base/parallel.h"
#include "core/base/stoppable.h"
#include "core/base/utf8.h"
#include "core/loaders/stored_bytes.h"

namespace warpline::loaders::chrome_trace {

namespace {

// What a thread has in its cache, and what it takes at a time so that the others get their share.
constexpr size_t kBlockBytes = size_t{512} << 10;
constexpr uint64_t kPieceBytes = uint64_t{16} << 20;
/// "\u0041" stands for one byte; a pair of them for four.
constexpr size_t kEscapeBytes = 6;
constexpr size_t kPairBytes = 2 * kEscapeBytes;

/// Texts of args that need not stand in the file: what takes the place of bad bytes, of what is nested too deep, and of
/// a value that is missing.
bool canBeMadeUp(const TextFinder& part) {
    const std::string_view text = part.needle();
    const auto sharesBytes = [&](std::string_view made) {
        return text.find(made) != std::string_view::npos || made.find(text) != std::string_view::npos;
    };
    return sharesBytes(kReplacementCharacter) || sharesBytes("\xe2\x80\xa6") || sharesBytes("null");
}

class BlockScan {
public:
    BlockScan(const TextFinder& part, const std::function<void(uint64_t)>& found, const JobControl& job)
        : m_part(part), m_found(found), m_poll(job), m_room(part.needle().size() * kEscapeBytes + kPairBytes) {}

    /// How far behind its begin a part can reach in the file.
    size_t room() const { return m_room; }

    /// Those that begin before `end` of the block, which stands at `offset`. False when stopped.
    bool scan(std::string_view block, size_t end, uint64_t offset) {
        constexpr size_t kNone = std::string_view::npos;
        for (size_t at = m_part.find(block); at != kNone && at < end; at = m_part.find(block, at + 1)) {
            m_found(offset + at);
            if (m_poll.stopRequested()) {
                return false;
            }
        }
        for (size_t at = block.find('\\'); at != kNone; at = block.find('\\', at + 1)) {
            findAcross(block, at, end, offset);
            if (m_poll.stopRequested()) {
                return false;
            }
        }
        return true;
    }

private:
    /// Those whose first escape is the one at `slash`: all before it stands there as it is. A backslash that is itself
    /// escaped is taken for one too, so some that are told are none.
    void findAcross(std::string_view block, size_t slash, size_t end, uint64_t offset) {
        const size_t length = m_part.needle().size();
        m_decoded.clear();
        appendDecoded(block.substr(slash, m_room), m_decoded);
        for (size_t before = 0; before < length && before <= slash; ++before) {
            const size_t begin = slash - before;
            const size_t rest = length - before;
            if (begin < end && m_decoded.size() >= rest && m_part.equals(block.substr(begin, before)) &&
                m_part.equals(std::string_view(m_decoded).substr(0, rest), before)) {
                m_found(offset + begin);
            }
        }
    }

    const TextFinder& m_part;
    const std::function<void(uint64_t)>& m_found;
    StopPoll m_poll;
    size_t m_room;
    std::string m_decoded;
};

/// The first thing that went wrong on any thread.
class FirstError {
public:
    void set(Error error) {
        const std::lock_guard lock(m_mutex);
        if (!m_error) {
            m_error = std::move(error);
            m_isSet.store(true, std::memory_order_relaxed);
        }
    }
    bool isSet() const { return m_isSet.load(std::memory_order_relaxed); }
    const std::optional<Error>& get() const { return m_error; }

private:
    std::mutex m_mutex;
    std::optional<Error> m_error;
    std::atomic<bool> m_isSet{false};
};

}  // namespace

Result<bool> scanText(const TextSource& text, const TextFinder& part, uint64_t length, unsigned threads,
                      const std::function<void(uint64_t place)>& found, JobControl& job) {
    if (canBeMadeUp(part)) {
        return false;
    }
    const auto plain = text.plainBytes();
    if (plain != nullptr) {
        if (const Status unchanged = plain->checkUnchanged(); !unchanged) {
            return unchanged.error();
        }
    }
    std::atomic<uint64_t> done{0};
    FirstError error;
    const auto scanPiece = [&](size_t piece) {
        BlockScan scan(part, found, job);
        std::vector<char> buffer(plain != nullptr ? kBlockBytes + scan.room() : 0);
        std::string copy;
        const uint64_t pieceEnd = std::min(length, (piece + 1) * kPieceBytes);
        for (uint64_t offset = piece * kPieceBytes; offset < pieceEnd && !error.isSet(); offset += kBlockBytes) {
            if (job.stopRequested()) {
                error.set(Error::cancelled());
                return;
            }
            const auto wanted = static_cast<size_t>(std::min<uint64_t>(kBlockBytes + scan.room(), length - offset));
            std::string_view block;
            if (plain != nullptr) {
                const auto count = plain->readAt(offset, std::span(buffer).first(wanted));
                if (!count) {
                    error.set(count.error());
                    return;
                }
                block = {buffer.data(), count.value()};
            } else {
                auto read = text.read(offset, wanted);
                if (!read) {
                    error.set(read.error());
                    return;
                }
                copy = std::move(read).value();
                block = copy;
            }
            const size_t own = std::min(kBlockBytes, block.size());
            if (!scan.scan(block, own, offset)) {
                error.set(Error::cancelled());
                return;
            }
            job.setProgress(done.fetch_add(own, std::memory_order_relaxed) + own, length);
        }
    };
    const auto pieces = static_cast<size_t>((length + kPieceBytes - 1) / kPieceBytes);
    parallelFor(pieces, plain != nullptr ? threads : 1, scanPiece);
    if (error.get()) {
        return *error.get();
    }
    if (plain != nullptr) {
        if (const Status unchanged = plain->checkUnchanged(); !unchanged) {
            return unchanged.error();
        }
    }
    return true;
}

}  // namespace warpline::loaders::chrome_trace
