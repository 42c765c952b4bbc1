// SPDX-License-Identifier: MIT
#include "core/trace/import_report.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace warpline {

namespace {

/// How a code reads as a sentence. `one` and `many` follow the count; an entry for Severity::Error has no count in
/// front.
struct Wording {
    std::string_view code;
    std::optional<Severity> severity;  ///< nullopt: any
    std::string_view one;
    std::string_view many;
};

constexpr std::array kWordings = {
    Wording{"truncated", Severity::DataLoss, "event or more was cut off where the file ends early",
            "events or more were cut off where the file ends early"},
    Wording{"truncated", std::nullopt, "list or file has no proper end; every event that is there was read",
            "lists or files have no proper end; every event that is there was read"},
    Wording{"trailing_data", std::nullopt, "stretch of other text after the end of the trace was left alone",
            "stretches of other text after the end of the trace were left alone"},
    Wording{"invalid_json", Severity::DataLoss, "stretch of the list of events is not JSON and was dropped",
            "stretches of the list of events are not JSON and were dropped"},
    Wording{"invalid_json", Severity::Warning, "stretch beside the list of events is not JSON and was passed over",
            "stretches beside the list of events are not JSON and were passed over"},
    Wording{"invalid_json", std::nullopt, "event is not strict JSON and was read leniently",
            "events are not strict JSON and were read leniently"},
    Wording{"invalid_utf8", std::nullopt, "event or value has bytes that are not UTF-8 (shown as U+FFFD)",
            "events or values have bytes that are not UTF-8 (shown as U+FFFD)"},
    Wording{"control_character", std::nullopt, "event or value has raw control characters, which were kept",
            "events or values have raw control characters, which were kept"},
    Wording{
        "invalid_escape", std::nullopt,
        "event or value has an escape that JSON does not know (kept as it stands) or half of a surrogate pair (U+FFFD)",
        "events or values have escapes that JSON does not know (kept as they stand) or halves of surrogate pairs "
        "(U+FFFD)"},
    Wording{
        "nonfinite_number", std::nullopt,
        "event or value has numbers that JSON does not hold (inf, nan, 1e999, 01, .5 …), kept as text or as a gap",
        "events or values have numbers that JSON does not hold (inf, nan, 1e999, 01, .5 …), kept as text or as gaps"},
    Wording{"bad_timestamp", Severity::DataLoss, "event without a usable time was dropped",
            "events without a usable time were dropped"},
    Wording{"bad_timestamp", std::nullopt, "time could not be read", "times could not be read"},
    Wording{"negative_duration", std::nullopt, "duration is negative and counts as 0",
            "durations are negative and count as 0"},
    Wording{"missing_duration", std::nullopt, "slice has no duration and is shown as unfinished",
            "slices have no duration and are shown as unfinished"},
    Wording{"unmatched_begin", std::nullopt, "begin has no end of its own and is shown as unfinished",
            "begins have no end of their own and are shown as unfinished"},
    Wording{"unmatched_end", std::nullopt, "end without a begin was dropped", "ends without a begin were dropped"},
    Wording{"overlap", std::nullopt, "slice overlaps an earlier one without nesting and is drawn on a lane of its own",
            "slices overlap earlier ones without nesting and are drawn on lanes of their own"},
    Wording{"dangling_flow", std::nullopt, "arrow end has no partner and is not drawn",
            "arrow ends have no partner and are not drawn"},
    Wording{"duplicate_key", std::nullopt, "object has a key twice; of args the last value counts",
            "objects have a key twice; of args the last value counts"},
    Wording{"unknown_phase", Severity::DataLoss, "event of an unknown phase was dropped",
            "events of an unknown phase were dropped"},
    Wording{"unknown_phase", std::nullopt, "event of an unknown phase was passed over",
            "events of an unknown phase were passed over"},
    Wording{"counter_without_value", std::nullopt, "counter event has no value and was dropped",
            "counter events have no values and were dropped"},
    Wording{"rounded_number", std::nullopt, "counter value has more digits than are kept and was rounded",
            "counter values have more digits than are kept and were rounded"},
    Wording{"missing_name", std::nullopt, "event has no name", "events have no name"},
    Wording{"orphan_kernel", std::nullopt, "kernel, copy or memset has no launch call in the file",
            "kernels, copies or memsets have no launch call in the file"},
    Wording{"orphan_launch", std::nullopt, "launch call has no kernel, copy or memset in the file",
            "launch calls have no kernel, copy or memset in the file"},
    Wording{"no_timestamp", Severity::DataLoss, "device record has no timestamps and is not shown",
            "device records have no timestamps and are not shown"},
    Wording{"no_timestamp", std::nullopt, "device record has no timestamps (start = end = 0)",
            "device records have no timestamps (start = end = 0)"},
    Wording{"dropped_records", std::nullopt, "record was dropped by the recording program",
            "records were dropped by the recording program"},
    Wording{"no_device_activity", std::nullopt, "file with launch calls holds no device activity",
            "files with launch calls hold no device activity"},
    Wording{"clock_mismatch", std::nullopt, "clock does not agree with the others",
            "clocks, or readings of clocks, do not agree with the others"},
    Wording{"too_deep", std::nullopt, "event is nested too deeply and is shown shortened",
            "events are nested too deeply and are shown shortened"},
    Wording{"encoding", std::nullopt, "byte order mark or other encoding than plain UTF-8 was accepted",
            "byte order marks or other encodings than plain UTF-8 were accepted"},
    Wording{"multiple_documents", std::nullopt, "further JSON document follows the first and was read too",
            "further JSON documents follow the first and were read too"},
    Wording{"outlier", Severity::DataLoss, "event has a time that cannot be held and was dropped",
            "events have times that cannot be held and were dropped"},
    Wording{"outlier", std::nullopt, "event lies far away in time from all others and does not set the first view",
            "events lie far away in time from all others and do not set the first view"},
    Wording{"impossible_duration", std::nullopt,
            "device slice runs past the start of later work on its stream: they overlapped, or its duration is wrong",
            "device slices run past the start of later work on their stream: they overlapped, or durations are wrong"},
    Wording{"not_an_event", Severity::DataLoss, "list item that is no object was dropped",
            "list items that are no objects were dropped"},
    Wording{"not_an_event", std::nullopt, "list item is no object", "list items are no objects"},
    Wording{"event_too_long", std::nullopt, "event is longer than allowed and was dropped",
            "events are longer than allowed and were dropped"},
    Wording{"value_too_long", std::nullopt, "top-level value is longer than allowed and was dropped",
            "top-level values are longer than allowed and were dropped"},
    Wording{"odd_value", std::nullopt, "top-level value is not of the kind that its key asks for",
            "top-level values are not of the kind that their keys ask for"},
    Wording{"invalid_gzip", std::nullopt,
            "damaged stretch of the compressed file cannot be unpacked; its text is missing",
            "damaged stretches of the compressed file cannot be unpacked; their text is missing"},
    Wording{"invalid_zstd", std::nullopt,
            "damaged stretch of the compressed file cannot be unpacked; its text is missing",
            "damaged stretches of the compressed file cannot be unpacked; their text is missing"},
    Wording{"odd_rank", std::nullopt, "file gives a rank that is not among the ranks that it says there are",
            "files give ranks that are not among those that they say there are"},
    Wording{"duplicate_rank", std::nullopt, "file gives the rank of another file that is open",
            "files give ranks of other files that are open"},
    Wording{"file_changed", std::nullopt, "file changed while it was read, so what is shown may be of two states of it",
            "files changed while they were read, so what is shown may be of two states of them"},
    Wording{"bad_checksum", std::nullopt, "checksum does not match: the data may be damaged",
            "checksums do not match: the data may be damaged"},
    Wording{"no_events", std::nullopt, "file holds nothing that has a time", "files hold nothing that has a time"},
    Wording{"invalid_proto", std::nullopt, "packet or more, or a part of one, is malformed and was dropped",
            "packets or more, or parts of them, are malformed and were dropped"},
    Wording{"unreadable_packets", std::nullopt,
            "block of a packet or more that are packed cannot be unpacked and was dropped",
            "blocks of a packet or more each that are packed cannot be unpacked and were dropped"},
    Wording{"missing_state", std::nullopt, "event leans on packets that were lost before it, and was dropped",
            "events lean on packets that were lost before them, and were dropped"},
    Wording{"missing_track", std::nullopt, "track is not described in the file and stands in no process",
            "tracks are not described in the file and stand in no process"},
    Wording{"unknown_clock", std::nullopt, "event's clock is not tied to the trace's; its time stands as it is",
            "events' clocks are not tied to the trace's; their times stand as they are"},
    Wording{"skipped_packet", std::nullopt, "packet of a sort that is not read was passed over",
            "packets of sorts that are not read were passed over"},
    Wording{"invalid_sqlite", std::nullopt,
            "place in the database is damaged; what cannot be read there, a row or more, was dropped",
            "places in the database are damaged; what cannot be read there, a row or more at each, was dropped"},
    Wording{"sqlite_log", Severity::DataLoss,
            "page of the database is newer in the log beside it; what the log alone has was not read and is lost here",
            "pages of the database are newer in the log beside it; what the log alone has was not read and is lost "
            "here"},
    Wording{"sqlite_log", Severity::Warning, "log lies beside the database, and whether it has changes is not known",
            "logs lie beside the databases, and whether they have changes is not known"},
    Wording{"sqlite_log", std::nullopt,
            "database may have had a log beside it; changes that are in that alone were not read",
            "databases may have had logs beside them; changes that are in those alone were not read"},
    Wording{"unreadable_args", std::nullopt, "event's args cannot be read again and are left out",
            "events' args cannot be read again and are left out"},
    Wording{"missing_column", std::nullopt, "column is not in the file; what it would say is unknown",
            "columns are not in the file; what they would say is unknown"},
    Wording{"memory_before", std::nullopt, "block of memory was given back that was taken before the recording began",
            "blocks of memory were given back that were taken before the recording began"},
    Wording{"graph_as_whole", std::nullopt,
            "graph launch was recorded as a whole: what ran in it is not told and counts as one kernel",
            "graph launches were recorded as a whole: what ran in them is not told and counts as one kernel each"},
    Wording{"replayed", std::nullopt,
            "launch was replayed to count what it does: it has no time of its own and is not shown",
            "launches were replayed to count what they do: they have no times of their own and are not shown"},
    Wording{"end_inferred", std::nullopt,
            "piece of device work ends where later work proves it: its duration is not known",
            "pieces of device work end where later work proves it: their durations are not known"},
    Wording{"taken_over", std::nullopt,
            "time another client took CUPTI over: from then on nothing was recorded, which is no idle time",
            "times another client took CUPTI over: from then on nothing was recorded, which is no idle time"},
    Wording{"size_limit", std::nullopt, "record or more was left out as the capture had the size that was granted",
            "records or more were left out as the capture had the size that was granted"},
    Wording{"write_failed", std::nullopt, "record or more could not be written by the recorder",
            "records or more could not be written by the recorder"},
    Wording{"filtered", std::nullopt, "record was left out of the recording as asked",
            "records were left out of the recording as asked"},
    Wording{"no_end", std::nullopt, "recording ended without its end: killed, or still running",
            "recordings ended without their ends: killed, or still running"},
    Wording{"invalid_capture", std::nullopt, "stretch of the capture is damaged and was dropped",
            "stretches of the capture are damaged and were dropped"},
    Wording{"missing_frames", std::nullopt, "frame of the capture is missing, with the records in it",
            "frames of the capture are missing, with the records in them"},
    Wording{"unreadable_frames", std::nullopt, "frame of the capture cannot be unpacked and was dropped",
            "frames of the capture cannot be unpacked and were dropped"},
    Wording{"unknown_frames", std::nullopt, "frame of the capture is of a sort that is not known here",
            "frames of the capture are of sorts that are not known here"},
    Wording{"skipped_table", std::nullopt, "table of the file is not read", "tables of the file are not read"},
    Wording{"odd_record", std::nullopt, "record without what its sort needs was dropped",
            "records without what their sort needs were dropped"},
    Wording{"time_order", std::nullopt,
            "record has a time before that of the record in front of it and is shown at that",
            "records have times before those of the records in front of them and are shown at those"},
    Wording{"unpaired_time", Severity::DataLoss, "time without a row, or row without a time, was dropped",
            "times without a row, or rows without a time, were dropped"},
    Wording{"uncertain_time", std::nullopt, "row may belong to another of the times",
            "rows may belong to others of the times"},
    Wording{"bad_level", std::nullopt, "row has a level that cannot be told, which is shown as a gap",
            "rows have levels that cannot be told, which are shown as gaps"},
    Wording{"uncertain_level", std::nullopt,
            "file lacks records, so its levels may be off by what these held from there on",
            "files lack records, so their levels may be off by what these held from there on"},
    Wording{"negative_level", std::nullopt, "row has a level below zero", "rows have levels below zero"},
    Wording{"unknown_category", std::nullopt, "record has a category that its writer does not name",
            "records have categories that their writer does not name"},
    Wording{"no_timeline", std::nullopt,
            "file holds sums and no times: lengths are true, positions follow the order in the file alone",
            "files hold sums and no times: lengths are true, positions follow the order in the files alone"},
    Wording{"no_times", std::nullopt, "file holds sums that are not times, and nothing with a length is shown",
            "files hold sums that are not times, and nothing with a length is shown"},
    Wording{"bad_metric", std::nullopt, "time of a node cannot be used and counts as 0",
            "times of nodes cannot be used and count as 0"},
    Wording{"not_shown", std::nullopt, "part of the file beside its events was read and is not shown",
            "parts of the file beside its events were read and are not shown"},
    Wording{"recorder_note", std::nullopt, "note of the recording program", "notes of the recording program"},
};

const Wording* findWording(const Issue& issue) {
    const Wording* any = nullptr;
    for (const Wording& w : kWordings) {
        if (w.code == issue.code && w.severity == issue.severity) {
            return &w;
        }
        if (w.code == issue.code && !w.severity) {
            any = &w;
        }
    }
    return any;
}

/// Texts of files can hold control characters, which a terminal would obey.
void appendPrintable(std::string& text, std::string_view detail) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    for (const char c : detail) {
        const auto byte = static_cast<unsigned char>(c);
        if ((byte >= 0x20 && byte != 0x7f) || c == '\n' || c == '\t') {
            text += c;
            continue;
        }
        text += "\\x";
        text += kDigits[byte >> 4U];
        text += kDigits[byte & 15U];
    }
}

}  // namespace

std::string_view severityName(Severity severity) {
    switch (severity) {
        case Severity::Info:
            return "info";
        case Severity::Warning:
            return "warning";
        case Severity::DataLoss:
            return "data_loss";
        case Severity::Error:
            break;
    }
    return "error";
}

Issue* ImportReport::count(FileId file, std::string_view code, Severity severity, std::optional<uint64_t> offset,
                           OffsetSpace space, uint64_t count) {
    const auto it = std::ranges::find_if(
        m_issues, [&](const Issue& i) { return i.file == file && i.severity == severity && i.code == code; });
    if (it == m_issues.end()) {
        m_issues.push_back({std::string(code), severity, count, file, offset, space, {}, {}});
        return &m_issues.back();
    }
    it->count += count;
    if (!offset || (it->firstOffset && *offset >= *it->firstOffset)) {
        return nullptr;
    }
    it->firstOffset = offset;
    it->space = space;
    return &*it;
}

void ImportReport::add(FileId file, std::string_view code, Severity severity, std::optional<uint64_t> offset,
                       OffsetSpace space, std::string_view detail, uint64_t count) {
    if (Issue* const issue = this->count(file, code, severity, offset, space, count)) {
        issue->detail = detail;
    }
}

void ImportReport::finish() {
    for (Issue& issue : m_issues) {
        issue.message = issueMessage(issue);
    }
    std::ranges::sort(m_issues, {},
                      [](const Issue& i) { return std::tuple(i.file.value, -static_cast<int>(i.severity), i.code); });
}

uint64_t ImportReport::countOf(std::string_view code) const {
    uint64_t count = 0;
    for (const Issue& issue : m_issues) {
        count += issue.code == code ? issue.count : 0;
    }
    return count;
}

uint64_t ImportReport::countOf(Severity severity) const {
    uint64_t count = 0;
    for (const Issue& issue : m_issues) {
        count += issue.severity == severity ? issue.count : 0;
    }
    return count;
}

uint64_t ImportReport::countFrom(Severity least) const {
    uint64_t count = 0;
    for (const Issue& issue : m_issues) {
        count += issue.severity >= least ? issue.count : 0;
    }
    return count;
}

uint64_t ImportReport::lostCount() const {
    uint64_t count = 0;
    for (const Issue& issue : m_issues) {
        count += issue.severity == Severity::DataLoss ? issue.count : 0;
    }
    return count;
}

std::string issueMessage(const Issue& issue) {
    std::string text;
    if (issue.severity == Severity::Error) {
        appendPrintable(text, issue.detail);
        return text;
    }
    text = std::to_string(issue.count) + " ";
    const Wording* wording = findWording(issue);
    text += wording == nullptr ? issue.code : std::string(issue.count == 1 ? wording->one : wording->many);
    if (!issue.detail.empty()) {
        const bool quoted = issue.code == "recorder_note";
        text += quoted ? ": " : issue.count == 1 ? " (" : " (the first: ";
        appendPrintable(text, issue.detail);
        text += quoted ? "" : ")";
    }
    return text;
}

}  // namespace warpline
