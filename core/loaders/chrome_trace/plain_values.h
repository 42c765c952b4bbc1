// SPDX-License-Identifier: MIT
#pragma once
// Members whose texts are written with escapes that they do not need ("ph": "\\u0058"), as if they were written
// without: so nobody who reads a number, a word or a letter of an event has to know of escapes.

#include <deque>
#include <span>
#include <string>
#include <vector>

#include "core/loaders/chrome_trace/json_text.h"

namespace warpline::loaders::chrome_trace {

/// One thread.
class PlainValues {
public:
    /// The members with such values replaced: a view until the next call, of values that last until clear(). Texts that
    /// cannot be written without escapes, and those with something wrong in them, stay as they are.
    std::span<const Member> of(std::span<const Member> members);
    void clear() { m_texts.clear(); }

private:
    std::vector<Member> m_members;
    std::deque<std::string> m_texts;  ///< a deque, as views of its texts are handed out while it grows
};

}  // namespace warpline::loaders::chrome_trace
