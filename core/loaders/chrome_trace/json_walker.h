// SPDX-License-Identifier: MIT
#pragma once
// The walk behind scanValue() of json_text.h, which others need too that want to know what it met. One thread.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/job_control.h"
#include "core/base/stoppable.h"
#include "core/loaders/chrome_trace/json_text.h"

namespace warpline::loaders::chrome_trace {

inline bool isBlankByte(char c) {
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/// Ends a bare word. A zero is a hole in the file.
inline bool isDelimiter(char c) {
    return c == ',' || c == '}' || c == ']' || c == '"' || c == '{' || c == '[' || c == ':' || c == '\n' || c == '\r' ||
           c == '\0';
}

inline size_t trimmedEnd(std::string_view text, size_t begin, size_t end) {
    while (end > begin && isBlankByte(text[end - 1])) {
        --end;
    }
    return end;
}

inline size_t wordEnd(std::string_view text, size_t pos) {
    while (pos < text.size() && !isDelimiter(text[pos])) {
        ++pos;
    }
    return pos;
}

inline bool isSignOrDigit(char c) {
    return c == '-' || c == '+' || c == '.' || (c >= '0' && c <= '9');
}

/// The open brackets as bytes.
class BracketStack {
public:
    bool empty() const { return m_open.empty(); }
    size_t size() const { return m_open.size(); }
    char innermost() const { return m_open.back(); }
    /// False: no deeper.
    bool open(char bracket, std::string_view /*text*/, size_t /*pos*/) {
        m_open += bracket;
        return true;
    }
    /// False: it takes more text to tell what closes here.
    bool close(std::string_view /*text*/, size_t /*pos*/) {
        m_open.pop_back();
        return true;
    }
    void key(std::string_view /*key*/) {}
    void string(std::string_view /*text*/) {}
    void word() {}

private:
    std::string m_open;
};

/// Walks one value without recursion. `Brackets`, which is like BracketStack, is told what is met.
template <class Brackets>
class JsonWalker {
public:
    JsonWalker(std::string_view text, size_t pos, uint32_t maxDepth, const JobControl* job)
        : m_text(text), m_pos(pos), m_maxDepth(maxDepth), m_stop(job) {}

    /// Of the text of which the walk has seen a part, more; `pos` is the same place in it.
    void goOn(std::string_view text, size_t pos) {
        m_text = text;
        m_pos = pos;
    }
    /// Where run() has come: if more text is needed, a place to go on from.
    size_t position() const { return m_pos; }
    Brackets& brackets() { return m_open; }
    const Brackets& brackets() const { return m_open; }

    Scan run() {
        for (;;) {
            if (m_stop.stopRequested()) {
                return {ScanStatus::NeedMore, m_pos, m_oddities};
            }
            const size_t before = m_pos;
            const Step step = m_state == State::Value ? value() : m_state == State::Key ? key() : after();
            if (step == Step::Done) {
                return {ScanStatus::Ok, m_pos, m_oddities};
            }
            if (step == Step::NeedMore) {
                const size_t end = std::exchange(m_pos, before);
                return {ScanStatus::NeedMore, end, m_oddities};
            }
            if (step == Step::Broken) {
                return {ScanStatus::Broken, m_pos, m_oddities};
            }
        }
    }

private:
    enum class State { Value, Key, After };
    enum class Step { Go, Done, NeedMore, Broken };

    bool atEnd() {
        m_pos = skipBlank(m_text, m_pos);
        return m_pos >= m_text.size();
    }
    Step valueEnded() {
        m_state = State::After;
        return m_open.empty() ? Step::Done : Step::Go;
    }
    Step open(char bracket) {
        if (!m_open.open(bracket, m_text, m_pos)) {
            return Step::Broken;
        }
        m_oddities |= m_open.size() > m_maxDepth ? kTooDeep : 0U;
        ++m_pos;
        m_state = bracket == '{' ? State::Key : State::Value;
        m_lastWasWord = false;
        return Step::Go;
    }
    Step close() {
        if (!m_open.close(m_text, m_pos)) {
            return Step::NeedMore;
        }
        ++m_pos;
        m_lastWasWord = false;
        return valueEnded();
    }
    Step string() {
        const size_t end = findStringEnd(m_text, m_pos + 1);
        m_string = m_text.substr(m_pos + 1, end == std::string_view::npos ? end : end - m_pos - 1);
        if (const size_t hole = findHole(m_string); hole != std::string_view::npos) {
            m_pos += 1 + hole;
            return Step::Broken;
        }
        if (end == std::string_view::npos) {
            m_pos = m_text.size();
            return Step::NeedMore;
        }
        m_pos = end + 1;
        return Step::Go;
    }
    Step word() {
        // Short whole numbers, as in shapes, are most of what stands in lists.
        size_t digits = m_pos;
        while (digits < m_text.size() && m_text[digits] >= '0' && m_text[digits] <= '9') {
            ++digits;
        }
        if (digits < m_text.size() && (m_text[digits] == ',' || m_text[digits] == ']') && m_text[m_pos] != '0') {
            m_pos = digits;
            m_lastWasWord = true;
            m_open.word();
            return valueEnded();
        }
        const size_t end = wordEnd(m_text, m_pos);
        if (end >= m_text.size() && !m_open.empty()) {
            return Step::NeedMore;
        }
        const size_t trimmed = trimmedEnd(m_text, m_pos, end);
        if (!isPlainWord(m_text.substr(m_pos, trimmed - m_pos))) {
            m_oddities |= kOddWord;
        }
        m_pos = trimmed;
        m_lastWasWord = true;
        m_open.word();
        return valueEnded();
    }
    Step value() {
        if (atEnd()) {
            return Step::NeedMore;
        }
        const bool inList = !m_open.empty() && m_open.innermost() == '[';
        switch (m_text[m_pos]) {
            case '"':
                if (const Step step = string(); step != Step::Go) {
                    return step;
                }
                m_open.string(m_string);
                m_lastWasWord = false;
                return valueEnded();
            case '{':
            case '[':
                return open(m_text[m_pos]);
            case ']':
                if (!inList) {
                    return Step::Broken;
                }
                return close();
            case ',':
                m_oddities |= inList ? kStrayComma : kOddWord;
                if (inList) {
                    ++m_pos;
                    return Step::Go;
                }
                m_lastWasWord = false;
                return m_open.empty() ? Step::Broken : valueEnded();
            case '}':
                if (m_open.empty() || inList) {
                    return Step::Broken;
                }
                m_oddities |= kOddWord;
                return valueEnded();
            case ':':
            case '\0':
                return Step::Broken;
            default:
                return word();
        }
    }
    Step key() {
        if (atEnd()) {
            return Step::NeedMore;
        }
        switch (m_text[m_pos]) {
            case '"':
                break;
            case '}':
                return close();
            case ',':
                m_oddities |= kStrayComma;
                ++m_pos;
                return Step::Go;
            default:
                // 0,5: the comma was a decimal one.
                if (m_lastWasWord && isSignOrDigit(m_text[m_pos])) {
                    m_oddities |= kOddWord;
                    return word();
                }
                return Step::Broken;
        }
        if (const Step step = string(); step != Step::Go || atEnd()) {
            return step == Step::Go ? Step::NeedMore : step;
        }
        if (m_text[m_pos] != ':') {
            return Step::Broken;
        }
        ++m_pos;
        m_open.key(m_string);
        m_state = State::Value;
        return Step::Go;
    }
    Step after() {
        if (atEnd()) {
            return Step::NeedMore;
        }
        const bool inList = m_open.innermost() == '[';
        const char c = m_text[m_pos];
        if (c == ',') {
            ++m_pos;
            if (atEnd()) {
                return Step::NeedMore;
            }
            m_oddities |= m_text[m_pos] == ']' || m_text[m_pos] == '}' ? kStrayComma : 0U;
            m_state = inList ? State::Value : State::Key;
            return Step::Go;
        }
        if (c == (inList ? ']' : '}')) {
            return close();
        }
        return Step::Broken;
    }

    std::string_view m_text;
    std::string_view m_string;  ///< read last, without its quotes
    size_t m_pos;
    uint32_t m_maxDepth;
    uint32_t m_oddities = 0;
    State m_state = State::Value;
    bool m_lastWasWord = false;
    Brackets m_open;
    StopPoll m_stop;
};

}  // namespace warpline::loaders::chrome_trace
