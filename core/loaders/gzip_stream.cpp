// SPDX-License-Identifier: MIT
#include "core/loaders/gzip_stream.h"

#include <algorithm>
#include <array>

namespace warpline {

namespace {

constexpr size_t kInputBytes = size_t{256} << 10;
constexpr size_t kWindowBytes = 32768;
constexpr size_t kTrailerBytes = 8;
constexpr int kGzipBits = 15 + 16;
constexpr int kRawBits = -15;

/// Bits that were changed can be read as other symbols for long before none fits, and another member may have begun by
/// then.
constexpr uint64_t kSearchedAgain = uint64_t{128} << 10;

}  // namespace

GzipStream::GzipStream(std::shared_ptr<const StoredBytes> bytes)
    : m_bytes(std::move(bytes)), m_input(kInputBytes), m_kind(m_bytes), m_search(m_bytes) {}

GzipStream::~GzipStream() {
    if (m_isOpen) {
        inflateEnd(&m_stream);
    }
}

Status GzipStream::start(const Checkpoint& from) {
    m_inputOffset = from.storedOffset;
    m_textOffset = from.textOffset;
    m_memberStored = from.memberStored;
    m_isRaw = !from.atMember;
    m_isBetweenMembers = from.atMember;
    m_isBehindSound = from.storedOffset != 0;
    if (inflateInit2(&m_stream, m_isRaw ? kRawBits : kGzipBits) != Z_OK) {
        return Error::failed("out of memory while decompressing");
    }
    m_isOpen = true;
    if (!m_isRaw) {
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

Result<size_t> GzipStream::next(std::span<char> out) {
    m_stop = Stop::None;
    size_t got = 0;
    while (got < out.size() && m_state == State::Running && m_stop == Stop::None) {
        if (m_isBetweenMembers) {
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
        if (const Status status = takeCode(code, got != 0); !status) {
            return status.error();
        }
    }
    return got;
}

/// What inflate() has told of the place that it has come to.
Status GzipStream::takeCode(int code, bool hasText) {
    switch (code) {
        case Z_STREAM_END:
            m_skip = m_isRaw ? kTrailerBytes : 0;
            m_isBetweenMembers = true;
            m_isBehindSound = true;
            return Status::success();
        case Z_MEM_ERROR:
            return Error::failed("out of memory while decompressing");
        case Z_BUF_ERROR:
            // There may be output to come without input, so the end shows only here.
            return endCut();
        case Z_DATA_ERROR:
        case Z_NEED_DICT:
            break;
        default:
            if ((m_stream.data_type & 128) != 0) {
                m_isLastBlockRead = (m_stream.data_type & 64) != 0;
                m_stop = !m_isLastBlockRead && hasText ? Stop::BlockEnd : Stop::None;
            }
            return Status::success();
    }
    const std::string_view reason = m_stream.msg != nullptr ? m_stream.msg : "";
    if (isAboutGzipChecksum(reason)) {
        noteDamage(m_damage, {"bad_checksum", "the checksum does not fit the text", storedOffset(), false});
        m_skip = reason == "incorrect data check" ? kTrailerBytes / 2 : 0;
        m_isSumWrong = true;
        m_isBetweenMembers = true;
        m_isBehindSound = true;
        return Status::success();
    }
    const bool isAtBegin = !m_isRaw && m_textOffset == m_memberText;
    return goOnBehindDamage(isAtBegin ? m_memberStored : storedOffset(), std::string(reason),
                            searchedAgainFrom(storedOffset()));
}

/// The input ends inside a member. Damage may have hidden the begin of another.
Status GzipStream::endCut() {
    if (m_isLastBlockRead) {
        return endInTrailer();
    }
    const auto found = m_search.find(searchedAgainFrom(m_bytes->size()), m_kind);
    if (!found) {
        return found.error();
    }
    if (found.value()) {
        return goOnAt(*found.value(), *found.value(), "the member before does not end");
    }
    m_state = State::Cut;
    noteDamage(m_damage, {"truncated", "the compressed stream ends early", m_bytes->size(), true});
    return Status::success();
}

/// What is cut was not checked; the text before it is whole.
Status GzipStream::endInTrailer() {
    m_state = State::Cut;
    noteDamage(m_damage,
               {"truncated", "of the compressed stream only the checksum is missing", m_bytes->size(), false});
    return Status::success();
}

GzipStream::Checkpoint GzipStream::checkpoint() {
    Checkpoint point;
    point.textOffset = m_textOffset;
    point.storedOffset = storedOffset();
    point.memberStored = m_memberStored;
    if (m_stop == Stop::BehindGap) {
        point.atMember = true;
        return point;
    }
    point.bits = m_stream.data_type & 7;
    point.window.resize(kWindowBytes);
    uInt length = 0;
    inflateGetDictionary(&m_stream, reinterpret_cast<Bytef*>(point.window.data()), &length);
    point.window.resize(length);
    return point;
}

Result<size_t> GzipStream::refill() {
    auto count = m_bytes->readAt(m_inputOffset, m_input);
    if (count) {
        m_inputOffset += count.value();
        m_stream.next_in = reinterpret_cast<Bytef*>(m_input.data());
        m_stream.avail_in = static_cast<uInt>(count.value());
    }
    return count;
}

/// The next stored byte without consuming it; -1 at the end.
Result<int> GzipStream::peek() {
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

void GzipStream::drop() {
    m_stream.next_in += 1;
    m_stream.avail_in -= 1;
}

void GzipStream::moveTo(uint64_t storedOffset) {
    m_inputOffset = storedOffset;
    m_stream.avail_in = 0;
}

/// Passes over what is left of the trailer and over padding zeros; false at the end of the file.
Result<bool> GzipStream::passPadding() {
    for (;;) {
        const auto byte = peek();
        if (!byte) {
            return byte.error();
        }
        if (byte.value() < 0) {
            return false;
        }
        if (m_skip != 0) {
            --m_skip;
        } else if (byte.value() != 0) {
            return true;
        }
        drop();
    }
}

/// Starts the next member, looks for it where it does not stand, or ends.
Status GzipStream::nextMember() {
    const uint64_t end = storedOffset() + m_skip;
    const auto isMore = passPadding();
    if (!isMore) {
        return isMore.error();
    }
    if (!isMore.value()) {
        if (m_skip != 0) {
            return endInTrailer();
        }
        if (end == 0) {
            return endCut();
        }
        m_state = State::Ended;
        return Status::success();
    }
    const uint64_t at = storedOffset();
    std::array<char, 2> head{};
    const auto count = m_bytes->readAt(at, head);
    if (!count) {
        return count.error();
    }
    m_skip = 0;
    if (!kGzipMagic.starts_with(std::string_view(head.data(), count.value()))) {
        // A member may have lost its last bytes, so that what is taken for its end is part of the next.
        m_trailerStored = end - std::min<uint64_t>(end, kTrailerBytes);
        return goOnBehindDamage(at, "no member begins here", m_isSumWrong ? searchedAgainFrom(end) : m_trailerStored);
    }
    m_isSumWrong = false;
    m_memberStored = at;
    m_memberText = m_textOffset;
    m_isBetweenMembers = false;
    m_isLastBlockRead = false;
    m_isRaw = false;
    inflateReset2(&m_stream, kGzipBits);
    return Status::success();
}

uint64_t GzipStream::searchedAgainFrom(uint64_t at) const {
    return std::max(m_memberStored + 1, at - std::min(at, kSearchedAgain));
}

/// REQUIRES: what stands at `at` cannot be read on.
Status GzipStream::goOnBehindDamage(uint64_t at, const std::string& reason, uint64_t searchFrom) {
    const auto found = m_search.find(searchFrom, m_kind);
    if (!found) {
        return found.error();
    }
    if (found.value()) {
        if (m_isBetweenMembers && m_isBehindSound && *found.value() <= at && *found.value() >= m_trailerStored) {
            moveTo(*found.value());  // no text is missing; that the checksum was cut is said
            return Status::success();
        }
        return goOnAt(*found.value(), std::min(at, *found.value()), reason);
    }
    m_state = State::Ended;
    const auto isDamaged = looksDamaged(at);
    if (!isDamaged) {
        return isDamaged.error();
    }
    if (m_isBetweenMembers && m_isBehindSound && !isDamaged.value()) {
        noteDamage(m_damage, {"trailing_data", "after the compressed stream", at, false});
        return Status::success();
    }
    noteDamage(m_damage, {"invalid_gzip", reason + notReadText(m_bytes->size() - at, "the end of the file"), at, true});
    return Status::success();
}

Status GzipStream::goOnAt(uint64_t member, uint64_t damagedAt, const std::string& reason) {
    noteDamage(m_damage,
               {"invalid_gzip", reason + notReadText(member - damagedAt, "the next member"), damagedAt, true});
    moveTo(member);
    m_isBetweenMembers = true;
    m_isBehindSound = false;
    m_stop = Stop::BehindGap;
    return Status::success();
}

/// Whether what stands there is a member whose magic number has one byte wrong, rather than text of another sort.
Result<bool> GzipStream::looksDamaged(uint64_t at) const {
    std::array<char, kGzipMagic.size()> head{};
    const auto count = m_bytes->readAt(at, head);
    if (!count) {
        return count.error();
    }
    size_t same = 0;
    for (size_t i = 0; i < kGzipMagic.size(); ++i) {
        same += i < count.value() && head[i] == kGzipMagic[i] ? 1 : 0;
    }
    return same + 1 >= kGzipMagic.size();
}

}  // namespace warpline
