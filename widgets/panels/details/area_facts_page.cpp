// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/details/area_facts_page.h"

#include <QCoreApplication>

#include <algorithm>

#include "widgets/panels/details/fact_text.h"
#include "widgets/support/cell_text.h"

namespace warpline {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("DetailsPanel", text);
}

/// Rows of a lane do not overlap, so their ends ascend as their begins do.
void sumLane(const SliceColumns& slices, const Lane& lane, TimeRange range,
             std::array<KindSum, kEventKindCount>& sums) {
    const uint32_t last = lane.firstRow + lane.count;
    uint32_t first = lane.firstRow;
    uint32_t rest = lane.count;
    while (rest > 0) {
        const uint32_t half = rest / 2;
        const uint32_t middle = first + half;
        if (slices.end(middle) < range.begin) {
            first = middle + 1;
            rest -= half + 1;
        } else {
            rest = half;
        }
    }
    for (uint32_t row = first; row < last && slices.begin[row] < range.end; ++row) {
        const bool touches = slices.end(row) > range.begin || slices.begin[row] >= range.begin;
        if (!touches) {
            continue;
        }
        KindSum& sum = sums[static_cast<size_t>(slices.kind[row])];
        ++sum.count;
        if ((slices.flags[row] & kSliceNoEnd) == 0) {
            sum.insideNs += TimeRange{slices.begin[row], slices.end(row)}.intersected(range).length();
        }
    }
}

}  // namespace

Result<std::array<KindSum, kEventKindCount>> sumArea(const Trace& trace, const AreaSelection& area, JobControl& job) {
    std::array<KindSum, kEventKindCount> sums;
    const auto tracks = trace.tracks();
    for (uint32_t id = 0; id < tracks.size(); ++id) {
        const bool chosen =
            area.tracks.empty() || std::find(area.tracks.begin(), area.tracks.end(), TrackId(id)) != area.tracks.end();
        if (!chosen) {
            continue;
        }
        for (const Lane& lane : trace.lanes().subspan(tracks[id].firstLane, tracks[id].laneCount)) {
            if (job.stopRequested()) {
                return Error::cancelled();
            }
            sumLane(trace.slices(), lane, area.range, sums);
        }
    }
    return sums;
}

Result<std::shared_ptr<const FactTree>> areaFacts(const Trace& trace, const AreaSelection& area, JobControl& job) {
    auto sums = sumArea(trace, area, job);
    if (!sums.ok()) {
        return sums.error();
    }
    auto tree = std::make_shared<FactTree>();
    tree->title = tr("Selected area");
    tree->subtitle = area.tracks.empty()       ? tr("all tracks")
                     : area.tracks.size() == 1 ? facts::trackPath(trace, area.tracks.front())
                                               : tr("%1 tracks").arg(area.tracks.size());
    Fact& time = tree->root.addSection(tr("Time"));
    time.add(tr("From"), facts::sinceStart(trace, area.range.begin), facts::exactNs(area.range.begin));
    time.add(tr("To"), facts::sinceStart(trace, area.range.end), facts::exactNs(area.range.end));
    time.add(tr("Length"), facts::duration(area.range.length()), facts::exactNs(area.range.length()));
    Fact& kinds = tree->root.addSection(tr("Slices that touch it"));
    uint64_t total = 0;
    for (int kind = 0; kind < kEventKindCount; ++kind) {
        const KindSum& sum = sums.value()[static_cast<size_t>(kind)];
        total += sum.count;
        if (sum.count > 0) {
            kinds.add(facts::kindTitle(static_cast<EventKind>(kind)),
                      QStringLiteral("%1  \u00b7  %2").arg(facts::count(sum.count), facts::duration(sum.insideNs)),
                      tr("How many, and the part of their time inside the area (nested ones count each): %1")
                          .arg(facts::exactNs(sum.insideNs)));
        }
    }
    kinds.add(tr("All"), facts::count(total));
    return std::shared_ptr<const FactTree>(std::move(tree));
}

}  // namespace warpline
