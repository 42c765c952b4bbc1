// SPDX-License-Identifier: MIT
#pragma once
// Where a search looks, made ready for asking once an event, and the names that it has decided. Refers to the trace and
// the filter, which must outlive it. Const members may be called from any thread.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analyses/analysis.h"
#include "core/analyses/area_scan.h"
#include "core/base/text_finder.h"

namespace warpline {

/// Yes or no for each name that events have: decided once a distinct text, on all cores.
class NameVerdicts {
public:
    /// Everything is a yes.
    NameVerdicts() = default;
    /// `isUsed`, by StringId: those that will be asked for. Fails on a bad or too costly expression, or when cancelled.
    static Result<NameVerdicts> decide(const Trace& trace, const std::vector<uint8_t>& isUsed, const std::string& text,
                                       bool isRegex, Case letterCase, const JobControl& job);
    bool operator()(StringId name) const { return m_isYes.empty() || m_isYes[name.value] != 0; }

private:
    std::vector<uint8_t> m_isYes;  ///< by StringId
};

class SearchScope {
public:
    /// Fails as NameVerdicts::decide() does.
    static Result<SearchScope> compile(const Trace& trace, const TraceFilter& filter, const JobControl& job);

    const std::optional<TimeRange>& range() const { return m_filter->range; }
    /// All slices in the range and on the tracks.
    const std::vector<RowSpan>& spans() const { return m_spans; }
    /// REQUIRES: a row of the spans.
    bool takes(EventRow row) const {
        const SliceColumns& slices = m_trace->slices();
        return isOfCategory(slices.category[row.value]) && m_names(slices.name[row.value]);
    }
    bool takes(const Instant& instant) const;
    bool takes(const AsyncSlice& slice) const;
    bool takes(const AsyncInstant& instant) const;
    bool takes(const Counter& counter) const;
    /// By StringId: the names of everything in range, on the tracks and of the categories.
    const std::vector<uint8_t>& usedNames() const { return m_usedNames; }

private:
    bool isOfCategory(StringId category) const {
        return m_categoryAccepted.empty() || m_categoryAccepted[category.value] != 0;
    }
    bool isOnTrack(TrackId track) const;
    Status findUsedNames(const JobControl& job);

    const Trace* m_trace = nullptr;
    const TraceFilter* m_filter = nullptr;
    std::vector<RowSpan> m_spans;
    std::vector<uint8_t> m_trackAccepted;     ///< by TrackId; empty if all are
    std::vector<uint8_t> m_categoryAccepted;  ///< by StringId; empty if all are
    std::vector<uint8_t> m_usedNames;
    NameVerdicts m_names;
};

}  // namespace warpline
