// SPDX-License-Identifier: MIT
#include "core/loaders/chrome_trace/event_look.h"

#include <algorithm>
#include <array>
#include <vector>

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

bool hasDocumentKeyAt(std::string_view text, size_t pos) {
    constexpr std::array<std::string_view, 1> kListKey = {"traceEvents"};
    return hasKeyAt(text, pos, kListKey) || hasHeaderKeyAt(text, pos);
}

bool hasTimeKeyAt(std::string_view text, size_t pos) {
    constexpr std::array<std::string_view, 5> kTimeKeys = {"ph", "ts", "dur", "pid", "tid"};
    return hasKeyAt(text, pos, kTimeKeys);
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
    if (!hasEventKeyAt(text, skipBlank(text, pos + 1))) {
        return false;
    }
    const size_t before = lastInk(text, pos);
    if (before == kNone || text[before] != ':') {
        return true;
    }
    const size_t quote = lastInk(text, before);
    return quote != kNone && text[quote] != '"';  // else the value of a member
}

bool looksLikeListEnd(std::string_view text, size_t pos, bool isLast) {
    const size_t next = skipBlank(text, pos + 1);
    if (next >= text.size()) {
        return isLast;
    }
    if (text[next] == '}') {
        const size_t behind = skipBlank(text, next + 1);
        return behind >= text.size() ? isLast
                                     : text[behind] == '{' && hasDocumentKeyAt(text, skipBlank(text, behind + 1));
    }
    return text[next] == ',' && hasHeaderKeyAt(text, skipBlank(text, next + 1));
}

Brackets lookAtBrackets(std::string_view text, size_t pos, bool isLast, bool isProven) {
    using Kind = Brackets::Kind;
    constexpr size_t kMost = 4096;
    size_t end = pos;
    size_t next = pos;
    bool hasSquare = false;
    while (next < text.size() && next - pos < kMost && (text[next] == '}' || text[next] == ']')) {
        hasSquare = hasSquare || text[next] == ']';
        end = next + 1;
        next = skipBlank(text, next + 1);
    }
    const Kind elsewise = isProven || looksLikeListEnd(text, pos, isLast) ? Kind::ListEnd : Kind::Garbage;
    const bool hasComma = next < text.size() && text[next] == ',';
    next = hasComma ? skipBlank(text, next + 1) : next;
    if (!isLast && (next >= text.size() || text.size() - next < kGuessBytes)) {
        return {Kind::NeedMore, end};
    }
    const char after = next < text.size() ? text[next] : '\0';
    if (after != '{') {
        // An object that ended too early has the rest of its members behind it.
        const bool isRest = hasComma ? !hasSquare && hasEventKeyAt(text, next)
                                     : hasEventKeyAt(text, next) || (!hasSquare && after != '[' && next < text.size());
        return {isRest ? Kind::Garbage : elsewise, end};
    }
    if (!hasEventKeyAt(text, skipBlank(text, next + 1))) {
        return {hasDocumentKeyAt(text, skipBlank(text, next + 1)) ? Kind::ListEnd : elsewise, end};
    }
    if (!hasComma && lookAtObject(text.substr(next), UINT32_MAX).kind != ObjectLook::Kind::Event) {
        // Another document can follow so too.
        return {!isLast && text.size() - next < kLookBytes ? Kind::NeedMore : elsewise, end};
    }
    return {Kind::Stray, end};
}

Nested beginsEvents(std::string_view text, size_t pos, bool isLast) {
    size_t next = skipBlank(text, pos + 1);
    while (next < text.size() && text[next] == ',') {
        next = skipBlank(text, next + 1);
    }
    if (!isLast && (next >= text.size() || (text[next] == '{' && text.size() - next < kGuessBytes))) {
        return Nested::NeedMore;
    }
    const bool isEvent = next < text.size() && text[next] == '{' && hasEventKeyAt(text, skipBlank(text, next + 1));
    return isEvent ? Nested::Yes : Nested::No;
}

size_t commentEnd(std::string_view text, size_t pos, bool isLast) {
    const std::string_view mark = text.substr(pos, 2);
    if (mark == "/" && !isLast) {
        return kNone;
    }
    if (mark != "//" && mark != "/*") {
        return pos;
    }
    const size_t end = mark == "//" ? text.find('\n', pos) : text.find("*/", pos + 2);
    return end != kNone ? end + (mark == "//" ? 1 : 2) : isLast ? text.size() : kNone;
}

size_t swallowedStart(std::string_view text, size_t broken) {
    const size_t quote = lastInk(text, std::min(broken, text.size()));
    const size_t brace = quote != kNone && text[quote] == '"' ? lastInk(text, quote) : kNone;
    return brace != kNone && text[brace] == '{' && hasEventKeyAt(text, quote) ? brace : broken;
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
        const bool isHeader = hasDocumentKeyAt(text, pos);
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

bool beginsWithEvents(std::string_view text, uint32_t maxDepth, int most) {
    text = text.substr(0, kLookBytes);
    std::vector<Member> members;
    size_t pos = 0;
    for (int i = 0; i < most; ++i) {
        pos = skipBlank(text, pos);
        if (pos >= text.size() || text[pos] != '{') {
            return false;
        }
        const Scan scan = scanObject(text, pos, maxDepth, members);
        if (scan.status != ScanStatus::Ok) {
            return false;
        }
        const auto has = [&members](std::string_view key) {
            return std::ranges::find(members, key, &Member::key) != members.end();
        };
        if (has("ph") && (has("ts") || has("pid") || has("name"))) {
            return true;
        }
        pos = skipBlank(text, scan.end);
        pos += pos < text.size() && text[pos] == ',' ? 1 : 0;
    }
    return false;
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
