// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Words of a session file that who writes it and who reads it share.

#include <utility>

#include "widgets/support/selection.h"
#include "widgets/support/track_arrangement.h"

namespace warpline {

/// The key that tells a session file, and its value.
inline constexpr auto kSessionMark = "warpline_session";
inline constexpr int kSessionVersion = 1;

inline constexpr std::pair<SectionRef::Kind, const char*> kSectionWords[] = {{SectionRef::Kind::Process, "process"},
                                                                             {SectionRef::Kind::Track, "track"},
                                                                             {SectionRef::Kind::Async, "async"},
                                                                             {SectionRef::Kind::Counter, "counter"},
                                                                             {SectionRef::Kind::Derived, "derived"}};

inline constexpr std::pair<Selection::Kind, const char*> kEventWords[] = {
    {Selection::Kind::Slice, "slice"},
    {Selection::Kind::AsyncSlice, "async_slice"},
    {Selection::Kind::AsyncInstant, "async_instant"},
    {Selection::Kind::Instant, "instant"},
    {Selection::Kind::CounterSample, "counter"}};

}  // namespace warpline
