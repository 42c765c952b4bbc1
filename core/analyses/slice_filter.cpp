// SPDX-License-Identifier: MIT
#include "core/analyses/slice_filter.h"

#include <algorithm>
#include <utility>

#include "core/analyses/accepted_ids.h"

namespace warpline {

namespace {

constexpr uint32_t kCancelStride = 1U << 16;

}  // namespace

Result<SliceFilter> SliceFilter::compile(const Trace& trace, const TraceFilter& filter, const JobControl& job,
                                         std::initializer_list<std::string_view> otherNames) {
    SliceFilter out;
    out.m_trace = &trace;
    out.m_filter = filter;
    out.m_restricts = filter.range.has_value() || !filter.tracks.empty() || !filter.text.empty() ||
                      !filter.categories.empty() || filter.leastDuration > 0;
    out.m_trackAccepted = acceptedTracks(trace, filter.tracks);
    out.m_categoryAccepted = acceptedCategories(trace, filter.categories);
    if (filter.text.empty()) {
        return out;
    }
    // As they always were: a plain text ignores case, a regular expression says for itself.
    auto matcher =
        NameMatcher::compile(filter.text, filter.textIsRegex, filter.textIsRegex ? Case::Matters : Case::Ignored);
    if (!matcher) {
        return matcher.error();
    }
    out.m_matcher = std::make_shared<NameMatcher>(std::move(matcher).value());
    if (const Status decided = out.decideNames(job, otherNames); !decided) {
        return decided.error();
    }
    return out;
}

Status SliceFilter::decideNames(const JobControl& job, std::initializer_list<std::string_view> otherNames) {
    for (const std::string_view name : otherNames) {
        const auto found = m_matcher->isFoundIn(name);
        if (!found) {
            return found.error();
        }
        m_otherNames.emplace(name, found.value());
    }
    m_nameVerdict.assign(m_trace->stringCount(), 0);
    const SliceColumns& slices = m_trace->slices();
    for (uint32_t row = 0; row < slices.size(); ++row) {
        if (row % kCancelStride == 0 && job.stopRequested()) {
            return Error::cancelled();
        }
        const StringId name = slices.name[row];
        if (m_nameVerdict[name.value] != 0 || !passesAllButName(EventRow(row))) {
            continue;
        }
        if (job.stopRequested()) {
            return Error::cancelled();
        }
        const auto found = m_matcher->matches(m_trace->string(name));
        if (!found) {
            return found.error();
        }
        m_nameVerdict[name.value] = found.value() ? 2 : 1;
    }
    return Status::success();
}

bool SliceFilter::isInScope(EventRow row) const {
    const SliceColumns& slices = m_trace->slices();
    return (!m_filter.range || m_filter.range->contains(slices.begin[row.value])) &&
           (m_trackAccepted.empty() || m_trackAccepted[slices.track[row.value].value] != 0);
}

bool SliceFilter::passesAllButName(EventRow row) const {
    const SliceColumns& slices = m_trace->slices();
    return isInScope(row) && isLongEnough(slices.knownDuration(row.value), m_filter) &&
           (m_categoryAccepted.empty() || m_categoryAccepted[slices.category[row.value].value] != 0);
}

bool SliceFilter::accepts(TimeNs time, std::string_view name, std::string_view category) const {
    if (!m_trackAccepted.empty() || m_filter.leastDuration > 0) {
        return false;
    }
    if (m_filter.range && !m_filter.range->contains(time)) {
        return false;
    }
    const auto& categories = m_filter.categories;
    if (!categories.empty() && std::find(categories.begin(), categories.end(), category) == categories.end()) {
        return false;
    }
    if (m_filter.text.empty()) {
        return true;
    }
    const auto known = m_otherNames.find(name);
    return known != m_otherNames.end() && known->second;
}

}  // namespace warpline
