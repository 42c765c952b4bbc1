// SPDX-License-Identifier: MIT
#pragma once
// One recording a GPU at a time: a file for each GPU, locked by who records it. The system gives the lock back when its
// holder ends, however that happens, so a file that was left behind holds nobody up.

#include <cstdint>
#include <optional>
#include <string>

#include "core/base/result.h"

namespace warpline::record {

struct GpuLockHolder {
    int64_t pid = 0;           ///< 0: unknown
    std::string program;       ///< what it records
    int64_t sinceSeconds = 0;  ///< of the epoch
};

/// Where the files are: XDG_RUNTIME_DIR, else a folder of this user in /tmp. Users do not see each other's.
std::string gpuLockFolder();

/// Held until it is destroyed or the process ends. Not handed down to programs that the process starts.
class GpuLock {
public:
    /// Takes the lock of the GPU with that UUID. Fails at once if another recording has it ("locked"; the message names
    /// it), or if the file cannot be made. `program` says what is going to be recorded.
    static Result<GpuLock> take(const std::string& uuid, const std::string& program,
                                const std::string& folder = gpuLockFolder());
    ~GpuLock();
    GpuLock(GpuLock&& other) noexcept;
    GpuLock& operator=(GpuLock&& other) noexcept;

private:
    explicit GpuLock(int file) : m_file(file) {}
    int m_file = -1;
};

/// Who records that GPU now.
std::optional<GpuLockHolder> gpuLockHolder(const std::string& uuid, const std::string& folder = gpuLockFolder());

/// "2026-05-17 08:15:00 UTC"
std::string formatUtcSeconds(int64_t epochSeconds);

}  // namespace warpline::record
