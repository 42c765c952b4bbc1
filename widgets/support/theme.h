// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Every colour of the window in one place, for a light and a dark look. Widgets ask theme() when they paint; when the
// look changes the application's palette does too, so each widget gets QEvent::PaletteChange and repaints.
// GUI thread only.

#include <QColor>
#include <QFont>
#include <QString>

#include <array>
#include <string_view>

#include "core/trace/event_kind.h"

class QPalette;

namespace warpline {

struct Theme {
    bool dark = false;

    // surfaces, from back to front
    QColor window;     ///< around and between panels
    QColor surface;    ///< where data is shown
    QColor alternate;  ///< every other row or lane of it
    QColor raised;     ///< headers, tool bars, buttons
    QColor hovered;    ///< a row or button under the pointer
    QColor border;     ///< hair lines between surfaces
    QColor overlay;    ///< tooltips and sheets that float above

    // writing; each reads at 4.5:1 or better on every surface above
    QColor text;
    QColor mutedText;     ///< labels, units, what is not known
    QColor disabledText;  ///< 3:1
    QColor link;

    // meaning
    QColor accent;      ///< focus, the main button, progress
    QColor accentText;  ///< on accent
    QColor selection;   ///< background of a selected row; text stays `text`
    QColor bar;         ///< share bars behind numbers
    QColor info, warning, error, good;

    // timeline
    QColor grid;  ///< vertical time lines
    QColor rulerText;
    QColor selectedOutline;  ///< around the selected slice
    QColor hoverOutline;
    QColor highlight;                 ///< marks the instances of a table row
    QColor dimmed;                    ///< slices that are not highlighted while others are
    QColor arrow;                     ///< launch -> kernel
    QColor arrowBackward, arrowFlow;  ///< forward -> backward op; any other
    QColor areaFill;                  ///< translucent
    QColor areaEdge;
    QColor counterLine, counterFill;
    /// Slices are coloured by name; each carries `sliceText` at 4.5:1.
    std::array<QColor, 16> slices;
    QColor sliceText;

    /// The colour of a kind (legends, badges), readable as a mark on `surface`.
    QColor kind(EventKind kind) const;
    /// The same text always gives the same colour.
    const QColor& slice(std::string_view name) const;
};

/// What the user asked for.
enum class ThemeChoice { System, Light, Dark };

const Theme& lightTheme();
const Theme& darkTheme();
/// The one in use.
const Theme& theme();

/// Makes the application look so: Fusion style, palette, style sheet, fonts. `System` follows the desktop's palette as
/// it was before the first call, and its changes from then on.
void applyTheme(ThemeChoice choice);
ThemeChoice themeChoice();
QPalette paletteOf(const Theme& theme);

/// The window's font with digits of equal width, for numbers in columns.
QFont tabularFont();
/// For code-like text: kernel names, args.
QFont monospaceFont();

}  // namespace warpline
