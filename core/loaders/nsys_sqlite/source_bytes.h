// SPDX-License-Identifier: MIT
#pragma once
// A source's text as SQLite wants it: any few bytes at any place, often. One thread at a time.

#include <cstdint>
#include <memory>
#include <span>

#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/loaders/text_source.h"

namespace warpline::loaders::nsys_sqlite {

class SourceBytes {
public:
    virtual ~SourceBytes() = default;
    virtual uint64_t size() const = 0;  ///< of the text
    /// All of [offset, offset + buffer.size()). False if it is not there (any more).
    bool read(uint64_t offset, std::span<char> buffer);

    uint64_t lastOffset() const { return m_lastOffset; }  ///< where the last read() began
    uint64_t bytesRead() const { return m_bytesRead; }    ///< by all of them

protected:
    virtual bool readAt(uint64_t offset, std::span<char> buffer) = 0;

private:
    uint64_t m_lastOffset = 0;
    uint64_t m_bytesRead = 0;
};

/// Through a small cache of blocks, from a source whose text has `size` bytes.
std::unique_ptr<SourceBytes> cachedBytes(std::shared_ptr<const TextSource> source, uint64_t size);

/// For reading all of `source`, which is at its start. A plain file stays where it is; compressed text is unpacked into
/// memory, and refused if it is longer than `maxBytes`. Fails also when stopped.
Result<std::unique_ptr<SourceBytes>> bytesForLoading(const std::shared_ptr<TextSource>& source, uint64_t maxBytes,
                                                     const JobControl& job);

}  // namespace warpline::loaders::nsys_sqlite
