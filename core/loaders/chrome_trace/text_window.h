// SPDX-License-Identifier: MIT
#pragma once
// A window that slides over a TextSource: the text not yet consumed, in one piece, in a buffer that is used again and
// again. One thread.

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/loaders/text_source.h"

namespace warpline::loaders::chrome_trace {

class TextWindow {
public:
    TextWindow(TextSource& source, size_t bytes);

    std::string_view text() const { return {m_buffer.data() + m_begin, m_end - m_begin}; }
    uint64_t offset() const { return m_offset; }
    bool atEnd() const { return m_atEnd; }
    void consume(size_t bytes);
    /// Reads on until the buffer is full; makes it larger if it is. Views of the text are void afterwards.
    Status more();
    /// The same, if half of the buffer or more is free.
    Status refill();

private:
    TextSource& m_source;
    std::vector<char> m_buffer;
    size_t m_begin = 0, m_end = 0;  ///< of the text in the buffer
    uint64_t m_offset = 0;          ///< of the text's first byte
    bool m_atEnd = false;
};

}  // namespace warpline::loaders::chrome_trace
