// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a slice is, in words. Pure; any thread.

#include <QString>

#include "core/trace/event_kind.h"

namespace warpline {

/// "kernel" -> "Kernel", "cpu_op" -> "CPU op", …
QString kindTitle(EventKind kind);

}  // namespace warpline
