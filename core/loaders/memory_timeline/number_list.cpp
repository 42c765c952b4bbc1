// SPDX-License-Identifier: MIT
#include "core/loaders/memory_timeline/number_list.h"

#include <algorithm>
#include <utility>

namespace warpline::loaders::memory_timeline {

void NumberListReader::add(const Number& number) {
    ++m_list.count;
    if (m_times != nullptr) {
        m_times->add(number);
    }
    if (m_list.numbers.size() < (m_times != nullptr ? kRecordNumbers : kMaxColumns)) {
        m_list.numbers.push_back(number);
    }
}

/// The number that was read last is none: what parts it from the next one is damaged.
void NumberListReader::forgetLast() {
    if (m_times != nullptr) {
        m_times->forgetLast();
    }
    if (m_list.count == m_list.numbers.size()) {
        m_list.numbers.back() = {};
    }
}

void NumberListReader::noteRepair(uint64_t offset) {
    noteDamage(offset);
    m_list.repairOffset = m_list.repairOffset.value_or(offset);
    ++m_list.repairs;
}

/// `mayCost`: what follows tells whether a bracket stands inside a number.
void NumberListReader::settleBracket(bool mayCost) {
    if (m_bracketOffset && !mayCost) {
        noteRepair(*m_bracketOffset);
        m_bracketOffset.reset();
    }
}

void NumberListReader::readWord(const Token& token) {
    if (m_hasNumber) {
        noteDamage(token.offset);
        forgetLast();
        m_bracketOffset.reset();
    }
    if (!token.isJson) {
        noteDamage(token.offset);
    }
    // Times are of a length, so two that are no longer than one are halves of it.
    const bool isHalf =
        m_hasNumber && m_times != nullptr && m_length < m_usualLength && m_length + token.length <= m_usualLength;
    if (!isHalf) {
        add(token.number);
    }
    m_hasNumber = true;
    m_isLastKnown = token.isJson && !isHalf;
    m_list.isBehindComma = false;
    m_length = token.length;
}

NumberList NumberListReader::read(const IsEnded& isEnded, TimelineTimes* times) {
    m_times = times;
    while (!isNext(TokenKind::End)) {
        const Token token = m_tokens.next();
        if (token.kind == TokenKind::Open && m_list.count == 0 && m_times != nullptr) {
            m_list.isClosed = true;
            break;
        }
        if (token.kind == TokenKind::Open && isEnded(m_list)) {
            noteDamage(token.offset);
            if (m_isLastKnown) {
                noteRepair(token.offset);
            }
            m_list.isClosed = true;
            break;
        }
        m_tokens.take();
        if (token.kind == TokenKind::Word) {
            readWord(token);
            continue;
        }
        const bool isInside =
            token.kind == TokenKind::Close && isNext(TokenKind::Word) && m_tokens.second().kind != TokenKind::Open;
        if (token.kind == TokenKind::Open || isInside) {
            // In place of a digit or comma; where that is there too, it costs no number.
            noteDamage(token.offset);
            m_bracketOffset = token.offset;
            settleBracket(m_hasNumber);
            continue;
        }
        const bool isClose = token.kind == TokenKind::Close;
        settleBracket(false);
        if (!m_hasNumber && (!isClose || m_list.isBehindComma)) {
            noteDamage(token.offset);
            add({});
        }
        if (isClose) {
            m_list.isClosed = true;
            m_list.hasEnd = true;
            break;
        }
        m_usualLength = m_hasNumber ? std::max(m_length, m_usualLength) : m_usualLength;
        m_hasNumber = false;
        m_list.isBehindComma = true;
    }
    return std::move(m_list);
}

StrayWords takeStray(NumberTokens& tokens) {
    StrayWords stray;
    while (tokens.next().kind == TokenKind::Word || tokens.next().kind == TokenKind::Comma) {
        const Token token = tokens.take();
        const bool isValue = token.isJson && tokens.next().kind != TokenKind::Open;  // else it stands for a comma
        if (token.kind == TokenKind::Word && isValue) {
            NumberList& list = stray.values;
            list.offset = list.count == 0 ? token.offset : list.offset;
            ++list.count;
            if (list.numbers.size() < kMaxColumns) {
                list.numbers.push_back(token.number);
            }
        } else if (token.kind == TokenKind::Word) {
            stray.badBytes += token.length;
        }
    }
    return stray;
}

}  // namespace warpline::loaders::memory_timeline
