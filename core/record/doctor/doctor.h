// SPDX-License-Identifier: MIT
#pragma once
// Whether recording works on this machine, and what to do where it does not: a list of checks, each a pure function of
// what the system and the driver tell.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/record/clocks/clock_notes.h"
#include "core/record/doctor/system_view.h"
#include "core/record/gpu_lock/gpu_lock.h"
#include "core/record/nvml/nvml_snapshot.h"

namespace warpline::record {

enum class CheckState {
    Ok,
    Limited,       ///< recording works, with less than there could be
    NotAvailable,  ///< what the check is about does not work here
};

/// "ok", "limited", "not_available": the words of the JSON document.
const char* checkStateName(CheckState state);

struct Check {
    std::string id;     ///< stable
    std::string title;  ///< in the line of text
    CheckState state = CheckState::Ok;
    std::string found;  ///< what is there
    std::string fix;    ///< what to do; "" where there is nothing to be done
};

struct DoctorInput {
    const SystemView& system;
    const NvmlSnapshot& nvml;
    const ClockNotes& notes;
    std::string programFolder;  ///< where this program stands: the library to be injected is looked for beside it
    /// Who records the GPU of a UUID now.
    std::function<std::optional<GpuLockHolder>(const std::string& uuid)> holder;
};

/// All checks, in the order in which they are best mended.
std::vector<Check> runChecks(const DoctorInput& input);

/// The library that is injected into recorded programs, beside the program or where an installation has it;
/// WARPLINE_INJECT overrides. nullopt: this build or installation has none.
std::optional<std::string> injectionLibraryIn(const SystemView& system, const std::string& programFolder);

}  // namespace warpline::record
