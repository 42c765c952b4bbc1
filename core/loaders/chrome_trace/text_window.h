// SPDX-License-Identifier: MIT
#pragma once
// A window that slides over a TextSource: the text not yet consumed, in one piece, in a buffer that is used again and
// again. One thread.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/loaders/text_source.h"

namespace warpline::loaders::chrome_trace {

/// A stretch of the text with the buffer that holds it.
struct TextPiece {
    std::vector<char> buffer;
    size_t begin = 0, end = 0;  ///< of the text in the buffer
    uint64_t offset = 0;        ///< of its first byte in the whole text

    std::string_view text() const { return {buffer.data() + begin, end - begin}; }
};

class TextWindow {
public:
    TextWindow(TextSource& source, size_t bytes);

    std::string_view text() const { return m_piece.text(); }
    uint64_t offset() const { return m_piece.offset; }
    bool atEnd() const { return m_atEnd; }
    void consume(size_t bytes);
    /// Reads on until the buffer is full; makes it larger if it is. Views of the text are void afterwards.
    Status more();
    /// The same, if half of the buffer or more is free.
    Status refill();
    /// Hands over the first `bytes` with their buffer and goes on in `spare`. Views of the text are void afterwards.
    TextPiece take(size_t bytes, std::vector<char> spare);
    /// Forgets what it holds and goes on at `offset`. REQUIRES: the text before it was read.
    void restartAt(uint64_t offset);
    /// Puts text back before the window. REQUIRES: the pieces follow one another, and the window follows the last.
    void putBack(std::span<const TextPiece> pieces);

private:
    Result<size_t> fill(std::span<char> buffer);

    TextSource& m_source;
    size_t m_bytes;
    uint64_t m_readTo = 0;  ///< how far the source was read
    uint64_t m_next = 0;    ///< the place to read next: before that, where text is read again
    TextPiece m_piece;
    bool m_atEnd = false;
};

}  // namespace warpline::loaders::chrome_trace
