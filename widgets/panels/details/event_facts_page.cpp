// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/details/event_facts_page.h"

#include <algorithm>
#include <vector>

#include "core/base/demangle.h"
#include "widgets/panels/details/args_tree.h"
#include "widgets/panels/details/event_page.h"
#include "widgets/panels/details/fact_text.h"
#include "widgets/panels/details/host_facts.h"
#include "widgets/panels/details/kernel_facts.h"
#include "widgets/support/cell_text.h"

namespace warpline {

namespace event_page {

namespace {

constexpr size_t kMaxChildLinks = 20;
/// Children that are put in order of length at once, without a pending page.
constexpr size_t kFewChildren = 4096;

void addTime(const Page& page) {
    Fact& section = page.root().addSection(tr("Time"));
    const TimeNs begin = page.slices.begin[page.row.value];
    section
        .add(tr("Start"), facts::sinceStart(page.trace, begin),
             tr("Since the trace's first event. On the trace's own clock: %1").arg(facts::exactNs(begin)))
        .exactly(begin, "ns");
    if (page.duration() == kUnknownDuration) {
        section.addUnknown(tr("Duration"), tr("the file gives no end"));
    } else {
        addDuration(section, tr("Duration"), page.duration());
    }
    const DurationNs self = page.trace.selfDuration(page.row);
    if (self == kUnknownDuration) {
        section.addUnknown(tr("Self time"), tr("the duration is not known"));
    } else {
        addDuration(section, tr("Self time"), self, tr("The part that no child covers"));
    }
    const FileInfo& file = page.trace.files()[page.file().value];
    if (const std::optional<int64_t> unixNs = file.wallClockNs(begin)) {
        section
            .add(tr("Wall clock"), facts::timeOfDay(*unixNs),
                 tr("The date and time of day at which it began: the moment at which the file's own clock was at 0 "
                    "(\"Clock starts\" in the details of the file) and its time on that clock. %1")
                     .arg(facts::wallClock(*unixNs)))
            .exactly(*unixNs, "ns");
    } else if (file.baseTimeNs.has_value()) {
        section.addUnknown(tr("Wall clock"), tr("the file's base time is out of range"));
    } else {
        section.addUnknown(tr("Wall clock"), tr("the file gives no base time"));
    }
}

void addChildren(const Page& page, Fact& section) {
    const std::span<const EventRow> children = page.trace.childrenOf(page.row);
    if (children.empty()) {
        section.add(tr("Children"), QStringLiteral("0"), tr("Slices of the track right inside this one"))
            .exactly(int64_t{0}, "");
        return;
    }
    if (!page.isFull && children.size() > kFewChildren) {
        page.addPending(section, tr("Children"));
        return;
    }
    Sum total;
    for (const EventRow child : children) {
        total += page.slices.summedDuration(child.value);
    }
    Fact& list =
        section.add(tr("Children"), QStringLiteral("%1  \u00b7  %2").arg(facts::count(children.size()), sumText(total)),
                    tr("Slices of the track right inside this one, and the sum of their durations; longest first"));
    setExact(list, total);
    std::vector<EventRow> longest(children.begin(), children.end());
    const auto listed = longest.begin() + static_cast<std::ptrdiff_t>(std::min(longest.size(), kMaxChildLinks));
    std::ranges::partial_sort(longest, listed, [&](EventRow a, EventRow b) {
        const DurationNs left = page.slices.summedDuration(a.value);
        const DurationNs right = page.slices.summedDuration(b.value);
        return left != right ? left > right : a < b;
    });
    longest.erase(listed, longest.end());
    addList(page, list, longest);
    addMore(list, children.size() - longest.size());
}

/// What holds it: the innermost as a link, those around that below it.
void addAround(const Page& page, Fact& section) {
    EventRow around = page.slices.parent[page.row.value];
    if (!around) {
        return;
    }
    Fact& inner = section.addLink(tr("Inside of"), nameOf(page.trace, around), around,
                                  tr("The innermost slice of the track around it; what is around that is below"));
    around = page.slices.parent[around.value];
    for (size_t listed = 0; around && listed < kMaxLinks; ++listed) {
        inner.addLink(facts::kindTitle(page.slices.kind[around.value]), nameOf(page.trace, around), around);
        around = page.slices.parent[around.value];
    }
    if (around) {
        addMore(inner, page.slices.depth[around.value] + 1);
    }
}

void addArrows(const Page& page, Fact& section, const QString& label, std::span<const uint32_t> arrows, bool from) {
    // Launch arrows are told as launches already.
    std::vector<EventRow> others;
    for (const uint32_t index : arrows) {
        const FlowArrow& arrow = page.trace.flows()[index];
        const EventRow other = from ? arrow.to : arrow.from;
        const bool isLaunch = from ? page.trace.launchOf(other) == page.row : page.trace.launchOf(page.row) == other;
        if (!isLaunch) {
            others.push_back(other);
        }
    }
    if (others.size() == 1) {
        section.addLink(label, nameOf(page.trace, others.front()), others.front());
    } else if (!others.empty()) {
        addList(page, section.add(label, facts::count(others.size())), others);
    }
}

void addConnections(const Page& page) {
    Fact& section = page.root().addSection(tr("Connections"));
    if (!isDeviceSide(page.kind())) {
        addLaunched(page, section);
    }
    addAround(page, section);
    addChildren(page, section);
    addArrows(page, section, tr("Arrows from here"), page.trace.flowsFrom(page.row), true);
    addArrows(page, section, tr("Arrows to here"), page.trace.flowsTo(page.row), false);
}

void addIdentity(const Page& page) {
    Fact& section = page.root().addSection(tr("Identity"));
    const std::string_view category = page.trace.string(page.slices.category[page.row.value]);
    if (category.empty()) {
        section.addUnknown(tr("Category"), tr("the file gives none"));
    } else {
        section.add(tr("Category"), fromUtf8(category), tr("As it stands in the file"));
    }
    section.add(tr("Track"), facts::trackPath(page.trace, page.slices.track[page.row.value]));
    section.add(tr("Depth"), QString::number(page.slices.depth[page.row.value]), tr("Number of slices around it"));
    if (page.slices.correlation[page.row.value] != kNoCorrelation) {
        section.add(tr("Correlation id"), QString::number(page.slices.correlation[page.row.value]));
    }
    if (page.slices.externalId[page.row.value] != kNoExternalId) {
        section.add(tr("External id"), QString::number(page.slices.externalId[page.row.value]));
    }
    if (!page.slices.shapes[page.row.value].empty()) {
        section.add(tr("Input shapes"), fromUtf8(page.trace.string(page.slices.shapes[page.row.value])));
    }
    if (page.trace.files().size() > 1) {
        section.add(tr("File"), fromUtf8(page.trace.files()[page.file().value].path));
    }
}

void addNotes(const Page& page) {
    const uint8_t flags = page.slices.flags[page.row.value];
    QStringList notes;
    if ((flags & kSliceNoEnd) != 0) {
        notes << tr("The file gives no end: it is drawn up to the end of the trace.");
    } else if ((flags & kSliceUnfinished) != 0) {
        notes << tr("The file gives no end of its own: it was closed with what holds it.");
    }
    if ((flags & kSliceOverlaps) != 0) {
        notes << tr("It overlaps an earlier slice of its track without nesting, and stands in an extra lane.");
    }
    if ((flags & kSliceOutlier) != 0) {
        notes << tr("It lies far away in time from all the rest.");
    }
    if ((flags & kSliceBadTime) != 0) {
        notes << tr("Its duration is negative in the file; it is shown as 0.");
    }
    if (notes.isEmpty()) {
        return;
    }
    Fact& section = page.root().addSection(tr("Notes"));
    for (const QString& note : notes) {
        section.add(tr("Import"), note, note);
    }
}

void addArguments(const Page& page) {
    Fact& section = page.root().addSection(tr("Arguments"));
    // Reading them may wait for a disk, or inflate megabytes.
    if (!page.isFull && page.slices.source(page.row.value).valid()) {
        page.addPending(section, tr("Arguments"));
        return;
    }
    const Result<std::string> json = page.trace.argsJson(page.row);
    if (!json.ok()) {
        section.addUnknown(tr("Arguments"), facts::unreadable(json.error()));
        return;
    }
    page.tree.argsJson = json.value();
    if (json.value() == "null") {
        section.add(tr("Arguments"), tr("none"), tr("The event has no arguments in the file")).muted = true;
        return;
    }
    const QString problem = appendJson(section, json.value());
    if (!problem.isEmpty()) {
        section.addUnknown(tr("Arguments"), problem);
    } else if (section.children.empty()) {
        section.add(tr("Arguments"), tr("none")).muted = true;
    }
}

}  // namespace

}  // namespace event_page

Result<std::shared_ptr<const FactTree>> eventFacts(const Trace& trace, EventRow row, JobControl& job,
                                                   FactsDepth depth) {
    using namespace event_page;
    auto tree = std::make_shared<FactTree>();
    const Page page{trace, trace.slices(), row, job, depth == FactsDepth::Full, *tree};
    const EventKind kind = page.kind();
    const std::string_view name = trace.sliceName(row);
    tree->title = name.empty() ? tr("(no name)") : fromUtf8(demangledName(name));
    tree->rawName = fromUtf8(name);
    tree->kind = kind;
    tree->subtitle =
        facts::kindTitle(kind) + QStringLiteral("  \u00b7  ") + facts::trackPath(trace, page.slices.track[row.value]);
    addTime(page);
    if (isDeviceSide(kind)) {
        addLaunch(page);
    } else {
        addWaits(page);
        addProjection(page);
    }
    if (kind == EventKind::Kernel || trace.findKernelFacts(row) != nullptr) {
        addLaunchConfiguration(page);
    }
    addTransfer(page);
    addConnections(page);
    addIdentity(page);
    addNotes(page);
    addArguments(page);
    if (job.stopRequested()) {
        return Error::cancelled();
    }
    return std::shared_ptr<const FactTree>(std::move(tree));
}

}  // namespace warpline
