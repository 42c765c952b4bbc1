// SPDX-License-Identifier: MIT
#include "core/loaders/chrome_trace/json_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>

#include "core/base/json_writer.h"
#include "core/base/stoppable.h"
#include "core/base/text_index.h"
#include "core/loaders/chrome_trace/json_walker.h"

namespace warpline::loaders::chrome_trace {

namespace {

constexpr size_t kNone = std::string_view::npos;

/// Looks at every byte once, however deep it is nested.
class StrictWriter {
public:
    StrictWriter(std::string_view text, uint32_t maxDepth, std::string& out, const JobControl* job)
        : m_text(text), m_maxDepth(maxDepth), m_out(out), m_job(job), m_stop(job) {}

    /// Writes the value that comes next and goes behind it.
    void value(uint32_t depth) {
        m_pos = m_stop.stopRequested() ? m_text.size() : skipBlank(m_text, m_pos);
        const char c = m_pos < m_text.size() ? m_text[m_pos] : '\0';
        if (c == '"') {
            const size_t end = std::min(findStringEnd(m_text, m_pos + 1), m_text.size() - 1);
            string(m_text.substr(m_pos, end + 1 - m_pos));
            m_pos = end + 1;
        } else if (c != '{' && c != '[') {
            const size_t from = m_pos;
            m_pos = behindValue();
            word(m_text.substr(from, m_pos - from));
        } else if (depth >= m_maxDepth) {
            m_oddities |= kTooDeep;
            m_out += "\"\xe2\x80\xa6\"";
            m_pos = behindValue();
        } else if (c == '{') {
            object(depth + 1);
        } else {
            list(depth + 1);
        }
    }
    uint32_t oddities() const { return m_oddities; }
    /// Call once all is written.
    void takeOutDropped() {
        if (m_dropped.empty()) {
            return;
        }
        std::ranges::sort(m_dropped, {}, &Stretch::begin);
        size_t to = m_dropped.front().begin;
        size_t from = to;
        for (const Stretch& dropped : m_dropped) {
            if (dropped.begin > from) {
                std::memmove(m_out.data() + to, m_out.data() + from, dropped.begin - from);
                to += dropped.begin - from;
                from = dropped.begin;
            }
            from = std::max(from, dropped.end);
        }
        std::memmove(m_out.data() + to, m_out.data() + from, m_out.size() - from);
        m_out.resize(to + m_out.size() - from);
    }

private:
    struct Stretch {
        size_t begin = 0;
        size_t end = 0;
    };
    struct WrittenMember {
        size_t keyBegin = 0;  ///< in the texts of all keys
        size_t keyEnd = 0;
        size_t begin = 0;  ///< of `"key": value` in what was written
        size_t end = 0;
    };
    struct WrittenObject {
        std::vector<WrittenMember> members;
        std::string keys;
        std::string_view keyOf(const WrittenMember& member) const {
            return std::string_view(keys).substr(member.keyBegin, member.keyEnd - member.keyBegin);
        }
    };

    bool atEnd() {
        m_pos = skipBlank(m_text, m_pos);
        return m_pos >= m_text.size();
    }
    /// Where the value ends that comes next; at the end of all where it cannot be read.
    size_t behindValue() const {
        const Scan scan = scanValue(m_text, m_pos, UINT32_MAX, m_job);
        return scan.status == ScanStatus::Ok && scan.end > m_pos ? scan.end : m_text.size();
    }
    void word(std::string_view raw) {
        if (raw.empty()) {
            m_oddities |= kOddWord;
            m_out += "null";
        } else if (isPlainWord(raw)) {
            m_out += raw;
        } else {
            m_oddities |= kOddWord;
            m_buffer.clear();
            m_oddities |= appendDecoded(raw, m_buffer);
            appendJsonString(m_out, m_buffer);
        }
    }
    void string(std::string_view raw) {
        m_buffer.clear();
        m_oddities |= appendDecoded(raw.substr(1, raw.size() - 2), m_buffer);
        appendJsonString(m_out, m_buffer);
    }
    void list(uint32_t depth) {
        ++m_pos;
        m_out += '[';
        bool first = true;
        while (!atEnd() && m_text[m_pos] != ']') {
            if (m_text[m_pos] == ',') {
                ++m_pos;
                continue;
            }
            if (!first) {
                m_out += ", ";
            }
            first = false;
            value(depth);
        }
        ++m_pos;
        m_out += ']';
    }
    void object(uint32_t depth) {
        ++m_pos;
        m_out += '{';
        WrittenObject object;
        while (!atEnd() && m_text[m_pos] != '}' && !m_stop.stopRequested()) {
            if (m_text[m_pos] == ',') {
                ++m_pos;
                continue;
            }
            const size_t keyEnd = m_text[m_pos] == '"' ? findStringEnd(m_text, m_pos + 1) : kNone;
            if (keyEnd == kNone) {
                m_pos = m_text.size();
                break;
            }
            if (!object.members.empty()) {
                m_out += ", ";
            }
            WrittenMember member;
            member.begin = m_out.size();
            member.keyBegin = object.keys.size();
            m_oddities |= appendDecoded(m_text.substr(m_pos + 1, keyEnd - m_pos - 1), object.keys);
            member.keyEnd = object.keys.size();
            appendJsonString(m_out, object.keyOf(member));
            m_out += ": ";
            m_pos = skipBlank(m_text, keyEnd + 1) + 1;
            memberValue(depth);
            member.end = m_out.size();
            object.members.push_back(member);
        }
        ++m_pos;
        m_out += '}';
        dropRepeated(object);
    }
    void memberValue(uint32_t depth) {
        if (atEnd() || m_text[m_pos] == ',' || m_text[m_pos] == '}') {
            word({});
            return;
        }
        const char c = m_text[m_pos];
        if (c == '"' || c == '{' || c == '[') {
            value(depth);
            return;
        }
        // 0,5: the comma was a decimal one.
        const size_t from = m_pos;
        size_t to = behindValue();
        m_pos = to;
        while (!atEnd() && m_text[m_pos] == ',') {
            while (!atEnd() && m_text[m_pos] == ',') {
                ++m_pos;
            }
            if (atEnd() || !isSignOrDigit(m_text[m_pos])) {
                break;
            }
            to = trimmedEnd(m_text, m_pos, wordEnd(m_text, m_pos));
            m_pos = to;
        }
        word(m_text.substr(from, to - from));
    }
    /// Of equal keys the last counts. What is dropped is noted here and taken out at the end, all at once: it may be
    /// long, and nested in what is dropped too.
    void dropRepeated(const WrittenObject& object) {
        const std::vector<WrittenMember>& members = object.members;
        TextIndex keys;
        std::vector<uint32_t> keyOf;
        std::vector<size_t> last;
        size_t distinct = 0;
        keyOf.reserve(members.size());
        for (size_t i = 0; i < members.size() && !m_stop.stopRequested(); ++i) {
            const uint32_t key = keys.add(object.keyOf(members[i]), [](std::string_view text) { return text; });
            last.resize(keys.size(), kNone);
            distinct += last[key] == kNone ? 1 : 0;
            last[key] = i;
            keyOf.push_back(key);
        }
        if (distinct == keyOf.size()) {
            return;
        }
        m_oddities |= kDuplicateKey;
        for (size_t i = 0; i < keyOf.size() && !m_stop.stopRequested(); ++i) {
            if (last[keyOf[i]] != i) {
                m_dropped.push_back({members[i].begin, members[i + 1].begin});  // the one that counts follows
            }
        }
    }

    std::string_view m_text;
    size_t m_pos = 0;
    uint32_t m_maxDepth;
    std::string& m_out;
    std::vector<Stretch> m_dropped;  ///< of what was written
    const JobControl* m_job;
    StopPoll m_stop;
    std::string m_buffer;
    uint32_t m_oddities = 0;
};

}  // namespace

size_t skipBlank(std::string_view text, size_t pos) {
    while (pos < text.size() && isBlankByte(text[pos])) {
        ++pos;
    }
    return pos;
}

size_t findStringEnd(std::string_view text, size_t pos) {
    while (pos < text.size()) {
        const void* quote = std::memchr(text.data() + pos, '"', text.size() - pos);
        if (quote == nullptr) {
            return kNone;
        }
        const auto at = static_cast<size_t>(static_cast<const char*>(quote) - text.data());
        size_t slashes = 0;
        while (slashes < at - pos && text[at - 1 - slashes] == '\\') {
            ++slashes;
        }
        if (slashes % 2 == 0) {
            return at;
        }
        pos = at + 1;
    }
    return kNone;
}

size_t findHole(std::string_view text) {
    const void* hole = text.empty() ? nullptr : std::memchr(text.data(), '\0', text.size());
    return hole == nullptr ? kNone : static_cast<size_t>(static_cast<const char*>(hole) - text.data());
}

Scan scanValue(std::string_view text, size_t pos, uint32_t maxDepth, const JobControl* job) {
    return JsonWalker<BracketStack>(text, pos, maxDepth, job).run();
}

Scan scanObject(std::string_view text, size_t pos, uint32_t maxDepth, std::vector<Member>& members,
                const JobControl* job) {
    StopPoll stop(job);
    members.clear();
    Scan result;
    const auto fail = [&](ScanStatus status, size_t at) {
        result.status = status;
        result.end = at;
        return result;
    };
    ++pos;
    bool afterComma = true;
    for (;;) {
        pos = skipBlank(text, pos);
        if (pos >= text.size() || stop.stopRequested()) {
            return fail(ScanStatus::NeedMore, pos);
        }
        const char c = text[pos];
        if (c == '}') {
            result.oddities |= afterComma && !members.empty() ? kStrayComma : 0U;
            result.end = pos + 1;
            return result;
        }
        if (c == ',') {
            result.oddities |= afterComma ? kStrayComma : 0U;
            afterComma = true;
            ++pos;
            continue;
        }
        if (!afterComma) {
            return fail(ScanStatus::Broken, pos);
        }
        if (c != '"') {
            const bool decimalComma = !members.empty() && isSignOrDigit(c) && !members.back().value.empty() &&
                                      !isQuoted(members.back().value) && members.back().value[0] != '{' &&
                                      members.back().value[0] != '[';
            if (!decimalComma) {
                return fail(ScanStatus::Broken, pos);
            }
            const size_t end = wordEnd(text, pos);
            if (end >= text.size()) {
                return fail(ScanStatus::NeedMore, end);
            }
            const char* begin = members.back().value.data();
            pos = trimmedEnd(text, pos, end);
            members.back().value = std::string_view(begin, static_cast<size_t>(text.data() + pos - begin));
            result.oddities |= kOddWord;
            afterComma = false;
            continue;
        }
        const size_t keyEnd = findStringEnd(text, pos + 1);
        Member member;
        member.key = text.substr(pos + 1, keyEnd == kNone ? kNone : keyEnd - pos - 1);
        if (const size_t hole = findHole(member.key); hole != kNone) {
            return fail(ScanStatus::Broken, pos + 1 + hole);
        }
        if (keyEnd == kNone) {
            return fail(ScanStatus::NeedMore, text.size());
        }
        pos = skipBlank(text, keyEnd + 1);
        if (pos < text.size() && text[pos] != ':') {
            return fail(ScanStatus::Broken, pos);
        }
        pos = skipBlank(text, pos + 1);
        if (pos >= text.size()) {
            return fail(ScanStatus::NeedMore, text.size());
        }
        if (text[pos] == ',' || text[pos] == '}') {
            result.oddities |= kOddWord;  // nothing stands there: reads as null
            member.value = text.substr(pos, 0);
        } else {
            const Scan scan = scanValue(text, pos, maxDepth == UINT32_MAX ? maxDepth : maxDepth - 1, job);
            if (scan.status != ScanStatus::Ok) {
                return fail(scan.status, scan.end);
            }
            if (scan.end >= text.size()) {
                return fail(ScanStatus::NeedMore, scan.end);
            }
            result.oddities |= scan.oddities;
            member.value = text.substr(pos, scan.end - pos);
            pos = scan.end;
        }
        members.push_back(member);
        afterComma = false;
    }
}

bool isQuoted(std::string_view value) {
    return value.size() >= 2 && value.front() == '"' && value.back() == '"';
}

bool isNumber(std::string_view s) {
    const auto digits = [&](size_t i) {
        while (i < s.size() && s[i] >= '0' && s[i] <= '9') {
            ++i;
        }
        return i;
    };
    size_t i = !s.empty() && s[0] == '-' ? 1 : 0;
    size_t end = digits(i);
    if (end == i || (s[i] == '0' && end > i + 1)) {
        return false;
    }
    if (end < s.size() && s[end] == '.') {
        i = end + 1;
        end = digits(i);
        if (end == i) {
            return false;
        }
    }
    if (end < s.size() && (s[end] == 'e' || s[end] == 'E')) {
        i = end + 1;
        if (i < s.size() && (s[i] == '-' || s[i] == '+')) {
            ++i;
        }
        end = digits(i);
        if (end == i) {
            return false;
        }
    }
    return end == s.size();
}

bool isBeyondDoubles(std::string_view number) {
    constexpr size_t kSafeDigits = 300;
    if (number.size() < kSafeDigits && number.find_first_of("eE") == std::string_view::npos) {
        return false;
    }
    double value = 0;
    const auto parsed = std::from_chars(number.data(), number.data() + number.size(), value);
    // What is too small to hold is 0 to every reader.
    return parsed.ec == std::errc::result_out_of_range &&
           !std::isfinite(std::strtod(std::string(number).c_str(), nullptr));
}

bool isPlainWord(std::string_view value) {
    return (isNumber(value) && !isBeyondDoubles(value)) || value == "true" || value == "false" || value == "null";
}

uint32_t appendStrictJson(std::string_view value, uint32_t maxDepth, std::string& out, const JobControl* job) {
    StrictWriter writer(value, maxDepth, out, job);
    writer.value(0);
    writer.takeOutDropped();
    return writer.oddities();
}

}  // namespace warpline::loaders::chrome_trace
