// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/details/event_page.h"

#include <QCoreApplication>

#include <algorithm>

#include "core/base/demangle.h"
#include "core/base/units.h"
#include "core/trace/process_title.h"
#include "widgets/panels/details/fact_text.h"
#include "widgets/support/cell_text.h"

namespace warpline::event_page {

void Page::addPending(Fact& section, const QString& label) const {
    section.addPending(label);
    tree.isPending = true;
}

QString tr(const char* text) {
    return QCoreApplication::translate("DetailsPanel", text);
}

QString nameOf(const Trace& trace, EventRow row) {
    const std::string_view name = trace.sliceName(row);
    return name.empty() ? tr("(no name)") : fromUtf8(shortName(name));
}

QString durationOf(const SliceColumns& slices, EventRow row) {
    const DurationNs duration = slices.knownDuration(row.value);
    return duration == kUnknownDuration ? notAvailable() : facts::duration(duration);
}

QString streamOf(const Trace& trace, EventRow deviceWork) {
    const KernelFacts* kernel = trace.findKernelFacts(deviceWork);
    const CopyFacts* copy = trace.findCopyFacts(deviceWork);
    const int64_t stream = kernel != nullptr ? kernel->stream : copy != nullptr ? copy->stream : kUnknownFact;
    return stream < 0 ? tr("stream n/a") : tr("stream %1").arg(stream);
}

QString deviceOf(const Trace& trace, ProcessId device) {
    const std::string_view labels = trace.string(trace.process(device).labels);
    return fromUtf8(labels.empty() ? std::string_view(processTitle(trace, device)) : labels);
}

QString shareOf(DurationNs part, DurationNs whole) {
    const std::optional<double> ratio = ratioOf(Sum(part), Sum(whole));
    return ratio ? fromUtf8(formatRatio(*ratio)) : QString();
}

Fact& addDuration(Fact& section, const QString& label, DurationNs ns, const QString& tooltip) {
    const QString text = ns < 0 ? QStringLiteral("\u2212") + facts::duration(-ns) : facts::duration(ns);
    const QString exact = facts::exactNs(ns);
    return section.add(label, text, tooltip.isEmpty() ? exact : tooltip + QLatin1Char('\n') + exact).exactly(ns, "ns");
}

Fact& addNumber(Fact& section, const QString& label, int64_t value, const QString& tooltip) {
    if (value < 0) {
        return section.addUnknown(label, tr("the file does not say"));
    }
    return section.add(label, facts::count(static_cast<uint64_t>(value)), tooltip).exactly(value, "");
}

Fact& addBytes(Fact& section, const QString& label, int64_t value, const QString& tooltip) {
    if (value < 0) {
        return section.addUnknown(label, tr("the file does not say"));
    }
    const QString exact = facts::exactBytes(value);
    return section
        .add(label, facts::bytes(static_cast<uint64_t>(value)), tooltip.isEmpty() ? exact : tooltip + "\n" + exact)
        .exactly(value, "B");
}

QString sumText(Sum total) {
    return total.known() ? facts::duration(*total.value()) : notAvailable();
}

void setExact(Fact& fact, Sum total) {
    if (total.known()) {
        fact.exactly(*total.value(), "ns");
    }
}

Fact& addTimed(const Page& page, Fact& parent, EventRow row, const QString& labelEnd) {
    Fact& link = parent.addLink(durationOf(page.slices, row) + labelEnd, nameOf(page.trace, row), row);
    if (const DurationNs duration = page.slices.knownDuration(row.value); duration != kUnknownDuration) {
        link.exactly(duration, "ns");
    }
    return link;
}

void addMore(Fact& parent, uint64_t left) {
    if (left > 0) {
        parent.add({}, tr("and %1 more").arg(facts::count(left))).muted = true;
    }
}

void addList(const Page& page, Fact& parent, std::span<const EventRow> rows) {
    for (const EventRow row : rows.first(std::min(rows.size(), kMaxLinks))) {
        addTimed(page, parent, row);
    }
    addMore(parent, rows.size() - std::min(rows.size(), kMaxLinks));
}

}  // namespace warpline::event_page
