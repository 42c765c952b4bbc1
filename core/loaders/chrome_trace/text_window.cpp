// SPDX-License-Identifier: MIT
#include "core/loaders/chrome_trace/text_window.h"

#include <algorithm>
#include <cstring>

namespace warpline::loaders::chrome_trace {

TextWindow::TextWindow(TextSource& source, size_t bytes) : m_source(source), m_buffer(std::max<size_t>(bytes, 1)) {}

void TextWindow::consume(size_t bytes) {
    m_begin += bytes;
    m_offset += bytes;
}

Status TextWindow::more() {
    if (m_atEnd) {
        return Status::success();
    }
    const size_t held = m_end - m_begin;
    std::memmove(m_buffer.data(), m_buffer.data() + m_begin, held);
    m_begin = 0;
    m_end = held;
    size_t room = m_buffer.size() - held;
    if (room == 0) {
        m_buffer.resize(m_buffer.size() * 2);
        room = m_buffer.size() - held;
    }
    const auto count = m_source.readNext(std::span<char>(m_buffer.data() + m_end, room));
    if (!count) {
        return count.error();
    }
    m_end += count.value();
    m_atEnd = count.value() < room;
    return Status::success();
}

Status TextWindow::refill() {
    const size_t held = m_end - m_begin;
    return !m_atEnd && held * 2 <= m_buffer.size() ? more() : Status::success();
}

}  // namespace warpline::loaders::chrome_trace
