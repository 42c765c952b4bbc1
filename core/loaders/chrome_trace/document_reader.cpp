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
/// What the first chunk of a list has at most.
constexpr size_t kFirstChunkBytes = size_t{4} << 10;

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
