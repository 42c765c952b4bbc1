// SPDX-License-Identifier: MIT
#pragma once
// Captures: what the recorder writes, in files, pipes and sockets alike (core/capture). Read also while it grows, or
// where it was cut.

#include "core/loaders/loader.h"

namespace warpline::loaders::capture {

class CaptureLoader final : public Loader {
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

}  // namespace warpline::loaders::capture
