// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/area/area_text.h"

#include <QStringList>

#include <algorithm>
#include <array>

#include "core/base/demangle.h"
#include "core/base/units.h"
#include "core/trace/process_title.h"
#include "widgets/panels/area/area_words.h"
#include "widgets/support/cell_text.h"

namespace warpline::area {

namespace {

QString share(DurationNs part, DurationNs whole) {
    return whole > 0 ? fromUtf8(formatRatio(static_cast<double>(part) / static_cast<double>(whole)))
                     : QStringLiteral("n/a");
}

QString link(const QString& target, const QString& text) {
    return QStringLiteral("<a href=\"%1\">%2</a>").arg(target, text.toHtmlEscaped());
}

struct OverlapKind {
    const char* id;
    const WorkOverlap DeviceArea::*overlap;
};
constexpr std::array<OverlapKind, 3> kOverlaps = {{{"copy_compute", &DeviceArea::copyCompute},
                                                   {"copy_copy", &DeviceArea::copyCopy},
                                                   {"compute_compute", &DeviceArea::computeCompute}}};

QString nameInText(const Trace& trace, EventRow row) {
    constexpr int kMost = 28;
    const QString name = fromUtf8(shortName(trace.sliceName(row)));
    return name.size() <= kMost ? name : name.left(kMost - 1) + QStringLiteral("…");
}

/// "1.523 ms in 11 pairs: 613.2 µs (Memcpy HtoD ∥ Memcpy DtoH), …", or "none".
QString overlapText(const Trace& trace, const WorkOverlap& overlap, size_t device, const char* id) {
    if (overlap.pairCount == 0) {
        return tr("none");
    }
    QStringList links;
    for (size_t i = 0; i < std::min(kNamed, overlap.longest.size()); ++i) {
        const WorkPair& pair = overlap.longest[i];
        QString text = duration(pair.overlapNs).replace(' ', QChar::Nbsp);
        if (i == 0) {
            text += QStringLiteral(" (%1 ∥ %2)").arg(nameInText(trace, pair.first), nameInText(trace, pair.second));
        }
        links << link(QStringLiteral("%1/%2/%3").arg(QLatin1String(id)).arg(device).arg(i), text);
    }
    if (overlap.longest.size() > kNamed) {
        links << link(QStringLiteral("%1/%2/all").arg(QLatin1String(id)).arg(device),
                      overlap.longest.size() == overlap.pairCount
                          ? tr("mark all")
                          : tr("mark the longest %1").arg(overlap.longest.size()));
    }
    return tr("<b>%1</b> in %2: %3")
        .arg(duration(overlap.ns), fromUtf8(formatCountOf(overlap.pairCount, "pair")), links.join(", "));
}

/// "3 of 12 streams" where the area names some of a device's alone; else "".
QString partText(const Trace& trace, ProcessId process, std::span<const TrackId> tracks) {
    size_t all = 0, named = 0;
    for (const TrackId track : trace.process(process).tracks) {
        if (trace.track(track).isDevice && trace.track(track).sliceCount > 0) {
            ++all;
            named += std::ranges::find(tracks, track) != tracks.end() ? 1 : 0;
        }
    }
    return tracks.empty() || named == all ? QString() : tr("%1 of %2 streams").arg(named).arg(all);
}

QString deviceText(const Trace& trace, const DeviceArea& device, size_t number, std::span<const TrackId> tracks) {
    QStringList lines;
    const QString part = partText(trace, device.process, tracks);
    QString busy =
        tr("<b>%1</b>: busy <b>%2</b> (%3 of %4)")
            .arg(fromUtf8(processHeading(trace, device.process)).toHtmlEscaped() +
                     (part.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(part)),
                 share(device.busyNs, device.range.length()), duration(device.busyNs), duration(device.range.length()));
    if (device.gapCount > 0) {
        QStringList gaps;
        for (size_t i = 0; i < std::min(kNamed, device.longestGaps.size()); ++i) {
            gaps << link(QStringLiteral("gap/%1/%2").arg(number).arg(i), duration(device.longestGaps[i].length()));
        }
        busy += tr(", idle %1 in %2, the longest %3")
                    .arg(duration(device.idleNs), fromUtf8(formatCountOf(device.gapCount, "gap")), gaps.join(", "));
    }
    if (device.unrecordedNs > 0) {
        busy += tr(", not recorded %1").arg(duration(device.unrecordedNs));
    }
    lines << busy;
    if (device.workCount > 0) {
        const QString hidden = device.copyNs > 0
                                   ? tr("Copies beside compute: %1 (%2 of %3 of copies)")
                                         .arg(overlapText(trace, device.copyCompute, number, kOverlaps[0].id),
                                              share(device.copyCompute.ns, device.copyNs), duration(device.copyNs))
                                   : tr("No copies here");
        lines << hidden + QStringLiteral(" · ") +
                     tr("copies beside copies: %1").arg(overlapText(trace, device.copyCopy, number, kOverlaps[1].id)) +
                     QStringLiteral(" · ") +
                     tr("kernels beside kernels: %1")
                         .arg(overlapText(trace, device.computeCompute, number, kOverlaps[2].id));
    }
    if (!device.streamOverlaps.empty()) {
        QStringList pairs;
        for (size_t i = 0; i < std::min(kNamed, device.streamOverlaps.size()); ++i) {
            const StreamOverlap& overlap = device.streamOverlaps[i];
            pairs << QStringLiteral("%1 ∥ %2 %3")
                         .arg(fromUtf8(trackTitle(trace, overlap.a)).toHtmlEscaped(),
                              fromUtf8(trackTitle(trace, overlap.b)).toHtmlEscaped(), duration(overlap.ns));
        }
        if (device.streamOverlaps.size() > kNamed) {
            pairs << tr("%1 more pairs").arg(device.streamOverlaps.size() - kNamed);
        }
        if (device.streams.size() > DeviceArea::kMostStreams) {
            pairs << tr("only the %1 busiest of %2 streams are compared")
                         .arg(DeviceArea::kMostStreams)
                         .arg(device.streams.size());
        }
        lines << tr("Streams at once: %1").arg(pairs.join(QStringLiteral(" · ")));
    }
    if (device.unknownEnds > 0) {
        lines << tr("%1 without an end in the file counts in none of this")
                     .arg(fromUtf8(formatCountOf(device.unknownEnds, "piece of work", "pieces of work")));
    }
    return "<p style=\"margin-top:0; margin-bottom:4px\">" + lines.join("<br>") + "</p>";
}

}  // namespace

QString areaText(const Trace& trace, const std::vector<DeviceArea>& devices, std::span<const TrackId> tracks) {
    QString text;
    for (size_t i = 0; i < devices.size(); ++i) {
        text += deviceText(trace, devices[i], i, tracks);
    }
    return text;
}

Place placeOf(const QString& link, const std::vector<DeviceArea>& devices) {
    const QStringList parts = link.split('/');
    if (parts.size() != 3) {
        return {};
    }
    bool isNumber = false;
    bool isIndex = false;
    const size_t number = parts[1].toULongLong(&isNumber);
    const size_t index = parts[2].toULongLong(&isIndex);
    const bool isAll = parts[2] == QLatin1String("all");
    if (!isNumber || (!isIndex && !isAll) || number >= devices.size()) {
        return {};
    }
    const DeviceArea& device = devices[number];
    if (parts[0] == "gap") {
        return isIndex && index < device.longestGaps.size() ? Place{device.longestGaps[index], {}, {}} : Place{};
    }
    for (const OverlapKind& kind : kOverlaps) {
        const WorkOverlap& overlap = device.*kind.overlap;
        if (parts[0] != QLatin1String(kind.id)) {
            continue;
        }
        if (isAll) {
            return {{}, {}, overlap.longest};
        }
        if (index < overlap.longest.size()) {
            return {{}, overlap.longest[index], {}};
        }
    }
    return {};
}

}  // namespace warpline::area
