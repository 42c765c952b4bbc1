// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/details/event_facts_page.h"

#include <QCoreApplication>

#include <algorithm>
#include <cstdint>

#include "core/analyses/launched_work.h"
#include "core/base/demangle.h"
#include "core/base/units.h"
#include "core/devices/kernel_occupancy.h"
#include "core/trace/device_work.h"
#include "widgets/panels/details/args_tree.h"
#include "widgets/panels/details/fact_text.h"
#include "widgets/support/cell_text.h"

namespace warpline {

namespace {

constexpr size_t kMaxLinks = 50;
constexpr size_t kMaxWorkLinks = 100;

QString tr(const char* text) {
    return QCoreApplication::translate("DetailsPanel", text);
}

QString dimensions(const std::array<int32_t, 3>& size) {
    return QStringLiteral("%1 \u00d7 %2 \u00d7 %3").arg(size[0]).arg(size[1]).arg(size[2]);
}

class EventPage {
public:
    EventPage(const Trace& trace, EventRow row, JobControl& job)
        : m_trace(trace), m_slices(trace.slices()), m_row(row), m_job(job) {}

    std::shared_ptr<FactTree> build() {
        const EventKind kind = m_slices.kind[m_row.value];
        const std::string_view name = m_trace.sliceName(m_row);
        m_tree->title = name.empty() ? tr("(no name)") : fromUtf8(demangledName(name));
        m_tree->rawName = fromUtf8(name);
        m_tree->kind = kind;
        m_tree->subtitle = facts::kindTitle(kind) + QStringLiteral("  \u00b7  ") +
                           facts::trackPath(m_trace, m_slices.track[m_row.value]);
        addTime();
        addLinks(kind);
        if (const KernelFacts* kernel = m_trace.findKernelFacts(m_row)) {
            addKernel(*kernel);
        } else if (kind == EventKind::Kernel) {
            m_tree->root.addSection(tr("Launch configuration"))
                .addUnknown(tr("Grid and block"), tr("the file does not say"));
        }
        if (const CopyFacts* copy = m_trace.findCopyFacts(m_row)) {
            addCopy(*copy);
        }
        addIdentity();
        addNotes();
        addArguments();
        return m_tree;
    }

private:
    Fact& root() { return m_tree->root; }
    QString nameOf(EventRow row) const {
        const std::string_view name = m_trace.sliceName(row);
        return name.empty() ? tr("(no name)") : fromUtf8(shortName(name));
    }

    void addTime() {
        Fact& section = root().addSection(tr("Time"));
        const TimeNs begin = m_slices.begin[m_row.value];
        section.add(tr("Start"), facts::sinceStart(m_trace, begin),
                    tr("Since the trace's first event. On the trace's own clock: %1").arg(facts::exactNs(begin)));
        const DurationNs duration = m_slices.knownDuration(m_row.value);
        if (duration == kUnknownDuration) {
            section.addUnknown(tr("Duration"), tr("the file gives no end"));
        } else {
            section.add(tr("Duration"), facts::duration(duration), facts::exactNs(duration));
        }
        const DurationNs self = m_trace.selfDuration(m_row);
        if (self == kUnknownDuration) {
            section.addUnknown(tr("Self time"), tr("the duration is not known"));
        } else {
            section.add(tr("Self time"), facts::duration(self),
                        tr("The part that no child covers: %1").arg(facts::exactNs(self)));
        }
        const FileInfo& file = m_trace.files()[m_trace.fileOf(m_slices.track[m_row.value]).value];
        if (const std::optional<int64_t> unixNs = file.wallClockNs(begin)) {
            section.add(tr("Wall clock"), facts::timeOfDay(*unixNs), facts::wallClock(*unixNs));
        } else if (file.baseTimeNs.has_value()) {
            section.addUnknown(tr("Wall clock"), tr("the file's base time is out of range"));
        } else {
            section.addUnknown(tr("Wall clock"), tr("the file gives no base time"));
        }
    }

    void addLinks(EventKind kind) {
        Fact& section = root().addSection(tr("Connections"));
        if (isDeviceWork(kind)) {
            if (const EventRow launch = m_trace.launchOf(m_row)) {
                section.addLink(tr("Launched by"), nameOf(launch), launch, tr("The call that put this on the device"));
                const DurationNs delay = launchDelayNs(m_trace, m_row).value_or(0);
                section.add(tr("Launch delay"),
                            delay < 0 ? QStringLiteral("\u2212") + facts::duration(-delay) : facts::duration(delay),
                            tr("From the start of the call to the start on the device: %1").arg(facts::exactNs(delay)));
            } else {
                section.addUnknown(tr("Launched by"), tr("no call with its correlation id is in the trace"));
                section.addUnknown(tr("Launch delay"), tr("the launch is not known"));
            }
        }
        if (isDeviceSide(kind)) {
            if (const EventRow op = m_trace.opOf(m_row)) {
                section.addLink(tr("Operator"), nameOf(op), op, tr("The innermost operator that was open at launch"));
            } else {
                section.addUnknown(tr("Operator"), tr("it was launched outside of any, or the file does not tell"));
            }
        }
        const auto work = m_trace.deviceWorkOf(m_row);
        if (work.size() == 1) {
            section.addLink(tr("Launched"), nameOf(work.front()), work.front(), tr("The work on the device"));
        } else if (!work.empty()) {
            Fact& list = section.add(tr("Launched"), tr("%1 on the device").arg(facts::count(work.size())));
            addList(list, work);
        } else if (isApiCall(kind) && m_slices.correlation[m_row.value] != kNoCorrelation) {
            section.add(tr("Launched"), tr("nothing on the device"), tr("No device work carries its correlation id"))
                .muted = true;
        } else if (!isApiCall(kind) && !isDeviceSide(kind)) {
            addLaunchedInside(section, kind);
        }
        if (const EventRow parent = m_slices.parent[m_row.value]) {
            section.addLink(tr("Inside of"), nameOf(parent), parent, tr("The innermost slice of the track around it"));
        }
        addChildren(section);
        addArrows(section, tr("Arrows from here"), m_trace.flowsFrom(m_row), true);
        addArrows(section, tr("Arrows to here"), m_trace.flowsTo(m_row), false);
    }

    void addList(Fact& parent, std::span<const EventRow> rows) {
        for (size_t i = 0; i < std::min(rows.size(), kMaxLinks); ++i) {
            const DurationNs duration = m_slices.knownDuration(rows[i].value);
            parent.addLink(duration == kUnknownDuration ? notAvailable() : facts::duration(duration), nameOf(rows[i]),
                           rows[i]);
        }
        if (rows.size() > kMaxLinks) {
            parent.add({}, tr("and %1 more").arg(facts::count(rows.size() - kMaxLinks))).muted = true;
        }
    }

    void addLaunchedInside(Fact& section, EventKind kind) {
        const auto walked = launchedWork(m_trace, m_row, kMaxWorkLinks, m_job);
        if (!walked.ok()) {
            return;  // cancelled: the page is thrown away
        }
        const LaunchedWork& work = walked.value();
        if (work.count == 0 && work.isComplete) {
            const bool mayLaunch =
                kind == EventKind::CpuOp || kind == EventKind::Annotation || kind == EventKind::Python;
            if (work.calls > 0) {
                section
                    .add(tr("Launched"), tr("nothing on the device"),
                         tr("No device work carries the correlation id of a call inside"))
                    .muted = true;
            } else if (mayLaunch) {
                section.addUnknown(tr("Launched"), tr("no API call is inside of it"));
            }
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
        Fact& list = section.add(
            tr("Launched"),
            QStringLiteral("%1  \u00b7  %2")
                .arg(text, work.total.known() ? facts::duration(*work.total.value()) : notAvailable()),
            work.isComplete
                ? tr("Device work launched by the calls inside, and the sum of its durations")
                : tr("Device work launched by the calls among the first %1 inside, and the sum of its durations")
                      .arg(countText(kLaunchedWorkSlices, "slice")));
        for (const EventRow row : work.first) {
            const DurationNs duration = m_slices.knownDuration(row.value);
            list.addLink(
                QStringLiteral("%1  \u00b7  %2")
                    .arg(duration == kUnknownDuration ? notAvailable() : facts::duration(duration), streamText(row)),
                nameOf(row), row);
        }
        if (work.count > work.first.size()) {
            list.add({}, tr("and %1 more").arg(facts::count(work.count - work.first.size()))).muted = true;
        }
    }

    QString streamText(EventRow deviceWork) const {
        const KernelFacts* kernel = m_trace.findKernelFacts(deviceWork);
        const CopyFacts* copy = m_trace.findCopyFacts(deviceWork);
        const int64_t stream = kernel != nullptr ? kernel->stream : copy != nullptr ? copy->stream : kUnknownFact;
        return stream < 0 ? tr("stream n/a") : tr("stream %1").arg(stream);
    }

    void addChildren(Fact& section) {
        const std::span<const EventRow> children = m_trace.childrenOf(m_row);
        if (children.empty()) {
            section.add(tr("Children"), QStringLiteral("0"), tr("Slices of the track right inside this one"));
            return;
        }
        Sum total;
        for (const EventRow child : children) {
            total += m_slices.summedDuration(child.value);
        }
        Fact& list = section.add(
            tr("Children"),
            QStringLiteral("%1  \u00b7  %2")
                .arg(facts::count(children.size()), total.known() ? facts::duration(*total.value()) : notAvailable()),
            tr("Slices of the track right inside this one, and the sum of their durations"));
        addList(list, children);
    }

    void addArrows(Fact& section, const QString& label, std::span<const uint32_t> arrows, bool from) {
        // Launch arrows are told as launches already.
        std::vector<EventRow> others;
        for (const uint32_t index : arrows) {
            const FlowArrow& arrow = m_trace.flows()[index];
            const EventRow other = from ? arrow.to : arrow.from;
            const bool isLaunch = from ? m_trace.launchOf(other) == m_row : m_trace.launchOf(m_row) == other;
            if (!isLaunch) {
                others.push_back(other);
            }
        }
        if (others.size() == 1) {
            section.addLink(label, nameOf(others.front()), others.front());
        } else if (!others.empty()) {
            addList(section.add(label, facts::count(others.size())), others);
        }
    }

    void addNumber(Fact& section, const QString& label, int64_t value, const QString& tooltip = {}) {
        if (value < 0) {
            section.addUnknown(label, tr("the file does not say"));
        } else {
            section.add(label, facts::count(static_cast<uint64_t>(value)), tooltip);
        }
    }
    void addBytes(Fact& section, const QString& label, int64_t value, const QString& tooltip = {}) {
        if (value < 0) {
            section.addUnknown(label, tr("the file does not say"));
        } else {
            section.add(label, facts::bytes(static_cast<uint64_t>(value)),
                        tooltip.isEmpty() ? facts::exactBytes(value) : tooltip + "\n" + facts::exactBytes(value));
        }
    }
    void addDevice(Fact& section, int64_t device, int64_t stream) {
        if (device < 0) {
            section.addUnknown(tr("Device"), tr("the file does not say"));
        } else {
            const DeviceInfo* info = m_trace.findDevice(m_trace.fileOf(m_slices.track[m_row.value]), device);
            section.add(tr("Device"), info != nullptr && !info->name.empty()
                                          ? QStringLiteral("%1  \u00b7  %2").arg(device).arg(fromUtf8(info->name))
                                          : QString::number(device));
        }
        addNumber(section, tr("Stream"), stream);
    }

    void addKernel(const KernelFacts& kernel) {
        Fact& section = root().addSection(tr("Launch configuration"));
        if (const auto blocks = shapeSize(kernel.grid)) {
            section.add(tr("Grid"), dimensions(kernel.grid), countText(static_cast<uint64_t>(*blocks), "block"));
        } else {
            section.addUnknown(tr("Grid"), tr("the file does not say"));
        }
        if (const auto threads = shapeSize(kernel.block)) {
            section.add(tr("Block"), dimensions(kernel.block), countText(static_cast<uint64_t>(*threads), "thread"));
        } else {
            section.addUnknown(tr("Block"), tr("the file does not say"));
        }
        addNumber(section, tr("Registers per thread"), kernel.registersPerThread);
        addBytes(section, tr("Shared memory"), kernel.sharedBytes, tr("Static and dynamic, per block"));
        if (kernel.staticSharedBytes >= 0 || kernel.dynamicSharedBytes >= 0) {
            addBytes(section, tr("  static"), kernel.staticSharedBytes);
            addBytes(section, tr("  dynamic"), kernel.dynamicSharedBytes);
        }
        if (kernel.localBytesPerThread >= 0) {
            addBytes(section, tr("Local memory per thread"), kernel.localBytesPerThread);
        }
        addOccupancy(section, kernel);
        addDevice(section, kernel.device, kernel.stream);
        if (kernel.context >= 0) {
            addNumber(section, tr("Context"), kernel.context);
        }
        if (kernel.graphNode != 0) {
            section.add(tr("Graph node"), QString::number(kernel.graphNode));
        }
    }

    void addOccupancy(Fact& section, const KernelFacts& kernel) {
        const QString label = tr("Theoretical occupancy");
        const KernelOccupancy launch = kernelOccupancy(m_trace, m_trace.fileOf(m_slices.track[m_row.value]), kernel);
        switch (launch.gap) {
            case OccupancyGap::Device:
                section.addUnknown(label, tr("the file does not describe a device that is known here"));
                break;
            case OccupancyGap::Block:
                section.addUnknown(label, tr("the block's size is not known"));
                break;
            case OccupancyGap::Resources:
                section.addUnknown(label, tr("registers or shared memory are not known"));
                break;
            case OccupancyGap::Limits:
                section.addUnknown(label, tr("by the device's limits it could not run at all"));
                break;
            case OccupancyGap::None:
                section.add(label, fromUtf8(formatRatio(launch.occupancy->ratio)),
                            tr("A ceiling from launch shape and resources, not a measurement. Room on a "
                               "multiprocessor: %1.")
                                .arg(countText(static_cast<uint64_t>(launch.occupancy->activeBlocks), "block")));
                section.add(tr("Limited by"),
                            fromUtf8(occupancyLimiterName(launch.occupancy->limiter)).replace('_', ' '),
                            tr("What keeps the theoretical occupancy from being higher"));
                if (launch.waves) {
                    section.add(tr("Waves"), QString::number(*launch.waves, 'f', 2),
                                tr("How often the grid fills the whole device"));
                }
                break;
        }
        if (kernel.fileOccupancyPercent >= 0) {
            section.add(tr("Occupancy in the file"),
                        QStringLiteral("%1 %").arg(static_cast<double>(kernel.fileOccupancyPercent), 0, 'g', 4),
                        tr("Kineto's estimate; it is 0 for kernels with more than 48 KiB of shared memory per block"));
        }
    }

    void addCopy(const CopyFacts& copy) {
        Fact& section = root().addSection(tr("Transfer"));
        addBytes(section, tr("Size"), copy.bytes);
        if (const auto perSecond = copyBytesPerSecond(m_trace, copy)) {
            section.add(tr("Rate"), fromUtf8(formatRate(*perSecond, "B/s")), tr("Size over duration"));
        } else {
            section.addUnknown(tr("Rate"),
                               copy.bytes < 0 ? tr("the size is not known") : tr("the duration is 0 or not known"));
        }
        addDevice(section, copy.device, copy.stream);
    }

    void addIdentity() {
        Fact& section = root().addSection(tr("Identity"));
        const std::string_view category = m_trace.string(m_slices.category[m_row.value]);
        if (category.empty()) {
            section.addUnknown(tr("Category"), tr("the file gives none"));
        } else {
            section.add(tr("Category"), fromUtf8(category), tr("As it stands in the file"));
        }
        section.add(tr("Track"), facts::trackPath(m_trace, m_slices.track[m_row.value]));
        section.add(tr("Depth"), QString::number(m_slices.depth[m_row.value]), tr("Number of slices around it"));
        if (m_slices.correlation[m_row.value] != kNoCorrelation) {
            section.add(tr("Correlation id"), QString::number(m_slices.correlation[m_row.value]));
        }
        if (m_slices.externalId[m_row.value] != kNoExternalId) {
            section.add(tr("External id"), QString::number(m_slices.externalId[m_row.value]));
        }
        if (!m_slices.shapes[m_row.value].empty()) {
            section.add(tr("Input shapes"), fromUtf8(m_trace.string(m_slices.shapes[m_row.value])));
        }
        if (m_trace.files().size() > 1) {
            section.add(tr("File"), fromUtf8(m_trace.files()[m_trace.fileOf(m_slices.track[m_row.value]).value].path));
        }
    }

    void addNotes() {
        const uint8_t flags = m_slices.flags[m_row.value];
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
        Fact& section = root().addSection(tr("Notes"));
        for (const QString& note : notes) {
            section.add(tr("Import"), note, note);
        }
    }

    void addArguments() {
        Fact& section = root().addSection(tr("Arguments"));
        const Result<std::string> json = m_trace.argsJson(m_row);
        if (!json.ok()) {
            section.addUnknown(tr("Arguments"), facts::unreadable(json.error()));
            return;
        }
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

    const Trace& m_trace;
    const SliceColumns& m_slices;
    EventRow m_row;
    JobControl& m_job;
    std::shared_ptr<FactTree> m_tree = std::make_shared<FactTree>();
};

}  // namespace

Result<std::shared_ptr<const FactTree>> eventFacts(const Trace& trace, EventRow row, JobControl& job) {
    std::shared_ptr<const FactTree> tree = EventPage(trace, row, job).build();
    if (job.stopRequested()) {
        return Error::cancelled();
    }
    return tree;
}

}  // namespace warpline
