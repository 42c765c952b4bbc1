// SPDX-License-Identifier: MIT
#pragma once
// Where exported bytes go: a descriptor, a string, a gzip stream over another sink, a file that appears when complete.
// One thread a sink. After an error the sink stays failed and finish() says so again.

#include <memory>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace warpline {

class ByteSink {
public:
    virtual ~ByteSink() = default;
    virtual Status write(std::string_view bytes) = 0;
    /// Flushes; nothing may be written afterwards. What was written counts as stored only if this succeeds.
    virtual Status finish() = 0;
};

/// Writes to an open descriptor, which stays open. `name` stands in error messages.
std::unique_ptr<ByteSink> makeDescriptorSink(int descriptor, std::string name);
/// Appends to `out`, which must outlive the sink.
std::unique_ptr<ByteSink> makeStringSink(std::string& out);
/// Compresses into `below`, and finishes it too.
std::unique_ptr<ByteSink> makeGzipSink(std::unique_ptr<ByteSink> below);
/// Writes a temporary file beside `path`; finish() renames it there. Without finish() the temporary file is removed and
/// whatever stood at `path` is untouched. A link is followed: the file it names is replaced.
Result<std::unique_ptr<ByteSink>> makeAtomicFileSink(const std::string& path);

}  // namespace warpline
