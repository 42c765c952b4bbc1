// SPDX-License-Identifier: MIT
#pragma once
// That we have locked a GPU's clocks is noted in a file, since the driver does not tell of locks. Any user may read the
// notes. They hold until the machine is started anew, as the locks do.

#include <cstdint>
#include <optional>
#include <string>

#include "core/base/result.h"

namespace warpline::record {

struct ClockNote {
    uint32_t smMhz = 0;
    std::optional<uint32_t> memoryMhz;  ///< none: not locked
    int64_t sinceSeconds = 0;           ///< of the epoch
};

/// The reason code of Errors that say that the user may not do this.
inline constexpr const char* kNeedsRoot = "needs_root";

class ClockNotes {
public:
    /// The folder named by WARPLINE_STATE, else /run/warpline.
    ClockNotes();
    /// `boot` is a text that every start of the machine has anew.
    ClockNotes(std::string folder, std::string boot) : m_folder(std::move(folder)), m_boot(std::move(boot)) {}

    std::optional<ClockNote> find(const std::string& uuid) const;
    /// Fails with kNeedsRoot where the user may not write.
    Status write(const std::string& uuid, const ClockNote& note) const;
    Status remove(const std::string& uuid) const;
    const std::string& folder() const { return m_folder; }

private:
    std::string pathOf(const std::string& uuid) const;

    std::string m_folder;
    std::string m_boot;
};

}  // namespace warpline::record
