// SPDX-License-Identifier: MIT
#include "core/record/inject/capture_file.h"

#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "core/record/options/record_folder.h"

namespace warpline::record {

Result<CaptureFile> CaptureFile::create(const std::string& folder, int pid, uint64_t mostBytes) {
    // A process that replaces itself by another keeps its number.
    constexpr int kMostOfAProcess = 1000;
    for (int n = 0; n < kMostOfAProcess; ++n) {
        const std::string path = folder + "/" + std::to_string(pid) + "." + std::to_string(n) + kCaptureEnding;
        OwnFile file(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND, 0600);
        if (file.isOpen()) {
            return CaptureFile(std::move(file), mostBytes);
        }
        if (errno != EEXIST) {
            return Error::failed(path + ": " + std::strerror(errno));
        }
    }
    return Error::failed(folder + ": too many captures of process " + std::to_string(pid));
}

CaptureFile::CaptureFile(CaptureFile&& other) noexcept
    : m_file(std::move(other.m_file)),
      m_mostBytes(other.m_mostBytes),
      m_bytes(other.m_bytes),
      m_error(other.m_error),
      m_isAtLimit(other.m_isAtLimit.load()) {}

bool CaptureFile::write(std::span<const char> header, std::span<const char> payload) {
    // What tells of the limit, and of the end, has room beyond it.
    constexpr uint64_t kReserve = uint64_t{1} << 20;
    constexpr size_t kSmall = 4096;
    const uint64_t size = header.size() + payload.size();
    if (m_mostBytes != 0 && m_bytes + size > m_mostBytes + (size < kSmall ? kReserve : 0)) {
        m_isAtLimit = true;
        return false;
    }
    iovec pieces[2] = {{const_cast<char*>(header.data()), header.size()},
                       {const_cast<char*>(payload.data()), payload.size()}};
    size_t left = size;
    iovec* piece = pieces;
    const int file = m_file.get();
    if (file < 0) {
        m_error = errno;
        return false;
    }
    while (left != 0) {
        const ssize_t written = writev(file, piece, static_cast<int>(pieces + 2 - piece));
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            m_error = written == 0 ? ENOSPC : errno;
            m_bytes += size - left;
            return false;
        }
        left -= static_cast<size_t>(written);
        for (auto rest = static_cast<size_t>(written); rest != 0 && left != 0;) {
            const size_t taken = std::min(rest, piece->iov_len);
            piece->iov_base = static_cast<char*>(piece->iov_base) + taken;
            piece->iov_len -= taken;
            rest -= taken;
            piece += piece->iov_len == 0 ? 1 : 0;
        }
    }
    m_error = 0;
    m_bytes += size;
    return true;
}

}  // namespace warpline::record
