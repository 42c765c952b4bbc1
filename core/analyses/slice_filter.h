// SPDX-License-Identifier: MIT
#pragma once
// A TraceFilter made ready for asking once a slice: names and categories are decided once for each distinct text.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/analyses/analysis.h"

namespace warpline {

/// Refers to the trace, which must outlive it. One thread at a time (it remembers what it decided).
class SliceFilter {
public:
    /// Fails if the regular expression is not one or is too long; the message says why. It is searched in the first
    /// 4 KiB of a name. A mangled name also matches by its readable form.
    static Result<SliceFilter> compile(const Trace& trace, const TraceFilter& filter);

    bool accepts(EventRow row);
    /// The same for what is no slice: a point in time with a name. `category` is matched as it stands.
    bool accepts(TimeNs time, std::string_view name, std::string_view category) const;
    bool restricts() const { return m_restricts; }

private:
    SliceFilter() = default;
    bool matchesText(std::string_view name) const;

    struct Pattern;
    const Trace* m_trace = nullptr;
    TraceFilter m_filter;
    bool m_restricts = false;
    std::string m_foldedText;                  ///< lower case
    std::shared_ptr<const Pattern> m_pattern;  ///< null unless the text is a regular expression
    std::vector<uint8_t> m_nameVerdict;        ///< by StringId: 0 not asked yet, 1 no, 2 yes
    std::vector<uint8_t> m_categoryAccepted;   ///< by StringId; empty if all are
    std::vector<uint8_t> m_trackAccepted;      ///< by TrackId; empty if all are
};

}  // namespace warpline
