// SPDX-License-Identifier: MIT
#include "core/loaders/stored_bytes.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <system_error>
#include <vector>

namespace warpline {

namespace {

std::string reasonOf(int error) {
    return std::generic_category().message(error);
}

class MemoryBytes final : public StoredBytes {
public:
    explicit MemoryBytes(std::string bytes) : m_bytes(std::move(bytes)) {}
    Result<size_t> readAt(uint64_t offset, std::span<char> buffer) const override {
        if (offset >= m_bytes.size()) {
            return size_t{0};
        }
        const size_t count = std::min<size_t>(buffer.size(), m_bytes.size() - offset);
        std::memcpy(buffer.data(), m_bytes.data() + offset, count);
        return count;
    }
    uint64_t size() const override { return m_bytes.size(); }
    Status checkUnchanged() const override { return Status::success(); }

private:
    std::string m_bytes;
};

class FileBytes final : public StoredBytes {
public:
    FileBytes(std::string path, int descriptor, const struct stat& status)
        : m_path(std::move(path)), m_descriptor(descriptor), m_status(status) {
        // A hint for the kernel's read-ahead; nothing depends on it.
        ::posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL);
    }
    ~FileBytes() override { ::close(m_descriptor); }
    FileBytes(const FileBytes&) = delete;
    FileBytes& operator=(const FileBytes&) = delete;

    Result<size_t> readAt(uint64_t offset, std::span<char> buffer) const override {
        size_t got = 0;
        while (got < buffer.size()) {
            const ssize_t count =
                ::pread(m_descriptor, buffer.data() + got, buffer.size() - got, static_cast<off_t>(offset + got));
            if (count < 0) {
                if (errno == EINTR) {
                    continue;
                }
                return Error::failed(m_path + ": cannot be read at byte " + std::to_string(offset + got) + ": " +
                                     reasonOf(errno));
            }
            if (count == 0) {
                break;
            }
            got += static_cast<size_t>(count);
        }
        return got;
    }
    uint64_t size() const override { return static_cast<uint64_t>(m_status.st_size); }
    Status checkUnchanged() const override {
        struct stat now {};
        if (::fstat(m_descriptor, &now) != 0) {
            return Error::failed(m_path + ": " + reasonOf(errno));
        }
        if (now.st_size != m_status.st_size || now.st_mtim.tv_sec != m_status.st_mtim.tv_sec ||
            now.st_mtim.tv_nsec != m_status.st_mtim.tv_nsec) {
            return Error::failed(m_path + ": the file has changed since it was opened", "file_changed");
        }
        return Status::success();
    }

private:
    std::string m_path;
    int m_descriptor;
    struct stat m_status;
};

/// What a pipe gave, in blocks: growing costs no copy.
class BlockBytes final : public StoredBytes {
public:
    static constexpr size_t kBlockBytes = size_t{1} << 20;

    Result<size_t> readAt(uint64_t offset, std::span<char> buffer) const override {
        size_t got = 0;
        while (got < buffer.size() && offset + got < m_size) {
            const uint64_t at = offset + got;
            const size_t inBlock = at % kBlockBytes;
            const auto count = std::min<uint64_t>({buffer.size() - got, kBlockBytes - inBlock, m_size - at});
            std::memcpy(buffer.data() + got, m_blocks[at / kBlockBytes].get() + inBlock, count);
            got += count;
        }
        return got;
    }
    uint64_t size() const override { return m_size; }
    Status checkUnchanged() const override { return Status::success(); }

    /// Where the next bytes go.
    std::span<char> room() {
        const size_t used = m_size % kBlockBytes;
        if (used == 0 && m_size / kBlockBytes == m_blocks.size()) {
            m_blocks.push_back(std::make_unique_for_overwrite<char[]>(kBlockBytes));
        }
        return {m_blocks.back().get() + used, kBlockBytes - used};
    }
    void grow(size_t count) { m_size += count; }

private:
    std::vector<std::unique_ptr<char[]>> m_blocks;
    uint64_t m_size = 0;
};

/// Waits until there is something to read or the end. Fails when the job is stopped.
Status waitForInput(int descriptor, const std::string& name, const JobControl& job) {
    constexpr int kLookMs = 50;
    for (;;) {
        if (job.stopRequested()) {
            return Error::cancelled();
        }
        pollfd waited{descriptor, POLLIN, 0};
        const int count = ::poll(&waited, 1, kLookMs);
        if (count > 0) {
            return Status::success();  // errors show when reading
        }
        if (count < 0 && errno != EINTR) {
            return Error::failed(name + ": cannot be read: " + reasonOf(errno));
        }
    }
}

Result<std::shared_ptr<const StoredBytes>> readAll(int descriptor, const std::string& name, uint64_t maxBytes,
                                                   JobControl& job) {
    auto bytes = std::make_shared<BlockBytes>();
    try {
        for (;;) {
            if (const Status status = waitForInput(descriptor, name, job); !status) {
                return status.error();
            }
            const std::span<char> room = bytes->room();
            const ssize_t count = ::read(descriptor, room.data(), room.size());
            if (count == 0) {
                return std::shared_ptr<const StoredBytes>(std::move(bytes));
            }
            if (count < 0) {
                if (errno == EINTR || errno == EAGAIN) {
                    continue;
                }
                return Error::failed(name + ": cannot be read: " + reasonOf(errno));
            }
            bytes->grow(static_cast<size_t>(count));
            job.setProgress(bytes->size(), 0);
            if (bytes->size() > maxBytes) {
                return Error::failed(name + ": gives more than " + std::to_string(maxBytes) +
                                         " bytes, which is the limit for what is no regular file; save it to a file "
                                         "first, or raise the limit (--limit-piped-bytes)",
                                     "unsupported");
            }
        }
    } catch (const std::bad_alloc&) {
        return Error::failed(name + ": does not fit into memory; save it to a file first");
    }
}

}  // namespace

std::shared_ptr<const StoredBytes> makeMemoryBytes(std::string bytes) {
    return std::make_shared<MemoryBytes>(std::move(bytes));
}

Result<std::shared_ptr<const StoredBytes>> openStoredBytes(const std::string& path, uint64_t maxPipedBytes,
                                                           JobControl& job) {
    const bool isInput = path == "-";
    const std::string name = isInput ? "standard input" : path;
    // A named pipe that nobody writes to yet must not hold us; regular files take no notice of O_NONBLOCK. Standard
    // input is left as it is: other processes share it.
    const int descriptor = isInput ? ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
                                   : ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (descriptor < 0) {
        return Error::failed(name + ": cannot be opened: " + reasonOf(errno));
    }
    struct stat status {};
    if (::fstat(descriptor, &status) != 0) {
        const int error = errno;
        ::close(descriptor);
        return Error::failed(name + ": cannot be opened: " + reasonOf(error));
    }
    if (S_ISDIR(status.st_mode)) {
        ::close(descriptor);
        return Error::failed(name + ": is a folder, not a file");
    }
    // Files of the system's own (/proc) say that they are empty and are not; what was read of standard input already is
    // not ours.
    const bool isWhole = !isInput || ::lseek(descriptor, 0, SEEK_CUR) == 0;
    if (S_ISREG(status.st_mode) && isWhole && status.st_size > 0) {
        return std::shared_ptr<const StoredBytes>(std::make_shared<FileBytes>(name, descriptor, status));
    }
    auto bytes = readAll(descriptor, name, maxPipedBytes, job);
    ::close(descriptor);
    return bytes;
}

}  // namespace warpline
