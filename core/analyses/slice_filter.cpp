// SPDX-License-Identifier: MIT
#include "core/analyses/slice_filter.h"

#include <algorithm>
#include <regex>

#include "core/base/demangle.h"

namespace warpline {

namespace {

// std::regex recurses once a character; longer texts would overflow the stack of a worker thread.
constexpr size_t kRegexTextLimit = 4096;
// Its compiler recurses once a bracket.
constexpr size_t kRegexLimit = 4096;

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

struct SliceFilter::Pattern {
    std::regex regex;
};

Result<SliceFilter> SliceFilter::compile(const Trace& trace, const TraceFilter& filter) {
    SliceFilter out;
    out.m_trace = &trace;
    out.m_filter = filter;
    out.m_restricts =
        filter.range.has_value() || !filter.tracks.empty() || !filter.text.empty() || !filter.categories.empty();
    if (!filter.text.empty()) {
        if (filter.textIsRegex) {
            if (filter.text.size() > kRegexLimit) {
                return Error::failed("a regular expression may have " + std::to_string(kRegexLimit) +
                                     " bytes; this has " + std::to_string(filter.text.size()));
            }
            try {
                out.m_pattern = std::make_shared<Pattern>(Pattern{std::regex(filter.text, std::regex::ECMAScript)});
            } catch (const std::regex_error& e) {
                return Error::failed("\"" + filter.text + "\" is not a regular expression: " + e.what());
            }
        } else {
            out.m_foldedText = lowerCase(filter.text);
        }
        out.m_nameVerdict.assign(trace.stringCount(), 0);
    }
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
    return out;
}

bool SliceFilter::matchesText(std::string_view name) const {
    if (m_pattern != nullptr) {
        try {
            const std::string_view text = name.substr(0, kRegexTextLimit);
            return std::regex_search(text.begin(), text.end(), m_pattern->regex);
        } catch (const std::regex_error&) {
            return false;  // the engine gave up on this text (error_complexity): it found no match
        }
    }
    return lowerCase(name).find(m_foldedText) != std::string::npos;
}

bool SliceFilter::accepts(EventRow row) {
    if (!m_restricts) {
        return true;
    }
    const SliceColumns& slices = m_trace->slices();
    if (m_filter.range && !m_filter.range->contains(slices.begin[row.value])) {
        return false;
    }
    if (!m_trackAccepted.empty() && m_trackAccepted[slices.track[row.value].value] == 0) {
        return false;
    }
    if (!m_categoryAccepted.empty() && m_categoryAccepted[slices.category[row.value].value] == 0) {
        return false;
    }
    if (m_nameVerdict.empty()) {
        return true;
    }
    const StringId name = slices.name[row.value];
    uint8_t& verdict = m_nameVerdict[name.value];
    if (verdict == 0) {
        const std::string_view text = m_trace->string(name);
        const bool yes = matchesText(text) || (text.starts_with("_Z") && matchesText(demangledName(text)));
        verdict = yes ? 2 : 1;
    }
    return verdict == 2;
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
    return m_filter.text.empty() || matchesText(name);
}

}  // namespace warpline
