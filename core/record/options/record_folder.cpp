// SPDX-License-Identifier: MIT
#include "core/record/options/record_folder.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <new>

namespace warpline::record {

std::optional<std::string> readSmallFile(const std::string& path) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return std::nullopt;
    }
    std::string text;
    char piece[4096];
    ssize_t got = 0;
    while ((got = read(file, piece, sizeof piece)) > 0 || (got < 0 && errno == EINTR)) {
        text.append(piece, got > 0 ? static_cast<size_t>(got) : 0);
    }
    close(file);
    return got == 0 ? std::optional(text) : std::nullopt;
}

ControlBlock* mapControl(const std::string& folder, bool create, std::string& error) {
    const std::string path = folder + "/" + kControlFile;
    const int file = open(path.c_str(), O_RDWR | O_CLOEXEC | (create ? O_CREAT | O_EXCL : 0), 0600);
    void* memory = MAP_FAILED;
    // With its room on the disk: a process that writes to a page that has none is killed.
    const int noRoom = file >= 0 && create ? posix_fallocate(file, 0, sizeof(ControlBlock)) : 0;
    if (noRoom != 0) {
        errno = noRoom;
    } else if (file >= 0) {
        memory = mmap(nullptr, sizeof(ControlBlock), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    }
    if (memory == MAP_FAILED) {
        error = path + ": " + std::strerror(errno);
    }
    if (file >= 0) {
        close(file);
    }
    if (memory == MAP_FAILED) {
        return nullptr;
    }
    return create ? new (memory) ControlBlock : static_cast<ControlBlock*>(memory);
}

}  // namespace warpline::record
