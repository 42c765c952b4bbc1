// SPDX-License-Identifier: MIT
#pragma once
// Decompresses ahead of whoever reads, on a thread of its own.

#include <memory>

#include "core/loaders/text_source.h"

namespace warpline {

/// The same text as `source`, whose readNext() is called by the thread from now on and by nobody else; a few megabytes
/// are held. The thread starts with the second call of readNext(), as the first one only looks at the head of a file.
/// It ends with the text, or within milliseconds when this is destroyed.
std::shared_ptr<TextSource> readAhead(std::shared_ptr<TextSource> source);

}  // namespace warpline
