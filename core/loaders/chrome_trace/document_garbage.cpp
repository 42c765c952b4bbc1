// SPDX-License-Identifier: MIT
// Text in front of, in and behind documents that cannot be read.
#include "core/loaders/chrome_trace/document_reader.h"

#include <algorithm>

#include "core/loaders/chrome_trace/event_look.h"
#include "core/loaders/chrome_trace/json_text.h"

namespace warpline::loaders::chrome_trace {

namespace {

constexpr size_t kNone = std::string_view::npos;

/// The first `{` but one that begins a line; the text's end if there is none.
size_t nextLineWithObject(std::string_view text) {
    for (size_t pos = text.find('{', 1); pos != kNone; pos = text.find('{', pos + 1)) {
        if (columnOf(text, pos) != kNoColumn) {
            return pos;
        }
    }
    return text.size();
}

}  // namespace

/// The string at the window's start: is it the key of a member? `stringEnd`: the place of its closing quote if that is
/// known, as of each quote inside one that was looked at.
DocumentReader::Quoted DocumentReader::lookAtString(uint64_t& stringEnd) const {
    const std::string_view text = m_window.text();
    const uint64_t start = m_window.offset();
    if (stringEnd <= start) {
        const size_t end = findStringEnd(text, 1);
        stringEnd = start + std::min(end, text.size());
    }
    const size_t end = static_cast<size_t>(stringEnd - start);
    const size_t colon = skipBlank(text, end + 1);
    if (colon >= text.size() || text[colon] != ':' || text[end] != '"' || end == 1) {
        return Quoted::Neither;
    }
    return hasTimeKeyAt(text, 0) ? Quoted::EventKey : hasDocumentKeyAt(text, 0) ? Quoted::DocumentKey : Quoted::Key;
}

/// Is the `}` at the window's start the end of the object that is being read, and not of a value that was damaged?
bool DocumentReader::endsObject() const {
    const std::string_view text = m_window.text();
    const size_t next = skipBlank(text, 1);
    return next >= text.size() || (text[next] != ',' && text[next] != '}' && text[next] != ']');
}

/// Passes over what can neither be a list, a document nor an event, up to one of these or a member or, inside an
/// object, that one's end; says so. None: there is none up to the end of the text.
Result<DocumentReader::Found> DocumentReader::skipGarbage(Where where) {
    const bool isInObject = where == Where::Object;
    const uint64_t start = m_window.offset();
    bool hadInk = false;  // other than brackets, commas and zeros
    bool hadZeros = false;
    bool hadEvent = false;  // what looked like one, or a part of one, but is none
    uint64_t looked = 0;
    uint64_t stringEnd = 0;
    Found found = Found::None;
    while (found == Found::None) {
        if (const Status status = progress(); !status) {
            return status.error();
        }
        const std::string_view text = m_window.text();
        const size_t next = std::min(text.find_first_of(isInObject ? "{[\"}" : "{[\""), text.size());
        hadInk = hadInk || text.substr(0, next).find_first_not_of(std::string_view(" \n\r\t,]}\0", 8)) != kNone;
        hadZeros = hadZeros || findHole(text.substr(0, next)) != kNone;
        m_window.consume(next);
        if (next == text.size()) {
            if (m_window.atEnd()) {
                break;
            }
            if (const Status status = m_window.more(); !status) {
                return status.error();
            }
            continue;
        }
        auto look = lookHere();
        if (!look) {
            return look.error();
        }
        const std::string_view here = m_window.text();
        const size_t inner = skipBlank(here, 1);
        size_t skipped = 1;
        switch (here.front()) {
            case '}':
                found = endsObject() ? Found::End : Found::None;
                break;
            case '"': {
                const Quoted quoted = lookAtString(stringEnd);
                hadEvent = hadEvent || quoted == Quoted::EventKey;
                if (where != Where::Behind &&
                    (quoted == Quoted::DocumentKey || (isInObject && quoted == Quoted::Key))) {
                    found = Found::Member;
                }
                break;
            }
            case '[':
                if (inner < here.size() && here[inner] == '{' &&
                    lookAtObject(here.substr(inner), m_options.maxArgsDepth).kind == ObjectLook::Kind::Event) {
                    found = Found::List;
                }
                break;
            default:
                if (look.value().kind == ObjectLook::Kind::Event) {
                    found = Found::Event;
                } else if (look.value().kind == ObjectLook::Kind::Document && !isInObject) {
                    found = Found::Document;
                } else {
                    hadEvent = hadEvent || (!look.value().isWhole && hasEventKeyAt(here, inner));
                    // Something not ended can reach over the start of what is looked for, which begins a line then.
                    constexpr uint64_t kMostLooked = uint64_t{64} << 20;
                    const size_t end = std::clamp<size_t>(look.value().end, 1, here.size());
                    looked += end;
                    skipped = looked < kMostLooked ? nextLineWithObject(here.substr(0, end)) : end;
                }
                break;
        }
        if (found == Found::None) {
            hadInk = true;
            m_window.consume(skipped);
        }
    }
    if (where == Where::Behind) {
        if (hadEvent) {
            report("trailing_data", Severity::DataLoss, start, "something in it looks like an event");
            m_builder.report().setIncomplete();
        } else if (hadInk || found != Found::None || !m_resumed) {
            report("trailing_data", Severity::Warning, start);
        }
    } else if (isInObject || found != Found::None) {
        // Where no list begins but one of its events, there is a part of it in what is missing.
        const bool isLoss = hadEvent || (hadZeros && found == Found::Event && !m_listInObject);
        report("invalid_json", isLoss ? Severity::DataLoss : Severity::Warning, start,
               isInObject ? "between the top-level keys" : "in front of the trace");
        m_builder.report().setIncomplete();
    }
    return found;
}

/// Can what stands at the window's start? Behind the first one, [2024-01-01 … is rather a line of a log.
Result<bool> DocumentReader::canBeginDocument(bool isFirst) {
    if (const Status status = growTo(kGuessBytes); !status) {
        return status.error();
    }
    const std::string_view text = m_window.text();
    const size_t inner = skipBlank(text, 1);
    const bool isWord =
        text.front() == '[' && inner < text.size() && std::string_view("{[],\"").find(text[inner]) == kNone;
    return text.front() == '{' || (text.front() == '[' && (isFirst || !isWord));
}

}  // namespace warpline::loaders::chrome_trace
