// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/area/wait_text.h"

#include <QStringList>

#include <algorithm>

#include "core/base/demangle.h"
#include "core/base/units.h"
#include "widgets/panels/area/area_words.h"
#include "widgets/support/cell_text.h"

namespace warpline::area {

namespace {

QString sumText(Sum ns) {
    return ns.known() ? duration(*ns.value()) : QStringLiteral("n/a");
}

QString link(size_t group, const char* what, const QString& text) {
    return QStringLiteral("<a href=\"wait/%1/%2\">%3</a>")
        .arg(group)
        .arg(QLatin1String(what), QString(text).replace(' ', QChar::Nbsp).toHtmlEscaped());
}

QString nameInText(const Trace& trace, StringId name) {
    constexpr int kMost = 60;
    const QString text = fromUtf8(shortName(trace.string(name)));
    return text.size() <= kMost ? text : text.left(kMost - 1) + QStringLiteral("…");
}

QString whatFor(const Trace& trace, const WaitSum& group) {
    switch (group.answer) {
        case WaitAnswer::Work:
            return tr("for %1").arg(nameInText(trace, group.work));
        case WaitAnswer::NothingLeft:
            return tr("for nothing: all had ended");
        case WaitAnswer::Unknown:
            break;
    }
    switch (group.gap) {
        case WaitGap::SeveralStreams:
            return tr("for one of several streams");
        case WaitGap::SeveralDevices:
            return tr("for one of several devices");
        case WaitGap::NoEvent:
            return tr("for an event that the file does not tell");
        case WaitGap::ReturnedBefore:
            return tr("for n/a: what was running ended later");
        case WaitGap::NoLaunch:
            return tr("for n/a: launches are missing in the trace");
        default:
            return tr("for n/a");
    }
}

QString groupText(const Trace& trace, const WaitSum& group, size_t number) {
    QString text = QStringLiteral("<b>%1</b> %2 %3: ")
                       .arg(sumText(group.total), nameInText(trace, group.call).toHtmlEscaped(),
                            whatFor(trace, group).toHtmlEscaped());
    text += fromUtf8(formatCountOf(group.calls.size(), "call"));
    if (group.longest) {
        text += tr(", longest %1").arg(link(number, "longest", duration(group.longestNs)));
    }
    if (group.unknownEnds > 0) {
        text += tr(", %1 without an end in the file").arg(fromUtf8(formatCountOf(group.unknownEnds, "call")));
    }
    return text + QStringLiteral(" · ") + link(number, "next", tr("next"));
}

QString paragraph(const QStringList& lines) {
    return "<p style=\"margin-top:0; margin-bottom:4px\">" + lines.join("<br>") + "</p>";
}

}  // namespace

QString waitTitle(const Trace& trace, const WaitSum& group) {
    return QStringLiteral("%1 %2").arg(nameInText(trace, group.call), whatFor(trace, group));
}

QString waitText(const Trace& trace, const WaitSummary& waits, bool hasDevices) {
    const QString heading = tr("<b>Host waits</b>: ");
    switch (waits.recorded) {
        case WaitSummary::Recorded::NotInTrace:
            return hasDevices ? paragraph({heading + tr("n/a: the trace has no calls of the CUDA or HIP runtime or "
                                                        "driver")})
                              : QString();
        case WaitSummary::Recorded::NotOnTracks:
            return hasDevices ? paragraph({heading + tr("n/a: no track of the area has calls of the CUDA or HIP "
                                                        "runtime or driver")})
                              : QString();
        case WaitSummary::Recorded::Yes:
            break;
    }
    if (waits.count == 0) {
        return paragraph({heading + tr("none: no call here waits for the device")});
    }
    const auto whole = static_cast<double>(waits.range.length());
    const QString share =
        whole > 0 ? fromUtf8(formatRatio(static_cast<double>(waits.waitedNs) / whole)) : QStringLiteral("n/a");
    QStringList lines{heading + tr("<b>%1</b> of the time (%2 of %3) a thread waited for the device, in %4")
                                    .arg(share, duration(waits.waitedNs), duration(waits.range.length()),
                                         fromUtf8(formatCountOf(waits.count, "call")))};
    const size_t named = std::min(kNamedWaits, waits.groups.size());
    for (size_t i = 0; i < named; ++i) {
        lines << groupText(trace, waits.groups[i], i);
    }
    if (named < waits.groups.size()) {
        Sum rest;
        size_t calls = 0;
        for (size_t i = named; i < waits.groups.size(); ++i) {
            rest += waits.groups[i].total;
            calls += waits.groups[i].calls.size();
        }
        lines << tr("<b>%1</b> for others: %2").arg(sumText(rest), fromUtf8(formatCountOf(calls, "call")));
    }
    return paragraph(lines);
}

WaitPlace waitPlaceOf(const QString& link, const WaitSummary& waits) {
    const QStringList parts = link.split('/');
    bool isNumber = false;
    const size_t number = parts.size() == 3 ? parts[1].toULongLong(&isNumber) : 0;
    if (!isNumber || parts[0] != QLatin1String("wait") || number >= waits.groups.size()) {
        return {};
    }
    const WaitSum& group = waits.groups[number];
    const bool isLongest = parts[2] == QLatin1String("longest") && group.longest;
    return isLongest || parts[2] == QLatin1String("next") ? WaitPlace{&group, isLongest} : WaitPlace{};
}

}  // namespace warpline::area
