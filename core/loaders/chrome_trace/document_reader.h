// SPDX-License-Identifier: MIT
#pragma once
// Walks a whole text: byte order mark, array or object form or bare events one a line, other top-level keys, several
// documents, and the many ways to end early. Cuts the lists of events into chunks, has them parsed and appended.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/base/job_control.h"
#include "core/loaders/chrome_trace/batch_appender.h"
#include "core/loaders/chrome_trace/chunk_parser.h"
#include "core/loaders/chrome_trace/chunk_pipeline.h"
#include "core/loaders/chrome_trace/text_window.h"

namespace warpline::loaders::chrome_trace {

struct ReadLimits {
    size_t windowBytes = size_t{1} << 19;  ///< text held at a time, if no event is longer
    size_t headerBytes = SIZE_MAX;  ///< a top-level value longer than this is passed over, as are more than an event
                                    ///< may be long of those that are long
    bool strictFirst = true;        ///< false: everything by the lenient scanner (tests compare the two)
};

class DocumentReader {
public:
    /// Takes a top-level key other than traceEvents, decoded, and its value as strict JSON. False: it says nothing to
    /// us that it should.
    using HeaderFunction = std::function<bool(std::string_view key, const std::string& value)>;

    DocumentReader(TextSource& source, FileId file, TraceBuilder& builder, const LoadOptions& options,
                   const ReadLimits& limits, JobControl& job, HeaderFunction header);

    /// Reads to the end of the source. Fails for an I/O error, an encoding that cannot be read, or when cancelled.
    Status read();

    const BatchAppender& appended() const { return m_appender; }
    bool foundList() const { return m_foundList; }    ///< a list of events, or bare events
    bool endedEarly() const { return m_endedEarly; }  ///< and said so in the report

private:
    enum class ListForm { Array, Member, Bare };  ///< a document, a member of an object, or without brackets
    enum class Found { None, List, Document, Event, Member, End };
    enum class End { Closed, Text };            ///< a bracket, or the end of the text
    enum class Where { Head, Object, Behind };  ///< in front of all, between an object's members, behind a document
    enum class Quoted { Neither, Key, EventKey, DocumentKey };
    /// What looks like a list of events, but stands under another key.
    struct Candidate {
        std::string key;
        uint64_t value = 0;  ///< place of the key's value, and of the list in it
        uint64_t list = 0;
        std::string json;  ///< of the value
        bool isTooLong = false;
    };

    Status readMark();
    Status skipToInk();
    Status skipFirstCommas();
    Status growTo(size_t bytes);
    Result<bool> canBeginDocument(bool isFirst);
    Result<ObjectLook> lookHere();
    Quoted lookAtString(uint64_t& stringEnd) const;
    bool endsObject() const;
    Result<Found> skipGarbage(Where where);
    Result<End> readObject();
    Result<End> readList(ListForm form);
    Result<bool> endsEvent();
    void reportListStart(uint64_t place);
    Status takeCandidate();
    void noteCandidate(const std::string& key, size_t end);
    Result<bool> findDamagedList();
    Status readMember();
    bool takeListInside(const std::string& key, size_t end, bool needsKey);
    Result<bool> isEventOfList(size_t end);
    Status readHeaderValue(const std::string& key);
    Result<bool> isEventAt(size_t place);
    Status skipValue(bool findsList);
    void reportTooLong(const std::string& key, uint64_t place);
    Status skipLongItem();
    bool appendOldest();
    uint64_t findUnreadEnd(uint64_t begin);
    Status submitUnread(const ListLook& list);
    size_t findChunk(size_t& first, size_t most) const;
    Status progress();
    void report(std::string_view code, Severity severity, uint64_t offset, std::string_view detail = {});
    void reportEarlyEnd(Severity severity, uint64_t offset, bool isIncomplete);

    TextSource& m_source;
    FileId m_file;
    TraceBuilder& m_builder;
    LoadOptions m_options;
    ReadLimits m_limits;
    uint64_t m_headerLeft;  ///< of what all long top-level values may be long
    JobControl& m_job;
    HeaderFunction m_header;
    TextWindow m_window;
    ChunkParser m_parser;
    BatchAppender m_appender;
    EventBatch m_batch;
    unsigned m_workers;
    std::unique_ptr<ChunkPipeline> m_pipeline;   ///< made when a second chunk comes
    std::shared_ptr<const StoredBytes> m_plain;  ///< of text that is stored as it is
    std::vector<char> m_look;
    uint64_t m_aloneUntil = 0;  ///< text before this place goes through the lenient scanner here
    uint32_t m_eventLooks = 0;  ///< for the list of events inside broken values: each costs something
    uint64_t m_doneBefore, m_total;
    bool m_foundList = false;
    bool m_listInObject = false;           ///< the object being read has had its traceEvents
    std::optional<Candidate> m_candidate;  ///< of the object being read
    bool m_resumed = false;                ///< what is read are events behind the end of their document
    bool m_endedEarly = false;
};

}  // namespace warpline::loaders::chrome_trace
