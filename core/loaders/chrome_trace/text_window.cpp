// SPDX-License-Identifier: MIT
#include "core/loaders/chrome_trace/text_window.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace warpline::loaders::chrome_trace {

TextWindow::TextWindow(TextSource& source, size_t bytes) : m_source(source), m_bytes(std::max<size_t>(bytes, 1)) {
    m_piece.buffer.resize(m_bytes);
}

void TextWindow::consume(size_t bytes) {
    m_piece.begin += bytes;
    m_piece.offset += bytes;
}

Status TextWindow::more() {
    if (m_atEnd) {
        return Status::success();
    }
    std::vector<char>& buffer = m_piece.buffer;
    const size_t held = m_piece.end - m_piece.begin;
    std::memmove(buffer.data(), buffer.data() + m_piece.begin, held);
    m_piece.begin = 0;
    m_piece.end = held;
    if (held == buffer.size()) {
        buffer.resize(buffer.size() * 2);
    }
    const auto count = fill(std::span<char>(buffer).subspan(held));
    if (!count) {
        return count.error();
    }
    m_piece.end += count.value();
    m_atEnd = m_piece.end < buffer.size();
    return Status::success();
}

Status TextWindow::refill() {
    const size_t held = m_piece.end - m_piece.begin;
    return !m_atEnd && held * 2 <= m_piece.buffer.size() ? more() : Status::success();
}

TextPiece TextWindow::take(size_t bytes, std::vector<char> spare) {
    const std::string_view rest = text().substr(bytes);
    if (spare.size() < std::max(m_bytes, rest.size())) {
        spare.resize(std::max(m_bytes, rest.size()));
    }
    std::copy(rest.begin(), rest.end(), spare.begin());
    TextPiece next;
    next.buffer = std::move(spare);
    next.end = rest.size();
    next.offset = m_piece.offset + bytes;
    m_piece.end = m_piece.begin + bytes;
    return std::exchange(m_piece, std::move(next));
}

void TextWindow::restartAt(uint64_t offset) {
    m_piece.begin = m_piece.end = 0;
    m_piece.offset = offset;
    m_atEnd = false;
    m_next = offset;
    if (m_source.plainBytes() != nullptr) {
        m_source.seek(offset);
        m_readTo = offset;
    }
}

/// Compressed text that was read before is read at its place, the rest as it comes.
Result<size_t> TextWindow::fill(std::span<char> buffer) {
    size_t count = 0;
    while (m_next < m_readTo && count < buffer.size()) {
        const auto wanted = static_cast<size_t>(std::min<uint64_t>(m_readTo - m_next, buffer.size() - count));
        const auto again = m_source.read(m_next, wanted);
        if (!again) {
            return again.error();
        }
        if (again.value().size() != wanted) {
            return Error::failed("the text cannot be read a second time");
        }
        std::copy(again.value().begin(), again.value().end(), buffer.begin() + static_cast<std::ptrdiff_t>(count));
        count += wanted;
        m_next += wanted;
    }
    if (count == buffer.size()) {
        return count;
    }
    const auto fresh = m_source.readNext(buffer.subspan(count));
    if (!fresh) {
        return fresh.error();
    }
    m_readTo += fresh.value();
    m_next = m_readTo;
    return count + fresh.value();
}

void TextWindow::putBack(std::span<const TextPiece> pieces) {
    if (pieces.empty()) {
        return;
    }
    size_t total = text().size();
    for (const TextPiece& piece : pieces) {
        total += piece.text().size();
    }
    TextPiece joined;
    joined.buffer.resize(std::max(m_bytes, total));
    joined.offset = pieces.front().offset;
    const auto append = [&joined](std::string_view text) {
        std::copy(text.begin(), text.end(), joined.buffer.begin() + static_cast<std::ptrdiff_t>(joined.end));
        joined.end += text.size();
    };
    for (const TextPiece& piece : pieces) {
        append(piece.text());
    }
    append(text());
    m_piece = std::move(joined);
}

}  // namespace warpline::loaders::chrome_trace
