// SPDX-License-Identifier: MIT
#include "core/loaders/chrome_trace/text_head.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "core/loaders/chrome_trace/event_look.h"
#include "core/loaders/chrome_trace/json_text.h"

namespace warpline::loaders::chrome_trace {

namespace {

constexpr size_t kNone = std::string_view::npos;
constexpr uint32_t kDepth = 256;

/// Events in a row, and what ends the row.
struct EventRow {
    enum class End { Text, Bracket, Other } end = End::Text;
    int events = 0;
    size_t behind = 0;
};

EventRow readRow(std::string_view text, size_t pos) {
    using End = EventRow::End;
    EventRow row;
    std::vector<Member> members;
    const auto has = [&members](std::string_view key) {
        return std::ranges::find(members, key, &Member::key) != members.end();
    };
    for (;;) {
        while ((pos = skipBlank(text, pos)) < text.size() && text[pos] == ',') {
            ++pos;
        }
        row.behind = pos;
        if (pos >= text.size()) {
            return row;
        }
        if (text[pos] == ']') {
            row.end = End::Bracket;
            ++row.behind;
            return row;
        }
        const Scan scan = text[pos] == '{' ? scanObject(text, pos, kDepth, members) : Scan{ScanStatus::Broken, pos, 0};
        if (scan.status == ScanStatus::NeedMore) {
            return row;
        }
        if (scan.status == ScanStatus::Broken || !has("ph") || !(has("ts") || has("pid"))) {
            row.end = End::Other;
            return row;
        }
        ++row.events;
        pos = scan.end;
    }
}

/// Can what stands at `pos`, behind the list's bracket, belong to a trace?
bool endsAsTrace(std::string_view text, size_t pos) {
    pos = skipBlank(text, pos);
    if (pos < text.size() && text[pos] == ',') {
        const size_t key = skipBlank(text, pos + 1);
        return key >= text.size() || text[key] == '"';
    }
    if (pos < text.size() && text[pos] == '}') {
        pos = skipBlank(text, pos + 1);
    }
    return pos >= text.size() || text[pos] == '{' || text[pos] == '[';
}

bool isTrace(std::string_view text, const EventRow& row) {
    constexpr int kFew = 3;  // which are no chance
    switch (row.end) {
        case EventRow::End::Bracket:
            return row.events > 0 && endsAsTrace(text, row.behind);
        case EventRow::End::Text:
            return row.events > 0;
        case EventRow::End::Other:
            return row.events >= kFew;
    }
    return false;
}

}  // namespace

bool looksLikeUtf16(std::string_view head) {
    if (head.starts_with("\xff\xfe") || head.starts_with("\xfe\xff")) {
        return true;
    }
    constexpr size_t kMost = 8;
    head = head.substr(0, kMost);
    if (head.size() < 4) {
        return head.size() >= 2 && (head[0] == '\0') != (head[1] == '\0');
    }
    size_t zeros[2] = {0, 0};
    for (size_t i = 0; i < head.size(); ++i) {
        zeros[i % 2] += head[i] == '\0' ? 1 : 0;
    }
    const size_t half = head.size() / 2;
    const bool bigEndian = zeros[0] == (head.size() + 1) / 2 && zeros[1] == 0;
    const bool littleEndian =
        zeros[1] == half && head[0] != '\0' && (head[2] != '\0' || head.size() < kMost || head[4] != '\0');
    return bigEndian || littleEndian;
}

bool looksLikeDamagedTrace(std::string_view head) {
    const size_t first = skipBlank(head, 0);
    if (first >= head.size() || head[first] == '<') {
        return false;  // a page may hold a trace, but is none
    }
    if (const size_t key = findListKey(head, first); key != kNone) {
        return isTrace(head, readRow(head, head.find('[', key) + 1));
    }
    constexpr int kMost = 256;
    size_t pos = head.find('{', first);
    for (int i = 0; i < kMost && pos != kNone; ++i, pos = head.find('{', pos + 1)) {
        if (looksLikeEventStart(head, pos)) {
            const EventRow row = readRow(head, pos);
            if (row.events > 0) {
                return isTrace(head, row);
            }
        }
    }
    return false;
}

}  // namespace warpline::loaders::chrome_trace
