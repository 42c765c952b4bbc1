// SPDX-License-Identifier: MIT
#pragma once
// Reading JSON text as producers really write it: stray commas, words that are no numbers, bad bytes and escapes,
// raw control characters and repeated keys are accepted and noted; only broken structure is refused, and zeros: where a
// file has a hole, what stands before it and behind it are not one value. Pure functions; none calls itself deeper than
// a given limit.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/job_control.h"
#include "core/base/json_string.h"

namespace warpline::loaders::chrome_trace {

enum class ScanStatus {
    Ok,
    NeedMore,  ///< the text ends inside the value
    Broken,    ///< cannot be read as JSON even with leniency
};

struct Scan {
    ScanStatus status = ScanStatus::Ok;
    size_t end = 0;  ///< just behind the value if Ok, else the place where it went wrong
    uint32_t oddities = 0;
};

/// One member of an object; both are views of the text as it stands there, the key without its quotes.
struct Member {
    std::string_view key;
    std::string_view value;
};

/// Equal to a literal, without a call: for keys, which are compared once or more an event.
template <size_t N>
bool isKey(std::string_view key, const char (&literal)[N]) {
    return key.size() == N - 1 && std::memcmp(key.data(), literal, N - 1) == 0;
}

/// Of the functions below, those that may have many megabytes to look at can be given a job: once that is asked to
/// stop, they return soon, and what they return is good for nothing (a Scan says NeedMore).

size_t skipBlank(std::string_view text, size_t pos);
/// `pos` is just behind the opening quote; returns the place of the closing one, or npos.
size_t findStringEnd(std::string_view text, size_t pos);
/// The place of the first zero byte, which no JSON has; npos if there is none.
size_t findHole(std::string_view text);
/// Scans the value at `pos` (blanks allowed before it). Notes nesting deeper than `maxDepth`.
Scan scanValue(std::string_view text, size_t pos, uint32_t maxDepth, const JobControl* job = nullptr);
/// Scans the object whose `{` is at `pos` and lists its members in order, repeated keys too.
Scan scanObject(std::string_view text, size_t pos, uint32_t maxDepth, std::vector<Member>& members,
                const JobControl* job = nullptr);

bool isQuoted(std::string_view value);
/// A number by the grammar of JSON.
bool isNumber(std::string_view value);
/// A number, true, false or null.
bool isPlainWord(std::string_view value);
/// A JSON number so large (1e999) that readers would make infinity of it.
bool isBeyondDoubles(std::string_view number);
/// Appends the value as strict JSON: odd words become strings, the last of equal keys counts, what is nested deeper
/// than `maxDepth` becomes "…". REQUIRES: scanValue() accepts it.
uint32_t appendStrictJson(std::string_view value, uint32_t maxDepth, std::string& out, const JobControl* job = nullptr);

}  // namespace warpline::loaders::chrome_trace
