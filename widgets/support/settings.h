// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the window remembers between runs, and under which keys: all of them stand here. GUI thread only.

#include <QSettings>
#include <QString>

namespace warpline::settings {

inline constexpr auto kTheme = "window/theme";                      ///< "system", "light", "dark"
inline constexpr auto kGeometry = "window/geometry";                ///< QWidget::saveGeometry()
inline constexpr auto kLayout = "window/layout";                    ///< QMainWindow::saveState() of the docks
inline constexpr auto kRightWidth = "window/right_width";           ///< of the right column of docks, logical pixels
inline constexpr auto kRecentFiles = "files/recent";                ///< paths, latest first
inline constexpr auto kLastFolder = "files/last_folder";            ///< where the open dialog starts
inline constexpr auto kKeepTraces = "files/keep_traces";            ///< bool: large ones, in the cache; true without it
inline constexpr auto kExportFolder = "files/last_export";          ///< where tables were saved last
inline constexpr auto kTimelineClock = "timeline/time_of_day";      ///< bool: the ruler shows the time of day
inline constexpr auto kTimelineSmooth = "timeline/smooth";          ///< bool: a wheel's notch glides; true without it
inline constexpr auto kTimelineFlows = "timeline/flows";            ///< "selection", "all", "none": whose arrows
inline constexpr auto kTimelineHeads = "timeline/head_width";       ///< logical pixels
inline constexpr auto kTimelineDerived = "timeline/derived";        ///< group: which rows are shown, kind -> bool
inline constexpr auto kTimelineCounterLooks = "timeline/counters";  ///< group: name of the counter -> "area,own"
inline constexpr auto kKeyScheme = "keys/scheme";                   ///< schemeId() of key_schemes.h
inline constexpr auto kKeys = "keys/actions";  ///< group: of actions the user has bound, id -> "W +"

inline constexpr auto kRecordPresets = "recording/presets";  ///< group: name -> JSON of a request
inline constexpr auto kRecordLast = "recording/last";        ///< the same, of the latest
inline constexpr auto kRecordHosts = "recording/hosts";      ///< ssh destinations, latest first

inline constexpr auto kPlacements = "files/placements";  ///< group: of files open together, path -> "1.5ms"
inline constexpr auto kLimitArgsDepth = "limits/args_depth";
inline constexpr auto kLimitEventBytes = "limits/event_bytes";
inline constexpr auto kLimitPipedBytes = "limits/piped_bytes";
inline constexpr auto kLimitTraceBytes = "limits/trace_bytes";
inline constexpr auto kLimitThreads = "limits/threads";

/// A table's own: "tables/op_table/<what>".
QString tableKey(const QString& panelId, const char* what);
inline constexpr auto kShownColumns = "shown";    ///< ids that the user switched on
inline constexpr auto kHiddenColumns = "hidden";  ///< ids that the user switched off
inline constexpr auto kColumnWidths = "widths";   ///< map id -> pixels
inline constexpr auto kSortColumn = "sort";       ///< id; "-id" is descending
inline constexpr auto kGroupBy = "group_by";

/// The user's settings; or, after useTemporary(), ones that start empty and are gone at the end.
QSettings& store();
/// Where larger things than settings are kept, one file each; maybe not there yet.
QString dataFolder();
/// For pictures and tests, which must not depend on the user. REQUIRES: called before store().
void useTemporary();

}  // namespace warpline::settings
