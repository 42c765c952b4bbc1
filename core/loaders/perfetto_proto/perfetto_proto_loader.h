// SPDX-License-Identifier: MIT
#pragma once
// Perfetto's own traces (.perfetto-trace, .pftrace): packets of protocol buffers, of which the track events are read,
// with all that they lean on: numbered texts, defaults, clocks, compressed packets. What the kernel wrote (ftrace) and
// other sorts of packets are counted and passed over.

#include "core/loaders/loader.h"

namespace warpline::loaders::perfetto_proto {

class PerfettoProtoLoader final : public Loader {
public:
    const LoaderInfo& info() const override;
    int sniff(const SniffData& data) const override;
    Status load(const std::shared_ptr<TextSource>& source, FileId file, TraceBuilder& builder,
                const LoadOptions& options, JobControl& job) const override;
    Result<std::shared_ptr<const EventSource>> reopen(const std::shared_ptr<const TextSource>& source,
                                                      std::string_view facts,
                                                      const LoadOptions& options) const override;
};

std::unique_ptr<Loader> make();

}  // namespace warpline::loaders::perfetto_proto
