// SPDX-License-Identifier: MIT
#include "core/record/options/record_folder.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <new>

namespace warpline::record {

ControlBlock* mapControl(const std::string& folder, bool create, std::string& error) {
    const std::string path = folder + "/" + kControlFile;
    const int file = open(path.c_str(), O_RDWR | O_CLOEXEC | (create ? O_CREAT | O_EXCL : 0), 0600);
    void* memory = MAP_FAILED;
    if (file >= 0 && (!create || ftruncate(file, sizeof(ControlBlock)) == 0)) {
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
