// SPDX-License-Identifier: MIT
#pragma once
// The text of an input, a character after the other, for parsers that are fed through an iterator. Keeps the job's
// progress and sees its stop; both, and a fault in reading, look like the end of the text to the parser. One thread.

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/loaders/text_source.h"

namespace warpline {

class TextChars {
public:
    /// REQUIRES: both live as long as this. job.done() counts what was done before.
    TextChars(TextSource& source, JobControl& job);

    bool atEnd() { return m_next == m_end && !refill(); }
    /// REQUIRES: !atEnd()
    char current() const { return m_buffer[m_next]; }
    void advance() { ++m_next; }
    /// Of the character that comes next.
    uint64_t offset() const { return m_bufferOffset + m_next; }
    /// Why the text seems to end here, if that is not its end: the job was stopped, or it cannot be read.
    const Status& status() const { return m_status; }

    class Iterator {
    public:
        using iterator_category = std::input_iterator_tag;
        using value_type = char;
        using difference_type = std::ptrdiff_t;
        using pointer = const char*;
        using reference = char;

        Iterator() = default;  ///< the end
        explicit Iterator(TextChars& chars) : m_chars(&chars) {}
        char operator*() const { return m_chars->current(); }
        Iterator& operator++() {
            m_chars->advance();
            return *this;
        }
        void operator++(int) { m_chars->advance(); }
        /// Good for asking whether the end is reached, as parsers do.
        bool operator==(const Iterator& o) const { return isEnd() == o.isEnd(); }

    private:
        bool isEnd() const { return m_chars == nullptr || m_chars->atEnd(); }
        TextChars* m_chars = nullptr;
    };
    Iterator begin() { return Iterator(*this); }
    static Iterator end() { return {}; }

private:
    bool refill();

    TextSource& m_source;
    JobControl& m_job;
    uint64_t m_doneBefore, m_total;
    std::vector<char> m_buffer;
    size_t m_next = 0, m_end = 0;
    uint64_t m_bufferOffset = 0;  ///< of the buffer's first character in the text
    bool m_isDone = false;
    Status m_status;
};

}  // namespace warpline
