// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/timeline/time_target.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <cstdlib>

#include "core/base/time_text.h"
#include "core/base/units.h"
#include "widgets/support/cell_text.h"

namespace warpline::timeline {

namespace {

constexpr int64_t kDayNs = int64_t{86'400} * 1'000'000'000;

QString tr(const char* text) {
    return QCoreApplication::translate("TimeTarget", text);
}

/// Nanoseconds since midnight; nullopt if it is no time of day.
std::optional<int64_t> timeOfDayNs(const QString& text) {
    static const QRegularExpression pattern(QStringLiteral("^(\\d{1,2}):(\\d{2}):(\\d{2})(?:\\.(\\d{1,9}))?$"));
    const QRegularExpressionMatch found = pattern.match(QString(text).remove(' '));
    if (!found.hasMatch()) {
        return std::nullopt;
    }
    const int hours = found.captured(1).toInt();
    const int minutes = found.captured(2).toInt();
    const int seconds = found.captured(3).toInt();
    if (hours > 23 || minutes > 59 || seconds > 59) {
        return std::nullopt;
    }
    return ((int64_t{hours} * 60 + minutes) * 60 + seconds) * 1'000'000'000 +
           found.captured(4).leftJustified(9, '0').toLongLong();
}

/// Of the days around, the time of which is nearest to the trace.
std::optional<TimeNs> traceTimeOf(int64_t ofDayNs, const Trace& trace, TimeRange all) {
    for (const FileInfo& file : trace.files()) {
        const std::optional<int64_t> startNs = file.wallClockNs(all.begin);
        if (!startNs || *startNs < kDayNs) {
            continue;
        }
        const int64_t midnight = *startNs - *startNs % kDayNs;
        std::optional<TimeNs> best;
        int64_t least = INT64_MAX;
        for (const int64_t day : {midnight - kDayNs, midnight, midnight + kDayNs}) {
            const TimeNs time = addSaturated(all.begin, distanceSaturated(*startNs, day + ofDayNs));
            const int64_t away = time < all.begin ? distanceSaturated(time, all.begin)
                                 : time > all.end ? distanceSaturated(all.end, time)
                                                  : 0;
            if (away < least) {
                least = away;
                best = time;
            }
        }
        return best;
    }
    return std::nullopt;
}

}  // namespace

TimeTarget parseTimeTarget(const QString& text, const Trace& trace, TimeNs now) {
    const QString typed = text.trimmed();
    const TimeRange all = trace.range().value_or(TimeRange{});
    std::optional<TimeNs> time;
    if (typed.isEmpty()) {
        return {std::nullopt, tr("Type a time")};
    }
    if (typed.contains(':')) {
        const std::optional<int64_t> ofDay = timeOfDayNs(typed);
        if (!ofDay) {
            return {std::nullopt, tr("A time of day looks like 07:57:06.123456")};
        }
        time = traceTimeOf(*ofDay, trace, all);
        if (!time) {
            return {std::nullopt, tr("The file gives no base time, so times of day are not known")};
        }
    } else {
        QString plain = typed;
        plain.replace(QChar(0x2212), '-');
        const bool isRelative = plain.startsWith('+') || plain.startsWith('-');
        const QString unsignedText = isRelative ? plain.mid(1).trimmed() : plain;
        const std::optional<TimeNs> amount =
            unsignedText.startsWith('-') ? std::nullopt : parseTimeText(unsignedText.toStdString());
        if (!amount) {
            return {std::nullopt, tr("A time looks like 12.5ms, +3us, -3us or 07:57:06.123456")};
        }
        time = !isRelative ? addSaturated(all.begin, *amount)
                           : addSaturated(now, plain.startsWith('-') ? -*amount : *amount);
    }
    if (*time < all.begin || *time > all.end) {
        return {std::nullopt,
                tr("The trace is %1 long; that is outside of it").arg(fromUtf8(formatDuration(all.length())))};
    }
    return {time, {}};
}

}  // namespace warpline::timeline
