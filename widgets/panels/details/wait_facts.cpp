// SPDX-License-Identifier: GPL-3.0-or-later
// What the host waits for.

#include "core/analyses/host_waits.h"
#include "widgets/panels/details/fact_text.h"
#include "widgets/panels/details/host_facts.h"
#include "widgets/support/cell_text.h"

namespace warpline::event_page {

namespace {

constexpr size_t kMaxWaitLinks = 20;

QString whyUnknown(WaitGap gap) {
    switch (gap) {
        case WaitGap::NoEnd:
            return tr("the file gives no end of the call");
        case WaitGap::NoDeviceWork:
            return tr("no device work is in the file");
        case WaitGap::NoCopy:
            return tr("no copy with its correlation id is in the trace");
        case WaitGap::ReturnedBefore:
            return tr("the work ended after the call returned");
        case WaitGap::SeveralStreams:
            return tr("several streams had work left, and the file does not say which was meant");
        case WaitGap::SeveralDevices:
            return tr("several devices had work left, and the file does not say which was meant");
        case WaitGap::NoStream:
            return tr("the wait's record names no stream");
        case WaitGap::NoEvent:
            return tr("the file does not say which event, or where it was recorded");
        case WaitGap::WorkWithoutEnd:
            return tr("the work has no end in the file");
        case WaitGap::NoLaunch:
            return tr("the launch of work that began meanwhile is not in the trace");
        case WaitGap::None:
            break;
    }
    return {};
}

QString sourceText(const HostWait& wait) {
    switch (wait.source) {
        case WaitSource::Call:
            return tr("its own copy");
        case WaitSource::Record:
            return tr("the wait's record");
        case WaitSource::OnlyOne:
            return wait.on == WaitOn::Device ? tr("only device") : tr("only stream");
        case WaitSource::Exclusion:
            return wait.on == WaitOn::Device ? tr("only busy device") : tr("only busy stream");
    }
    return {};
}

QString whyKnown(const HostWait& wait) {
    switch (wait.source) {
        case WaitSource::Call:
            return tr("The call returns when its own copy is done");
        case WaitSource::Record:
            return tr("The file has the wait on the device's side, too, by its correlation id");
        case WaitSource::OnlyOne:
            return tr("The file does not say what the call waits on, but it has device work of no other");
        case WaitSource::Exclusion:
            return tr(
                "The file does not say what the call waits on. No other had work left when the call began that "
                "was done when it returned.");
    }
    return {};
}

void addShare(Fact& section, const QString& label, DurationNs part, DurationNs whole, const QString& tooltip) {
    Fact& fact = addDuration(section, label, part, tooltip);
    if (const QString share = shareOf(part, whole); !share.isEmpty()) {
        fact.value += QStringLiteral("  \u00b7  ") + share;
    }
}

void addAnswer(const Page& page, Fact& section, const HostWait& wait) {
    const QString label = tr("Waits for");
    switch (wait.answer) {
        case WaitAnswer::Work: {
            section.addLink(label, nameOf(page.trace, wait.work), wait.work,
                            tr("The last to end of what it waited for"));
            const TrackId track = page.slices.track[wait.work.value];
            section.add(tr("  on"), deviceOf(page.trace, page.trace.track(track).process) + QStringLiteral(" \u203a ") +
                                        fromUtf8(page.trace.string(page.trace.track(track).label)));
            section.add(tr("  known from"), sourceText(wait), whyKnown(wait));
            addShare(section, tr("Until that ended"), wait.untilDoneNs, wait.waitedNs,
                     tr("From the begin of the call to the end of that work"));
            addShare(section, tr("After it had ended"), wait.afterDoneNs, wait.waitedNs,
                     tr("From the end of that work until the call returned: the way back to the host"));
            break;
        }
        case WaitAnswer::NothingLeft:
            section
                .add(label, tr("nothing was left"),
                     tr("All device work that it could have waited for had ended when the call began: what it took is "
                        "the call's own cost"))
                .muted = true;
            break;
        case WaitAnswer::Unknown: {
            Fact& fact = section.addUnknown(label, whyUnknown(wait.gap));
            for (const EventRow row : wait.candidates) {
                addTimed(page, fact, row, QStringLiteral("  \u00b7  ") + streamOf(page.trace, row));
            }
            break;
        }
    }
}

void addWait(const Page& page, Fact& section, const HostWait& wait) {
    addAnswer(page, section, wait);
    if (wait.busyNs && wait.idleNs) {
        addShare(section, tr("Device busy"), *wait.busyNs, wait.waitedNs,
                 tr("The part of the call in which the device ran a kernel, copy or memset of any stream"));
        addShare(section, tr("Device idle"), *wait.idleNs, wait.waitedNs, tr("The rest of the call"));
    } else if (wait.waitedNs != kUnknownDuration) {
        section.addUnknown(tr("Device busy"), tr("it is not known which device was meant"));
    }
    if (wait.record) {
        section.addLink(tr("Record"), nameOf(page.trace, wait.record), wait.record,
                        tr("The wait on the device's track"));
    }
}

/// "cudaStreamSynchronize: Memcpy DtoH"
QString inShort(const Page& page, EventRow call, const HostWait& wait) {
    const QString what = wait.answer == WaitAnswer::Work          ? nameOf(page.trace, wait.work)
                         : wait.answer == WaitAnswer::NothingLeft ? tr("nothing")
                                                                  : notAvailable();
    return QStringLiteral("%1: %2").arg(nameOf(page.trace, call), what);
}

void addWaitsInside(const Page& page, Fact& section, const WaitsInside& inside, const HostWaits& waits) {
    QString text = QStringLiteral("%1  \u00b7  %2").arg(countText(inside.count, "call"), sumText(inside.total));
    Fact& list = section.add(tr("Waits inside"), inside.isComplete ? text : tr("at least %1").arg(text),
                             tr("Calls inside that wait for the device, and the sum of their durations; longest first, "
                                "with what each waited for"));
    setExact(list, inside.total);
    for (const EventRow call : inside.longest) {
        const auto wait = waits.wait(call, page.job);
        if (!wait.ok()) {
            return;
        }
        addTimed(page, list, call).value = inShort(page, call, wait.value());
    }
    addMore(list, inside.count - inside.longest.size());
}

}  // namespace

void addWaits(const Page& page) {
    const bool isWait = waitOn(page.trace, page.row).has_value();
    if (!isWait && (isApiCall(page.kind()) || page.trace.childrenOf(page.row).empty())) {
        return;
    }
    if (!page.isFull) {
        if (isWait) {
            page.addPending(page.root().addSection(tr("Wait")), tr("Waits for"));
        }
        return;
    }
    const auto inside = waitsInside(page.trace, page.row, kMaxWaitLinks, page.job);
    if (!inside.ok() || inside.value().count == 0) {
        return;
    }
    const auto waits = HostWaits::of(page.trace, page.job);
    if (!waits.ok()) {
        return;
    }
    Fact& section = page.root().addSection(tr("Wait"));
    if (!isWait) {
        addWaitsInside(page, section, inside.value(), waits.value());
    }
    if (inside.value().count == 1) {
        if (const auto wait = waits.value().wait(inside.value().longest.front(), page.job); wait.ok()) {
            addWait(page, section, wait.value());
        }
    }
}

}  // namespace warpline::event_page
