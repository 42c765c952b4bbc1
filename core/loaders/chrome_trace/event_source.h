// SPDX-License-Identifier: MIT
#pragma once
// Reads an event's text back from its file and decodes its args, long after loading. Any thread.

#include <memory>

#include "core/loaders/loader.h"
#include "core/loaders/text_source.h"
#include "core/trace/source_ref.h"

namespace warpline::loaders::chrome_trace {

std::shared_ptr<const EventSource> makeEventSource(std::shared_ptr<const TextSource> text, const LoadOptions& options);

}  // namespace warpline::loaders::chrome_trace
