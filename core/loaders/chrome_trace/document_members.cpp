// SPDX-License-Identifier: MIT
// What stands beside the list of events in its object, and the list where it is not under its key.
#include "core/loaders/chrome_trace/document_reader.h"

#include <algorithm>
#include <utility>

#include "core/loaders/chrome_trace/event_look.h"
#include "core/loaders/chrome_trace/json_text.h"

namespace warpline::loaders::chrome_trace {

namespace {

constexpr size_t kNone = std::string_view::npos;
/// Of top-level values no longer than this there may be any number.
constexpr uint64_t kShortHeaderBytes = uint64_t{1} << 20;
/// Events that are looked at inside broken values; each look costs something.
constexpr uint32_t kMostLooks = 1000;

/// Passes over one value piece by piece, however long it is.
class ValueSkipper {
public:
    /// `endsAtHole`: at a zero byte, behind which nothing needs to belong to the value.
    explicit ValueSkipper(bool endsAtHole) : m_endsAtHole(endsAtHole) {}
    /// Returns how much of `text` belongs to the value; done() tells whether it ended.
    size_t feed(std::string_view text) {
        size_t pos = 0;
        while (pos < text.size() && !m_done) {
            const char c = text[pos];
            if (c == '\0' && m_endsAtHole) {
                m_done = true;
                break;
            }
            if (m_inString) {
                m_inString = m_escaped || c != '"';
                m_escaped = !m_escaped && c == '\\';
                m_done = !m_inString && m_depth == 0;
            } else if (c == '"') {
                m_inString = true;
            } else if (c == '{' || c == '[') {
                ++m_depth;
            } else if (c == '}' || c == ']') {
                if (m_depth == 0) {
                    m_done = true;
                    break;
                }
                m_done = --m_depth == 0;
            } else if (m_depth == 0 && c == ',') {
                m_done = true;
                break;
            }
            ++pos;
        }
        return pos;
    }
    bool done() const { return m_done; }

private:
    bool m_endsAtHole;
    uint64_t m_depth = 0;
    bool m_inString = false;
    bool m_escaped = false;
    bool m_done = false;
};

/// The first place from `pos` on where an event may begin; npos if there is none.
size_t findEvent(std::string_view text, size_t pos) {
    for (pos = text.find('{', pos); pos != kNone && !looksLikeEventStart(text, pos); pos = text.find('{', pos + 1)) {
    }
    return pos;
}

}  // namespace

/// Where the object seems to end, does an event of the list end, whose beginning is lost with the key of the list? Then
/// goes to the next one and says so. REQUIRES: the window starts with a `}`.
Result<bool> DocumentReader::endsEvent() {
    if (m_listInObject) {
        return false;
    }
    if (const Status status = growTo(kLookBytes); !status) {
        return status.error();
    }
    const std::string_view text = m_window.text();
    size_t comma = 0;
    while (comma < text.size() && (text[comma] == '}' || text[comma] == ']')) {
        comma = skipBlank(text, comma + 1);
    }
    const size_t next = comma < text.size() && text[comma] == ',' ? skipBlank(text, comma + 1) : kNone;
    if (next >= text.size() || text[next] != '{' ||
        lookAtObject(text.substr(next), m_options.maxArgsDepth).kind != ObjectLook::Kind::Event) {
        return false;
    }
    reportListStart(m_window.offset());
    m_listInObject = true;
    m_window.consume(next);
    return true;
}

/// Events begin here without a bracket. If there was none before either, the list's beginning is lost.
void DocumentReader::reportListStart(uint64_t place) {
    if (m_listInObject) {
        report("invalid_json", Severity::Info, place);
        return;
    }
    report("invalid_json", Severity::DataLoss, place, "the beginning of the list of events is lost");
    m_builder.report().setIncomplete();
}

/// At the end of an object without traceEvents: the list that stands under another key, if there is one.
Status DocumentReader::takeCandidate() {
    const std::optional<Candidate> candidate = std::exchange(m_candidate, std::nullopt);
    if (!candidate) {
        return Status::success();
    }
    if (m_listInObject) {
        if (candidate->isTooLong) {
            reportTooLong(candidate->key, candidate->value);
        } else if (!m_header(candidate->key, candidate->json)) {
            report("odd_value", Severity::Warning, candidate->value, "top-level key " + candidate->key);
        }
        return Status::success();
    }
    report("invalid_json", Severity::Warning, candidate->value,
           "no traceEvents; the events under the top-level key " + candidate->key + " were read");
    const uint64_t end = m_window.offset();
    m_listInObject = true;
    m_window.restartAt(candidate->list + 1);
    if (const auto read = readList(ListForm::Member); !read) {
        return read.error();
    }
    if (m_window.offset() < end) {
        m_window.restartAt(end);
    }
    return Status::success();
}

/// Takes the value at the window's start for the list of events, should there be no better one: a list of events under
/// a key that is not theirs, or that of an object inside. `end`: of the value, as far as it is known.
void DocumentReader::noteCandidate(const std::string& key, size_t end) {
    if (m_listInObject || m_candidate) {
        return;
    }
    constexpr int kMostLooked = 4;
    const std::string_view text = m_window.text();
    size_t list = text.starts_with('[') ? 0 : kNone;
    if (text.starts_with('{')) {
        const size_t inner = findListKey(text.substr(0, end), 0);
        list = inner == kNone ? kNone : text.find('[', inner);
    }
    if (list != kNone && beginsWithEvents(text.substr(list + 1), m_options.maxArgsDepth, kMostLooked)) {
        m_candidate = Candidate{key, m_window.offset(), m_window.offset() + list, {}, false};
    }
}

/// The value of traceEvents should be a list, but something else stands in place of its bracket or in front of it: goes
/// to where the first event or the bracket is, and says so.
Result<bool> DocumentReader::findDamagedList() {
    if (const Status status = growTo(kLookBytes); !status) {
        return status.error();
    }
    constexpr size_t kMost = 16;
    const std::string_view text = m_window.text();
    for (size_t pos = 0; pos < std::min(kMost, text.size()); ++pos) {
        if (text[pos] == ',' || (text[pos] == '"' && pos > 0)) {
            break;
        }
        const bool isBracket = text[pos] == '[';
        const size_t event = isBracket ? skipBlank(text, pos + 1) : pos;
        if (event < text.size() && text[event] == '{' && hasEventKeyAt(text, skipBlank(text, event + 1)) &&
            lookAtObject(text.substr(event), m_options.maxArgsDepth).kind == ObjectLook::Kind::Event) {
            report("invalid_json", Severity::Info, m_window.offset(), "the bracket of traceEvents");
            m_window.consume(isBracket ? pos + 1 : pos);
            return true;
        }
    }
    return false;
}

/// Reads `"key": value`. REQUIRES: the window starts with the key's quote.
Status DocumentReader::readMember() {
    const uint64_t start = m_window.offset();
    size_t keyEnd = kNone;
    size_t colon = kNone;
    for (;;) {
        const std::string_view text = m_window.text();
        keyEnd = findStringEnd(text, 1);
        colon = keyEnd == kNone ? kNone : skipBlank(text, keyEnd + 1);
        if (keyEnd != kNone && skipBlank(text, colon + 1) < text.size()) {
            break;
        }
        if (m_window.atEnd() || text.size() > std::min<uint64_t>(m_limits.headerBytes, m_options.maxEventBytes)) {
            if (keyEnd != kNone && colon < text.size() && text[colon] != ':') {
                break;
            }
            reportEarlyEnd(Severity::Warning, start, true);
            m_window.consume(text.size());
            return Status::success();
        }
        if (const Status status = m_window.more(); !status) {
            return status;
        }
    }
    if (m_window.text()[colon] != ':') {
        // A key without its end has taken what comes behind it with it.
        report("invalid_json", Severity::Warning, start, "a top-level key without a value");
        m_builder.report().setIncomplete();
        m_window.consume(1);
        return Status::success();
    }
    std::string key;
    appendDecoded(m_window.text().substr(1, keyEnd - 1), key);
    m_window.consume(skipBlank(m_window.text(), colon + 1));
    bool isList = false;
    if (key == "traceEvents") {
        isList = m_window.text().front() == '[';
        if (isList) {
            m_window.consume(1);
        } else {
            const auto isFound = findDamagedList();
            if (!isFound) {
                return isFound.error();
            }
            isList = isFound.value();
        }
    }
    if (isList) {
        if (std::exchange(m_listInObject, true)) {
            report("duplicate_key", Severity::Info, start, "top-level key traceEvents; both lists were read");
        }
        const auto end = readList(ListForm::Member);
        return end ? Status::success() : Status(end.error());
    }
    return readHeaderValue(key);
}

/// Goes on at the list of events that stands in the first `end` bytes of the window, inside a damaged value.
bool DocumentReader::takeListInside(const std::string& key, size_t end, bool needsKey) {
    const std::string_view text = m_window.text().substr(0, end);
    size_t list = m_listInObject ? kNone : findListKey(text, 0);
    if (list == kNone && !needsKey && !m_listInObject) {
        list = findEvent(text, 0);
        while (list != kNone && !beginsWithEvents(text.substr(list), m_options.maxArgsDepth, 1)) {
            list = m_eventLooks++ < kMostLooks ? findEvent(text, list + 1) : kNone;
        }
    }
    if (list == kNone) {
        return false;
    }
    report("invalid_json", Severity::Warning, m_window.offset(), "top-level key " + key + " does not end");
    m_builder.report().setIncomplete();
    const size_t before = lastInk(text, list);
    m_listInObject = text[list] == '{' && before != kNone && text[before] == '[';
    m_candidate.reset();
    m_window.consume(list);
    return true;
}

/// Is the value that ends at `end` of the window an event that others follow, as the list's key and bracket are gone?
Result<bool> DocumentReader::isEventOfList(size_t end) {
    if (m_listInObject ||
        lookAtObject(m_window.text().substr(0, end), m_options.maxArgsDepth).kind != ObjectLook::Kind::Event) {
        return false;
    }
    if (const Status status = growTo(end + kGuessBytes); !status) {
        return status.error();
    }
    const std::string_view text = m_window.text();
    const size_t comma = skipBlank(text, end);
    const size_t next = comma < text.size() && text[comma] == ',' ? skipBlank(text, comma + 1) : kNone;
    return next < text.size() && text[next] == '{' && hasEventKeyAt(text, skipBlank(text, next + 1));
}

Status DocumentReader::readHeaderValue(const std::string& key) {
    const uint64_t start = m_window.offset();
    const uint64_t headerLimit = std::min<uint64_t>(m_limits.headerBytes, std::max(m_headerLeft, kShortHeaderBytes));
    if (const Status status = growTo(kLookBytes); !status) {
        return status;
    }
    noteCandidate(key, 0);
    for (;;) {
        if (const Status status = progress(); !status) {
            return status;
        }
        const std::string_view text = m_window.text();
        const Scan scan = scanValue(text, 0, m_options.maxArgsDepth, &m_job);
        const bool isWhole =
            scan.end <= headerLimit && scan.status == ScanStatus::Ok && (scan.end < text.size() || m_window.atEnd());
        // Where no member and no end follows, the value may have swallowed both with the list of events.
        const size_t next = isWhole ? skipBlank(text, scan.end) : 0;
        const bool isOdd = isWhole && (next < text.size() ? text[next] != ',' && text[next] != '}' : m_window.atEnd());
        if (isOdd && takeListInside(key, scan.end, true)) {
            return Status::success();
        }
        if (isWhole) {
            const auto isEvent = isEventOfList(scan.end);
            if (!isEvent) {
                return isEvent.error();
            }
            if (isEvent.value()) {
                report("invalid_json", Severity::Warning, start, "events stand under the top-level key " + key);
                m_listInObject = true;
                const auto end = readList(ListForm::Member);
                return end ? Status::success() : Status(end.error());
            }
        }
        if (isWhole) {
            noteCandidate(key, scan.end);
            std::string value;
            const uint32_t oddities =
                appendStrictJson(m_window.text().substr(0, scan.end), m_options.maxArgsDepth, value, &m_job);
            if ((oddities & kBadUtf8) != 0) {
                report("invalid_utf8", Severity::Warning, start, "top-level key " + key);
            }
            if ((oddities & kBadEscape) != 0) {
                report("invalid_escape", Severity::Warning, start, "top-level key " + key);
            }
            if ((oddities & kOddWord) != 0) {
                report("nonfinite_number", Severity::Warning, start, "top-level key " + key);
            }
            if (m_candidate && m_candidate->value == start) {
                m_candidate->json = std::move(value);
            } else if (!m_header(key, value)) {
                report("odd_value", Severity::Warning, start, "top-level key " + key);
            }
            m_headerLeft -= scan.end > kShortHeaderBytes ? std::min<uint64_t>(m_headerLeft, scan.end) : 0;
            m_window.consume(scan.end);
            return Status::success();
        }
        if (scan.status == ScanStatus::Broken) {
            report("invalid_json", Severity::Warning, start, "top-level key " + key);
            m_builder.report().setIncomplete();
            return skipValue(!m_listInObject);
        }
        const bool isTooLong = text.size() > headerLimit;
        const bool isCandidate = m_candidate && m_candidate->value == start;
        if (scan.status == ScanStatus::NeedMore && (m_window.atEnd() || (isTooLong && !isCandidate)) &&
            takeListInside(key, text.size(), !m_window.atEnd())) {
            return Status::success();
        }
        if (isTooLong && isCandidate) {
            m_candidate->isTooLong = true;
            return skipValue(false);
        }
        if (isTooLong) {
            reportTooLong(key, start);
            return skipValue(false);
        }
        if (m_window.atEnd()) {
            reportEarlyEnd(Severity::Warning, start, true);
            m_window.consume(text.size());
            return Status::success();
        }
        if (const Status status = m_window.more(); !status) {
            return status;
        }
    }
}

/// Is there an event at `place` of the window? Goes there.
Result<bool> DocumentReader::isEventAt(size_t place) {
    const size_t before = lastInk(m_window.text(), place);
    const bool hasBracket = before != kNone && m_window.text()[before] == '[';
    m_window.consume(place);
    ++m_eventLooks;
    if (const Status status = growTo(kLookBytes); !status) {
        return status.error();
    }
    const bool isEvent = beginsWithEvents(m_window.text(), m_options.maxArgsDepth, 1);
    m_listInObject = isEvent && hasBracket;
    return isEvent;
}

/// `findsList`: not over the list of events or its key, which cannot be in it.
Status DocumentReader::skipValue(bool findsList) {
    const uint64_t start = m_window.offset();
    ValueSkipper skipper(findsList);
    for (;;) {
        const std::string_view text = m_window.text();
        // The key may be cut where the window ends.
        const size_t kept = findsList && !m_window.atEnd() ? std::min(kGuessBytes, text.size()) : 0;
        const ValueSkipper before = skipper;
        const size_t fed = skipper.feed(text.substr(0, text.size() - kept));
        // Only where the value reaches is the list looked for: there may be very many broken ones.
        constexpr size_t kKeyBytes = 64;
        const std::string_view reached = text.substr(0, fed + kKeyBytes);
        const size_t list = findsList ? findListKey(reached, 0) : kNone;
        const size_t event = findsList && m_eventLooks < kMostLooks ? findEvent(reached, 0) : kNone;
        if (event < std::min(list, fed)) {
            skipper = before;
            skipper.feed(text.substr(0, event + 1));
            const auto isEvent = isEventAt(event);
            if (!isEvent) {
                return isEvent.error();
            }
            if (isEvent.value()) {
                return Status::success();
            }
            m_window.consume(1);
            continue;
        }
        const bool isInside = list < fed;
        m_window.consume(isInside ? list : fed);
        if (skipper.done() || isInside) {
            return Status::success();
        }
        if (m_window.atEnd()) {
            reportEarlyEnd(Severity::Warning, start, true);
            return Status::success();
        }
        if (const Status status = progress(); !status) {
            return status;
        }
        if (const Status status = m_window.more(); !status) {
            return status;
        }
    }
}

void DocumentReader::reportTooLong(const std::string& key, uint64_t place) {
    const uint64_t limit = std::min<uint64_t>(m_limits.headerBytes, std::max(m_headerLeft, kShortHeaderBytes));
    report("value_too_long", Severity::DataLoss, place,
           "top-level key " + key + ", longer than " + std::to_string(limit) + " bytes");
}

}  // namespace warpline::loaders::chrome_trace
