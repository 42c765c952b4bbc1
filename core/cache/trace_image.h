// SPDX-License-Identifier: MIT
#pragma once
// A sealed trace as one file of bytes, and back: the same trace again, without reading the formats it came from. Made
// for this machine and this build of Warpline alone; for any other, and where anything in it is not as it was written,
// reading fails, and the trace is loaded from its own files.
//
//   header, 64 bytes │ table of contents │ checksums of pieces │ sections, each at a multiple of 64 bytes
//
// Sections are the columns as they lie in memory, the texts, and all else as an archive (archive.h). Each piece of
// 4 MiB has a checksum (XXH3, 64 bits) of its own, so that pieces are read and checked on several threads.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/cache/content_hash.h"
#include "core/trace/source_ref.h"
#include "core/trace/trace.h"

namespace warpline {

/// False if a file of it can be read on demand only by who has loaded it (EventSource::recipe()).
bool hasTraceImage(const Trace& trace);

/// Writes to a file that is open for writing and empty. `key` says what the trace was loaded from. Fails also when
/// stopped; what is in the file then is of no use.
Status writeTraceImage(const Trace& trace, const Hash128& key, int descriptor, const JobControl& job);

/// Makes the source of the trace's file of that number.
using ReopenSource = std::function<Result<std::shared_ptr<const EventSource>>(size_t file, const SourceRecipe& recipe)>;

/// `paths` become those of the trace's files. Fails if this is no image for `key`, or a damaged one, and when stopped.
Result<std::shared_ptr<const Trace>> readTraceImage(int descriptor, const Hash128& key,
                                                    const std::vector<std::string>& paths, const ReopenSource& reopen,
                                                    unsigned threads, JobControl& job);

}  // namespace warpline
