// SPDX-License-Identifier: MIT
#include "core/loaders/proton_hatchet/lenient_json.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <deque>
#include <utility>
#include <vector>

#include "core/base/json_string.h"

namespace warpline::loaders::proton_hatchet {

namespace {

enum class Kind : uint8_t { End, BeginObject, EndObject, BeginList, EndList, Comma, Colon, String, Word };

struct Token {
    Kind kind = Kind::End;
    uint64_t offset = 0;
    std::string text{};                   ///< decoded, or as it stands
    std::optional<uint64_t> oddOffset{};  ///< of a text, before this token or in it, that is none of JSON
};

/// A text ends with its line, so that a lost quote costs no more than that. What stood behind it is read again without
/// looking at quotes.
class Tokens {
public:
    explicit Tokens(TextChars& chars) : m_chars(chars) {}

    const Token& next() { return ahead(0); }
    /// The token that comes so many behind the next.
    const Token& ahead(size_t count) {
        while (m_ahead.size() <= count) {
            m_ahead.push_back(read());
        }
        return m_ahead[count];
    }
    Token take() {
        Token taken = next();
        m_ahead.pop_front();
        return taken;
    }

private:
    static constexpr size_t kMaxText = size_t{1} << 20;

    bool isAgain() const { return m_place < m_again.size(); }
    bool atEnd() { return !isAgain() && m_chars.atEnd(); }
    char current() const { return isAgain() ? m_again[m_place] : m_chars.current(); }
    uint64_t offset() const { return isAgain() ? m_againOffset + m_place : m_chars.offset(); }
    void advance() { isAgain() ? static_cast<void>(++m_place) : m_chars.advance(); }

    static Kind kindOf(char c) {
        switch (c) {
            case '{':
                return Kind::BeginObject;
            case '}':
                return Kind::EndObject;
            case '[':
                return Kind::BeginList;
            case ']':
                return Kind::EndList;
            case ',':
                return Kind::Comma;
            case ':':
                return Kind::Colon;
            case '"':
                return Kind::String;
            default:
                return Kind::Word;
        }
    }
    bool isBlank(char c) const { return c == ' ' || c == '\n' || c == '\r' || c == '\t' || (c == '"' && isAgain()); }

    Token read() {
        Token token;
        while (true) {
            while (!atEnd() && isBlank(current())) {
                advance();
            }
            token.offset = offset();
            if (atEnd()) {
                return token;
            }
            token.kind = kindOf(current());
            if (token.kind == Kind::Word) {
                readWord(token.text);
                return token;
            }
            advance();
            if (token.kind != Kind::String) {
                return token;
            }
            const uint64_t begin = token.offset;
            bool isOdd = false;
            const bool isString = readString(token.text, isOdd);
            if (isOdd || !isString) {
                token.oddOffset = token.oddOffset.value_or(begin);
            }
            if (isString) {
                return token;
            }
            token.kind = Kind::End;
        }
    }

    void readWord(std::string& text) {
        while (!atEnd() && !isBlank(current()) && kindOf(current()) == Kind::Word) {
            if (text.size() < kMaxText) {
                text += current();
            }
            advance();
        }
    }

    /// False: it has no end, and is to be read again.
    bool readString(std::string& decoded, bool& isOdd) {
        m_again.clear();
        m_place = 0;
        const uint64_t begin = m_chars.offset();
        std::string inner;
        for (bool isEscaped = false; !m_chars.atEnd() && inner.size() < kMaxText; m_chars.advance()) {
            const char c = m_chars.current();
            if (c == '"' && !isEscaped) {
                m_chars.advance();
                isOdd = appendDecoded(inner, decoded) != 0;
                return true;
            }
            if (c == '\n') {
                break;
            }
            isEscaped = c == '\\' && !isEscaped;
            inner += c;
        }
        if (!m_chars.atEnd()) {  // else it is cut
            m_again = std::move(inner);
        }
        m_againOffset = begin;
        return false;
    }

    TextChars& m_chars;
    std::deque<Token> m_ahead;  ///< read, and not taken
    std::string m_again;
    uint64_t m_againOffset = 0;
    size_t m_place = 0;
};

constexpr std::array<std::string_view, 3> kTreeKeys = {"children", "frame", "metrics"};
constexpr size_t kNoKey = kTreeKeys.size();
constexpr size_t kChildren = 0;

/// Whether one text becomes the other where one byte is lost, changed or put in.
bool isNearly(std::string_view text, std::string_view key) {
    const std::string_view shorter = text.size() < key.size() ? text : key;
    const std::string_view longer = text.size() < key.size() ? key : text;
    if (longer.size() - shorter.size() > 1) {
        return false;
    }
    const size_t same = static_cast<size_t>(std::ranges::mismatch(shorter, longer).in1 - shorter.begin());
    const std::string_view rest = shorter.substr(std::min(shorter.size(), same + (longer.size() == shorter.size())));
    return longer.ends_with(rest);
}

/// Which of the keys of a tree this is, or nearly is; kNoKey if none.
size_t treeKey(std::string_view text) {
    const auto* const key = std::ranges::find_if(kTreeKeys, [&](std::string_view k) { return isNearly(text, k); });
    return static_cast<size_t>(key - kTreeKeys.begin());
}

template <class T>
std::optional<T> parsed(std::string_view text) {
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

/// False: neither a word of JSON nor nearly a number.
bool readScalar(std::string_view word, Scalar& scalar) {
    if (word == "null" || word == "true" || word == "false") {
        return true;
    }
    if (word.find_first_not_of("+-.0123456789eE") != std::string_view::npos) {
        return false;
    }
    scalar.real = parsed<double>(word);
    scalar.whole = parsed<int64_t>(word);
    return scalar.real.has_value();
}

class Reader {
public:
    Reader(TextChars& chars, JsonEvents& events) : m_tokens(chars), m_events(events) {}

    JsonOutcome read() {
        if (m_tokens.next().kind == Kind::End) {
            return {JsonEnd::Cut, std::nullopt};
        }
        if (m_tokens.next().kind != Kind::BeginList) {
            beginWithoutList();
        }
        do {
            if (m_tokens.next().kind == Kind::End) {
                return {JsonEnd::Cut, std::nullopt};
            }
            step(m_tokens.take());
        } while (!m_open.empty());
        const Token& behind = m_tokens.next();
        return {JsonEnd::Whole, behind.kind == Kind::End ? std::nullopt : std::optional(behind.offset)};
    }

private:
    struct Container {
        bool isObject = false;
        size_t key = kNoKey;         ///< of the tree, that it is the value of
        std::array<bool, 3> seen{};  ///< keys of the tree in it
        bool hasKey = false;         ///< that waits for its value
        size_t waiting = kNoKey;     ///< that key
        bool needsComma = false;
        bool isBehindComma = false;
    };

    /// The begin of the outer list is lost, or another byte stands in its place.
    void beginWithoutList() {
        const uint64_t offset = m_tokens.next().offset;
        m_events.damage(offset, false);
        const Kind kind = m_tokens.next().kind;
        const bool isItem = kind == Kind::BeginObject || kind == Kind::String;
        if (!isItem) {
            m_tokens.take();
        }
        open(false, offset);
    }

    Container& top() { return m_open.back(); }
    bool isInObject() { return !m_open.empty() && top().isObject; }

    void step(const Token& token) {
        if (token.oddOffset) {
            m_events.damage(*token.oddOffset, false);
        }
        switch (token.kind) {
            case Kind::BeginObject:
            case Kind::BeginList:
                beginAt(token.kind == Kind::BeginObject, token.offset);
                break;
            case Kind::EndObject:
            case Kind::EndList:
                endAt(token.kind == Kind::EndObject, token.offset);
                break;
            case Kind::Comma:
                if (isInObject() && top().hasKey && top().waiting != kNoKey) {
                    m_events.damage(token.offset, true);
                    break;
                }
                dropKey(token.offset);
                if (!top().needsComma) {
                    m_events.damage(token.offset, false);
                }
                top().needsComma = false;
                top().isBehindComma = true;
                break;
            case Kind::Colon:
                m_events.damage(token.offset, true);
                break;
            default:
                if (m_tokens.next().kind == Kind::Colon) {
                    if (const auto odd = m_tokens.take().oddOffset) {
                        m_events.damage(*odd, true);
                    }
                    keyAt(token);
                } else {
                    valueAt(token);
                }
                break;
        }
    }

    void open(bool isObject, uint64_t offset) {
        Container container;
        container.isObject = isObject;
        if (isInObject()) {
            container.key = top().waiting;
            top().hasKey = false;
        }
        m_events.begin(isObject, offset);
        m_open.push_back(container);
        ++(isObject ? m_openObjects : m_openLists);
    }

    void close(uint64_t behind) {
        --(top().isObject ? m_openObjects : m_openLists);
        m_open.pop_back();
        m_events.end(behind);
        if (!m_open.empty()) {
            top().needsComma = true;
        }
    }

    void giveKey(size_t key) {
        m_events.key(std::string(kTreeKeys[key]));
        top().hasKey = true;
        top().waiting = key;
        top().seen[key] = true;
    }

    void checkComma(uint64_t offset) {
        if (top().needsComma) {
            m_events.damage(offset, false);
        }
    }

    void beginAt(bool isObject, uint64_t offset) {
        // No tree is so deep; a file of brackets would take a hundred times its size.
        constexpr size_t kMostOpen = size_t{1} << 20;
        if (m_open.size() >= kMostOpen) {
            m_events.damage(offset, true);
            ++m_passed;
            return;
        }
        if (m_open.empty()) {
            open(isObject, offset);
            return;
        }
        const Kind next = m_tokens.next().kind;
        if (!isObject && !isInObject() && (next == Kind::BeginObject || next == Kind::String)) {
            m_events.damage(offset, true);  // no list of a tree holds lists
            return;
        }
        if (isInObject() && !top().hasKey) {
            m_events.damage(offset, true);
            if (!isObject) {
                if (top().seen[kChildren]) {
                    m_events.key({});
                    top().hasKey = true;
                    top().waiting = kNoKey;
                } else {
                    giveKey(kChildren);
                }
            } else {
                while (isInObject()) {
                    close(offset);  // the next of its siblings begins
                }
            }
        } else if (isInObject() && isObject && top().waiting == kChildren) {
            m_events.damage(offset, true);
            open(false, offset);
        } else {
            checkComma(offset);
        }
        open(isObject, offset);
    }

    void endAt(bool isObject, uint64_t offset) {
        if (m_passed > 0) {
            --m_passed;
            return;
        }
        if (isInObject() && top().hasKey && top().waiting != kNoKey) {
            m_events.damage(offset, true);  // in place of the begin of what the key asks for
            return;
        }
        if (top().isBehindComma && !top().needsComma) {
            m_events.damage(offset, false);
        }
        dropKey(offset);
        // An end in the midst of a number stands in place of one of its digits.
        Scalar digits;
        const Token& behind = m_tokens.next();
        if (m_open.size() > 1 && behind.kind == Kind::Word && behind.offset == offset + 1 &&
            readScalar(behind.text, digits)) {
            m_events.damage(offset, true);
            return;
        }
        const Kind next = m_tokens.next().kind;
        const bool goesOn = next == Kind::Comma || next == Kind::BeginObject || next == Kind::String;
        if (m_open.size() == 1 && !isObject && goesOn) {
            m_events.damage(offset, true);
            return;
        }
        const auto fits = [&](const Container& c) { return c.isObject == isObject; };
        if (!fits(top())) {
            m_events.damage(offset, true);
            const size_t fitting = isObject ? m_openObjects : m_openLists;
            if (fitting == 0) {
                return;
            }
            const bool closesAll = fitting == 1 && fits(m_open.front());
            if (closesAll && m_tokens.next().kind != Kind::End) {
                return;
            }
            while (!fits(top())) {
                close(offset);
            }
        }
        close(offset + 1);
    }

    /// A key whose value does not come.
    void dropKey(uint64_t offset) {
        if (!m_open.empty() && isInObject() && top().hasKey) {
            m_events.damage(offset, top().waiting != kNoKey);
            m_events.value({}, offset);
            top().hasKey = false;
            top().needsComma = true;
        }
    }

    void keyAt(const Token& token) {
        size_t key = treeKey(token.text);
        const bool isString = token.kind == Kind::String;
        if (!isInObject()) {
            m_events.damage(token.offset, true);
            // The begin of a node was lost, or the end of the list that it would be in.
            const bool hasOwner = m_open.size() > 1 && m_open[m_open.size() - 2].isObject;
            if (hasOwner && key != kNoKey && !m_open[m_open.size() - 2].seen[key]) {
                close(token.offset);
            } else {
                open(true, token.offset);
                m_events.damage(token.offset, true);  // what begins here has no begin of its own
            }
        } else if (top().hasKey && top().waiting != kNoKey) {
            m_events.damage(token.offset, true);
            if (top().waiting == kChildren) {
                open(false, token.offset);
            }
            open(true, token.offset);
            m_events.damage(token.offset, true);  // what begins here has no begin of its own
        } else {
            dropKey(token.offset);
            checkComma(token.offset);
            const bool isInner = top().key != kNoKey && top().key != kChildren;
            const Kind wanted = key == kChildren ? Kind::BeginList : Kind::BeginObject;
            if (isInner && key != kNoKey && (top().needsComma || m_tokens.next().kind == wanted)) {
                m_events.damage(token.offset, true);
                close(token.offset);  // the end of a frame, or of metrics
            }
        }
        // Only a node has these.
        const bool isNode = m_open.size() > 1 && !m_open[m_open.size() - 2].isObject;
        key = isNode ? key : kNoKey;
        const bool hasList = m_tokens.next().kind == Kind::BeginList;
        if (isNode && key == kNoKey && hasList && (!isString || listHasNodes())) {
            key = kChildren;
            if (top().seen[kChildren]) {
                m_events.damage(token.offset, true);  // there is no place for them
            }
        }
        const bool isRepaired = key != kNoKey && (!isString || token.text != kTreeKeys[key]);
        if (isRepaired && !top().seen[key]) {
            m_events.damage(token.offset, false);
            giveKey(key);
        } else {
            if (!isString) {
                m_events.damage(token.offset, true);
            }
            m_events.key(token.text);
            top().hasKey = true;
            top().waiting = isRepaired ? kNoKey : key;
            if (top().waiting != kNoKey) {
                top().seen[key] = true;
            }
        }
        top().needsComma = false;
    }

    /// Whether the list that comes next begins with an object whose first key is one of a node's.
    bool listHasNodes() {
        return m_tokens.ahead(1).kind == Kind::BeginObject && m_tokens.ahead(2).kind == Kind::String &&
               treeKey(m_tokens.ahead(2).text) != kNoKey;
    }

    void valueAt(const Token& token) {
        const bool isString = token.kind == Kind::String;
        Scalar scalar;
        scalar.text = isString ? &token.text : nullptr;
        const bool isValue = isString || readScalar(token.text, scalar);
        if (isInObject() && !top().hasKey) {
            m_events.damage(token.offset, isString);
            return;
        }
        const Kind next = m_tokens.next().kind;
        const bool isBeforeOther = isInObject() && top().waiting != kNoKey && !isString &&
                                   (next == Kind::BeginList || next == Kind::BeginObject);
        if (isBeforeOther || (!isValue && !(isInObject() && top().waiting == kNoKey))) {
            m_events.damage(token.offset, false);
            return;  // in place of a comma, or of the begin of what the key asks for
        }
        const bool isStrict = isString || scalar.real ? isString || isJsonNumber(token.text) : isValue;
        if (!isStrict) {
            m_events.damage(token.offset, false);
        }
        if (!isInObject()) {
            checkComma(token.offset);
        }
        m_events.value(scalar, token.offset);
        top().hasKey = false;
        top().needsComma = true;
    }

    Tokens m_tokens;
    JsonEvents& m_events;
    std::vector<Container> m_open;
    size_t m_openObjects = 0, m_openLists = 0;  ///< of m_open
    uint64_t m_passed = 0;                      ///< begins of what is nested too deep, without their ends so far
};

}  // namespace

JsonOutcome readLeniently(TextChars& chars, JsonEvents& events) {
    return Reader(chars, events).read();
}

}  // namespace warpline::loaders::proton_hatchet
