// SPDX-License-Identifier: MIT
#pragma once
// What the capture loader's tests share.

#include <QByteArray>
#include <QString>
#include <QStringList>
#include <QTest>
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "core/loaders/capture/capture_loader.h"
#include "tests/core/loaders/loader_testing.h"
#include "tests/support/capture_maker.h"

namespace warpline::test {

inline Result<std::shared_ptr<const Trace>> loadCapture(std::string_view bytes, const LoadOptions& options = {}) {
    return loadBy(loaders::capture::CaptureLoader(), QByteArray(bytes.data(), qsizetype(bytes.size())), options);
}

inline QString stringOf(const Trace& trace, StringId id) {
    return QString::fromUtf8(trace.string(id).data(), qsizetype(trace.string(id).size()));
}

/// The earliest slice of that name from that time on; none if there is none.
inline EventRow findSlice(const Trace& trace, std::string_view name, TimeNs from = -1) {
    const SliceColumns& s = trace.slices();
    EventRow found = EventRow::none();
    for (uint32_t row = 0; row < s.size(); ++row) {
        if (trace.string(s.name[row]) == name && s.begin[row] >= from &&
            (!found || s.begin[row] < s.begin[found.value])) {
            found = EventRow(row);
        }
    }
    return found;
}

/// "pid/tid category begin+duration", of that slice.
inline QString describeSlice(const Trace& trace, std::string_view name, TimeNs from = -1) {
    const EventRow row = findSlice(trace, name, from);
    if (!row) {
        return "none";
    }
    const SliceColumns& s = trace.slices();
    return trackText(trace, s.track[row.value]) + " " + stringOf(trace, s.category[row.value]) + " " +
           QString::number(s.begin[row.value]) + "+" + QString::number(s.knownDuration(row.value));
}

inline QString argsOf(const Trace& trace, EventRow row) {
    const auto args = trace.argsJson(row);
    return QString::fromStdString(args ? args.value() : args.error().message);
}

/// "code severity count", sorted.
inline QStringList issuesOf(const Trace& trace) {
    QStringList lines;
    for (const Issue& issue : trace.report().issues()) {
        lines << QString("%1 %2 %3")
                     .arg(QString::fromStdString(issue.code), QString::fromUtf8(severityName(issue.severity).data()))
                     .arg(issue.count);
    }
    lines.sort();
    return lines;
}

/// "time=value" of one line of a counter; "none" if there is none of that name.
inline QString counterText(const Trace& trace, std::string_view name, std::string_view series) {
    for (const Counter& counter : trace.counters()) {
        for (const CounterSeries& line : counter.series) {
            if (trace.string(counter.name) == name && trace.string(line.name) == series) {
                QStringList points;
                for (size_t i = 0; i < line.time.size(); ++i) {
                    points << QString("%1=%2").arg(line.time[i]).arg(line.value[i], 0, 'f', 1);
                }
                return points.join(' ');
            }
        }
    }
    return "none";
}

}  // namespace warpline::test
