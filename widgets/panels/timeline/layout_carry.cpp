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
    const auto byTitle = [&carry](const auto& fromList, const std::vector<char>& from, const auto& toList,
                                  std::vector<char>& to) {
        std::map<std::pair<ProcessId, std::string>, char> collapsed;
        for (size_t i = 0; i < std::min(from.size(), fromList.size()); ++i) {
            collapsed[{carry.process(fromList[i].process), fromList[i].title}] = from[i];
        }
        for (size_t i = 0; i < std::min(to.size(), toList.size()); ++i) {
            const auto found = collapsed.find({toList[i].process, toList[i].title});
            to[i] = found == collapsed.end() ? to[i] : found->second;
        }
    };
    byTitle(before.model.asyncGroups, before.state.asyncCollapsed, model.asyncGroups, fresh.asyncCollapsed);
    byTitle(before.model.counters, before.state.counterCollapsed, model.counters, fresh.counterCollapsed);
    fresh.derivedCollapsed.resize(model.derived.size());
    byTitle(before.model.derived, before.state.derivedCollapsed, model.derived, fresh.derivedCollapsed);
    return fresh;
}

}  // namespace warpline::timeline
