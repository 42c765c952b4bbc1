// SPDX-License-Identifier: MIT
#include "core/loaders/gzip_source.h"

#include <algorithm>
#include <atomic>
#include <list>
#include <mutex>
#include <string>
#include <vector>

#include "core/loaders/fast_inflater.h"
#include "core/loaders/gzip_stream.h"

namespace warpline {

namespace {

constexpr size_t kCachedSegments = 2;

class GzipSource final : public TextSource {
public:
    GzipSource(std::shared_ptr<const StoredBytes> bytes, uint64_t checkpointBytes, bool mayBeFast)
        : m_bytes(std::move(bytes)), m_checkpointBytes(checkpointBytes), m_stream(m_bytes) {
        Point first;
        first.slow.atMember = true;
        if (mayBeFast && FastInflater::isAvailable()) {
            m_fast = std::make_unique<FastInflater>(m_bytes);
            first.fast = m_fast->snapshot();
        } else {
            m_started = m_stream.start(first.slow);
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
        while (got < buffer.size() && m_stream.state() == GzipStream::State::Running) {
            auto count = m_stream.next(buffer.subspan(got));
            if (!count) {
                return count;
            }
            got += count.value();
            notePoint();
        }
        noteProgress(m_stream.storedOffset(), m_stream.textOffset());
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

    Status checkUnchanged() const override { return m_bytes->checkUnchanged(); }
    uint64_t storedBytes() const override { return m_bytes->size(); }
    uint64_t storedPosition() const override { return m_position.load(std::memory_order_relaxed); }
    std::string compression() const override { return "gzip"; }
    std::vector<Damage> damage() const override {
        return m_fast != nullptr ? std::vector<Damage>() : m_stream.damage();
    }
    void stopWith(const JobControl* job) override { m_stream.stopWith(job); }

private:
    /// Where reading can begin: with zlib, or faster.
    struct Point {
        GzipStream::Checkpoint slow;  ///< its textOffset holds for both
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
        GzipStream::Checkpoint member;
        member.atMember = true;
        member.textOffset = m_fast->memberText();
        member.storedOffset = m_fast->memberStored();
        member.memberStored = member.storedOffset;
        m_fast.reset();
        m_started = m_stream.start(member);
        if (!m_started) {
            return m_started.error();
        }
        {
            // What the fast one gave of this member is right, but only zlib can read on from there.
            const std::lock_guard lock(m_mutex);
            std::erase_if(m_points, [&](const Point& p) { return p.slow.textOffset >= member.textOffset; });
            m_points.push_back({member, nullptr});
        }
        // The fast one may notice damage a little later, and what it gave since is no text.
        const uint64_t givenBefore = textOffset - count.value();
        std::vector<char> known(size_t{256} << 10);
        while (m_stream.textOffset() < textOffset && m_stream.state() == GzipStream::State::Running) {
            const size_t left = std::min<uint64_t>(known.size(), textOffset - m_stream.textOffset());
            const auto again = m_stream.next(std::span(known).first(left));
            if (!again) {
                return again;
            }
            const bool isBehindGap = m_stream.stop() == GzipStream::Stop::BehindGap;
            if (isBehindGap && m_stream.textOffset() < givenBefore) {
                m_stream.passText(givenBefore - m_stream.textOffset());
            }
            notePoint();
            if (isBehindGap) {
                break;
            }
        }
        const size_t tooMuch = std::min<uint64_t>(count.value(), textOffset - m_stream.textOffset());
        noteProgress(m_stream.storedOffset(), m_stream.textOffset());
        return count.value() - tooMuch;
    }

    void notePoint() {
        if (m_stream.stop() == GzipStream::Stop::BehindGap) {
            const std::lock_guard lock(m_mutex);
            m_points.push_back({m_stream.checkpoint(), nullptr});
        } else if (m_stream.stop() == GzipStream::Stop::BlockEnd) {
            addPointAt(m_stream.textOffset(), [this] { return Point{m_stream.checkpoint(), nullptr}; });
        }
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

    Result<size_t> inflateSlowly(const GzipStream::Checkpoint& from, std::span<char> text) const {
        GzipStream inflater(m_bytes);
        if (const Status started = inflater.start(from); !started) {
            return started.error();
        }
        size_t got = 0;
        // Behind a gap there is a checkpoint, so no more is wanted of this one.
        while (got < text.size() && inflater.state() == GzipStream::State::Running &&
               inflater.stop() != GzipStream::Stop::BehindGap) {
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
    GzipStream m_stream;                   ///< else
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
