// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What every text of the area panel is made with. GUI thread.

#include <QCoreApplication>
#include <QString>

#include "core/base/time.h"
#include "core/base/units.h"
#include "widgets/support/cell_text.h"

namespace warpline::area {

inline QString tr(const char* text) {
    return QCoreApplication::translate("AreaPanel", text);
}

inline QString duration(DurationNs ns) {
    return fromUtf8(formatDuration(ns));
}

}  // namespace warpline::area
