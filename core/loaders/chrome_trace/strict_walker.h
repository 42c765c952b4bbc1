// SPDX-License-Identifier: MIT
#pragma once
// Walks whole events of strict JSON by the structural index that simdjson's first stage makes of a text: every member
// of an event and of its args is listed, every value checked, none decoded. What is not strict is refused, not mended.
// One thread; keeps its memory between texts.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "core/loaders/chrome_trace/json_text.h"

namespace warpline::loaders::chrome_trace {

class StrictWalker {
public:
    /// Values of args nested deeper than `maxDepth` are refused.
    explicit StrictWalker(uint32_t maxDepth);
    ~StrictWalker();

    /// False if the text is no valid UTF-8, has raw control characters in strings, wrong escapes or an open string.
    /// The text must stay while it is read; what lies behind it is not looked at.
    bool start(std::string_view text);
    /// Reads the event whose `{` is at `pos`, behind all that were read before. False if it is not strict JSON.
    bool read(size_t pos);

    /// Views of the text as it stands there. `args`: the members of the event's args if they are an object.
    std::span<const Member> fields() const;
    std::span<const Member> args() const;
    /// The place behind the event read last.
    size_t end() const;
    /// A backslash is somewhere in the text; if not, its strings are what they mean.
    bool hasEscapes() const;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

}  // namespace warpline::loaders::chrome_trace
