// SPDX-License-Identifier: MIT
#include "core/loaders/chrome_trace/document_reader.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/loaders/chrome_trace/event_look.h"
#include "core/loaders/chrome_trace/json_text.h"
#include "core/loaders/chrome_trace/text_head.h"
#include "core/loaders/stored_bytes.h"

namespace warpline::loaders::chrome_trace {

namespace {

constexpr size_t kNone = std::string_view::npos;
/// Of top-level values no longer than this there may be any number.
constexpr uint64_t kShortHeaderBytes = uint64_t{1} << 20;
/// What the first chunk of a list has at most.
constexpr size_t kFirstChunkBytes = size_t{4} << 10;
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

/// The first `{` but one that begins a line; the text's end if there is none.
size_t nextLineWithObject(std::string_view text) {
    for (size_t pos = text.find('{', 1); pos != kNone; pos = text.find('{', pos + 1)) {
        if (columnOf(text, pos) != kNoColumn) {
            return pos;
        }
    }
    return text.size();
}

/// The first place from `pos` on where an event may begin; npos if there is none.
size_t findEvent(std::string_view text, size_t pos) {
    for (pos = text.find('{', pos); pos != kNone && !looksLikeEventStart(text, pos); pos = text.find('{', pos + 1)) {
    }
    return pos;
}

}  // namespace

DocumentReader::DocumentReader(TextSource& source, FileId file, TraceBuilder& builder, const LoadOptions& options,
                               const ReadLimits& limits, JobControl& job, HeaderFunction header)
    : m_source(source),
      m_file(file),
      m_builder(builder),
      m_options(options),
      m_limits(limits),
      m_headerLeft(options.maxEventBytes),
      m_job(job),
      m_header(std::move(header)),
      m_window(source, limits.windowBytes),
      m_parser(options, &job),
      m_appender(file, builder, source.offsetSpace()),
      m_workers(options.threadCount()),
      m_plain(source.plainBytes()),
      m_doneBefore(job.done()),
      m_total(std::max(job.total(), job.done() + source.storedBytes())) {}

void DocumentReader::report(std::string_view code, Severity severity, uint64_t offset, std::string_view detail) {
    m_builder.report().add(m_file, code, severity, offset, m_source.offsetSpace(), detail);
}

void DocumentReader::reportEarlyEnd(Severity severity, uint64_t offset, bool isIncomplete) {
    const bool wasSaid = std::exchange(m_endedEarly, true);
    const auto damage = m_source.damage();
    const auto lost = std::find_if(damage.begin(), damage.end(), [](const auto& d) { return d.losesText; });
    if (lost == damage.end() || severity == Severity::DataLoss) {
        if (!wasSaid) {
            report("truncated", severity, offset);
        }
    } else if (!wasSaid && lost->code == "truncated") {
        // The compressed stream was cut between two events: what followed is not known.
        report("truncated", Severity::DataLoss, m_window.offset() + m_window.text().size(), lost->detail);
    }
    if (isIncomplete || lost != damage.end()) {
        m_builder.report().setIncomplete();
    }
}

Status DocumentReader::progress() {
    m_job.setProgress(m_doneBefore + m_source.storedPosition(), m_total);
    return m_job.stopRequested() ? Status(Error::cancelled()) : Status::success();
}

Status DocumentReader::skipToInk() {
    for (;;) {
        m_window.consume(skipBlank(m_window.text(), 0));
        if (!m_window.text().empty() || m_window.atEnd()) {
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

Status DocumentReader::growTo(size_t bytes) {
    while (m_window.text().size() < bytes && !m_window.atEnd()) {
        if (const Status status = m_window.more(); !status) {
            return status;
        }
    }
    return Status::success();
}

Status DocumentReader::readMark() {
    constexpr size_t kMarkBytes = 8;
    if (const Status status = growTo(kMarkBytes); !status) {
        return status;
    }
    const std::string_view text = m_window.text();
    if (text.starts_with("\xef\xbb\xbf")) {
        report("encoding", Severity::Info, 0, "UTF-8 with a byte order mark");
        m_window.consume(3);
    } else if (looksLikeUtf16(text)) {
        return Error::failed("the text is UTF-16 or UTF-32; only UTF-8 can be read: convert it first", "encoding");
    }
    return Status::success();
}

/// Looks at the object at the window's start, if there is one.
Result<ObjectLook> DocumentReader::lookHere() {
    if (const Status status = growTo(kLookBytes); !status) {
        return status.error();
    }
    const std::string_view text = m_window.text();
    return text.starts_with('{') ? lookAtObject(text, m_options.maxArgsDepth) : ObjectLook();
}

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

Status DocumentReader::read() {
    if (const Status status = readMark(); !status) {
        return status;
    }
    bool isFirst = true;
    for (;;) {
        if (const Status status = skipToInk(); !status) {
            return status;
        }
        if (m_window.text().empty()) {
            break;
        }
        Found found = Found::None;
        const auto canBegin = canBeginDocument(isFirst);
        if (!canBegin) {
            return canBegin.error();
        }
        if (!canBegin.value()) {
            const auto next = skipGarbage(isFirst ? Where::Head : Where::Behind);
            if (!next) {
                return next.error();
            }
            found = next.value();
            if (found == Found::None && isFirst) {
                return Error::failed("this is not JSON", "unsupported");
            }
            if (found == Found::None) {
                break;
            }
        }
        const auto look = lookHere();
        if (!look) {
            return look.error();
        }
        const bool isList = m_window.text().front() == '[';
        const bool isObject = !isList && look.value().kind != ObjectLook::Kind::Event;
        m_resumed = found == Found::Event;
        if (!isFirst && !m_resumed) {
            report("multiple_documents", Severity::Info, m_window.offset());
        }
        isFirst = false;
        if (isList || (isObject && found != Found::Member)) {
            m_window.consume(1);
        }
        const auto end = isObject ? readObject() : readList(isList ? ListForm::Array : ListForm::Bare);
        if (!end) {
            return end.error();
        }
    }
    // To the end, so that a compressed stream's checksum is verified.
    while (!m_window.atEnd()) {
        if (const Status status = progress(); !status) {
            return status;
        }
        m_window.consume(m_window.text().size());
        if (const Status status = m_window.more(); !status) {
            return status;
        }
    }
    return progress();
}

/// REQUIRES: the window starts behind the object's bracket.
Result<DocumentReader::End> DocumentReader::readObject() {
    const uint64_t start = std::max<uint64_t>(m_window.offset(), 1) - 1;
    m_listInObject = false;
    m_candidate.reset();
    for (bool isEmpty = true;; isEmpty = false) {
        if (const Status status = skipToInk(); !status) {
            return status.error();
        }
        if (const Status status = progress(); !status) {
            return status.error();
        }
        if (m_window.text().empty()) {
            if (const Status status = takeCandidate(); !status) {
                return status.error();
            }
            if (!m_endedEarly) {
                reportEarlyEnd(Severity::Warning, start, !m_foundList);
            }
            return End::Text;
        }
        const char c = m_window.text().front();
        if (c == '}') {
            const auto isInList = endsEvent();
            if (!isInList) {
                return isInList.error();
            }
            if (isInList.value()) {
                if (const auto end = readList(ListForm::Member); !end) {
                    return end.error();
                }
                continue;
            }
            m_window.consume(1);
            if (const Status status = takeCandidate(); !status) {
                return status.error();
            }
            return End::Closed;
        }
        if (c == '"') {
            if (const Status status = readMember(); !status) {
                return status.error();
            }
            continue;
        }
        if (c == ',') {
            m_window.consume(1);
            continue;
        }
        // Events that stand behind the end of their list, which was not it.
        Found found = Found::None;
        if (const auto look = lookHere(); !look) {
            return look.error();
        } else if (c == '{' && look.value().kind == ObjectLook::Kind::Event) {
            m_listInObject = m_listInObject || isEmpty;  // a bracket of the wrong sort
            reportListStart(m_window.offset());
            found = Found::Event;
        } else {
            const auto next = skipGarbage(Where::Object);
            if (!next) {
                return next.error();
            }
            found = next.value();
        }
        if (found == Found::Event || found == Found::List) {
            m_window.consume(found == Found::List ? 1 : 0);
            m_listInObject = true;
            if (const auto end = readList(ListForm::Member); !end) {
                return end.error();
            }
        }
    }
}

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
    const size_t comma = skipBlank(text, 1);
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
        if (scan.status == ScanStatus::NeedMore && (isTooLong || m_window.atEnd()) &&
            takeListInside(key, text.size(), false)) {
            return Status::success();
        }
        if (isTooLong) {
            if (m_candidate && m_candidate->value == start) {
                m_candidate->isTooLong = true;
            } else {
                reportTooLong(key, start);
            }
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
    if (m_eventLooks > kMostLooks) {
        return false;
    }
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
        const size_t event = findsList ? findEvent(reached, 0) : kNone;
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

/// Passes over a list item that is longer than any event may be.
Status DocumentReader::skipLongItem() {
    report("event_too_long", Severity::DataLoss, m_window.offset(),
           "longer than " + std::to_string(m_options.maxEventBytes) + " bytes");
    m_builder.report().setIncomplete();
    return skipValue(false);
}

/// Appends the oldest chunk in flight. If that does not fit, takes all back into the window and returns false.
bool DocumentReader::appendOldest() {
    if (const EventBatch* batch = m_pipeline->oldest()) {
        m_appender.append(*batch);
        m_pipeline->dropOldest();
        return true;
    }
    const std::vector<TextPiece> pieces = m_pipeline->takeBack();
    m_aloneUntil = pieces.front().offset + (pieces.front().end - pieces.front().begin);
    if (m_plain != nullptr) {
        m_window.restartAt(pieces.front().offset);
    } else {
        m_window.putBack(pieces);
    }
    return false;
}

/// The end of a chunk that begins at `begin`, by a look at its last bytes alone; 0 if there is none to be found.
uint64_t DocumentReader::findUnreadEnd(uint64_t begin) {
    const uint64_t target = begin + m_limits.windowBytes;
    if (target >= m_plain->size()) {
        return 0;
    }
    for (const size_t bytes : {size_t{4} << 10, size_t{64} << 10, m_limits.windowBytes}) {
        const size_t length = std::min(bytes, m_limits.windowBytes);
        m_look.resize(length);
        const auto count = m_plain->readAt(target - length, m_look);
        if (!count || count.value() != length) {
            return 0;
        }
        if (const size_t cut = ChunkParser::findCut({m_look.data(), length}); cut != 0) {
            return target - length + cut;
        }
    }
    return 0;
}

/// From the window's start on, as long as chunks fit: text that is stored as it is need not go through this thread.
/// REQUIRES: the window starts behind an event that another follows.
Status DocumentReader::submitUnread(const ListLook& list) {
    uint64_t begin = m_window.offset();
    for (;;) {
        if (const Status status = progress(); !status) {
            return status;
        }
        if (m_pipeline->isFull()) {
            if (!appendOldest()) {
                return Status::success();
            }
            continue;
        }
        const uint64_t end = findUnreadEnd(begin);
        if (end == 0) {
            break;
        }
        m_pipeline->submitUnread(m_plain, begin, end - begin, list);
        begin = end;
        m_source.seek(begin);
    }
    if (begin != m_window.offset()) {
        m_window.restartAt(begin);
    }
    return Status::success();
}

/// Where the text at the window's start may be cut for parsing, behind the events from `first` on, at `most` or before,
/// unless an event is longer than a window; 0 if it cannot.
size_t DocumentReader::findChunk(size_t& first, size_t most) const {
    const std::string_view text = m_window.text();
    first = text.find_first_not_of(" \n\r\t,");
    if (first == kNone || text[first] != '{') {
        return 0;
    }
    size_t cut = ChunkParser::findCut(text.substr(0, most));
    if (cut <= first && most == m_limits.windowBytes && text.size() > most) {
        cut = ChunkParser::findCut(text);
    }
    return cut > first ? cut : 0;
}

/// Chunks may begin with a comma, the list may not.
Status DocumentReader::skipFirstCommas() {
    for (;;) {
        if (const Status status = skipToInk(); !status) {
            return status;
        }
        if (!m_window.text().starts_with(',')) {
            return Status::success();
        }
        report("invalid_json", Severity::Info, m_window.offset());
        m_window.consume(1);
    }
}

Result<DocumentReader::End> DocumentReader::readList(ListForm form) {
    m_foundList = true;
    if (const Status status = growTo(kGuessBytes); !status) {
        return status.error();
    }
    const ListLook list{form != ListForm::Bare, columnOf(m_window.text(), skipBlank(m_window.text(), 0))};
    m_parser.beginList(list);
    const uint64_t start = m_window.offset() - (form == ListForm::Bare ? 0 : 1);
    if (const Status status = skipFirstCommas(); !status) {
        return status.error();
    }
    ListPlace place;
    // Small at first: there may be very many short lists, and to look for cuts far behind one's end costs each of them.
    size_t chunkBytes = std::min(kFirstChunkBytes, m_limits.windowBytes);
    for (;;) {
        if (const Status status = progress(); !status) {
            return status.error();
        }
        if (const Status status = m_window.refill(); !status) {
            return status.error();
        }
        size_t first = 0;
        const size_t cut = m_limits.strictFirst && !place.inGarbage ? findChunk(first, chunkBytes) : 0;
        const size_t tried = std::exchange(chunkBytes, std::min(chunkBytes * 4, m_limits.windowBytes));
        if (cut != 0 && m_workers > 1 && m_window.offset() >= m_aloneUntil && !m_window.atEnd()) {
            if (m_pipeline == nullptr) {
                m_pipeline = std::make_unique<ChunkPipeline>(m_options, m_workers, m_job);
                if (m_pipeline->workers() == 0) {
                    m_workers = 1;
                    continue;
                }
            }
            if (m_pipeline->isFull()) {
                appendOldest();
                continue;
            }
            m_pipeline->submit(m_window.take(cut, m_pipeline->spareBuffer()), list);
            place = ListPlace();
            if (m_plain != nullptr) {
                if (const Status status = submitUnread(list); !status) {
                    return status.error();
                }
            }
            continue;
        }
        if (m_pipeline != nullptr && !m_pipeline->isEmpty()) {
            appendOldest();
            continue;
        }
        const std::string_view text = m_window.text();
        size_t stopAt = tried < m_limits.windowBytes ? tried : kNone;
        if (cut != 0) {
            m_batch.clear();
            if (m_parser.parseStrict(text.substr(first, cut - first), m_window.offset() + first, m_batch)) {
                m_appender.append(m_batch);
                m_window.consume(cut);
                place = ListPlace();
                continue;
            }
            stopAt = cut;
        }
        m_batch.clear();
        const ListScan scan = m_parser.parseLenient(text, m_window.offset(), m_window.atEnd(), place, stopAt, m_batch);
        m_appender.append(m_batch);
        m_window.consume(scan.consumed);
        place = scan.place;
        if (scan.state == ListState::Ended) {
            return End::Closed;
        }
        if (m_window.atEnd() && (scan.inEvent || m_window.text().empty())) {
            if (scan.inEvent) {
                reportEarlyEnd(Severity::DataLoss, m_window.offset(), true);
                m_window.consume(m_window.text().size());
            } else if (!place.inGarbage && form != ListForm::Bare) {
                // The format lets the array form stay open; an object without its end was cut.
                const bool isCut = form == ListForm::Member;
                reportEarlyEnd(isCut ? Severity::Warning : Severity::Info, start, isCut);
            }
            return End::Text;
        }
        if (scan.inEvent && m_window.text().size() > m_options.maxEventBytes) {
            if (const Status status = skipLongItem(); !status) {
                return status.error();
            }
        } else if (!m_window.atEnd()) {
            if (const Status status = m_window.more(); !status) {
                return status.error();
            }
        }
    }
}

}  // namespace warpline::loaders::chrome_trace
