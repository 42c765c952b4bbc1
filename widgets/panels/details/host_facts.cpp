// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/details/host_facts.h"

#include "core/analyses/annotation_projection.h"
#include "core/analyses/launched_work.h"
#include "core/analyses/wait_calls.h"
#include "widgets/panels/details/fact_text.h"
#include "widgets/support/cell_text.h"

namespace warpline::event_page {

namespace {

constexpr size_t kMaxWorkLinks = 100;

bool mayLaunch(EventKind kind) {
    return kind == EventKind::CpuOp || kind == EventKind::Annotation || kind == EventKind::Python;
}

void addNothingLaunched(const Page& page, Fact& section, const LaunchedWork& work) {
    if (work.calls > 0) {
        section
            .add(tr("Launched"), tr("nothing on the device"),
                 tr("No device work carries the correlation id of a call inside"))
            .muted = true;
    } else if (mayLaunch(page.kind())) {
        section.addUnknown(tr("Launched"), tr("no API call is inside of it"));
    }
}

void addLaunchedInside(const Page& page, Fact& section) {
    const auto walked = launchedWork(page.trace, page.row, kMaxWorkLinks, page.job);
    if (!walked.ok()) {
        return;  // cancelled: the page is thrown away
    }
    const LaunchedWork& work = walked.value();
    if (work.count == 0 && work.isComplete) {
        addNothingLaunched(page, section, work);
        return;
    }
    QStringList parts;
    if (work.kernels > 0 || work.count == 0) {
        parts << countText(work.kernels, "kernel");
    }
    if (work.count > work.kernels) {
        parts << countText(work.count - work.kernels, "copy or memset", "copies or memsets");
    }
    QString text = parts.join(QStringLiteral(", "));
    text = work.isComplete ? text : tr("at least %1").arg(text);
    const QString among =
        work.isComplete ? tr("Device work launched by the calls inside, and the sum of its durations; longest first")
                        : tr("Device work launched by the calls among the first %1 inside, and the sum of its "
                             "durations; longest first")
                              .arg(countText(kLaunchedWorkSlices, "slice"));
    Fact& list = section.add(tr("Launched"), QStringLiteral("%1  \u00b7  %2").arg(text, sumText(work.total)), among);
    setExact(list, work.total);
    for (const EventRow row : work.longest) {
        addTimed(page, list, row, QStringLiteral("  \u00b7  ") + streamOf(page.trace, row));
    }
    addMore(list, work.count - work.longest.size());
}

}  // namespace

void addLaunched(const Page& page, Fact& section) {
    const auto work = page.trace.deviceWorkOf(page.row);
    if (work.size() == 1) {
        section.addLink(tr("Launched"), nameOf(page.trace, work.front()), work.front(), tr("The work on the device"));
    } else if (!work.empty()) {
        Sum total;
        for (const EventRow row : work) {
            total += page.slices.summedDuration(row.value);
        }
        Fact& list = section.add(tr("Launched"),
                                 QStringLiteral("%1  \u00b7  %2")
                                     .arg(tr("%1 on the device").arg(facts::count(work.size())), sumText(total)));
        setExact(list, total);
        addList(page, list, work);
    } else if (waitOn(page.trace, page.row)) {
        // What it waited for says more.
    } else if (isApiCall(page.kind()) && page.slices.correlation[page.row.value] != kNoCorrelation) {
        section.add(tr("Launched"), tr("nothing on the device"), tr("No device work carries its correlation id"))
            .muted = true;
    } else if (!isApiCall(page.kind())) {
        if (page.isFull || page.trace.childrenOf(page.row).empty()) {
            addLaunchedInside(page, section);
        } else {
            page.addPending(section, tr("Launched"));
        }
    }
}

void addProjection(const Page& page) {
    if (page.kind() != EventKind::Annotation) {
        return;
    }
    Fact& section = page.root().addSection(tr("On the device"));
    if (!page.isFull) {
        page.addPending(section, tr("First to last work"));
        return;
    }
    const auto devices = projectSlice(page.trace, page.row, page.job);
    if (!devices.ok()) {
        return;
    }
    if (devices.value().empty()) {
        section.addUnknown(tr("First to last work"), tr("nothing was launched from inside of it"));
    }
    for (const SliceProjection& one : devices.value()) {
        const ProjectedRange& range = one.range;
        QString text = QStringLiteral("%1  \u00b7  %2")
                           .arg(facts::duration(range.duration), countText(range.work, "piece", "pieces"));
        Fact& fact = section.add(deviceOf(page.trace, one.device), range.openEnd ? tr("at least %1").arg(text) : text,
                                 tr("From the start of the first to the end of the last kernel, copy or memset that "
                                    "was launched from inside "
                                    "of it, as nsys projects NVTX ranges: %1")
                                     .arg(facts::exactNs(range.duration)));
        fact.exactly(range.duration, "ns");
        fact.add(tr("Start"), facts::sinceStart(page.trace, range.begin), facts::exactNs(range.begin))
            .exactly(range.begin, "ns");
        const TimeNs end = range.begin + range.duration;
        fact.add(tr("End"), facts::sinceStart(page.trace, end), facts::exactNs(end)).exactly(end, "ns");
        addDuration(fact, tr("After its own start"), range.begin - page.slices.begin[page.row.value],
                    tr("From the annotation's begin on the host to that on the device"));
        fact.add(tr("In the file"), range.inFile ? tr("as a GPU annotation") : tr("not there"),
                 tr("Kineto writes a GPU annotation for the innermost annotation around a launch"));
    }
}

}  // namespace warpline::event_page
