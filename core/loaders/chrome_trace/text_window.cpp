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
    const auto count = m_source.readNext(std::span<char>(buffer).subspan(held));
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
    m_source.seek(offset);
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
