// SPDX-License-Identifier: MIT
#pragma once
// A file without a name that takes what would fill the memory, in $TMPDIR or /var/tmp; it is gone with its owner,
// however that ends. One thread writes; then any thread may read.

#include <cstdint>
#include <memory>
#include <span>

#include "core/base/result.h"

namespace warpline {

class SpillFile {
public:
    /// Null if there is no place for one.
    static std::unique_ptr<SpillFile> create();
    ~SpillFile();
    SpillFile(const SpillFile&) = delete;
    SpillFile& operator=(const SpillFile&) = delete;

    /// False if the disk is full, or fails.
    bool append(std::span<const char> bytes);
    uint64_t size() const { return m_size; }
    /// Fills as much of `buffer` as there is from `offset` on.
    Result<size_t> readAt(uint64_t offset, std::span<char> buffer) const;

private:
    explicit SpillFile(int descriptor) : m_descriptor(descriptor) {}

    int m_descriptor;
    uint64_t m_size = 0;
};

}  // namespace warpline
