// SPDX-License-Identifier: MIT
#include "core/loaders/chrome_trace/document_reader.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/loaders/chrome_trace/event_look.h"
#include "core/loaders/chrome_trace/json_text.h"
#include "core/loaders/stored_bytes.h"

namespace warpline::loaders::chrome_trace {

namespace {

constexpr size_t kNone = std::string_view::npos;
/// How far an object is looked into to tell an event from a document.
constexpr size_t kLookBytes = size_t{64} << 10;

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

}  // namespace

DocumentReader::DocumentReader(TextSource& source, FileId file, TraceBuilder& builder, const LoadOptions& options,
                               const ReadLimits& limits, JobControl& job, HeaderFunction header)
    : m_source(source),
      m_file(file),
      m_builder(builder),
      m_options(options),
      m_limits(limits),
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
    if (const Status status = growTo(4); !status) {
        return status;
    }
    const std::string_view text = m_window.text();
    if (text.starts_with("\xef\xbb\xbf")) {
        report("encoding", Severity::Info, 0, "UTF-8 with a byte order mark");
        m_window.consume(3);
    } else if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff") ||
               (text.size() >= 2 && ((text[0] == '\0') != (text[1] == '\0')))) {
        return Error::failed("the text is UTF-16 or UTF-32; only UTF-8 can be read: convert it first", "encoding");
    }
    return Status::success();
}

/// Bare events, one a line, look like documents; a `ph` of its own tells an event.
bool DocumentReader::looksLikeEvent() {
    const std::string_view text = m_window.text().substr(0, kLookBytes);
    size_t pos = 1;
    for (;;) {
        while ((pos = skipBlank(text, pos)) < text.size() && text[pos] == ',') {
            ++pos;
        }
        if (pos >= text.size() || text[pos] != '"') {
            return false;
        }
        const size_t keyEnd = findStringEnd(text, pos + 1);
        if (keyEnd == kNone) {
            return false;
        }
        const std::string_view key = text.substr(pos + 1, keyEnd - pos - 1);
        pos = skipBlank(text, keyEnd + 1);
        if (pos >= text.size() || text[pos] != ':' || key == "traceEvents") {
            return false;
        }
        if (key == "ph") {
            return true;
        }
        const Scan scan = scanValue(text, pos + 1, m_options.maxArgsDepth);
        if (scan.status != ScanStatus::Ok) {
            return false;
        }
        pos = scan.end;
    }
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
        const char c = m_window.text().front();
        if (c != '[' && c != '{') {
            if (isFirst) {
                return Error::failed("this is not JSON", "unsupported");
            }
            report("trailing_data", Severity::Warning, m_window.offset());
            break;
        }
        if (!isFirst) {
            report("multiple_documents", Severity::Info, m_window.offset());
        }
        isFirst = false;
        if (const Status status = growTo(kLookBytes); !status) {
            return status;
        }
        const bool isObject = c == '{' && !looksLikeEvent();
        if (c == '[') {
            m_window.consume(1);
        }
        const auto end = isObject ? readObject() : readList(c == '[' ? ListForm::Array : ListForm::Bare);
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
        if (c != ',') {
            report("invalid_json", Severity::Warning, m_window.offset(), "between the top-level keys");
            m_builder.report().setIncomplete();
            while (!m_window.text().empty() && m_window.text().front() != '"' && m_window.text().front() != '}') {
                const size_t next = m_window.text().find_first_of("\"}");
                m_window.consume(std::min(next, m_window.text().size()));
                if (m_window.text().empty() && !m_window.atEnd()) {
                    if (const Status status = m_window.more(); !status) {
                        return status.error();
                    }
                }
            }
            continue;
        }
        m_window.consume(1);
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
        if (m_window.atEnd() || text.size() > m_limits.headerBytes) {
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

Status DocumentReader::readHeaderValue(const std::string& key) {
    const uint64_t start = m_window.offset();
    for (;;) {
        const std::string_view text = m_window.text();
        const Scan scan = scanValue(text, 0, m_options.maxArgsDepth, &m_job);
        const bool isWhole = scan.status == ScanStatus::Ok && (scan.end < text.size() || m_window.atEnd());
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
            m_window.consume(scan.end);
            return Status::success();
        }
        if (scan.status == ScanStatus::Broken) {
            report("invalid_json", Severity::Warning, start, "top-level key " + key);
            m_builder.report().setIncomplete();
            return skipValue();
        }
        if (text.size() > m_limits.headerBytes) {
            report("value_too_long", Severity::DataLoss, start,
                   "top-level key " + key + ", longer than " + std::to_string(m_limits.headerBytes) + " bytes");
            return skipValue();
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

Status DocumentReader::skipValue() {
    const uint64_t start = m_window.offset();
    ValueSkipper skipper;
    for (;;) {
        m_window.consume(skipper.feed(m_window.text()));
        if (skipper.done()) {
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
    return skipValue();
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
    bool inGarbage = false;
    for (;;) {
        if (const Status status = progress(); !status) {
            return status.error();
        }
        if (const Status status = m_window.refill(); !status) {
            return status.error();
        }
        size_t first = 0;
        const size_t cut = m_limits.strictFirst && !inGarbage ? findChunk(first) : 0;
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
                continue;
            }
            stopAt = cut;
        }
        m_batch.clear();
        const ListScan scan =
            m_parser.parseLenient(text, m_window.offset(), m_window.atEnd(), inGarbage, stopAt, m_batch);
        m_appender.append(m_batch);
        m_window.consume(scan.consumed);
        inGarbage = scan.inGarbage;
        if (scan.state == ListState::Ended) {
            return End::Closed;
        }
        if (m_window.atEnd() && (scan.inEvent || m_window.text().empty())) {
            if (scan.inEvent) {
                reportEarlyEnd(Severity::DataLoss, m_window.offset(), true);
                m_window.consume(m_window.text().size());
            } else if (!inGarbage && form != ListForm::Bare) {
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
