// SPDX-License-Identifier: MIT
#include "core/trace/args_reader.h"

#include <utility>

namespace warpline {

Result<std::string> ArgsReader::orNull(TrackId track, SourceRef source, Result<std::string> args) {
    if (args.ok() || args.error().isCancelled()) {
        return args;
    }
    const FileId file = m_trace.fileOf(track);
    const FileInfo& info = m_trace.files()[file.value];
    if (args.error().code == kUnreadableArgs) {
        m_report.add(file, kUnreadableArgs, Severity::Warning, source.offset, info.offsetSpace, args.error().message);
        return std::string("null");
    }
    Error error = args.error();
    if (!error.message.starts_with(info.path)) {
        error.message = info.path + ": " + error.message;
    }
    return error;
}

Result<std::string> ArgsReader::read(EventRow row) {
    const SliceColumns& slices = m_trace.slices();
    return orNull(slices.track[row.value], slices.source(row.value), m_trace.argsJson(row));
}

Result<std::string> ArgsReader::read(TrackId track, SourceRef source, SourceRef end) {
    return orNull(track, source, m_trace.argsJson(track, source, end));
}

std::vector<Issue> ArgsReader::issues() const {
    ImportReport report = m_report;
    report.finish();
    return report.issues();
}

}  // namespace warpline
