// SPDX-License-Identifier: MIT
#pragma once
// The bytes of an input as they are stored, before any decompression: a file that is read with pread, or memory.

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "core/base/job_control.h"
#include "core/base/result.h"

namespace warpline {

class StoredBytes {
public:
    virtual ~StoredBytes() = default;
    /// Fills as much of `buffer` as there is from `offset` on; fewer bytes only at the end. Any thread.
    virtual Result<size_t> readAt(uint64_t offset, std::span<char> buffer) const = 0;
    virtual uint64_t size() const = 0;
    /// Fails with the reason (code "file_changed") if the bytes are no longer those that were opened.
    virtual Status checkUnchanged() const = 0;
};

/// Opens a regular file, also as standard input ("-"). Reads a pipe or a device into memory: looks at the job's stop
/// while it waits, and fails if there are more than `maxPipedBytes`.
Result<std::shared_ptr<const StoredBytes>> openStoredBytes(const std::string& path, uint64_t maxPipedBytes,
                                                           JobControl& job);
std::shared_ptr<const StoredBytes> makeMemoryBytes(std::string bytes);

}  // namespace warpline
