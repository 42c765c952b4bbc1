// SPDX-License-Identifier: MIT
#pragma once
// Which of a machine's libcupti copies a recording uses, where the recorded program does not bring one of its own.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/record/doctor/system_view.h"

namespace warpline::record {

struct CuptiCandidate {
    std::string name;   ///< as it is opened
    std::string place;  ///< where it was looked for, in words
    LibraryProbe probe;
    std::string refused;       ///< why it cannot be used; "": it can
    bool mustBeNamed = false;  ///< a recorded process does not look there: WARPLINE_CUPTI has to name it
};

struct CuptiChoice {
    std::optional<CuptiCandidate> chosen;
    std::vector<CuptiCandidate> refused;  ///< those that were met before it
};

/// The first that can be used of: the one that WARPLINE_CUPTI names, and then no other; those beside a libcudart that
/// the loader finds; libcupti.so.<major version of the driver> as the loader finds it; those in the folders of
/// toolkits. Refused are those below 11.8, and those of a newer generation than the driver. `driverCuda` is 13000
/// for 13.0.
CuptiChoice chooseCupti(const SystemView& system, std::optional<uint32_t> driverCuda);

/// The toolkit that a libcupti of that API version belongs to, as 11080 for 11.8; 0: older than that.
uint32_t cudaOfCupti(uint32_t apiVersion);
/// "13.0"
std::string cudaVersionText(uint32_t cuda);

}  // namespace warpline::record
