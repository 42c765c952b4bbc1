// SPDX-License-Identifier: MIT
#pragma once
// A file that is held open in somebody else's process. Programs close descriptors that are not theirs, and open others
// under the same number: what is ours is known by what lies behind it, never by its number alone.

#include <sys/types.h>

#include <string>

namespace warpline::record {

/// One thread.
class OwnFile {
public:
    OwnFile() = default;
    /// `flags` as of open(), close-on-exec added. Not open: errno says why.
    OwnFile(std::string path, int flags, mode_t mode = 0);
    OwnFile(OwnFile&& other) noexcept;
    OwnFile& operator=(OwnFile&& other) noexcept;
    ~OwnFile() { close(); }

    bool isOpen() const { return m_descriptor >= 0; }
    /// The descriptor, opened again if the program has closed it; -1, and errno says why: it could not be.
    int get();
    void close();

private:
    bool isStillOurs() const;
    void open(int flags, mode_t mode);

    std::string m_path;
    int m_flags = 0;
    int m_descriptor = -1;
    bool m_isKnown = false;  ///< what these say
    dev_t m_device = 0;
    ino_t m_node = 0;
};

}  // namespace warpline::record
