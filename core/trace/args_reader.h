// SPDX-License-Identifier: MIT
#pragma once
// Args of many events, read one after the other, where one event whose args cannot be read costs no more than these.
// One thread.

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/trace/import_report.h"
#include "core/trace/trace.h"

namespace warpline {

class ArgsReader {
public:
    /// REQUIRES: `trace` outlives this.
    explicit ArgsReader(const Trace& trace) : m_trace(trace) {}

    /// As Trace::argsJson(); "null" and counted where that fails for the event alone (kUnreadableArgs). Other errors
    /// are passed on, with the name of the file.
    Result<std::string> read(EventRow row);
    Result<std::string> read(TrackId track, SourceRef source, SourceRef end = {});

    uint64_t unreadable() const { return m_report.countOf(kUnreadableArgs); }
    /// One a file with such events, in the words of the import report.
    std::vector<Issue> issues() const;

private:
    Result<std::string> orNull(TrackId track, SourceRef source, Result<std::string> args);

    const Trace& m_trace;
    ImportReport m_report;
};

}  // namespace warpline
