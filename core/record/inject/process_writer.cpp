// SPDX-License-Identifier: MIT
// The thread of a ProcessRecorder that decodes what CUPTI has filled, and writes.
#include "core/capture/texts.h"
#include "core/record/inject/clocks.h"
#include "core/record/inject/process_recorder.h"

namespace warpline::record {

using namespace capture;

namespace {

constexpr auto kPause = std::chrono::milliseconds(50);

/// Calls `take(record, bytes)` for each record of a buffer. A record ends where the next one begins, so the last one
/// may seem longer than it is, by the rest of its buffer that CUPTI filled: that is nothing.
template <class Take>
void forRecords(const CuptiApi& cupti, const FilledBuffer& buffer, Take take) {
    CUpti_Activity* record = nullptr;
    if (cupti.activityGetNextRecord(buffer.bytes, buffer.validBytes, &record) != CUPTI_SUCCESS) {
        return;
    }
    const uint8_t* const end = buffer.bytes + buffer.validBytes;
    for (;;) {
        CUpti_Activity* next = record;
        const bool hasNext = cupti.activityGetNextRecord(buffer.bytes, buffer.validBytes, &next) == CUPTI_SUCCESS;
        const uint8_t* const from = reinterpret_cast<const uint8_t*>(record);
        const uint8_t* const to = hasNext ? reinterpret_cast<const uint8_t*>(next) : end;
        take(from, to > from ? static_cast<size_t>(to - from) : 0);
        if (!hasNext) {
            return;
        }
        record = next;
    }
}

}  // namespace

void ProcessRecorder::write() {
    for (bool isLast = false, isIdle = false; !isLast || !isIdle;) {
        {
            // Before the pass: what a flush brings comes before it is said to be done.
            const std::scoped_lock lock(m_mutex);
            isLast = m_isFlushed;
        }
        isIdle = !writePass(kPause);
    }
    m_lostModules += m_modules.close();
    writePass({});
    writeEnd();
    const std::scoped_lock lock(m_mutex);
    m_hasEnded = true;
    m_changed.notify_all();
}

/// Whether there was a buffer.
bool ProcessRecorder::writePass(std::chrono::milliseconds wait) {
    const auto begin = std::chrono::steady_clock::now();
    FilledBuffer buffer;
    bool hasRead = false;
    // What is gathered goes out at least so often, for who watches.
    while (std::chrono::steady_clock::now() - begin < wait && m_buffers.next(buffer, wait)) {
        takeNotes();  // those of what is in the buffer
        decode(buffer);
        m_buffers.giveBack(buffer);
        hasRead = true;
    }
    takeNotes();
    m_modules.takeAll([this](const ModuleHead& head, std::string_view code) { m_writer.writeModule(head, code); });
    takePosts();
    m_writer.flush();
    reportLosses();
    return hasRead;
}

/// The rest is lost; the program is not to suffer from it.
void ProcessRecorder::giveUp() {
    m_isClosed = true;
    m_modules.close();
    const std::scoped_lock lock(m_mutex);
    m_hasEnded = true;
    m_changed.notify_all();
}

void ProcessRecorder::decode(const FilledBuffer& buffer) {
    forRecords(m_cupti, buffer, [&](const void* record, size_t bytes) {
        if (buffer.isSpare) {
            ++m_spareRecords;
        } else {
            m_decoder->decode(record, bytes);
        }
    });
}

void ProcessRecorder::takeNotes() {
    LaunchNotes::Note note;
    const size_t upTo = m_notes != nullptr ? m_notes->noted() : 0;
    while (m_notes != nullptr && m_notes->take(note, upTo)) {
        if (m_filter != nullptr) {
            m_filter->keep(note.record.correlation);
        }
        if (note.cycle != m_launchCycle) {
            m_launchCycle = note.cycle;
            m_writer.add(CycleRecord{note.record.time, note.record.correlation, note.cycle});
        }
        if (m_setting.options.isLive) {
            note.record.name = m_writer.number(m_notes->name(note.record.name));
            m_writer.add(note.record);
        }
    }
}

void ProcessRecorder::takePosts() {
    std::vector<std::function<void(CaptureWriter&)>> posts;
    {
        const std::scoped_lock lock(m_mutex);
        posts.swap(m_posts);
    }
    for (const auto& post : posts) {
        post(m_writer);
    }
}

/// What was lost since the last report. REQUIRES: nothing is gathered in the writer.
void ProcessRecorder::reportLosses() {
    const int64_t now = readRealtime();
    Reported told = m_reported;
    bool hasNew = false;
    const auto report = [&](uint64_t total, uint64_t& reported, LossKind kind, FrameType of = FrameType{}) {
        if (total != reported) {
            m_writer.add(LossRecord{0, now, total - reported, kind, static_cast<uint32_t>(of)});
            reported = total;
            hasNew = true;
        }
    };
    const ActivityDecoder::Counts& counts = m_decoder->counts();
    report(counts.unreadable + counts.unknownKinds, told.unreadable, LossKind::Unreadable);
    report(counts.filtered, told.filtered, LossKind::Filtered);
    report(m_spareRecords, told.spareRecords, LossKind::NoBuffer);
    report(m_dropped, told.dropped, LossKind::CuptiDropped);
    report(m_lostModules, told.modules, LossKind::QueueFull, FrameType::Module);
    report(m_lostPosts, told.posts, LossKind::QueueFull, FrameType::Allocations);
    report(m_notes != nullptr ? m_notes->lost() : 0, told.notes, LossKind::LaunchQueueFull, FrameType::Launches);
    report(m_writer.recordsLost(), told.unwritten, m_file.isAtLimit() ? LossKind::SizeLimit : LossKind::WriteFailed);
    if (hasNew) {
        const uint64_t lost = m_writer.framesLost();
        m_writer.flush();
        // What could not be written was not told.
        m_reported = m_writer.framesLost() == lost ? told : m_reported;
    }
}

void ProcessRecorder::writeEnd() {
    std::string facts;
    {
        const std::scoped_lock lock(m_mutex);
        appendFact(facts, fact::kReason, m_endReason);
        if (!m_endError.empty()) {
            appendFact(facts, fact::kError, m_endError);
        }
    }
    const ActivityDecoder::Counts& counts = m_decoder->counts();
    appendFact(facts, "end_ns", std::to_string(readRealtime()));
    appendFact(facts, "records", std::to_string(counts.records));
    appendFact(facts, "kernels", std::to_string(counts.kernels));
    appendFact(facts, "buffer_bytes", std::to_string(m_buffers.bytesHeld()));
    appendFact(facts, "foreign_buffers", std::to_string(m_buffers.foreignBuffers()));
    appendFact(facts, "requests_without_buffer", std::to_string(m_noBuffer));
    m_writer.writeEnd(facts);
}

}  // namespace warpline::record
