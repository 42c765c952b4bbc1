// SPDX-License-Identifier: MIT
#pragma once
// Text out of gzip: streamed from front to back, and at any place by checkpoints of the decompressor's state.

#include <memory>

#include "core/loaders/stored_bytes.h"
#include "core/loaders/text_source.h"

namespace warpline {

/// Several members are joined as gunzip does. About `checkpointBytes` of text lie between two places from which reading
/// can start again (90 KB of memory each, 32 KiB with zlib). `mayBeFast`: see FastInflater; zlib reads what that
/// cannot.
std::shared_ptr<TextSource> makeGzipSource(std::shared_ptr<const StoredBytes> bytes,
                                           uint64_t checkpointBytes = uint64_t{16} << 20, bool mayBeFast = true);

}  // namespace warpline
