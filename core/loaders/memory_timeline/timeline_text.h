// SPDX-License-Identifier: MIT
#pragma once
// Reads the text of a memory timeline in one pass: which of the two forms it is, and its numbers, row by row. Behind
// damage it goes on with the next number or row.

#include <cstdint>
#include <optional>

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
    bool endedEarly = false;                 ///< cut off, which is reported
    std::optional<uint64_t> damageOffset{};  ///< first place that is no JSON; what it costs is reported
};

/// Feeds `rows` and finishes it. Of the text no more is held than the list of times, which counts in the builder's
/// limit. Where the text ends too early, what stands before is kept. Look at chars.status() afterwards.
TimelineText readTimeline(TextChars& chars, TimelineRows& rows);

}  // namespace warpline::loaders::memory_timeline
