// SPDX-License-Identifier: MIT
#include "core/loaders/text_chars.h"

#include <algorithm>
#include <span>

namespace warpline {

namespace {

/// Parsed in about a millisecond, so that a stop is seen soon.
constexpr size_t kBufferBytes = size_t{64} << 10;

}  // namespace

TextChars::TextChars(TextSource& source, JobControl& job)
    : m_source(source),
      m_job(job),
      m_doneBefore(job.done()),
      m_total(std::max(job.total(), job.done() + source.storedBytes())),
      m_buffer(kBufferBytes) {}

bool TextChars::refill() {
    if (m_isDone) {
        return false;
    }
    m_bufferOffset += m_end;
    m_next = 0;
    m_end = 0;
    m_job.setProgress(m_doneBefore + m_source.storedPosition(), m_total);
    if (m_job.stopRequested()) {
        m_status = Error::cancelled();
    } else if (const auto count = m_source.readNext(std::span<char>(m_buffer)); !count) {
        m_status = count.error();
    } else {
        m_end = count.value();
    }
    m_isDone = m_end == 0;
    return !m_isDone;
}

}  // namespace warpline
