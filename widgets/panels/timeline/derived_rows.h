// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Which rows the timeline derives for the devices of a trace, beyond what the file has: decided from a few facts of the
// trace, so that they have their places before their values are computed. Pure; any thread.

#include <QString>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/job_control.h"
#include "core/trace/trace.h"

namespace warpline::timeline {

enum class DerivedKind : uint8_t { Busy, Streams, Queue, Copies, Memory, Annotations };
inline constexpr std::array kDerivedKinds = {DerivedKind::Busy,   DerivedKind::Streams, DerivedKind::Queue,
                                             DerivedKind::Copies, DerivedKind::Memory,  DerivedKind::Annotations};

/// A set of kinds.
using DerivedKinds = uint8_t;
constexpr DerivedKinds bitOf(DerivedKind kind) {
    return static_cast<DerivedKinds>(1U << static_cast<unsigned>(kind));
}

/// Whose memory it is; as in MemoryLevels.
struct MemoryOwner {
    FileId file;
    ProcessId host;
    int64_t rawDeviceType = 0;
    int64_t device = -1;
    bool operator==(const MemoryOwner&) const = default;
};

struct DerivedRow {
    ProcessId process;  ///< under which it stands: the device's, or the host's for memory of a device without work
    DerivedKind kind = DerivedKind::Busy;
    MemoryOwner memory;  ///< of Memory
    std::string title;   ///< no other of the process has it
};

/// By process, then kind. Annotations are listed for each device, whether or not there will be some to show.
/// Cost: tracks, and memory events once. Cut short when stopped.
std::vector<DerivedRow> derivedRows(const Trace& trace, const JobControl* job = nullptr);

/// What is shown as long as the user has not said: what leaves room for the
/// streams; of many devices the busy time alone.
DerivedKinds kindsAtFirst(const std::vector<DerivedRow>& rows);

/// "derived_busy": the part after the dot in the action's id, and the name in the settings.
const char* nameOf(DerivedKind kind);
QString titleOf(DerivedKind kind);
/// What is counted, in which unit, from which events.
QString definitionOf(DerivedKind kind);
/// Why a trace without such rows has none.
QString absenceOf(DerivedKind kind);

}  // namespace warpline::timeline
