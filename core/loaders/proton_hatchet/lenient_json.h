// SPDX-License-Identifier: MIT
#pragma once
// JSON text of a tree of frames as events, also where it is damaged: what is missing is put in its place as far as the
// keys tell ("frame" and "metrics" are objects, "children" is a list), and reading goes on behind what is no JSON.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/loaders/text_chars.h"

namespace warpline::loaders::proton_hatchet {

/// A value that is no container.
struct Scalar {
    std::optional<int64_t> whole;
    std::optional<double> real;  ///< of every number
    const std::string* text = nullptr;
};

/// Places are offsets in the text. Begins and ends always match; every value in an object follows its key.
class JsonEvents {
public:
    virtual ~JsonEvents() = default;
    virtual void begin(bool isObject, uint64_t offset) = 0;
    virtual void end(uint64_t behind) = 0;
    virtual void key(const std::string& text) = 0;
    virtual void value(const Scalar& value, uint64_t offset) = 0;
    /// The text is no JSON here. With `losesText`, a part of the tree may be missing.
    virtual void damage(uint64_t offset, bool losesText) = 0;
};

enum class JsonEnd {
    Whole,  ///< the outer list was closed
    Cut,    ///< the text ends before
};

struct JsonOutcome {
    JsonEnd end = JsonEnd::Whole;
    std::optional<uint64_t> trailingOffset;  ///< of other text behind the list, which is not read
};

/// Look at chars.status() afterwards. What is open when the text ends is not closed.
JsonOutcome readLeniently(TextChars& chars, JsonEvents& events);

}  // namespace warpline::loaders::proton_hatchet
