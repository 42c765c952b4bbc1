// SPDX-License-Identifier: MIT
#pragma once
// What `nsys export --type sqlite` writes: a database of CUDA's records, NVTX ranges and calls of the host, read by the
// published schema. Tables and columns differ from version to version: what is there is taken.

#include "core/loaders/loader.h"

namespace warpline::loaders::nsys_sqlite {

class NsysSqliteLoader final : public Loader {
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

}  // namespace warpline::loaders::nsys_sqlite
