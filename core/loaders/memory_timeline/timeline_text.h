// SPDX-License-Identifier: MIT
#pragma once
// Reads the text of a memory timeline in one pass: which of the two forms it is, and its numbers, row by row.

#include "core/loaders/memory_timeline/timeline_rows.h"
#include "core/loaders/text_chars.h"

namespace warpline::loaders::memory_timeline {

enum class TimelineForm {
    Unknown,  ///< neither: no memory timeline
    Columns,  ///< [[time, …], [[bytes, …], …]]
    Raw,      ///< [[time, action, bytes, category], …]
};

struct TimelineText {
    TimelineForm form = TimelineForm::Unknown;
    bool endedEarly = false;  ///< cut off or broken, which is reported
};

/// Feeds `rows` and finishes it. Where the text ends too early or stops being JSON, what stands before is kept. Look at
/// chars.status() afterwards.
TimelineText readTimeline(TextChars& chars, TimelineRows& rows);

}  // namespace warpline::loaders::memory_timeline
