// SPDX-License-Identifier: MIT
#pragma once
// Rows of the timeline that hold no slices of a thread or stream: async work and counters, by process and title. The
// one place that says which work stands in which row. Pure functions of a sealed trace; any thread.

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/ids.h"
#include "core/trace/trace.h"

namespace warpline {

/// In which row async work stands: of its process, by its name; or by its category where a process has so many names
/// that nobody finds a row among them.
class AsyncRows {
public:
    static constexpr size_t kMostNames = 24;

    /// REQUIRES: the trace outlives this. Cost: all async work.
    explicit AsyncRows(const Trace& trace);

    ProcessId processOf(TrackId track) const { return m_trace.track(track).process; }
    /// A name or a category; those without stand in a row together.
    StringId titleOf(TrackId track, StringId name, StringId category) const {
        return m_isByCategory[processOf(track).value] != 0 ? category : name;
    }

private:
    const Trace& m_trace;
    std::vector<char> m_isByCategory;  ///< by process
};

/// What the row says; "async" where there is neither name nor category.
std::string asyncRowTitle(const Trace& trace, StringId title);
/// "memory [0x1] · used": the counter, its id if it has one, and which series where it has several.
std::string counterRowTitle(const Trace& trace, const Counter& counter, const CounterSeries& series);

}  // namespace warpline
