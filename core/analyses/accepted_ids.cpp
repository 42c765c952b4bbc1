// SPDX-License-Identifier: MIT
#include "core/analyses/accepted_ids.h"

namespace warpline {

std::vector<uint8_t> acceptedTracks(const Trace& trace, std::span<const TrackId> tracks) {
    std::vector<uint8_t> accepted;
    if (!tracks.empty()) {
        accepted.assign(trace.tracks().size(), 0);
        for (const TrackId track : tracks) {
            if (track.value < accepted.size()) {
                accepted[track.value] = 1;
            }
        }
    }
    return accepted;
}

std::vector<uint8_t> acceptedCategories(const Trace& trace, std::span<const std::string> categories) {
    std::vector<uint8_t> accepted;
    if (!categories.empty()) {
        accepted.assign(trace.stringCount(), 0);
        for (const std::string& category : categories) {
            if (const auto id = trace.findString(category)) {
                accepted[id->value] = 1;
            }
        }
    }
    return accepted;
}

}  // namespace warpline
