// SPDX-License-Identifier: MIT
#include "core/analyses/slice_filter.h"

#include <algorithm>
#include <utility>

#include "core/base/demangle.h"

namespace warpline {

namespace {

constexpr uint32_t kCancelStride = 1U << 16;

std::string lowerCase(std::string_view text) {
    std::string out(text);
    for (char& c : out) {
        if (c >= 'A' && c <= 'Z') {
            c = static_cast<char>(c - 'A' + 'a');
        }
    }
    return out;
}

}  // namespace

Result<SliceFilter> SliceFilter::compile(const Trace& trace, const TraceFilter& filter, const JobControl& job,
                                         std::initializer_list<std::string_view> otherNames) {
    SliceFilter out;
    out.m_trace = &trace;
    out.m_filter = filter;
    out.m_restricts =
        filter.range.has_value() || !filter.tracks.empty() || !filter.text.empty() || !filter.categories.empty();
    if (!filter.tracks.empty()) {
        out.m_trackAccepted.assign(trace.tracks().size(), 0);
        for (const TrackId track : filter.tracks) {
            if (track.value < out.m_trackAccepted.size()) {
                out.m_trackAccepted[track.value] = 1;
            }
        }
    }
    if (!filter.categories.empty()) {
        out.m_categoryAccepted.assign(trace.stringCount(), 0);
        for (const std::string& category : filter.categories) {
            if (const auto id = trace.findString(category)) {
                out.m_categoryAccepted[id->value] = 1;
            }
        }
    }
    if (filter.text.empty()) {
        return out;
    }
    if (filter.textIsRegex) {
        auto pattern = NamePattern::compile(filter.text);
        if (!pattern) {
            return pattern.error();
        }
        out.m_pattern = std::make_shared<NamePattern>(std::move(pattern).value());
    } else {
        out.m_foldedText = lowerCase(filter.text);
    }
    if (const Status decided = out.decideNames(job, otherNames); !decided) {
        return decided.error();
    }
    return out;
}

Status SliceFilter::decideNames(const JobControl& job, std::initializer_list<std::string_view> otherNames) {
    for (const std::string_view name : otherNames) {
        const auto found = matchesText(name);
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
        const std::string_view text = m_trace->string(name);
        auto found = matchesText(text);
        if (found && !found.value() && text.starts_with("_Z")) {
            found = matchesText(demangledName(text));
        }
        if (!found) {
            return found.error();
        }
        m_nameVerdict[name.value] = found.value() ? 2 : 1;
    }
    return Status::success();
}

Result<bool> SliceFilter::matchesText(std::string_view name) const {
    return m_pattern != nullptr ? m_pattern->isFoundIn(name)
                                : Result<bool>(lowerCase(name).find(m_foldedText) != std::string::npos);
}

bool SliceFilter::isInScope(EventRow row) const {
    const SliceColumns& slices = m_trace->slices();
    return (!m_filter.range || m_filter.range->contains(slices.begin[row.value])) &&
           (m_trackAccepted.empty() || m_trackAccepted[slices.track[row.value].value] != 0);
}

bool SliceFilter::passesAllButName(EventRow row) const {
    return isInScope(row) &&
           (m_categoryAccepted.empty() || m_categoryAccepted[m_trace->slices().category[row.value].value] != 0);
}

bool SliceFilter::accepts(TimeNs time, std::string_view name, std::string_view category) const {
    if (!m_trackAccepted.empty()) {
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
