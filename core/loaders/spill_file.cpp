// SPDX-License-Identifier: MIT
#include "core/loaders/spill_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>

namespace warpline {

std::unique_ptr<SpillFile> SpillFile::create() {
    const char* chosen = std::getenv("TMPDIR");
    // Not /tmp: that may be memory.
    const std::string folder = chosen != nullptr && *chosen != '\0' ? chosen : "/var/tmp";
    int descriptor = -1;
#ifdef O_TMPFILE
    descriptor = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
#endif
    if (descriptor < 0) {
        // Not every file system has files without a name.
        std::string path = folder + "/warpline-XXXXXX";
        descriptor = ::mkostemp(path.data(), O_CLOEXEC);
        if (descriptor >= 0) {
            ::unlink(path.c_str());
        }
    }
    return descriptor < 0 ? nullptr : std::unique_ptr<SpillFile>(new SpillFile(descriptor));
}

SpillFile::~SpillFile() {
    ::close(m_descriptor);
}

bool SpillFile::append(std::span<const char> bytes) {
    while (!bytes.empty()) {
        const ssize_t count = ::pwrite(m_descriptor, bytes.data(), bytes.size(), static_cast<off_t>(m_size));
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count <= 0) {
            return false;
        }
        m_size += static_cast<uint64_t>(count);
        bytes = bytes.subspan(static_cast<size_t>(count));
    }
    return true;
}

Result<size_t> SpillFile::readAt(uint64_t offset, std::span<char> buffer) const {
    size_t got = 0;
    while (got < buffer.size()) {
        const ssize_t count =
            ::pread(m_descriptor, buffer.data() + got, buffer.size() - got, static_cast<off_t>(offset + got));
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count < 0) {
            return Error::failed("a temporary file cannot be read");
        }
        if (count == 0) {
            break;
        }
        got += static_cast<size_t>(count);
    }
    return got;
}

}  // namespace warpline
