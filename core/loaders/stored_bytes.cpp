// SPDX-License-Identifier: MIT
#include "core/loaders/stored_bytes.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

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
            return Error::failed(m_path + ": the file has changed since it was opened");
        }
        return Status::success();
    }

private:
    std::string m_path;
    int m_descriptor;
    struct stat m_status;
};

Result<std::string> readAll(int descriptor, const std::string& path) {
    constexpr size_t kStep = size_t{1} << 20;
    std::string bytes;
    size_t used = 0;
    for (;;) {
        if (bytes.size() - used < kStep) {
            bytes.resize(std::max(bytes.size() * 2, used + kStep));
        }
        const ssize_t count = ::read(descriptor, bytes.data() + used, bytes.size() - used);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count < 0) {
            return Error::failed(path + ": cannot be read: " + reasonOf(errno));
        }
        if (count == 0) {
            bytes.resize(used);
            return bytes;
        }
        used += static_cast<size_t>(count);
    }
}

}  // namespace

std::shared_ptr<const StoredBytes> makeMemoryBytes(std::string bytes) {
    return std::make_shared<MemoryBytes>(std::move(bytes));
}

Result<std::shared_ptr<const StoredBytes>> openStoredBytes(const std::string& path) {
    if (path == "-") {
        auto bytes = readAll(STDIN_FILENO, "standard input");
        if (!bytes) {
            return bytes.error();
        }
        return makeMemoryBytes(std::move(bytes.value()));
    }
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        return Error::failed(path + ": cannot be opened: " + reasonOf(errno));
    }
    struct stat status {};
    if (::fstat(descriptor, &status) != 0) {
        const int error = errno;
        ::close(descriptor);
        return Error::failed(path + ": cannot be opened: " + reasonOf(error));
    }
    if (S_ISDIR(status.st_mode)) {
        ::close(descriptor);
        return Error::failed(path + ": is a folder, not a file");
    }
    if (S_ISREG(status.st_mode)) {
        return std::shared_ptr<const StoredBytes>(std::make_shared<FileBytes>(path, descriptor, status));
    }
    auto bytes = readAll(descriptor, path);
    ::close(descriptor);
    if (!bytes) {
        return bytes.error();
    }
    return makeMemoryBytes(std::move(bytes.value()));
}

}  // namespace warpline
