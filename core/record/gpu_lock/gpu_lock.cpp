// SPDX-License-Identifier: MIT
#include "core/record/gpu_lock/gpu_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <utility>

namespace warpline::record {

namespace {

std::string lockPath(const std::string& uuid, const std::string& folder) {
    std::string name = uuid;
    std::replace_if(
        name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0 && c != '-'; }, '_');
    return folder + "/warpline-" + name + ".lock";
}

std::string errorText(const std::string& path) {
    return path + ": " + std::strerror(errno);
}

/// A folder in /tmp could be one that somebody else has made to have us write elsewhere.
Status makeOwnFolder(const std::string& folder) {
    if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) {
        return Error::failed("the folder for locks cannot be made: " + errorText(folder));
    }
    struct stat found {};
    if (lstat(folder.c_str(), &found) != 0) {
        return Error::failed("the folder for locks cannot be used: " + errorText(folder));
    }
    if (!S_ISDIR(found.st_mode) || found.st_uid != geteuid()) {
        return Error::failed(folder + " is not a folder of this user; remove it, or set XDG_RUNTIME_DIR");
    }
    return {};
}

std::string readAll(int file) {
    std::string text(4096, '\0');
    const ssize_t count = pread(file, text.data(), text.size(), 0);
    text.resize(count > 0 ? static_cast<size_t>(count) : 0);
    return text;
}

std::string lineOf(const std::string& text, const std::string& key) {
    for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find('\n', at), text.size());
        if (text.compare(at, key.size() + 1, key + "=") == 0) {
            return text.substr(at + key.size() + 1, end - at - key.size() - 1);
        }
        at = end + 1;
    }
    return {};
}

GpuLockHolder holderOf(int file) {
    const std::string text = readAll(file);
    return {std::strtoll(lineOf(text, "pid").c_str(), nullptr, 10), lineOf(text, "program"),
            std::strtoll(lineOf(text, "since").c_str(), nullptr, 10)};
}

std::string describe(const GpuLockHolder& holder) {
    std::string text = holder.program.empty() ? "another recording" : "a recording of `" + holder.program + "`";
    if (holder.pid != 0) {
        text += " (process " + std::to_string(holder.pid) + ", since " + formatUtcSeconds(holder.sinceSeconds) + ")";
    }
    return text;
}

}  // namespace

std::string formatUtcSeconds(int64_t epochSeconds) {
    const auto time = static_cast<std::time_t>(epochSeconds);
    std::tm parts{};
    char text[40] = "";
    if (gmtime_r(&time, &parts) == nullptr || std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", &parts) == 0) {
        return "an unknown time";
    }
    return text;
}

std::string gpuLockFolder() {
    const char* runtime = std::getenv("XDG_RUNTIME_DIR");
    if (runtime != nullptr && *runtime == '/' && access(runtime, W_OK | X_OK) == 0) {
        return runtime;
    }
    return "/tmp/warpline-" + std::to_string(geteuid());
}

Result<GpuLock> GpuLock::take(const std::string& uuid, const std::string& program, const std::string& folder) {
    const Status own = makeOwnFolder(folder);
    if (!own.ok()) {
        return own.error();
    }
    const std::string path = lockPath(uuid, folder);
    const int file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file < 0) {
        return Error::failed("the lock of this GPU cannot be made: " + errorText(path));
    }
    if (flock(file, LOCK_EX | LOCK_NB) != 0) {
        const Error error = errno == EWOULDBLOCK
                                ? Error::failed(uuid + " is in use by " + describe(holderOf(file)) +
                                                    "; one recording a GPU at a time: wait for it, or end it",
                                                "locked")
                                : Error::failed("the lock of this GPU cannot be taken: " + errorText(path));
        close(file);
        return error;
    }
    GpuLock lock(file);
    std::string line = program;
    std::replace_if(
        line.begin(), line.end(), [](unsigned char c) { return c < 0x20; }, ' ');
    const std::string text = "pid=" + std::to_string(getpid()) + "\nsince=" + std::to_string(std::time(nullptr)) +
                             "\nprogram=" + line.substr(0, 2048) + "\n";
    if (ftruncate(file, 0) != 0 || pwrite(file, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size())) {
        return Error::failed("the lock of this GPU cannot be written: " + errorText(path));
    }
    return lock;
}

GpuLock::~GpuLock() {
    if (m_file >= 0) {
        // The file stays: were it removed, somebody who has just opened it would lock what nobody else sees.
        if (ftruncate(m_file, 0) != 0) {
            errno = 0;
        }
        close(m_file);
    }
}

GpuLock::GpuLock(GpuLock&& other) noexcept : m_file(std::exchange(other.m_file, -1)) {}

GpuLock& GpuLock::operator=(GpuLock&& other) noexcept {
    std::swap(m_file, other.m_file);
    return *this;
}

std::optional<GpuLockHolder> gpuLockHolder(const std::string& uuid, const std::string& folder) {
    const int file = open(lockPath(uuid, folder).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (file < 0) {
        return std::nullopt;
    }
    std::optional<GpuLockHolder> holder;
    if (flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        holder = holderOf(file);
    }
    close(file);
    return holder;
}

}  // namespace warpline::record
