// SPDX-License-Identifier: MIT
#pragma once
// What torch.profiler's export_memory_timeline() writes: the memory of a device by category over time. Two forms: one
// row of levels a time ("….json"), or one record a change ("….raw.json.gz"). Either becomes a counter with a series a
// category, in bytes, on the wall clock.

#include "core/loaders/loader.h"

namespace warpline::loaders::memory_timeline {

class MemoryTimelineLoader final : public Loader {
public:
    const LoaderInfo& info() const override;
    int sniff(const SniffData& data) const override;
    /// Streams: of the text no more than the list of times is held.
    Status load(const std::shared_ptr<TextSource>& source, FileId file, TraceBuilder& builder,
                const LoadOptions& options, JobControl& job) const override;
};

}  // namespace warpline::loaders::memory_timeline
