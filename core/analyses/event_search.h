// SPDX-License-Identifier: MIT
#pragma once
// Which events have a text in their name, or in their args. Pure functions of a sealed trace; any thread, and they use
// all cores. Args are read from the file.

#include <cstdint>
#include <string>
#include <vector>

#include "core/analyses/analysis.h"
#include "core/base/ids.h"
#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/trace/trace.h"

namespace warpline {

struct SearchQuery {
    std::string text;        ///< a part of what is looked for, or a regular expression; empty: nothing is found
    bool isRegex = false;    ///< Perl's syntax (PCRE2), searched, not anchored
    bool matchCase = false;  ///< else letters match their other case: those of ASCII, in a regular expression all
    bool inNames = true;     ///< for who chooses between the two functions
    bool inArgs = false;
    /// Where to look. The range takes what touches it (see area_scan.h), so that a search of what is visible finds a
    /// slice that began before; the text restricts by name as it does in tables.
    TraceFilter scope;
};

struct SearchHits {
    std::vector<EventRow> slices;         ///< by begin, then row
    std::vector<uint32_t> instants;       ///< of Trace::instants(), by time
    std::vector<uint32_t> asyncSlices;    ///< of Trace::asyncSlices(), by begin
    std::vector<uint32_t> asyncInstants;  ///< of Trace::asyncInstants(), by time
    std::vector<uint32_t> counters;       ///< of Trace::counters(), ascending
    bool argsComplete = true;             ///< false: some args could not be read, `note` says why
    std::string note;                     ///< for the user; "" if there is nothing to say

    uint64_t total() const {
        return slices.size() + instants.size() + asyncSlices.size() + asyncInstants.size() + counters.size();
    }
};

/// By name; a mangled one also by its readable form, a counter also by the names of its series. Counters lie on no
/// track and in no category: a scope that restricts these leaves them out. Linear in the slices of the range; a name is
/// looked at once, however many have it. Fails on a bad regular expression or one too costly, or when cancelled.
Result<SearchHits> findByName(const Trace& trace, const SearchQuery& query, JobControl& job);

/// By args as Trace::argsJson() gives them, with what is escaped there as it is meant: `"stream": 7`, `[[32, 64]]`,
/// `é`. A regular expression reads the args of every event in scope; a plain text first asks the file which can have
/// it (EventSource::scanText()). Args that cannot be read, or are too much for the expression, are counted in the note.
/// Counters have no args. Progress: in bytes of the file, then in events. Fails on a bad regular expression, or when
/// cancelled.
Result<SearchHits> findInArgs(const Trace& trace, const SearchQuery& query, JobControl& job);

/// What is in one or both, each once, in the same order.
SearchHits unionOf(const Trace& trace, const SearchHits& a, const SearchHits& b);

}  // namespace warpline
