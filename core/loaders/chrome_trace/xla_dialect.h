// SPDX-License-Identifier: MIT
#pragma once
// What the trace writer of XLA's profiler, which JAX and TensorFlow share, means by processes, tracks and args. Pure
// functions.

#include <cstdint>
#include <string_view>

#include "core/trace/event_facts.h"
#include "core/trace/trace_builder.h"

namespace warpline::loaders::chrome_trace {

bool isXlaProcess(std::string_view processName);
/// Device work lies on the streams of a device ("Stream #14(Compute)"). Its other tracks ("XLA Ops", "XLA Modules",
/// "Steps", "Framework Name Scope", "TensorFlow Ops", "Source code") are derived from it: they show the same time again
/// and are no work.
TraceBuilder::TrackRole xlaTrackRole(std::string_view processName, std::string_view trackName);
/// "regs:168 static_shared:0 dynamic_shared:213188 grid:2,64,1 block:384,1,1 occ_pct:18.75", as it stands in the file:
/// where it is on several lines, with "\n" between them.
void readKernelDetails(std::string_view text, KernelFacts& facts);
/// "$$1"; kUnknownFact if it is not that.
int64_t xlaContext(std::string_view text);

}  // namespace warpline::loaders::chrome_trace
