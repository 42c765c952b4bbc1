// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The application's style sheet: what Fusion and the palette leave plain. Pure.
//
// Widgets ask for a look by dynamic properties: a QPushButton with "primary" true is the one to press, "flat" true has
// no frame until it is pointed at; a QLabel with "role" is "title", "heading", "signature", "muted", "error" or
// "badge"; a QFrame with "role" "card" is a raised box, "bar" a strip with a line below, "footer" a strip with a line
// above.

#include <QString>

namespace warpline {

struct Theme;

QString styleSheetOf(const Theme& theme);

}  // namespace warpline
