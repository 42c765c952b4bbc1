// SPDX-License-Identifier: MIT
#pragma once
// Args of an event of a capture, read from its record again. A SourceRef holds the place of the record's frame and, as
// its length, which of the frame's records it is, from 1. Any thread, one at a time inside.

#include <memory>

#include "core/loaders/capture/capture_facts.h"
#include "core/loaders/text_source.h"
#include "core/trace/source_ref.h"

namespace warpline::loaders::capture {

class CaptureSource : public EventSource {
public:
    /// Code that the processes loaded, in the order of the stream: its frames are in the file.
    virtual const std::vector<ModuleRef>& modules() const = 0;
};

/// Args have Kineto's keys for what Kineto knows.
std::shared_ptr<const CaptureSource> makeCaptureSource(std::shared_ptr<const TextSource> text,
                                                       std::shared_ptr<const CaptureFacts> facts);

}  // namespace warpline::loaders::capture
