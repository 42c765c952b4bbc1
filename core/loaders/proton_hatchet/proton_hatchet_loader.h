// SPDX-License-Identifier: MIT
#pragma once
// What Triton's Proton writes by default: a tree of scopes and kernels with summed times and other metrics, as JSON for
// the library hatchet. It has no times of day, so it is laid out as a flame graph: lengths are true, places are not.
// (Its other output, a Chrome trace, is read by the loader for those.)

#include "core/loaders/loader.h"

namespace warpline::loaders::proton_hatchet {

class ProtonHatchetLoader final : public Loader {
public:
    const LoaderInfo& info() const override;
    int sniff(const SniffData& data) const override;
    Status load(const std::shared_ptr<TextSource>& source, FileId file, TraceBuilder& builder,
                const LoadOptions& options, JobControl& job) const override;
    Result<std::shared_ptr<const EventSource>> reopen(const std::shared_ptr<const TextSource>& source,
                                                      std::string_view facts,
                                                      const LoadOptions& options) const override;
};

}  // namespace warpline::loaders::proton_hatchet
