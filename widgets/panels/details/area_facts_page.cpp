// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/details/area_facts_page.h"

#include <QCoreApplication>

#include <algorithm>
#include <optional>
#include <utility>

#include "core/analyses/area_scan.h"
#include "widgets/panels/details/fact_text.h"
#include "widgets/support/cell_text.h"
#include "widgets/support/global_filter.h"

namespace warpline {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("DetailsPanel", text);
}

}  // namespace

Result<std::array<KindSum, kEventKindCount>> sumArea(const Trace& trace, const AreaSelection& area,
                                                     const GlobalFilter& filter, JobControl& job) {
    std::array<KindSum, kEventKindCount> sums;
    if (area.isOfRowsAlone()) {
        return sums;
    }
    TraceFilter own;
    own.range = area.range;
    own.tracks = area.tracks;
    const std::optional<TraceFilter> passing = narrowed(std::move(own), filter);
    if (!passing) {
        return sums;
    }
    const SliceColumns& slices = trace.slices();
    const TimeRange range = *passing->range;
    const bool isWhole = forEachInArea(trace, range, passing->tracks, job, [&](EventRow row) {
        if (isLongEnough(slices.knownDuration(row.value), *passing)) {
            KindSum& sum = sums[static_cast<size_t>(slices.kind[row.value])];
            ++sum.count;
            sum.insideNs += std::max<DurationNs>(0, insideNs(slices, row, range));
        }
    });
    if (!isWhole) {
        return Error::cancelled();
    }
    return sums;
}

Result<std::shared_ptr<const FactTree>> areaFacts(const Trace& trace, const AreaSelection& area,
                                                  const GlobalFilter& filter, JobControl& job) {
    auto sums = sumArea(trace, area, filter, job);
    if (!sums.ok()) {
        return sums.error();
    }
    auto tree = std::make_shared<FactTree>();
    tree->title = tr("Selected area");
    tree->subtitle = area.isOfRowsAlone()      ? area.rows.size() == 1 ? fromUtf8(area.rows.front().title)
                                                                       : tr("%1 rows").arg(area.rows.size())
                          : area.tracks.empty() ? tr("all tracks")
                     : area.tracks.size() == 1 ? facts::trackPath(trace, area.tracks.front())
                                               : tr("%1 tracks").arg(area.tracks.size());
    Fact& time = tree->root.addSection(tr("Time"));
    time.add(tr("From"), facts::sinceStart(trace, area.range.begin), facts::exactNs(area.range.begin))
        .exactly(area.range.begin, "ns");
    time.add(tr("To"), facts::sinceStart(trace, area.range.end), facts::exactNs(area.range.end))
        .exactly(area.range.end, "ns");
    time.add(tr("Length"), facts::duration(area.range.length()), facts::exactNs(area.range.length()))
        .exactly(area.range.length(), "ns");
    if (area.isOfRowsAlone()) {
        // They hold no slices; the area panel tells of them.
        return std::shared_ptr<const FactTree>(std::move(tree));
    }
    Fact& kinds = tree->root.addSection(tr("Slices that touch it"));
    if (!filter.empty()) {
        kinds.add(tr("Filter"), filterText(trace, filter), tr("Only what passes the filter of all panels counts here"));
    }
    uint64_t total = 0;
    for (int kind = 0; kind < kEventKindCount; ++kind) {
        const KindSum& sum = sums.value()[static_cast<size_t>(kind)];
        total += sum.count;
        if (sum.count > 0) {
            kinds
                .add(facts::kindTitle(static_cast<EventKind>(kind)),
                     QStringLiteral("%1  \u00b7  %2").arg(facts::count(sum.count), facts::duration(sum.insideNs)),
                     tr("How many, and the part of their time inside the area (nested ones count each): %1")
                         .arg(facts::exactNs(sum.insideNs)))
                .exactly(sum.insideNs, "ns");
        }
    }
    kinds.add(tr("All"), facts::count(total));
    return std::shared_ptr<const FactTree>(std::move(tree));
}

}  // namespace warpline
