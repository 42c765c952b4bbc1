// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/details/file_facts_page.h"

#include <QCoreApplication>
#include <QFileInfo>

#include "widgets/panels/details/args_tree.h"
#include "widgets/panels/details/fact_text.h"
#include "widgets/support/cell_text.h"
#include "widgets/support/issue_text.h"

namespace warpline {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("DetailsPanel", text);
}

QString fileTitle(const FileInfo& file) {
    return file.path == "-" ? tr("Standard input") : QFileInfo(fromUtf8(file.path)).fileName();
}

void addFile(Fact& section, const FileInfo& file) {
    section.add(tr("Path"), fromUtf8(file.path));
    section.add(tr("Format"), file.compression == "none"
                                  ? fromUtf8(file.format)
                                  : tr("%1, %2").arg(fromUtf8(file.format), fromUtf8(file.compression)));
    section.add(tr("Size"), facts::bytes(file.bytes), facts::exactBytes(static_cast<int64_t>(file.bytes)))
        .exactly(static_cast<int64_t>(file.bytes), "B");
    if (file.baseTimeNs.has_value()) {
        section.add(
            tr("Clock starts"), facts::dateAndTime(*file.baseTimeNs),
            tr("The wall clock (date and time of day) when the file's own clock was at 0: %1. With it the ruler shows "
               "the time of day, and files are placed beside one another.")
                .arg(facts::wallClock(*file.baseTimeNs)));
    } else {
        section.addUnknown(tr("Clock starts"), tr("the file gives no base time"));
    }
    if (file.rank.has_value()) {
        section.add(tr("Rank"), file.worldSize.has_value() ? tr("%1 of %2").arg(*file.rank).arg(*file.worldSize)
                                                           : QString::number(*file.rank));
    }
    if (!file.backend.empty()) {
        section.add(tr("Backend"), fromUtf8(file.backend));
    }
    if (file.axisOffsetNs != 0 || file.placedByHand) {
        section.add(tr("Shifted by"),
                    file.placedByHand ? tr("%1, by hand").arg(facts::exactNs(file.axisOffsetNs))
                                      : facts::exactNs(file.axisOffsetNs),
                    tr("To stand on the first file's time axis"));
    }
    // Devices and ranks have facts of their own; a long value is for `info` and for the file itself.
    constexpr size_t kLongestShown = 200;
    for (const auto& [key, json] : file.properties) {
        if (key == "deviceProperties" || key == "distributedInfo") {
            continue;
        }
        if (json.size() > kLongestShown) {
            section.add(fromUtf8(key), tr("%1 of JSON").arg(facts::bytes(json.size())));
            continue;
        }
        Fact holder;
        const bool readable = appendJson(holder, json).isEmpty();
        const bool plain = readable && holder.children.size() == 1 && holder.children.front()->label == "value";
        section.add(fromUtf8(key), plain ? holder.children.front()->value : fromUtf8(json));
    }
}

void addOptional(Fact& section, const QString& label, const std::optional<int64_t>& value, bool asBytes = false) {
    if (!value.has_value() || *value < 0) {
        section.addUnknown(label, tr("the file does not say"));
    } else {
        section.add(
            label, asBytes ? facts::bytes(static_cast<uint64_t>(*value)) : facts::count(static_cast<uint64_t>(*value)));
    }
}

}  // namespace

std::shared_ptr<const FactTree> fileFacts(const Trace& trace) {
    auto tree = std::make_shared<FactTree>();
    const auto files = trace.files();
    tree->title = files.size() == 1 ? fileTitle(files[0]) : tr("%1 files on one time axis").arg(files.size());
    tree->subtitle = tr("Select a slice or drag over an area to see its details");

    Fact& contents = tree->root.addSection(tr("Trace"));
    if (trace.range().has_value()) {
        contents.add(tr("Span"), facts::duration(trace.range()->length()), facts::exactNs(trace.range()->length()))
            .exactly(trace.range()->length(), "ns");
    } else {
        contents.addUnknown(tr("Span"), tr("nothing in it has a time"));
    }
    const EventCounts& counts = trace.counts();
    contents.add(tr("Processes"), facts::count(trace.processOrder().size()));
    contents.add(tr("Slices"), facts::count(counts.slices));
    contents.add(tr("Instants"), facts::count(counts.instants));
    contents.add(tr("Counter events"), facts::count(counts.counters));
    contents.add(tr("Flow points"), facts::count(counts.flows));
    contents.add(tr("Async slices"), facts::count(counts.async));
    const QString issues = issueCountsText(trace.report());
    contents.add(tr("Import issues"), facts::count(trace.report().countFrom(Severity::Info)),
                 (issues.isEmpty() ? QString() : issues + QLatin1Char('\n')) +
                     tr("What was odd, repaired or lost while the file was read; info harms nothing"));

    for (const FileInfo& file : files) {
        addFile(tree->root.addSection(files.size() == 1 ? tr("File") : fileTitle(file)), file);
    }
    for (const DeviceInfo& device : trace.devices()) {
        Fact& section = tree->root.addSection(tr("Device %1").arg(device.id));
        section.add(tr("Name"), device.name.empty() ? notAvailable() : fromUtf8(device.name));
        if (device.computeMajor.has_value() && device.computeMinor.has_value()) {
            section.add(tr("Compute capability"),
                        QStringLiteral("%1.%2").arg(*device.computeMajor).arg(*device.computeMinor));
        } else {
            section.addUnknown(tr("Compute capability"), tr("the file does not say"));
        }
        addOptional(section, tr("Multiprocessors"), device.smCount);
        addOptional(section, tr("Memory"), device.memoryBytes, true);
    }
    return tree;
}

}  // namespace warpline
