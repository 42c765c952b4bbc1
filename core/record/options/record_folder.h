// SPDX-License-Identifier: MIT
#pragma once
// The folder through which the side that records (the agent) and the processes that are recorded meet. The agent makes
// it, writes the options, holds the lock while it lives, and says in the control block what is to happen; each process
// makes one capture in it. So a reader that is gone blocks nobody, and what was written outlives whoever wrote it.

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

namespace warpline::record {

/// Names the folder to the processes.
inline constexpr const char* kFolderVariable = "WARPLINE_RECORD_FOLDER";
inline constexpr const char* kOptionsFile = "options";
inline constexpr const char* kControlFile = "control";
/// Locked (flock) by the agent while it lives.
inline constexpr const char* kAgentLockFile = "agent";
inline constexpr const char* kCaptureEnding = ".wcap";

enum class ControlState : uint32_t {
    Record = 0,
    Pause = 1,
    Stop = 2,  ///< the recording ends; the program goes on
};

/// The content of the control file, mapped by all sides.
struct ControlBlock {
    std::atomic<uint32_t> state{0};  ///< ControlState
    std::atomic<uint32_t> firstProcess{0};
    std::atomic<int32_t> writeError{0};  ///< errno of a process that could not write its capture; 0: there was none
    uint8_t reserved[4084] = {};
};
static_assert(sizeof(ControlBlock) == 4096 && std::atomic<uint32_t>::is_always_lock_free);

/// All that is in a file; nullopt: it cannot be read. No program that is started meanwhile inherits it.
std::optional<std::string> readSmallFile(const std::string& path);

/// Maps the control file, for writing too. nullptr: it cannot be, and `error` says why. Never unmapped: threads of a
/// process that ends may still look at it.
ControlBlock* mapControl(const std::string& folder, bool create, std::string& error);

}  // namespace warpline::record
