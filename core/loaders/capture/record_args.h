// SPDX-License-Identifier: MIT
#pragma once
// What a record says, as args. Pure.

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/capture/frame.h"
#include "core/loaders/capture/capture_facts.h"

namespace warpline::loaders::capture {

/// Gives the text of a number of the record's source; nullopt: it cannot be read.
using TextLookup = std::function<std::optional<std::string>(uint32_t number)>;

/// The record `index` (from 0) of what the frame holds, as a JSON object or "null"; nullopt: there is none.
std::optional<std::string> argsOfRecord(const warpline::capture::FrameHeader& frame, std::string_view payload,
                                        size_t index, const CaptureFacts& facts, const TextLookup& text);

}  // namespace warpline::loaders::capture
