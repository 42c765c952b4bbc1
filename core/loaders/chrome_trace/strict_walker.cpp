// SPDX-License-Identifier: MIT
#include "core/loaders/chrome_trace/strict_walker.h"

#include <simdjson.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "core/loaders/chrome_trace/nested_keys.h"

namespace warpline::loaders::chrome_trace {

namespace {

/// A vector whose memory stays and whose add() is cheap enough for every value of every event.
class MemberList {
public:
    void clear() { m_count = 0; }
    void add(Member member) {
        if (m_count == m_members.size()) {
            m_members.resize(m_count * 2);
        }
        m_members[m_count++] = member;
    }
    std::span<const Member> members() const { return {m_members.data(), m_count}; }

private:
    std::vector<Member> m_members = std::vector<Member>(64);
    size_t m_count = 0;
};

bool isDigit(char c) {
    return static_cast<unsigned char>(c - '0') < 10;
}

bool isHexDigit(char c) {
    return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/// The number that four hexadecimal digits make.
uint32_t codeUnit(const char* digits) {
    uint32_t unit = 0;
    for (const char* p = digits; p < digits + 4; ++p) {
        unit = unit * 16 + static_cast<uint32_t>(isDigit(*p) ? *p - '0' : (*p | 0x20) - 'a' + 10);
    }
    return unit;
}

/// Are all backslashes those of escapes that JSON has, and halves of surrogate pairs beside one another? `any` tells
/// whether there is one. Outside strings a backslash is refused with the word that it stands in.
bool hasSoundEscapes(std::string_view text, bool& any) {
    any = false;
    size_t pos = 0;
    while ((pos = text.find('\\', pos)) != std::string_view::npos) {
        any = true;
        const char c = pos + 1 < text.size() ? text[pos + 1] : '\0';
        if (c == 'u') {
            const auto isUnit = [&](size_t at) {
                return text.size() - at >= 6 && text[at] == '\\' && text[at + 1] == 'u' &&
                       std::all_of(text.data() + at + 2, text.data() + at + 6, isHexDigit);
            };
            if (!isUnit(pos)) {
                return false;
            }
            constexpr uint32_t kHalf = 0x400;
            const uint32_t unit = codeUnit(text.data() + pos + 2);
            if (unit - 0xdc00U < kHalf) {
                return false;
            }
            if (unit - 0xd800U < kHalf) {
                if (text.size() - pos < 12 || !isUnit(pos + 6) || codeUnit(text.data() + pos + 8) - 0xdc00U >= kHalf) {
                    return false;
                }
                pos += 6;
            }
        } else if (c == '\0' || std::strchr("\"\\/bfnrt", c) == nullptr) {
            return false;
        }
        pos += 2;
    }
    return true;
}

}  // namespace

struct StrictWalker::State {
    explicit State(uint32_t depth) : maxDepth(std::min(depth, kMaxDepth)) {}

    /// The nesting of a value is kept as bits of a word; what is deeper is left to the lenient scanner.
    static constexpr uint32_t kMaxDepth = 62;

    uint32_t maxDepth;
    std::unique_ptr<simdjson::internal::dom_parser_implementation> indexer;
    size_t capacity = 0;
    const char* text = nullptr;
    size_t length = 0;
    const uint32_t* index = nullptr;  ///< places of `{ } [ ] : ,` and of the first bytes of strings and words
    uint32_t count = 0;               ///< behind the last, the index holds the length of the text
    uint32_t at = 0;                  ///< in the index
    MemberList fields, args;
    NestedKeys nested;
    size_t end = 0;
    bool hasEscapes = false;

    char charAt(uint32_t i) const { return i < count ? text[index[i]] : '\0'; }

    /// The text from the place of one entry to that of the next, without the blanks between.
    std::string_view token(uint32_t i) const {
        const char* from = text + index[i];
        const char* to = text + index[i + 1];
        while (to[-1] == ' ' || to[-1] == '\n' || to[-1] == '\r' || to[-1] == '\t') {
            --to;
        }
        return {from, static_cast<size_t>(to - from)};
    }
    /// Is the entry a number, true, false or null, and which? Whole numbers and plain decimals are most of them, so
    /// they get a quick look first.
    bool isSoundWord(uint32_t i, std::string_view& word) const {
        const char* from = text + index[i];
        const char* to = text + index[i + 1];
        const char* p = from;
        if (*p >= '1' && *p <= '9') {
            while (++p < to && isDigit(*p)) {
            }
            if (p < to && *p == '.') {
                while (++p < to && isDigit(*p)) {
                }
            }
            word = p == to ? std::string_view(from, static_cast<size_t>(p - from)) : token(i);
            if (word.data() + word.size() == p && p[-1] != '.') {
                return true;
            }
        }
        word = token(i);
        return isPlainWord(word);
    }
    bool isKey(uint32_t i) const { return i + 2 < count && text[index[i]] == '"' && text[index[i + 1]] == ':'; }

    bool object(bool isEvent);
    bool skipContainer(uint32_t depthLeft);
};

/// Passes over the array or object at `at` and checks it; repeated keys are left to the lenient scanner too.
bool StrictWalker::State::skipContainer(uint32_t depthLeft) {
    uint64_t isObjectBits = 0;
    uint32_t depth = 0;
    nested.clear();
    for (;;) {
        // At an opening bracket.
        if (depth == depthLeft) {
            return false;
        }
        bool isObject = text[index[at]] == '{';
        isObjectBits = isObjectBits << 1 | (isObject ? 1 : 0);
        ++depth;
        nested.open();
        ++at;
        bool atValue = charAt(at) != (isObject ? '}' : ']');
        for (;;) {
            if (atValue) {
                if (isObject) {
                    if (!isKey(at)) {
                        return false;
                    }
                    const std::string_view key = token(at);
                    if ((hasEscapes && key.find('\\') != std::string_view::npos) || !nested.add(key)) {
                        return false;
                    }
                    at += 2;
                }
                const char c = charAt(at);
                if (c == '{' || c == '[') {
                    break;
                }
                std::string_view word;
                if (at >= count || (c != '"' && !isSoundWord(at, word))) {
                    return false;
                }
                ++at;
            }
            const char after = charAt(at);
            ++at;
            if (after == ',') {
                atValue = true;
                continue;
            }
            if (after != (isObject ? '}' : ']')) {
                return false;
            }
            nested.close();
            if (--depth == 0) {
                return true;
            }
            isObjectBits >>= 1;
            isObject = (isObjectBits & 1) != 0;
            atValue = false;
        }
    }
}

/// Lists the members of the object at `at`: an event, or its args.
bool StrictWalker::State::object(bool isEvent) {
    MemberList& list = isEvent ? fields : args;
    list.clear();
    ++at;
    if (charAt(at) == '}') {
        ++at;
        return true;
    }
    for (;;) {
        if (!isKey(at)) {
            return false;
        }
        const char* key = text + index[at] + 1;
        std::string_view name = token(at);
        name = std::string_view(key, name.size() - 2);
        if (hasEscapes && name.find('\\') != std::string_view::npos) {
            return false;
        }
        at += 2;
        const char c = text[index[at]];
        if (c == '{' || c == '[') {
            const uint32_t first = at;
            const bool isArgs = isEvent && c == '{' && chrome_trace::isKey(name, "args");
            if (!(isArgs ? object(false) : skipContainer(maxDepth - (isEvent ? 0 : 1)))) {
                return false;
            }
            const size_t from = index[first];
            list.add({name, std::string_view(text + from, index[at - 1] + 1 - from)});
        } else {
            std::string_view value;
            if (c == '"') {
                value = token(at);
            } else if (!isSoundWord(at, value)) {
                return false;
            }
            list.add({name, value});
            ++at;
        }
        const char after = charAt(at);
        ++at;
        if (after == '}') {
            return true;
        }
        if (after != ',') {
            return false;
        }
    }
}

StrictWalker::StrictWalker(uint32_t maxDepth) : m_state(std::make_unique<State>(maxDepth)) {}
StrictWalker::~StrictWalker() = default;

bool StrictWalker::start(std::string_view text) {
    State& s = *m_state;
    s.text = text.data();
    s.length = text.size();
    s.count = 0;
    s.at = 0;
    s.args.clear();
    if (text.empty() || text.size() >= UINT32_MAX || !hasSoundEscapes(text, s.hasEscapes)) {
        return false;
    }
    if (s.capacity < text.size()) {
        s.capacity = text.size() + text.size() / 2;
        s.indexer.reset();
        // The depth is that of simdjson's second stage, which is not used.
        if (simdjson::get_active_implementation()->create_dom_parser_implementation(s.capacity, 1, s.indexer) !=
            simdjson::SUCCESS) {
            s.capacity = 0;
            return false;
        }
    }
    if (s.indexer->stage1(reinterpret_cast<const uint8_t*>(text.data()), text.size(), simdjson::stage1_mode::regular) !=
        simdjson::SUCCESS) {
        return false;
    }
    s.index = s.indexer->structural_indexes.get();
    s.count = s.indexer->n_structural_indexes;
    return true;
}

bool StrictWalker::read(size_t pos) {
    State& s = *m_state;
    while (s.at < s.count && s.index[s.at] < pos) {
        ++s.at;
    }
    if (s.charAt(s.at) != '{' || s.index[s.at] != pos) {
        return false;
    }
    s.args.clear();
    if (!s.object(true)) {
        return false;
    }
    s.end = s.index[s.at - 1] + 1;
    return true;
}

std::span<const Member> StrictWalker::fields() const {
    return m_state->fields.members();
}
std::span<const Member> StrictWalker::args() const {
    return m_state->args.members();
}
size_t StrictWalker::end() const {
    return m_state->end;
}
bool StrictWalker::hasEscapes() const {
    return m_state->hasEscapes;
}
}  // namespace warpline::loaders::chrome_trace
