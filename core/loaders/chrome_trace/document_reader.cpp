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
/// Passes over one value piece by piece, however long it is.
class ValueSkipper {
public:
    /// Returns how much of `text` belongs to the value; done() tells whether it ended.
    size_t feed(std::string_view text) {
        size_t pos = 0;
        while (pos < text.size() && !m_done) {
            const char c = text[pos];
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

/// Passes over what can neither be a list, a document nor an event, up to one of these or, inside an object, a member
/// or the object's end; says so. NotFound: there is none up to the end of the text.
Result<DocumentReader::Found> DocumentReader::skipGarbage(bool isInObject) {
    const uint64_t start = m_window.offset();
    bool hadInk = false;    // other than brackets, commas and zeros
    bool hadEvent = false;  // what looked like one, but is none
    uint64_t looked = 0;
    uint64_t noQuoteUpTo = 0;  ///< no string ends before this place
    Found found = Found::None;
    while (found == Found::None) {
        if (const Status status = progress(); !status) {
            return status.error();
        }
        const std::string_view text = m_window.text();
        const size_t next = std::min(text.find_first_of(isInObject ? "{[\"}" : "{["), text.size());
        hadInk = hadInk || text.substr(0, next).find_first_not_of(std::string_view(" \n\r\t,]}\0", 8)) != kNone;
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
                found = Found::End;
                break;
            case '"':
                if (m_window.offset() < noQuoteUpTo) {
                    break;
                }
                if (const size_t end = findStringEnd(here, 1); end == kNone) {
                    noQuoteUpTo = m_window.offset() + here.size();
                } else {
                    const size_t colon = skipBlank(here, end + 1);
                    found = colon < here.size() && here[colon] == ':' ? Found::Member : Found::None;
                }
                break;
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
    if (isInObject) {
        report("invalid_json", Severity::Warning, start, "between the top-level keys");
        m_builder.report().setIncomplete();
    } else if (hadEvent) {
        report("trailing_data", Severity::DataLoss, start, "something in it looks like an event");
        m_builder.report().setIncomplete();
    } else if (hadInk || found != Found::None || !m_resumed) {
        report("trailing_data", Severity::Warning, start);
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
            if (isFirst) {
                return Error::failed("this is not JSON", "unsupported");
            }
            const auto next = skipGarbage(false);
            if (!next) {
                return next.error();
            }
            found = next.value();
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
        if (isList) {
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

Result<DocumentReader::End> DocumentReader::readObject() {
    const uint64_t start = m_window.offset();
    m_listInObject = false;
    m_window.consume(1);
    for (;;) {
        if (const Status status = skipToInk(); !status) {
            return status.error();
        }
        if (const Status status = progress(); !status) {
            return status.error();
        }
        if (m_window.text().empty()) {
            if (!m_endedEarly) {
                reportEarlyEnd(Severity::Warning, start, !m_foundList);
            }
            return End::Text;
        }
        const char c = m_window.text().front();
        if (c == '}') {
            m_window.consume(1);
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
            report("invalid_json", Severity::Info, m_window.offset());
            found = Found::Event;
        } else {
            const auto next = skipGarbage(true);
            if (!next) {
                return next.error();
            }
            found = next.value();
        }
        if (found == Found::Event || found == Found::List) {
            m_window.consume(found == Found::List ? 1 : 0);
            if (const auto end = readList(ListForm::Member); !end) {
                return end.error();
            }
        }
    }
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
        report("invalid_json", Severity::Warning, start, "a top-level key without a value");
        m_builder.report().setIncomplete();
        m_window.consume(colon);
        return Status::success();
    }
    std::string key;
    appendDecoded(m_window.text().substr(1, keyEnd - 1), key);
    m_window.consume(skipBlank(m_window.text(), colon + 1));
    if (key == "traceEvents" && m_window.text().front() == '[') {
        if (std::exchange(m_listInObject, true)) {
            report("duplicate_key", Severity::Info, start, "top-level key traceEvents; both lists were read");
        }
        m_window.consume(1);
        const auto end = readList(ListForm::Member);
        return end ? Status::success() : Status(end.error());
    }
    return readHeaderValue(key);
}

/// Goes on at the list of events that stands in the first `end` bytes of the window, inside a damaged value.
bool DocumentReader::takeListInside(const std::string& key, size_t end) {
    const size_t list = m_listInObject ? kNone : findListKey(m_window.text().substr(0, end), 0);
    if (list == kNone) {
        return false;
    }
    report("invalid_json", Severity::Warning, m_window.offset(), "top-level key " + key + " does not end");
    m_builder.report().setIncomplete();
    m_window.consume(list);
    return true;
}

Status DocumentReader::readHeaderValue(const std::string& key) {
    const uint64_t start = m_window.offset();
    const uint64_t headerLimit = std::min<uint64_t>(m_limits.headerBytes, std::max(m_headerLeft, kShortHeaderBytes));
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
        if (isOdd && takeListInside(key, scan.end)) {
            return Status::success();
        }
        if (isWhole) {
            std::string value;
            const uint32_t oddities = appendStrictJson(text.substr(0, scan.end), m_options.maxArgsDepth, value, &m_job);
            if ((oddities & kBadUtf8) != 0) {
                report("invalid_utf8", Severity::Warning, start, "top-level key " + key);
            }
            if ((oddities & kBadEscape) != 0) {
                report("invalid_escape", Severity::Warning, start, "top-level key " + key);
            }
            if ((oddities & kOddWord) != 0) {
                report("nonfinite_number", Severity::Warning, start, "top-level key " + key);
            }
            if (!m_header(key, value)) {
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
            takeListInside(key, text.size())) {
            return Status::success();
        }
        if (isTooLong) {
            report("value_too_long", Severity::DataLoss, start,
                   "top-level key " + key + ", longer than " + std::to_string(headerLimit) + " bytes");
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

/// `findsList`: not over the key of the list of events, which cannot be in it.
Status DocumentReader::skipValue(bool findsList) {
    const uint64_t start = m_window.offset();
    ValueSkipper skipper;
    for (;;) {
        const std::string_view text = m_window.text();
        // The key may be cut where the window ends.
        const size_t kept = findsList && !m_window.atEnd() ? std::min(kGuessBytes, text.size()) : 0;
        const size_t fed = skipper.feed(text.substr(0, text.size() - kept));
        // Only where the value reaches is the list looked for: there may be very many broken ones.
        constexpr size_t kKeyBytes = 64;
        const size_t list = findsList ? findListKey(text.substr(0, fed + kKeyBytes), 0) : kNone;
        const bool isInside = list != kNone && list < fed;
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

/// Where the text at the window's start may be cut for parsing, behind the events from `first` on; 0 if it cannot.
size_t DocumentReader::findChunk(size_t& first) const {
    const std::string_view text = m_window.text();
    first = text.find_first_not_of(" \n\r\t,");
    if (first == kNone || text[first] != '{') {
        return 0;
    }
    size_t cut = ChunkParser::findCut(text.substr(0, m_limits.windowBytes));
    if (cut <= first && text.size() > m_limits.windowBytes) {
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
    for (;;) {
        if (const Status status = progress(); !status) {
            return status.error();
        }
        if (const Status status = m_window.refill(); !status) {
            return status.error();
        }
        size_t first = 0;
        const size_t cut = m_limits.strictFirst && !place.inGarbage ? findChunk(first) : 0;
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
        size_t stopAt = kNone;
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
