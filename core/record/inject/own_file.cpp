// SPDX-License-Identifier: MIT
#include "core/record/inject/own_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace warpline::record {

namespace {

/// The low numbers are the program's: it may count on getting the next one.
int movedUp(int descriptor) {
    for (const int least : {1000, 200, 50}) {
        const int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, least);
        if (moved >= 0) {
            ::close(descriptor);
            return moved;
        }
    }
    return descriptor;
}

}  // namespace

OwnFile::OwnFile(std::string path, int flags, mode_t mode)
    : m_path(std::move(path)), m_flags(flags & ~(O_CREAT | O_EXCL | O_TRUNC)) {
    open(flags, mode);
}

OwnFile::OwnFile(OwnFile&& other) noexcept {
    *this = std::move(other);
}

OwnFile& OwnFile::operator=(OwnFile&& other) noexcept {
    if (this != &other) {
        close();
        m_path = std::move(other.m_path);
        m_flags = other.m_flags;
        m_descriptor = std::exchange(other.m_descriptor, -1);
        m_isKnown = other.m_isKnown;
        m_device = other.m_device;
        m_node = other.m_node;
    }
    return *this;
}

void OwnFile::open(int flags, mode_t mode) {
    m_descriptor = ::open(m_path.c_str(), flags | O_CLOEXEC, mode);
    if (m_descriptor < 0) {
        return;
    }
    m_descriptor = movedUp(m_descriptor);
    struct stat facts {};
    if (!m_isKnown && fstat(m_descriptor, &facts) == 0) {
        m_isKnown = true;
        m_device = facts.st_dev;
        m_node = facts.st_ino;
    }
}

bool OwnFile::isStillOurs() const {
    struct stat facts {};
    return m_descriptor >= 0 && m_isKnown && fstat(m_descriptor, &facts) == 0 && facts.st_dev == m_device &&
           facts.st_ino == m_node;
}

int OwnFile::get() {
    if (isStillOurs()) {
        return m_descriptor;
    }
    m_descriptor = -1;  // whatever has that number now
    open(m_flags, 0);
    if (m_descriptor >= 0 && !isStillOurs()) {
        ::close(std::exchange(m_descriptor, -1));
        errno = ENOENT;
    }
    return m_descriptor;
}

void OwnFile::close() {
    if (isStillOurs()) {
        ::close(m_descriptor);
    }
    m_descriptor = -1;
}

}  // namespace warpline::record
