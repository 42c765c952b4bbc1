// SPDX-License-Identifier: MIT
#pragma once
// A TraceFilter whose range means an area (what touches it, see area_scan.h), made ready for asking once an event of
// any sort. Const members may be called from any thread.

#include <cstdint>
#include <optional>
#include <vector>

#include "core/analyses/analysis.h"
#include "core/analyses/area_scan.h"
#include "core/analyses/name_verdicts.h"

namespace warpline {

/// Refers to the trace and the filter, which must outlive it.
class AreaFilter {
public:
    /// Decides all names that its text asks about; fails as NameVerdicts::decide() does.
    static Result<AreaFilter> compile(const Trace& trace, const TraceFilter& filter, const JobControl& job);

    const std::optional<TimeRange>& range() const { return m_filter->range; }
    /// All slices in the range and on the tracks.
    const std::vector<RowSpan>& spans() const { return m_spans; }
    /// REQUIRES: a row of the spans.
    bool takes(EventRow row) const {
        const SliceColumns& slices = m_trace->slices();
        return isOfCategory(slices.category[row.value]) && isLongEnough(slices.knownDuration(row.value), *m_filter) &&
               m_names(slices.name[row.value]);
    }
    bool takes(const Instant& instant) const;
    bool takes(const AsyncSlice& slice) const;
    bool takes(const AsyncInstant& instant) const;
    bool takes(const Counter& counter) const;
    /// By StringId: 1 for the names of all that it takes. Fails only when cancelled.
    Result<std::vector<uint8_t>> usedNames(const JobControl& job) const;

private:
    bool isOfCategory(StringId category) const {
        return m_categoryAccepted.empty() || m_categoryAccepted[category.value] != 0;
    }
    bool isOnTrack(TrackId track) const;

    const Trace* m_trace = nullptr;
    const TraceFilter* m_filter = nullptr;
    std::vector<RowSpan> m_spans;
    std::vector<uint8_t> m_trackAccepted;     ///< by TrackId; empty if all are
    std::vector<uint8_t> m_categoryAccepted;  ///< by StringId; empty if all are
    NameVerdicts m_names;
};

}  // namespace warpline
