// SPDX-License-Identifier: MIT
#pragma once
// What a process is called where several files are open together, and a track within it. Pure; any thread.

#include <string>

#include "core/trace/trace.h"

namespace warpline {

/// "rank 3" of a file whose rank no other file has, else the file's name without its folder; "" if the trace has one
/// file alone. Cost: the number of files.
std::string fileTag(const Trace& trace, FileId file);

/// Its label, with what tells its file from the others in front: "rank 3 · python". Of a single file the label alone.
std::string processTitle(const Trace& trace, ProcessId process);

/// "python3 (4370) · CPU", "GPU 0 · python3", of several files "rank 3 · GPU 0 · python3": all that tells processes
/// apart, for headings.
std::string processHeading(const Trace& trace, ProcessId process);

/// "stream 7", "thread 12", "python3 (4370)": of a name in the file what tells tracks apart comes first.
std::string trackTitle(const Trace& trace, TrackId track);

}  // namespace warpline
