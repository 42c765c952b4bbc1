// SPDX-License-Identifier: MIT
#include "core/loaders/part_search.h"

#include <algorithm>

namespace warpline {

namespace {

constexpr size_t kPieceBytes = size_t{1} << 20;
/// Random bytes look like the begin of a part once in a hundred megabytes, or more rarely.
constexpr int kMostTrials = 4000;

}  // namespace

Result<std::optional<uint64_t>> PartSearch::find(uint64_t from, PartKind& kind) {
    m_piece.resize(kPieceBytes);
    while (from < m_bytes->size() && m_trials < kMostTrials) {
        if (isStopped()) {
            return Error::cancelled();
        }
        const auto count = m_bytes->readAt(from, m_piece);
        if (!count) {
            return count.error();
        }
        const std::string_view text = std::string_view(m_piece).substr(0, count.value());
        const bool isLast = from + text.size() >= m_bytes->size() || text.size() < kind.headBytes();
        const auto found = findIn(text, from, isLast, kind);
        if (!found) {
            return found.error();
        }
        if (found.value()) {
            return std::optional(from + *found.value());
        }
        if (isLast) {
            break;
        }
        from += text.size() - (kind.headBytes() - 1);
    }
    return std::optional<uint64_t>();
}

Result<std::optional<size_t>> PartSearch::findIn(std::string_view text, uint64_t offset, bool isLast, PartKind& kind) {
    for (size_t at = text.find(kind.magic()); at != std::string_view::npos && m_trials < kMostTrials;
         at = text.find(kind.magic(), at + 1)) {
        // What the piece cuts is met again at the begin of the next; what the file cuts is tried as it is.
        const bool isCut = text.size() - at < kind.headBytes();
        if (isCut ? !isLast : !kind.mayBegin(text.substr(at))) {
            continue;
        }
        ++m_trials;
        if (isStopped()) {
            return Error::cancelled();
        }
        const auto isOne = kind.doesBegin(offset + at);
        if (!isOne) {
            return isOne.error();
        }
        if (isOne.value()) {
            return std::optional(at);
        }
    }
    return std::optional<size_t>();
}

void noteDamage(std::vector<TextSource::Damage>& list, TextSource::Damage damage) {
    const auto known = std::ranges::find(list, damage.code, &TextSource::Damage::code);
    if (known == list.end()) {
        list.push_back(std::move(damage));
    } else {
        ++known->count;
    }
}

std::string notReadText(uint64_t bytes, std::string_view end) {
    if (bytes == 0) {
        return {};
    }
    return "; " + std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes") + " as stored, up to " + std::string(end) +
           ", " + (bytes == 1 ? "is" : "are") + " not read";
}

}  // namespace warpline
