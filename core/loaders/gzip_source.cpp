// SPDX-License-Identifier: MIT
#include "core/loaders/gzip_source.h"

#include <zlib.h>

#include <algorithm>
#include <atomic>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/loaders/fast_inflater.h"

namespace warpline {

namespace {

constexpr size_t kInputBytes = size_t{256} << 10;
constexpr size_t kWindowBytes = 32768;
constexpr size_t kTrailerBytes = 8;
constexpr int kGzipBits = 15 + 16;
constexpr int kRawBits = -15;
constexpr size_t kCachedSegments = 2;

/// A place in the stream where inflating can begin.
struct Checkpoint {
    uint64_t textOffset = 0;
    uint64_t storedOffset = 0;  ///< the next whole byte
    int bits = 0;               ///< how many bits of the byte before it still count
    bool atMember = false;      ///< a gzip header stands here; no window needed
    std::string window;         ///< the text before it, 32 KiB at most
};

/// Inflates from a checkpoint on, across members. One thread.
class Inflater {
public:
    enum class State { Running, Ended, Cut, Invalid };

    explicit Inflater(std::shared_ptr<const StoredBytes> bytes) : m_bytes(std::move(bytes)), m_input(kInputBytes) {}
    ~Inflater() {
        if (m_open) {
            inflateEnd(&m_stream);
        }
    }
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;

    Status start(const Checkpoint& from) {
        m_inputOffset = from.storedOffset;
        m_textOffset = from.textOffset;
        m_raw = !from.atMember;
        if (inflateInit2(&m_stream, m_raw ? kRawBits : kGzipBits) != Z_OK) {
            return Error::failed("out of memory while decompressing");
        }
        m_open = true;
        if (!m_raw) {
            return Status::success();
        }
        if (from.bits != 0) {
            char before = 0;
            auto count = m_bytes->readAt(from.storedOffset - 1, std::span<char>(&before, 1));
            if (!count) {
                return count.error();
            }
            inflatePrime(&m_stream, from.bits, static_cast<unsigned char>(before) >> (8 - from.bits));
        }
        if (!from.window.empty()) {
            inflateSetDictionary(&m_stream, reinterpret_cast<const Bytef*>(from.window.data()),
                                 static_cast<uInt>(from.window.size()));
        }
        return Status::success();
    }

    /// Inflates into `out` until it is full, the stream ends, or `out` has something and a block ended (then
    /// atBlockEnd() is true and a checkpoint can be taken).
    Result<size_t> next(std::span<char> out) {
        m_blockEnd = false;
        size_t got = 0;
        while (got < out.size() && m_state == State::Running) {
            if (m_betweenMembers) {
                if (const Status status = nextMember(); !status) {
                    return status.error();
                }
                continue;
            }
            if (m_stream.avail_in == 0) {
                auto more = refill();
                if (!more) {
                    return more.error();
                }
            }
            m_stream.next_out = reinterpret_cast<Bytef*>(out.data() + got);
            const auto room = static_cast<uInt>(std::min<size_t>(out.size() - got, 1U << 30));
            m_stream.avail_out = room;
            const int code = inflate(&m_stream, Z_BLOCK);
            const size_t made = room - m_stream.avail_out;
            got += made;
            m_textOffset += made;
            if (code == Z_STREAM_END) {
                m_skip = m_raw ? kTrailerBytes : 0;
                m_betweenMembers = true;
            } else if (code == Z_DATA_ERROR || code == Z_NEED_DICT) {
                const std::string_view reason = m_stream.msg != nullptr ? m_stream.msg : "";
                if (reason == "incorrect data check" || reason == "incorrect length check") {
                    m_badChecksums.push_back(storedOffset());
                    m_skip = reason == "incorrect data check" ? 4 : 0;
                    m_betweenMembers = true;
                } else {
                    m_state = State::Invalid;
                    m_reason = reason;
                }
            } else if (code == Z_BUF_ERROR) {
                // There may be output to come without input, so the end shows only here.
                m_state = State::Cut;
            } else if (code == Z_MEM_ERROR) {
                return Error::failed("out of memory while decompressing");
            } else if ((m_stream.data_type & 128) != 0) {
                m_lastBlockRead = (m_stream.data_type & 64) != 0;
                if (!m_lastBlockRead && got != 0) {
                    m_blockEnd = true;
                    break;
                }
            }
        }
        return got;
    }

    bool atBlockEnd() const { return m_blockEnd; }
    Checkpoint checkpoint() {
        Checkpoint point;
        point.textOffset = m_textOffset;
        point.storedOffset = storedOffset();
        point.bits = m_stream.data_type & 7;
        point.window.resize(kWindowBytes);
        uInt length = 0;
        inflateGetDictionary(&m_stream, reinterpret_cast<Bytef*>(point.window.data()), &length);
        point.window.resize(length);
        return point;
    }
    State state() const { return m_state; }
    /// False if the text goes on behind what was read: the stream is cut in it, or cannot be read on.
    bool textIsWhole() const { return m_state != State::Invalid && (m_state != State::Cut || m_lastBlockRead); }
    uint64_t textOffset() const { return m_textOffset; }
    uint64_t storedOffset() const { return m_inputOffset - m_stream.avail_in; }
    const std::string& reason() const { return m_reason; }
    const std::vector<uint64_t>& badChecksums() const { return m_badChecksums; }
    std::optional<uint64_t> trailingData() const { return m_trailing; }

private:
    Result<size_t> refill() {
        auto count = m_bytes->readAt(m_inputOffset, m_input);
        if (count) {
            m_inputOffset += count.value();
            m_stream.next_in = reinterpret_cast<Bytef*>(m_input.data());
            m_stream.avail_in = static_cast<uInt>(count.value());
        }
        return count;
    }
    /// The next stored byte without consuming it; -1 at the end.
    Result<int> peek() {
        if (m_stream.avail_in == 0) {
            auto more = refill();
            if (!more) {
                return more.error();
            }
            if (more.value() == 0) {
                return -1;
            }
        }
        return static_cast<int>(*m_stream.next_in);
    }
    void drop() {
        m_stream.next_in += 1;
        m_stream.avail_in -= 1;
    }
    /// Skips what is left of the trailer and padding zeros, then starts the next member or ends.
    Status nextMember() {
        for (;;) {
            auto byte = peek();
            if (!byte) {
                return byte.error();
            }
            if (byte.value() < 0) {
                // A trailer that is cut was not checked; the text before it is whole.
                m_state = m_skip != 0 ? State::Cut : State::Ended;
                return Status::success();
            }
            if (m_skip != 0) {
                --m_skip;
                drop();
            } else if (byte.value() == 0) {
                drop();
            } else {
                break;
            }
        }
        if (auto byte = peek(); byte && byte.value() != 0x1f) {
            m_trailing = storedOffset();
            m_state = State::Ended;
            return Status::success();
        }
        m_betweenMembers = false;
        m_lastBlockRead = false;
        m_raw = false;
        inflateReset2(&m_stream, kGzipBits);
        return Status::success();
    }

    std::shared_ptr<const StoredBytes> m_bytes;
    std::vector<char> m_input;
    z_stream m_stream{};
    bool m_open = false;
    bool m_raw = false;
    bool m_blockEnd = false;
    bool m_betweenMembers = false;
    bool m_lastBlockRead = false;  ///< of the member; its trailer follows
    size_t m_skip = 0;
    uint64_t m_inputOffset = 0;  ///< just behind what m_input holds
    uint64_t m_textOffset = 0;
    State m_state = State::Running;
    std::string m_reason;
    std::vector<uint64_t> m_badChecksums;
    std::optional<uint64_t> m_trailing;
};

class GzipSource final : public TextSource {
public:
    GzipSource(std::shared_ptr<const StoredBytes> bytes, uint64_t checkpointBytes, bool mayBeFast)
        : m_bytes(std::move(bytes)), m_checkpointBytes(checkpointBytes), m_inflater(m_bytes) {
        Point first;
        first.slow.atMember = true;
        if (mayBeFast && FastInflater::isAvailable()) {
            m_fast = std::make_unique<FastInflater>(m_bytes);
            first.fast = m_fast->snapshot();
        } else {
            m_started = m_inflater.start(first.slow);
        }
        m_points.push_back(std::move(first));
    }

    Result<size_t> readNext(std::span<char> buffer) override {
        if (!m_started) {
            return m_started.error();
        }
        size_t got = 0;
        if (m_fast != nullptr) {
            const auto count = readFast(buffer);
            if (!count || m_fast != nullptr) {
                return count;
            }
            got = count.value();
        }
        while (got < buffer.size() && m_inflater.state() == Inflater::State::Running) {
            auto count = m_inflater.next(buffer.subspan(got));
            if (!count) {
                return count;
            }
            got += count.value();
            if (m_inflater.atBlockEnd()) {
                addPointAt(m_inflater.textOffset(), [this] { return Point{m_inflater.checkpoint(), nullptr}; });
            }
        }
        noteProgress(m_inflater.storedOffset(), m_inflater.textOffset());
        return got;
    }

    Result<std::string> read(uint64_t offset, size_t length) const override {
        if (const Status unchanged = m_bytes->checkUnchanged(); !unchanged) {
            return unchanged.error();
        }
        std::string text;
        text.reserve(length);
        const std::lock_guard lock(m_mutex);
        if (offset > m_textEnd || length > m_textEnd - offset) {
            return Error::failed("bytes " + std::to_string(offset) + " to " + std::to_string(offset + length) +
                                 " are beyond what was decompressed");
        }
        while (text.size() < length) {
            const uint64_t position = offset + text.size();
            auto segment = segmentAt(position);
            if (!segment) {
                return segment.error();
            }
            const Segment& found = *segment.value();
            const size_t skip = position - found.textOffset;
            if (skip >= found.text.size()) {
                return Error::failed("the compressed file gives less text than before");
            }
            text.append(found.text, skip, length - text.size());
        }
        return text;
    }

    uint64_t storedBytes() const override { return m_bytes->size(); }
    uint64_t storedPosition() const override { return m_position.load(std::memory_order_relaxed); }
    std::string compression() const override { return "gzip"; }
    std::vector<Damage> damage() const override {
        std::vector<Damage> found;
        if (m_fast != nullptr) {
            if (m_fast->trailingData()) {
                found.push_back({"trailing_data", "after the compressed stream", *m_fast->trailingData()});
            }
            return found;
        }
        for (const uint64_t offset : m_inflater.badChecksums()) {
            found.push_back({"bad_checksum", "the checksum does not fit the text", offset});
        }
        switch (m_inflater.state()) {
            case Inflater::State::Cut:
                found.push_back({"truncated",
                                 m_inflater.textIsWhole() ? "of the compressed stream only the checksum is missing"
                                                          : "the compressed stream ends early",
                                 m_bytes->size(), !m_inflater.textIsWhole()});
                break;
            case Inflater::State::Invalid:
                found.push_back({"invalid_gzip", m_inflater.reason(), m_inflater.storedOffset(), true});
                break;
            case Inflater::State::Running:
            case Inflater::State::Ended:
                break;
        }
        if (m_inflater.trailingData()) {
            found.push_back({"trailing_data", "after the compressed stream", *m_inflater.trailingData()});
        }
        return found;
    }

private:
    /// Where reading can begin: with zlib, or faster.
    struct Point {
        Checkpoint slow;  ///< its textOffset holds for both
        std::shared_ptr<const FastInflater::Snapshot> fast;
    };

    /// Reads with the fast decompressor. If that stumbles, m_fast is null afterwards, and zlib stands where it was.
    Result<size_t> readFast(std::span<char> buffer) {
        const auto count = m_fast->next(buffer);
        if (!count) {
            return count;
        }
        const uint64_t textOffset = m_fast->textOffset();
        noteProgress(m_fast->storedOffset(), textOffset);
        if (m_fast->state() != FastInflater::State::Stumbled) {
            addPointAt(textOffset, [&] {
                Point point;
                point.slow.textOffset = textOffset;
                point.fast = m_fast->snapshot();
                return point;
            });
            return count;
        }
        Checkpoint member;
        member.atMember = true;
        member.textOffset = m_fast->memberText();
        member.storedOffset = m_fast->memberStored();
        m_fast.reset();
        m_started = m_inflater.start(member);
        if (!m_started) {
            return m_started.error();
        }
        {
            // What the fast one gave of this member is right, but only zlib can read on from there.
            const std::lock_guard lock(m_mutex);
            std::erase_if(m_points, [&](const Point& p) { return p.slow.textOffset >= member.textOffset; });
            m_points.push_back({member, nullptr});
        }
        std::vector<char> known(size_t{256} << 10);
        while (m_inflater.textOffset() < textOffset && m_inflater.state() == Inflater::State::Running) {
            const size_t left = std::min<uint64_t>(known.size(), textOffset - m_inflater.textOffset());
            const auto skipped = m_inflater.next(std::span(known).first(left));
            if (!skipped) {
                return skipped;
            }
            if (m_inflater.atBlockEnd()) {
                addPointAt(m_inflater.textOffset(), [this] { return Point{m_inflater.checkpoint(), nullptr}; });
            }
        }
        // The fast one may notice damage a little later, and what it gave since is no text.
        const size_t tooMuch = std::min<uint64_t>(count.value(), textOffset - m_inflater.textOffset());
        noteProgress(m_inflater.storedOffset(), m_inflater.textOffset());
        return count.value() - tooMuch;
    }

    template <class MakePoint>
    void addPointAt(uint64_t textOffset, MakePoint makePoint) {
        const std::lock_guard lock(m_mutex);
        if (textOffset >= m_points.back().slow.textOffset + m_checkpointBytes) {
            m_points.push_back(makePoint());
        }
    }

    void noteProgress(uint64_t storedOffset, uint64_t textOffset) {
        m_position.store(storedOffset, std::memory_order_relaxed);
        const std::lock_guard lock(m_mutex);
        m_textEnd = textOffset;
    }

    /// The text from one checkpoint to the next.
    struct Segment {
        uint64_t textOffset = 0;
        std::string text;
    };

    /// REQUIRES: m_mutex is held.
    Result<const Segment*> segmentAt(uint64_t offset) const {
        for (auto it = m_cache.begin(); it != m_cache.end(); ++it) {
            if (it->textOffset <= offset && offset < it->textOffset + it->text.size()) {
                m_cache.splice(m_cache.begin(), m_cache, it);
                return &m_cache.front();
            }
        }
        const auto after = std::upper_bound(m_points.begin(), m_points.end(), offset,
                                            [](uint64_t o, const Point& p) { return o < p.slow.textOffset; });
        const Point& from = *std::prev(after);
        const uint64_t end = after == m_points.end() ? m_textEnd : after->slow.textOffset;
        Segment segment{from.slow.textOffset, std::string(end - from.slow.textOffset, '\0')};
        const auto got = from.fast ? FastInflater(m_bytes, from.fast.get()).next(segment.text)
                                   : inflateSlowly(from.slow, segment.text);
        if (!got) {
            return got.error();
        }
        segment.text.resize(got.value());
        if (m_cache.size() >= kCachedSegments) {
            m_cache.pop_back();
        }
        m_cache.push_front(std::move(segment));
        return &m_cache.front();
    }

    Result<size_t> inflateSlowly(const Checkpoint& from, std::span<char> text) const {
        Inflater inflater(m_bytes);
        if (const Status started = inflater.start(from); !started) {
            return started.error();
        }
        size_t got = 0;
        while (got < text.size() && inflater.state() == Inflater::State::Running) {
            const auto count = inflater.next(text.subspan(got));
            if (!count) {
                return count;
            }
            got += count.value();
        }
        return got;
    }

    std::shared_ptr<const StoredBytes> m_bytes;
    uint64_t m_checkpointBytes;
    std::unique_ptr<FastInflater> m_fast;  ///< while all is well
    Inflater m_inflater;                   ///< else
    Status m_started;
    std::atomic<uint64_t> m_position{0};

    mutable std::mutex m_mutex;  ///< guards what follows
    std::vector<Point> m_points;
    uint64_t m_textEnd = 0;
    mutable std::list<Segment> m_cache;  ///< most recently used first
};

}  // namespace

std::shared_ptr<TextSource> makeGzipSource(std::shared_ptr<const StoredBytes> bytes, uint64_t checkpointBytes,
                                           bool mayBeFast) {
    return std::make_shared<GzipSource>(std::move(bytes), checkpointBytes, mayBeFast);
}

}  // namespace warpline
