// SPDX-License-Identifier: MIT
#pragma once
// A TraceFilter made ready for asking once a slice: names and categories are decided once for each distinct text.

#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/analyses/analysis.h"
#include "core/analyses/name_matcher.h"

namespace warpline {

/// Refers to the trace, which must outlive it. Its const members may be called from any thread.
class SliceFilter {
public:
    /// Decides the names of all slices that pass otherwise; looks at the job's stop between names. Fails if
    /// the regular expression is not one or is too costly for a name (the message says why), or when cancelled. A
    /// mangled name also matches by its readable form. `otherNames` are those of no slice that will be asked for.
    static Result<SliceFilter> compile(const Trace& trace, const TraceFilter& filter, const JobControl& job,
                                       std::initializer_list<std::string_view> otherNames = {});

    bool accepts(EventRow row) const {
        return !m_restricts || (passesAllButName(row) &&
                                (m_nameVerdict.empty() || m_nameVerdict[m_trace->slices().name[row.value].value] == 2));
    }
    /// The same for what is no slice: a point in time with a name. `category` is matched as it stands.
    /// REQUIRES: compile() was given the name.
    bool accepts(TimeNs time, std::string_view name, std::string_view category) const;
    bool restricts() const { return m_restricts; }
    /// Whether the slice lies in the time and on the tracks that are asked for, whatever its name and category: what
    /// shares are taken of.
    bool isInScope(EventRow row) const;

private:
    SliceFilter() = default;
    bool passesAllButName(EventRow row) const;
    Status decideNames(const JobControl& job, std::initializer_list<std::string_view> otherNames);

    const Trace* m_trace = nullptr;
    TraceFilter m_filter;
    bool m_restricts = false;
    std::shared_ptr<const NameMatcher> m_matcher;  ///< null unless there is a text
    std::vector<uint8_t> m_nameVerdict;  ///< by StringId: 0 not asked for, 1 no, 2 yes; empty if no name counts
    std::map<std::string, bool, std::less<>> m_otherNames;
    std::vector<uint8_t> m_categoryAccepted;  ///< by StringId; empty if all are
    std::vector<uint8_t> m_trackAccepted;     ///< by TrackId; empty if all are
};

}  // namespace warpline
