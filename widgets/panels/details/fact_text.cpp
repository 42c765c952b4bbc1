// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/details/fact_text.h"

#include <QDateTime>
#include <QTimeZone>

#include "core/base/units.h"
#include "core/trace/process_title.h"
#include "widgets/support/cell_text.h"

namespace warpline::facts {

QString duration(DurationNs durationNs) {
    return fromUtf8(formatDuration(durationNs));
}

QString count(uint64_t number) {
    return fromUtf8(formatCount(number));
}

QString bytes(uint64_t number) {
    return fromUtf8(formatBytes(static_cast<double>(number)));
}

QString exactNs(int64_t ns) {
    ColumnInfo column;
    column.unit = Unit::Nanoseconds;
    return exactCellText(Cell(ns), column);
}

QString exactBytes(int64_t number) {
    ColumnInfo column;
    column.unit = Unit::Bytes;
    return exactCellText(Cell(number), column);
}

QString sinceStart(const Trace& trace, TimeNs time) {
    const TimeNs start = trace.range().has_value() ? trace.range()->begin : 0;
    const DurationNs since = time - start;
    return since < 0 ? QStringLiteral("\u2212") + duration(-since) : duration(since);
}

QString timeOfDay(int64_t unixNs) {
    return wallClock(unixNs).section(',', 0, 0);
}

QString dateAndTime(int64_t unixNs) {
    const QString whole = wallClock(unixNs);
    return whole.section(", ", 1).section(' ', 0, 0) + " " + whole.section('.', 0, 0);
}

QString wallClock(int64_t unixNs) {
    constexpr int64_t kNsPerMs = 1'000'000;
    int64_t ms = unixNs / kNsPerMs;
    int64_t rest = unixNs % kNsPerMs;
    if (rest < 0) {
        rest += kNsPerMs;
        --ms;
    }
    const QString toMs = QDateTime::fromMSecsSinceEpoch(ms, QTimeZone::utc()).toString("HH:mm:ss.zzz");
    const QString date = QDateTime::fromMSecsSinceEpoch(ms, QTimeZone::utc()).toString("yyyy-MM-dd");
    const QString below = QStringLiteral("%1").arg(rest, 6, 10, QLatin1Char('0'));
    return QStringLiteral("%1 %2 %3, %4 UTC").arg(toMs, below.left(3), below.mid(3), date);
}

QString unreadable(const Error& error) {
    if (error.code == "file_changed") {
        return QStringLiteral("the file has changed: reload it (F5) to read them");
    }
    return fromUtf8(error.message);
}

QString trackPath(const Trace& trace, TrackId track) {
    const Track& t = trace.track(track);
    return fromUtf8(processTitle(trace, t.process)) + QStringLiteral(" \u203a ") + fromUtf8(trace.string(t.label));
}

}  // namespace warpline::facts
