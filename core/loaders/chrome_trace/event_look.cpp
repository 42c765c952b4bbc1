// SPDX-License-Identifier: MIT
#include "core/loaders/chrome_trace/event_look.h"

#include <algorithm>
#include <array>

#include "core/loaders/chrome_trace/json_text.h"

namespace warpline::loaders::chrome_trace {

namespace {

constexpr size_t kNone = std::string_view::npos;
constexpr std::array<std::string_view, 11> kEventKeys = {"ph",  "name", "cat", "pid", "tid", "ts",
                                                         "dur", "args", "id",  "s",   "bp"};
constexpr std::array<std::string_view, 12> kHeaderKeys = {
    "traceName",     "displayTimeUnit",  "otherData",           "metadata",        "stackFrames",       "samples",
    "schemaVersion", "deviceProperties", "baseTimeNanoseconds", "distributedInfo", "systemTraceEvents", "trace_id"};

/// Is there, from `pos` on, a key out of `keys` with its quotes and colon?
template <size_t N>
bool hasKeyAt(std::string_view text, size_t pos, const std::array<std::string_view, N>& keys) {
    if (pos >= text.size() || text[pos] != '"') {
        return false;
    }
    for (const std::string_view key : keys) {
        if (text.substr(pos + 1, key.size()) == key) {
            const size_t quote = pos + 1 + key.size();
            if (quote < text.size() && text[quote] == '"') {
                const size_t colon = skipBlank(text, quote + 1);
                return colon < text.size() && text[colon] == ':';
            }
        }
    }
    return false;
}

}  // namespace

bool hasEventKeyAt(std::string_view text, size_t pos) {
    return hasKeyAt(text, pos, kEventKeys);
}

bool hasHeaderKeyAt(std::string_view text, size_t pos) {
    return hasKeyAt(text, pos, kHeaderKeys);
}

size_t lastInk(std::string_view text, size_t pos) {
    while (pos > 0) {
        --pos;
        const char c = text[pos];
        if (c != ' ' && c != '\n' && c != '\r' && c != '\t') {
            return pos;
        }
    }
    return kNone;
}

uint32_t columnOf(std::string_view text, size_t pos) {
    constexpr size_t kMost = 256;
    size_t begin = pos;
    while (begin > 0 && pos - begin < kMost && (text[begin - 1] == ' ' || text[begin - 1] == '\t')) {
        --begin;
    }
    const bool beginsLine = begin > 0 && (text[begin - 1] == '\n' || text[begin - 1] == '\r');
    return beginsLine ? static_cast<uint32_t>(pos - begin) : kNoColumn;
}

bool looksLikeEventStart(std::string_view text, size_t pos) {
    const size_t before = lastInk(text, pos);
    const bool follows = before == kNone || text[before] == ',' || text[before] == '[' || text[before] == '}' ||
                         text[before] == '{' || text[before] == '\0' ||  // a hole in the file
                         columnOf(text, pos) != kNoColumn;
    return follows && hasEventKeyAt(text, skipBlank(text, pos + 1));
}

bool looksLikeListEnd(std::string_view text, size_t pos, bool isLast) {
    const size_t next = skipBlank(text, pos + 1);
    if (next >= text.size()) {
        return isLast;
    }
    if (text[next] == '}') {
        return isLast && skipBlank(text, next + 1) >= text.size();
    }
    return text[next] == ',' && hasHeaderKeyAt(text, skipBlank(text, next + 1));
}

ObjectLook lookAtObject(std::string_view text, uint32_t maxDepth) {
    using Kind = ObjectLook::Kind;
    text = text.substr(0, kLookBytes);
    size_t pos = 1;
    for (;;) {
        while ((pos = skipBlank(text, pos)) < text.size() && text[pos] == ',') {
            ++pos;
        }
        if (pos >= text.size() || text[pos] != '"') {
            return {Kind::Neither, pos, pos < text.size() && text[pos] == '}'};
        }
        const size_t keyEnd = findStringEnd(text, pos + 1);
        if (keyEnd == kNone) {
            return {Kind::Neither, pos + 1};
        }
        const std::string_view key = text.substr(pos + 1, keyEnd - pos - 1);
        const bool isHeader = key == "traceEvents" || hasHeaderKeyAt(text, pos);
        const size_t colon = skipBlank(text, keyEnd + 1);
        if (colon >= text.size() || text[colon] != ':') {
            return {Kind::Neither, pos + 1};
        }
        if (isHeader || key == "ph") {
            return {isHeader ? Kind::Document : Kind::Event, colon};
        }
        const Scan scan = scanValue(text, colon + 1, maxDepth);
        if (scan.status != ScanStatus::Ok) {
            return {Kind::Neither, std::max(scan.end, pos)};
        }
        pos = scan.end;
    }
}

size_t findListKey(std::string_view text, size_t pos) {
    constexpr std::string_view kKey = "\"traceEvents\"";
    for (; (pos = text.find(kKey, pos)) != kNone; ++pos) {
        const size_t colon = skipBlank(text, pos + kKey.size());
        const size_t list = colon < text.size() && text[colon] == ':' ? skipBlank(text, colon + 1) : kNone;
        if (list < text.size() && text[list] == '[') {
            return pos;
        }
    }
    return kNone;
}

}  // namespace warpline::loaders::chrome_trace
