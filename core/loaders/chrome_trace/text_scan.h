// SPDX-License-Identifier: MIT
#pragma once
// Finds a part of a JSON string or word in a text of any size, without reading the JSON. Any thread.

#include <cstdint>
#include <functional>

#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/base/text_finder.h"
#include "core/loaders/text_source.h"

namespace warpline::loaders::chrome_trace {

/// EventSource::scanText() of a JSON text, in which any of `part` may be escaped ("\u00e9", "\/"). Text that is stored
/// as it is, is read on `threads` threads; compressed text from front to back. Sets the job's progress, in bytes.
/// REQUIRES: the text has `length` bytes.
Result<bool> scanText(const TextSource& text, const TextFinder& part, uint64_t length, unsigned threads,
                      const std::function<void(uint64_t place)>& found, JobControl& job);

}  // namespace warpline::loaders::chrome_trace
