// SPDX-License-Identifier: MIT
#include "core/analyses/row_titles.h"

#include <unordered_set>

namespace warpline {

AsyncRows::AsyncRows(const Trace& trace) : m_trace(trace), m_isByCategory(trace.processes().size(), 0) {
    std::vector<std::unordered_set<uint32_t>> names(trace.processes().size());
    const auto add = [&](TrackId track, StringId name) {
        const uint32_t process = processOf(track).value;
        if (m_isByCategory[process] == 0) {
            names[process].insert(name.value);
            m_isByCategory[process] = names[process].size() > kMostNames ? 1 : 0;
        }
    };
    for (const AsyncSlice& slice : trace.asyncSlices()) {
        add(slice.track, slice.name);
    }
    for (const AsyncInstant& instant : trace.asyncInstants()) {
        add(instant.track, instant.name);
    }
}

std::string asyncRowTitle(const Trace& trace, StringId title) {
    const std::string_view text = trace.string(title);
    return text.empty() ? "async" : std::string(text);
}

std::string counterRowTitle(const Trace& trace, const Counter& counter, const CounterSeries& series) {
    std::string title(trace.string(counter.name));
    if (counter.id) {
        title += " [" + trace.idText(*counter.id) + "]";
    }
    if (counter.series.size() > 1) {
        title += " · " + std::string(trace.string(series.name));
    }
    return title;
}

}  // namespace warpline
