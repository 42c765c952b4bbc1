// SPDX-License-Identifier: MIT
#pragma once
// Holds what was read from an image to what everybody takes for granted of a sealed trace: every id, row and index is
// one that there is, what is sorted is in order, parents are no circle. An image that somebody has made up or that a
// disk has spoilt must not lead anybody to a place that is not there.

#include <string>

#include "core/trace/trace_data.h"

namespace warpline::cache {

/// What is wrong first; "" if all is well. The levels of detail are not looked at, as they are not in an image.
std::string firstFault(const TraceData& data, unsigned threads);

}  // namespace warpline::cache
