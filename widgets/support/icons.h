// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The window's icons, drawn as strokes in the look's colours at any size: no image files, sharp at any scaling. They
// follow a change of the look by themselves.

#include <QIcon>

namespace warpline {

enum class Icon {
    App,
    Open,
    Close,
    Search,
    Regex,
    Filter,
    Previous,
    Next,
    Copy,
    Export,
    Columns,
    Info,
    Warning,
    DataLoss,
    Error,
    Good,
    File,
    Timeline,
    Table,
    Cursor,
    Remove,
    Busy,
};

QIcon icon(Icon which);

}  // namespace warpline
