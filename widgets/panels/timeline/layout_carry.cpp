// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/timeline/layout_carry.h"

#include <algorithm>
#include <map>
#include <utility>

#include "widgets/support/carry_over.h"

namespace warpline::timeline {

LayoutState carriedLayout(const LaidOut& before, const Trace& trace, const TimelineModel& model, LayoutState fresh) {
    const CarryOver carry(before.trace, trace);
    for (size_t i = 0; i < std::min(before.state.processCollapsed.size(), before.trace.processes().size()); ++i) {
        if (const ProcessId found = carry.process(ProcessId(i)); found.value < fresh.processCollapsed.size()) {
            fresh.processCollapsed[found.value] = before.state.processCollapsed[i];
        }
    }
    for (size_t i = 0; i < std::min(before.state.tracks.size(), before.trace.tracks().size()); ++i) {
        if (const TrackId found = carry.track(TrackId(i)); found.value < fresh.tracks.size()) {
            fresh.tracks[found.value] = before.state.tracks[i];
        }
    }
    std::map<std::pair<ProcessId, std::string>, char> collapsed;
    for (size_t i = 0; i < std::min(before.state.asyncCollapsed.size(), before.model.asyncGroups.size()); ++i) {
        const AsyncGroup& group = before.model.asyncGroups[i];
        collapsed[{carry.process(group.process), group.title}] = before.state.asyncCollapsed[i];
    }
    for (size_t i = 0; i < std::min(fresh.asyncCollapsed.size(), model.asyncGroups.size()); ++i) {
        const auto found = collapsed.find({model.asyncGroups[i].process, model.asyncGroups[i].title});
        fresh.asyncCollapsed[i] = found == collapsed.end() ? fresh.asyncCollapsed[i] : found->second;
    }
    std::map<std::pair<ProcessId, std::string>, char> derived;
    for (size_t i = 0; i < std::min(before.state.derivedCollapsed.size(), before.model.derived.size()); ++i) {
        const DerivedRow& row = before.model.derived[i];
        derived[{carry.process(row.process), row.title}] = before.state.derivedCollapsed[i];
    }
    fresh.derivedCollapsed.clear();
    for (const DerivedRow& row : model.derived) {
        const auto found = derived.find({row.process, row.title});
        fresh.derivedCollapsed.push_back(found == derived.end() ? static_cast<char>(0) : found->second);
    }
    return fresh;
}

}  // namespace warpline::timeline
