// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/details/kernel_facts.h"

#include <array>

#include "core/base/units.h"
#include "core/devices/kernel_occupancy.h"
#include "core/devices/kineto_occupancy.h"
#include "core/trace/device_work.h"
#include "widgets/panels/details/fact_text.h"
#include "widgets/support/cell_text.h"

namespace warpline::event_page {

namespace {

constexpr double kFewWaves = 0.01;  ///< less than two decimals can tell

QString dimensions(const std::array<int32_t, 3>& size) {
    return QStringLiteral("%1 \u00d7 %2 \u00d7 %3").arg(size[0]).arg(size[1]).arg(size[2]);
}

void addLaunchWait(const Page& page, Fact& section) {
    const LaunchWait wait = launchWait(page.trace, page.row);
    if (!wait.delayNs) {
        section.addUnknown(tr("Launch delay"), tr("the file gives no end of the call"));
        return;
    }
    addDuration(section, tr("Launch delay"), *wait.delayNs,
                tr("From the end of the call to the start on the device, 0 if it started earlier. HTA's launch delay, "
                   "the queue time of nsys."));
    if (!wait.queueNs) {
        section.addUnknown(tr("  queue wait"), tr("the work before it has no end in the file"));
    } else {
        addDuration(section, tr("  queue wait"), *wait.queueNs,
                    tr("The part of the launch delay in which earlier work of its stream was still in front of it"));
        addDuration(section, tr("  stream idle"), *wait.idleNs,
                    tr("The rest of the launch delay: the stream had nothing left to do. The launch was on its way, "
                       "the stream waited for an event of another one, or the device had no room."));
    }
    if (wait.queueNs.value_or(0) > 0) {
        section.addLink(tr("  queued behind"), nameOf(page.trace, wait.behind), wait.behind,
                        tr("The earlier work of its stream that ended last"));
    }
}

/// What was open on the host when this was launched.
void addCalledFrom(const Page& page) {
    const EventRow call = page.trace.launchOf(page.row);
    EventRow around = call ? page.slices.parent[call.value] : page.trace.opOf(page.row);
    if (!around) {
        return;
    }
    Fact& section = page.root().addSection(tr("Called from, innermost first"));
    size_t listed = 0;
    for (; around && listed < kMaxLinks; ++listed) {
        section.addLink(facts::kindTitle(page.slices.kind[around.value]), nameOf(page.trace, around), around,
                        tr("Took %1").arg(durationOf(page.slices, around)));
        around = page.slices.parent[around.value];
    }
    if (around) {
        addMore(section, page.slices.depth[around.value] + 1);
    }
}

void addDevice(const Page& page, Fact& section, int64_t device, int64_t stream) {
    if (device < 0) {
        section.addUnknown(tr("Device"), tr("the file does not say"));
    } else {
        const DeviceInfo* info = page.trace.findDevice(page.file(), device);
        section
            .add(tr("Device"), info != nullptr && !info->name.empty()
                                   ? QStringLiteral("%1  \u00b7  %2").arg(device).arg(fromUtf8(info->name))
                                   : QString::number(device))
            .exactly(device, "");
    }
    addNumber(section, tr("Stream"), stream);
}

/// The file's own estimate, and why it is another than ours.
void addKinetoOccupancy(const Page& page, Fact& section, const KernelFacts& kernel, const KernelOccupancy& ours) {
    if (kernel.fileOccupancyPercent < 0) {
        return;
    }
    const auto inFile = static_cast<double>(kernel.fileOccupancyPercent);
    section
        .add(tr("Kineto's estimate"), QStringLiteral("%1 %").arg(inFile, 0, 'g', 4),
             tr("\"est. achieved occupancy %\" in the file: from the launch, too, and not measured"))
        .exactly(inFile, "%");
    const DeviceInfo* device = page.trace.findDevice(page.file(), kernel.device);
    const std::optional<KinetoOccupancy> kineto =
        device != nullptr ? kinetoOccupancy(*device, kernel) : std::optional<KinetoOccupancy>();
    if (ours.gap != OccupancyGap::None || !kineto) {
        return;
    }
    const QString label = tr("  why it differs");
    const auto fits = static_cast<uint64_t>(ours.occupancy->activeBlocks);
    if (!kineto->explains(inFile)) {
        section.addUnknown(label, tr("Kineto's formula gives %1 % here").arg(kineto->percent, 0, 'f', 1));
    } else if (kineto->sharedOverDefault) {
        section.add(label, tr("over 48 KiB shared"),
                    tr("Kineto works with the default limit of 48 KiB of shared memory a block. This kernel opted in "
                       "to %1, so that no block fits by its count; in truth %2.")
                        .arg(facts::bytes(static_cast<uint64_t>(kernel.sharedBytes)),
                             fits == 1 ? tr("1 does") : tr("%1 do").arg(fits)));
    } else if (kineto->gridIsSmall) {
        const double perSm =
            static_cast<double>(*shapeSize(kernel.grid)) / static_cast<double>(device->smCount.value_or(1));
        section.add(label, tr("%1 of %2 blocks").arg(perSm, 0, 'g', 2).arg(fits),
                    tr("Kineto counts the blocks that the grid has for each multiprocessor, %1, where fewer than the "
                       "%2 that fit at once; the theoretical occupancy counts those that fit.")
                        .arg(perSm, 0, 'g', 6)
                        .arg(fits));
    } else if (kineto->countsThreads) {
        section.add(label, tr("partial warps"),
                    tr("Kineto counts threads. The last warp of each block is not full, and takes the room of a whole "
                       "one all the same."));
    } else {
        section.add(label, tr("rounding only"), tr("Kineto's formula and ours agree for this launch")).muted = true;
    }
}

void addOccupancy(const Page& page, Fact& section, const KernelFacts& kernel) {
    const QString label = tr("Theoretical occupancy");
    const KernelOccupancy launch = kernelOccupancy(page.trace, page.file(), kernel);
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
            section
                .add(label, fromUtf8(formatRatio(launch.occupancy->ratio)),
                     tr("A ceiling from launch shape and resources, not a measurement. Room on a "
                        "multiprocessor: %1.")
                         .arg(countText(static_cast<uint64_t>(launch.occupancy->activeBlocks), "block")))
                .exactly(launch.occupancy->ratio, "ratio");
            section.add(tr("Limited by"), fromUtf8(occupancyLimiterName(launch.occupancy->limiter)).replace('_', ' '),
                        tr("What keeps the theoretical occupancy from being higher"));
            break;
    }
    addKinetoOccupancy(page, section, kernel, launch);
    if (launch.waves) {
        section
            .add(tr("Waves"), QString::number(*launch.waves, *launch.waves < kFewWaves ? 'g' : 'f', 2),
                 tr("How often the grid fills the whole device"))
            .exactly(*launch.waves, "");
    }
}

void addShape(Fact& section, const QString& label, const std::array<int32_t, 3>& sides, const char* one) {
    if (const auto size = shapeSize(sides)) {
        section.add(label, dimensions(sides), countText(static_cast<uint64_t>(*size), one)).exactly(*size, one);
    } else {
        section.addUnknown(label, tr("the file does not say"));
    }
}

}  // namespace

void addLaunch(const Page& page) {
    Fact& section = page.root().addSection(tr("Launch"));
    if (isDeviceWork(page.kind())) {
        if (const EventRow launch = page.trace.launchOf(page.row)) {
            section.addLink(tr("Launched by"), nameOf(page.trace, launch), launch,
                            tr("The call that put this on the device"));
            addLaunchWait(page, section);
            addDuration(
                section, tr("Call to start"), launchDelayNs(page.trace, page.row).value_or(0),
                tr("From the start of the call to the start on the device; \"Launch delay\" in the kernel table "
                   "is the median of this"));
        } else {
            section.addUnknown(tr("Launched by"), tr("no call with its correlation id is in the trace"));
            section.addUnknown(tr("Launch delay"), tr("the launch is not known"));
        }
    }
    if (const EventRow op = page.trace.opOf(page.row)) {
        section.addLink(tr("Operator"), nameOf(page.trace, op), op,
                        tr("The innermost operator that was open at launch"));
    } else {
        section.addUnknown(tr("Operator"), tr("it was launched outside of any, or the file does not tell"));
    }
    addCalledFrom(page);
}

void addLaunchConfiguration(const Page& page) {
    const KernelFacts* kernel = page.trace.findKernelFacts(page.row);
    if (kernel == nullptr) {
        page.root()
            .addSection(tr("Launch configuration"))
            .addUnknown(tr("Grid and block"), tr("the file does not say"));
        return;
    }
    Fact& section = page.root().addSection(tr("Launch configuration"));
    addShape(section, tr("Grid"), kernel->grid, "block");
    addShape(section, tr("Block"), kernel->block, "thread");
    addNumber(section, tr("Registers per thread"), kernel->registersPerThread);
    addBytes(section, tr("Shared memory"), kernel->sharedBytes, tr("Static and dynamic, per block"));
    if (kernel->staticSharedBytes >= 0 || kernel->dynamicSharedBytes >= 0) {
        addBytes(section, tr("  static"), kernel->staticSharedBytes);
        addBytes(section, tr("  dynamic"), kernel->dynamicSharedBytes);
    }
    if (kernel->localBytesPerThread >= 0) {
        addBytes(section, tr("Local memory per thread"), kernel->localBytesPerThread);
    }
    addOccupancy(page, section, *kernel);
    addDevice(page, section, kernel->device, kernel->stream);
    if (kernel->context >= 0) {
        addNumber(section, tr("Context"), kernel->context);
    }
    if (kernel->graphNode != 0) {
        section.add(tr("Graph node"), QString::number(kernel->graphNode));
    }
}

void addTransfer(const Page& page) {
    const CopyFacts* copy = page.trace.findCopyFacts(page.row);
    if (copy == nullptr) {
        return;
    }
    Fact& section = page.root().addSection(tr("Transfer"));
    addBytes(section, tr("Size"), copy->bytes);
    if (const auto perSecond = copyBytesPerSecond(page.trace, *copy)) {
        section.add(tr("Rate"), fromUtf8(formatRate(*perSecond, "B/s")), tr("Size over duration"))
            .exactly(*perSecond, "B/s");
    } else {
        section.addUnknown(tr("Rate"),
                           copy->bytes < 0 ? tr("the size is not known") : tr("the duration is 0 or not known"));
    }
    addDevice(page, section, copy->device, copy->stream);
}

}  // namespace warpline::event_page
