// SPDX-License-Identifier: MIT
#include "core/record/inject/agent_lock.h"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>

#include "core/record/options/record_folder.h"

namespace warpline::record {

AgentLock::AgentLock(const std::string& folder) : m_file(folder + "/" + kAgentLockFile, O_RDONLY) {}

bool AgentLock::isGone() {
    // It is made and locked before any program is started, and removed with its folder at the end.
    const int file = m_file.get();
    return file < 0 ? errno == ENOENT : flock(file, LOCK_SH | LOCK_NB) == 0;
}

}  // namespace warpline::record
