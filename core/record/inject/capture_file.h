// SPDX-License-Identifier: MIT
#pragma once
// The file that one process writes. A frame is one write(), so that what a killed process leaves is whole but for its
// end.

#include <atomic>
#include <cstdint>
#include <span>
#include <string>

#include "core/base/result.h"
#include "core/record/inject/own_file.h"

namespace warpline::record {

/// One thread.
class CaptureFile {
public:
    /// Makes `folder`/<pid>.<n>.wcap, the first that is not there. `mostBytes` 0: no limit.
    static Result<CaptureFile> create(const std::string& folder, int pid, uint64_t mostBytes);

    CaptureFile(OwnFile file, uint64_t mostBytes) : m_file(std::move(file)), m_mostBytes(mostBytes) {}
    CaptureFile(CaptureFile&& other) noexcept;
    CaptureFile& operator=(CaptureFile&&) = delete;

    /// False: the frame was not written, or not as a whole: a reader finds its way behind it.
    bool write(std::span<const char> header, std::span<const char> payload);

    /// Why the last frame could not be written; 0: it could.
    int lastError() const { return m_error; }
    /// Any thread.
    bool isAtLimit() const { return m_isAtLimit; }
    uint64_t bytes() const { return m_bytes; }
    void close() { m_file.close(); }

private:
    OwnFile m_file;
    uint64_t m_mostBytes;
    uint64_t m_bytes = 0;
    int m_error = 0;
    std::atomic<bool> m_isAtLimit{false};
};

}  // namespace warpline::record
