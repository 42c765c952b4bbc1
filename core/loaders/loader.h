// SPDX-License-Identifier: MIT
#pragma once
// One file format. Loaders live in a folder each under core/loaders and are listed by registry.h.
// Lifecycle: made once, stateless; sniff() and load() are const and may run on any thread, several at a time.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/job_control.h"
#include "core/base/parallel.h"
#include "core/base/result.h"
#include "core/loaders/text_source.h"
#include "core/trace/trace_builder.h"

namespace warpline {

/// Limits that keep hostile input in bounds; settings can raise them.
struct LoadOptions {
    uint32_t maxArgsDepth = 256;                  ///< args nested deeper are shown shortened
    uint64_t maxEventBytes = uint64_t{64} << 20;  ///< a single event's text
    uint64_t maxPipedBytes = kMaxPipedBytes;      ///< what does not come from a regular file is held in memory
    uint64_t maxTraceBytes = 0;                   ///< of what is read, before it is sorted; 0 = half of this machine's
    unsigned threads = 0;                         ///< that read and seal; 0 = usableThreads(), 1 = the caller's alone

    /// Of a file that is still being written.
    struct Growing {
        bool isGrowing = false;    ///< that it has no end yet is nothing to report
        uint64_t newestBytes = 0;  ///< of the file, whose events are read; 0: all. For formats that can do that
    };
    Growing growing;

    uint64_t traceBytes() const;
    unsigned threadCount() const { return threads == 0 ? usableThreads() : threads; }
};

struct LoaderInfo {
    std::string id;     ///< folder, namespace and registry id: "chrome_trace"
    std::string title;  ///< "Chrome trace (Kineto, JAX, Trace Event JSON)"
    /// Of its files as people name them, without those of compressions: ".json". For dialogs; sniff() decides.
    std::vector<std::string> endings = {};
};

/// What is known of an input before it is read.
struct SniffData {
    std::string_view head;  ///< the first (decompressed) bytes, 64 KiB at most
    std::string_view path;
};

class Loader {
public:
    virtual ~Loader() = default;
    virtual const LoaderInfo& info() const = 0;
    /// 0 = not mine, 100 = certainly mine. Looks at the content, not at the ending.
    virtual int sniff(const SniffData& data) const = 0;
    /// Reads all of `source` into `builder`. What cannot be read is counted in builder.report(); fails only if nothing
    /// at all can be used, or when cancelled. Progress: adds the stored bytes read to job.done() as it is found;
    /// job.total() is left alone if it is larger. REQUIRES: `file` was added to `builder` and `source` is at its start.
    virtual Status load(const std::shared_ptr<TextSource>& source, FileId file, TraceBuilder& builder,
                        const LoadOptions& options, JobControl& job) const = 0;
    /// The EventSource that load() with these options left for this text, from its recipe's facts, which may be
    /// damaged. A loader whose sources give recipes makes them here.
    virtual Result<std::shared_ptr<const EventSource>> reopen(const std::shared_ptr<const TextSource>& /*source*/,
                                                              std::string_view /*facts*/,
                                                              const LoadOptions& /*options*/) const {
        return Error::failed("this format cannot be read on demand without loading it");
    }
};

}  // namespace warpline
