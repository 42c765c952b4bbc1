// SPDX-License-Identifier: MIT
#pragma once
// Whether the side that records still lives: it holds a lock for as long.

#include <string>

#include "core/record/inject/own_file.h"

namespace warpline::record {

/// One thread at a time.
class AgentLock {
public:
    /// `folder`: of the recording.
    explicit AgentLock(const std::string& folder);

    /// It has ended, or been killed.
    bool isGone();
    void close() { m_file.close(); }

private:
    OwnFile m_file;
};

}  // namespace warpline::record
