// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// How the user has arranged the tracks of the timeline: which stay at the top, which are left out, in which order, how
// high, and which are folded. Values that a Session holds. Tracks are named by what they are and not by their place, so
// that it holds for another load of the same files. Pure; any thread.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/ids.h"

namespace warpline {

/// What one section of the timeline shows.
struct SectionRef {
    enum class Kind : uint8_t { Process, Track, Async, Counter, Derived };
    Kind kind = Kind::Track;
    ProcessId process;
    TrackId track;      ///< of a Track; else none
    std::string title;  ///< of async work, a counter or a derived row: its own within the process; else empty
    bool operator==(const SectionRef&) const = default;

    static SectionRef ofProcess(ProcessId id) { return {Kind::Process, id, TrackId::none(), {}}; }
    static SectionRef ofTrack(ProcessId process, TrackId id) { return {Kind::Track, process, id, {}}; }
};

struct SectionRefHash {
    size_t operator()(const SectionRef& ref) const noexcept;
};

struct TrackArrangement {
    std::vector<SectionRef> pinned;  ///< top to bottom; no Process
    std::vector<SectionRef> hidden;  ///< a Process: with all that it holds
    /// Those of one process that are listed stand in this order, before those that are not; processes likewise.
    std::vector<SectionRef> order;
    std::vector<std::pair<SectionRef, int>> heights;  ///< logical pixels: of a counter's row, or of each lane

    bool empty() const { return pinned.empty() && hidden.empty() && order.empty() && heights.empty(); }
    bool operator==(const TrackArrangement&) const = default;
};

/// What is folded once the user has folded or unfolded anything; all else is open.
struct TrackFolding {
    std::vector<SectionRef> collapsed;
    std::vector<SectionRef> compact;  ///< tracks whose interpreter frames are thin strips
    bool operator==(const TrackFolding&) const = default;
};

/// How far down the timeline is scrolled: its first section below the pinned ones, and how much of it lies above.
struct ScrollPlace {
    SectionRef section;
    int pixels = 0;  ///< logical
    bool operator==(const ScrollPlace&) const = default;
};

/// Those of `refs` stand among the pinned in front of `before`, in their order; last without one.
TrackArrangement withPinned(TrackArrangement arrangement, const std::vector<SectionRef>& refs,
                            const std::optional<SectionRef>& before = std::nullopt);
TrackArrangement withoutPinned(TrackArrangement arrangement, const std::vector<SectionRef>& refs);
TrackArrangement withHidden(TrackArrangement arrangement, const std::vector<SectionRef>& refs);
/// Neither `ref` nor its process is hidden any more.
TrackArrangement withShown(TrackArrangement arrangement, const SectionRef& ref);
/// Logical pixels; nullopt: as high as it is by itself.
using SectionHeight = std::pair<SectionRef, std::optional<int>>;
/// Takes time by the heights that are set and those that are given. Of one that is given twice the last counts.
TrackArrangement withHeights(TrackArrangement arrangement, const std::vector<SectionHeight>& heights);
TrackArrangement withHeight(TrackArrangement arrangement, const SectionRef& ref, std::optional<int> pixels);

}  // namespace warpline
