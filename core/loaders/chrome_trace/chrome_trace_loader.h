// SPDX-License-Identifier: MIT
#pragma once
// Loads Trace Event JSON: what chrome://tracing, PyTorch's Kineto, JAX and many others write.

#include <memory>

#include "core/loaders/chrome_trace/document_reader.h"
#include "core/loaders/loader.h"

namespace warpline::loaders::chrome_trace {

class ChromeTraceLoader final : public Loader {
public:
    explicit ChromeTraceLoader(const ReadLimits& limits = {}) : m_limits(limits) {}
    const LoaderInfo& info() const override;
    int sniff(const SniffData& data) const override;
    Status load(const std::shared_ptr<TextSource>& source, FileId file, TraceBuilder& builder,
                const LoadOptions& options, JobControl& job) const override;
    Result<std::shared_ptr<const EventSource>> reopen(const std::shared_ptr<const TextSource>& source,
                                                      std::string_view facts,
                                                      const LoadOptions& options) const override;

private:
    ReadLimits m_limits;
};

std::unique_ptr<Loader> make();

}  // namespace warpline::loaders::chrome_trace
