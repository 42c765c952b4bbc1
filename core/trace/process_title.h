// SPDX-License-Identifier: MIT
#pragma once
// What a process is called where several files are open together. Pure; any thread.

#include <string>

#include "core/trace/trace.h"

namespace warpline {

/// "rank 3" of a file whose rank no other file has, else the file's name without its folder; "" if the trace has one
/// file alone. Cost: the number of files.
std::string fileTag(const Trace& trace, FileId file);

/// Its label, with what tells its file from the others in front: "rank 3 · python". Of a single file the label alone.
std::string processTitle(const Trace& trace, ProcessId process);

}  // namespace warpline
