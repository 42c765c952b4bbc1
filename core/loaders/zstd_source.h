// SPDX-License-Identifier: MIT
#pragma once
// Text out of zstd: streamed from front to back, and at any place by decompressing again from the nearest frame.

#include <memory>

#include "core/loaders/stored_bytes.h"
#include "core/loaders/text_source.h"

namespace warpline {

/// Several frames are joined, those to be skipped are; behind a damaged one the next is looked for. Most files are one
/// frame; then reading at a place costs decompressing what is before it, or, where the last place read was before it,
/// what is between (about a gigabyte a second). A window of more than an eighth of the machine's memory is refused.
std::shared_ptr<TextSource> makeZstdSource(std::shared_ptr<const StoredBytes> bytes);

}  // namespace warpline
