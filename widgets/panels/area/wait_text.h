// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the host waited for in an area, in words. Pure.

#include <QString>

#include "core/analyses/wait_summary.h"

namespace warpline::area {

/// How many groups of waits are told; the rest is summed up.
inline constexpr size_t kNamedWaits = 6;

/// Rich text, a line a group; what can be shown in the timeline is a link, see waitPlaceOf(). Unknown, with the reason,
/// where the trace has no calls that would tell; "" if it has no device work either (`hasDevices`), as nothing could
/// be waited for.
QString waitText(const Trace& trace, const WaitSummary& waits, bool hasDevices);

/// "cudaStreamSynchronize for Memcpy DtoH": what a group is called.
QString waitTitle(const Trace& trace, const WaitSum& group);

/// What a link of waitText() stands for: the longest call of a group, or its next one. None if it is no such link.
struct WaitPlace {
    const WaitSum* group = nullptr;
    bool isLongest = false;
};
WaitPlace waitPlaceOf(const QString& link, const WaitSummary& waits);

}  // namespace warpline::area
