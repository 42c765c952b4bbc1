// SPDX-License-Identifier: MIT
#pragma once
// The lists of `warpline dump --json`, each written by a function of its own: key and value, into the open document.
// For small traces: nothing here is meant to scale.

#include <vector>

#include "app/cli/dump/dump_args.h"
#include "core/base/job_control.h"
#include "core/base/json_writer.h"
#include "core/base/result.h"
#include "core/trace/trace.h"

namespace warpline::cli {

struct DumpContext {
    const Trace& trace;
    JsonWriter& json;
    JobControl& job;
    const std::vector<EventRow>& sliceOrder;    ///< rows by time, then by their place in the files
    const std::vector<uint32_t>& sliceIdOfRow;  ///< the inverse: the id of a slice in the document
    const DumpArgs& args;

    /// Key and id of a slice; null for none.
    void writeSliceId(std::string_view key, EventRow row) const;
    /// A time on the clock of its file.
    TimeNs fileTime(FileId file, TimeNs traceTime) const { return trace.files()[file.value].ownTime(traceTime); }
    /// A word of the file, or null.
    void writeWord(const std::optional<StringId>& word) const;
    void writeId(const std::optional<EventId>& id) const;
    /// "file", "pid" and "tid" of a track.
    void writePlace(TrackId track) const;
    /// "name" and "cat"
    void writeNameAndCategory(StringId name, StringId category) const;
};

// dump_tracks.cpp
void dumpFiles(const DumpContext& dump);
void dumpInitialView(const DumpContext& dump);
void dumpProcesses(const DumpContext& dump);
void dumpThreads(const DumpContext& dump);
// dump_slices.cpp; fails when the job is stopped
std::vector<EventRow> dumpOrder(const Trace& trace, const JobControl& job);  ///< of no use once stopped
Status dumpSlices(const DumpContext& dump);
// dump_points.cpp; likewise
Status dumpAsync(const DumpContext& dump);  ///< async_slices and async_instants
Status dumpInstants(const DumpContext& dump);
Status dumpCounters(const DumpContext& dump);
Status dumpFlows(const DumpContext& dump);
// dump_tables.cpp
void dumpOpTable(const DumpContext& dump);
Status dumpKernelTable(const DumpContext& dump);
Status dumpGpus(const DumpContext& dump);
// dump_memory.cpp
void dumpMemoryCounters(const DumpContext& dump);
void dumpOutOfMemory(const DumpContext& dump);
void dumpMemoryTimeline(const DumpContext& dump);

}  // namespace warpline::cli
