// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/support/track_arrangement.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace warpline {

namespace {

using Set = std::unordered_set<SectionRef, SectionRefHash>;

Set setOf(const std::vector<SectionRef>& refs) {
    return {refs.begin(), refs.end()};
}

}  // namespace

size_t SectionRefHash::operator()(const SectionRef& ref) const noexcept {
    const uint64_t ids =
        (uint64_t{ref.process.value} << 32) ^ (uint64_t{ref.track.value} << 3) ^ static_cast<uint64_t>(ref.kind);
    // Neighbours' ids differ in few bits.
    const uint64_t spread = ids * 0x9e3779b97f4a7c15ULL;
    return static_cast<size_t>(spread ^ (spread >> 32)) ^ std::hash<std::string>()(ref.title);
}

TrackArrangement withPinned(TrackArrangement arrangement, const std::vector<SectionRef>& refs,
                            const std::optional<SectionRef>& before) {
    const Set moved = setOf(refs);
    std::vector<SectionRef> pinned;
    bool isPlaced = false;
    for (SectionRef& ref : arrangement.pinned) {
        if (before == ref && !isPlaced) {
            pinned.insert(pinned.end(), refs.begin(), refs.end());
            isPlaced = true;
        }
        if (!moved.contains(ref)) {
            pinned.push_back(std::move(ref));
        }
    }
    if (!isPlaced) {
        pinned.insert(pinned.end(), refs.begin(), refs.end());
    }
    arrangement.pinned = std::move(pinned);
    return arrangement;
}

TrackArrangement withoutPinned(TrackArrangement arrangement, const std::vector<SectionRef>& refs) {
    const Set gone = setOf(refs);
    std::erase_if(arrangement.pinned, [&](const SectionRef& ref) { return gone.contains(ref); });
    return arrangement;
}

TrackArrangement withHidden(TrackArrangement arrangement, const std::vector<SectionRef>& refs) {
    Set known = setOf(arrangement.hidden);
    for (const SectionRef& ref : refs) {
        if (known.insert(ref).second) {
            arrangement.hidden.push_back(ref);
        }
    }
    return arrangement;
}

TrackArrangement withShown(TrackArrangement arrangement, const SectionRef& ref) {
    std::erase_if(arrangement.hidden, [&](const SectionRef& hidden) {
        return hidden == ref || hidden == SectionRef::ofProcess(ref.process);
    });
    return arrangement;
}

TrackArrangement withHeights(TrackArrangement arrangement, const std::vector<SectionHeight>& heights) {
    // The last word on each counts.
    std::unordered_map<SectionRef, size_t, SectionRefHash> wanted;
    for (size_t i = 0; i < heights.size(); ++i) {
        wanted[heights[i].first] = i;
    }
    std::vector<char> isKnown(heights.size(), 0);
    std::erase_if(arrangement.heights, [&](auto& entry) {
        const auto found = wanted.find(entry.first);
        if (found == wanted.end()) {
            return false;
        }
        const std::optional<int>& pixels = heights[found->second].second;
        entry.second = pixels.value_or(entry.second);
        isKnown[found->second] = 1;
        return !pixels.has_value();
    });
    for (size_t i = 0; i < heights.size(); ++i) {
        const auto& [ref, pixels] = heights[i];
        if (pixels && isKnown[i] == 0 && wanted[ref] == i) {
            arrangement.heights.emplace_back(ref, *pixels);
        }
    }
    return arrangement;
}

TrackArrangement withHeight(TrackArrangement arrangement, const SectionRef& ref, std::optional<int> pixels) {
    return withHeights(std::move(arrangement), {{ref, pixels}});
}

}  // namespace warpline
