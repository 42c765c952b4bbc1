// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the settings say about loading. GUI thread only.

#include <QMap>
#include <QString>
#include <QStringList>

#include "core/loaders/load_trace.h"

namespace warpline::settings {

/// The bounds within which limits can be set, in the units in which the user sets them.
inline constexpr int kDeepestArgs = 4096;
inline constexpr int kLongestEventMiB = 2048;
inline constexpr int kMostPipedGiB = 1024;
inline constexpr int kMostTraceGiB = 1 << 20;
inline constexpr int kMostThreads = 1024;

/// The built-in limits where nothing, or nothing sensible, is set.
LoadOptions loadOptions();
void setLoadOptions(const LoadOptions& options);

/// How files that are open together were placed by hand: offset (see FileOffsets) by path. Remembered for each set of
/// files in its order, because the first is the axis.
using Placement = QMap<QString, DurationNs>;
Placement placementOf(const QStringList& paths);
void setPlacement(const QStringList& paths, const Placement& placement);

}  // namespace warpline::settings
