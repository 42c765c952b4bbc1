// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the parts of a slice's page share: which slice it is, and facts of common sorts. Pure; any thread.

#include <QString>

#include <cstdint>
#include <span>

#include "core/base/job_control.h"
#include "core/base/sum.h"
#include "core/trace/trace.h"
#include "widgets/panels/details/fact_tree.h"

namespace warpline::event_page {

struct Page {
    const Trace& trace;
    const SliceColumns& slices;
    EventRow row;
    JobControl& job;
    /// False: what may take long is left pending, so that the rest can be shown.
    bool isFull = true;
    FactTree& tree;

    Fact& root() const { return tree.root; }
    EventKind kind() const { return slices.kind[row.value]; }
    FileId file() const { return trace.fileOf(slices.track[row.value]); }
    DurationNs duration() const { return slices.knownDuration(row.value); }
    /// Adds a fact that is still to come.
    void addPending(Fact& section, const QString& label) const;
};

inline constexpr size_t kMaxLinks = 50;

QString tr(const char* text);
/// Short, for links.
QString nameOf(const Trace& trace, EventRow row);
QString durationOf(const SliceColumns& slices, EventRow row);
/// "stream 7"
QString streamOf(const Trace& trace, EventRow deviceWork);
/// "GPU 0", as the file labels it, else the title of its process.
QString deviceOf(const Trace& trace, ProcessId device);
/// "25.0 %"; "" of nothing.
QString shareOf(DurationNs part, DurationNs whole);

/// With the exact value behind the tooltip.
Fact& addDuration(Fact& section, const QString& label, DurationNs ns, const QString& tooltip = {});
/// Negative is unknown: the file does not say.
Fact& addNumber(Fact& section, const QString& label, int64_t value, const QString& tooltip = {});
Fact& addBytes(Fact& section, const QString& label, int64_t value, const QString& tooltip = {});
/// The value of a sum of durations; "n/a" if 64 bits do not hold it.
QString sumText(Sum total);
void setExact(Fact& fact, Sum total);
/// A link: duration and name.
Fact& addTimed(const Page& page, Fact& parent, EventRow row, const QString& labelEnd = {});
void addMore(Fact& parent, uint64_t left);
/// Links in the order given, kMaxLinks at most.
void addList(const Page& page, Fact& parent, std::span<const EventRow> rows);

}  // namespace warpline::event_page
