// SPDX-License-Identifier: MIT
#pragma once
// Locks the clocks of a GPU and lets them go again, by the system's nvidia-smi, so that times can be compared. Only
// ever done when the user has asked for it in so many words.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/record/clocks/clock_notes.h"
#include "core/record/nvml/nvml_snapshot.h"

namespace warpline::record {

/// What the user has named; the rest is chosen.
struct ClockWish {
    std::optional<uint32_t> smMhz;
    std::optional<uint32_t> memoryMhz;
};

struct ClockChoice {
    uint32_t smMhz = 0;
    std::optional<uint32_t> memoryMhz;  ///< none: it is left as it is
    std::string why;                    ///< a sentence for the user
};

/// Without a wish: the default application clock, which the device can keep up under load, else its highest clock. A
/// clock that is wished for but cannot be set becomes the nearest that can; one out of range is an Error
/// ("out_of_range"). Pure.
Result<ClockChoice> chooseClocks(const DeviceIdentity& device, const Reading<std::vector<uint32_t>>& supportedSmMhz,
                                 const Reading<std::vector<uint32_t>>& supportedMemoryMhz, const ClockWish& wish);

/// nvidia-smi: the path in WARPLINE_NVIDIA_SMI, else by PATH.
std::string nvidiaSmiProgram();

/// Locks and notes it. Without permission an Error with kNeedsRoot; nothing is changed then.
Status lockClocks(const std::string& nvidiaSmi, const ClockNotes& notes, const std::string& uuid,
                  const ClockChoice& choice, int64_t nowSeconds);
/// Lets them go, whoever has locked them, and removes the note.
Status resetClocks(const std::string& nvidiaSmi, const ClockNotes& notes, const std::string& uuid);

/// "locked by warpline at 1830 MHz since 2026-05-17 08:15:00 UTC", "not locked by warpline"; it says so if the clock
/// now shows that the lock is gone. Pure.
std::string clockLockText(const std::optional<ClockNote>& note, const Reading<uint32_t>& smClockMhz);

}  // namespace warpline::record
