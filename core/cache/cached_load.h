// SPDX-License-Identifier: MIT
#pragma once
// loadTrace() for files that may have been loaded before: from the cache if their contents are in it. Whatever is wrong
// with the cache, the files are loaded as if there was none.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/cache/trace_cache.h"
#include "core/loaders/load_trace.h"
#include "core/trace/trace.h"

namespace warpline {

/// Which files a trace was loaded from, so that they can be known again.
struct LoadedFiles {
    struct Stamp {
        uint64_t device = 0, inode = 0, bytes = 0;
        int64_t changedSeconds = 0, changedNs = 0, statusSeconds = 0, statusNs = 0;
        bool operator==(const Stamp&) const = default;
    };
    std::vector<std::string> paths;
    std::vector<Stamp> stamps;  ///< from before they were loaded
    LoadOptions options;
    FileOffsets offsets;
    std::optional<CacheKey> key;  ///< if it is known already
};

struct CachedLoad {
    std::shared_ptr<const Trace> trace;
    bool isFromCache = false;
    std::string note;                    ///< why the cache was of no use, if something was wrong with it
    std::optional<LoadedFiles> toStore;  ///< the load took so long that the trace is worth keeping: storeTrace()
};

/// Fails as loadTrace() does.
Result<CachedLoad> loadTraceCached(const std::vector<std::string>& paths, const LoadOptions& options,
                                   const CacheSettings& settings, JobControl& job, const FileOffsets& offsets = {});

/// Puts a trace into the cache; for a thread that nobody waits for, as it reads all of the files once more and writes
/// about a quarter of that to disk. Fails if the files are no longer what was loaded, and when stopped.
Status storeTrace(const Trace& trace, const LoadedFiles& files, const CacheSettings& settings, JobControl& job);

}  // namespace warpline
