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
    for (;;) {
        const bool isIdle = !writePass(kPause);
        bool isLast = false;
        {
            const std::scoped_lock lock(m_mutex);
            isLast = m_isFlushed;
        }
        if (isIdle && isLast) {
            break;
        }
    }
    m_modules.takeAll([this](const ModuleHead& head, std::string_view code) { m_writer.writeModule(head, code); });
    m_modules.close();
    takePosts();
    reportLosses();
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
    reportLosses();
    m_writer.flush();
    return hasRead;
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
    while (m_notes != nullptr && m_notes->take(note)) {
        if (m_filter != nullptr) {
            m_filter->keep(note.record.correlation);
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

void ProcessRecorder::reportLosses() {
    const int64_t now = readRealtime();
    const auto report = [&](uint64_t total, uint64_t& reported, LossKind kind, FrameType of = FrameType{}) {
        if (total != reported) {
            m_writer.add(LossRecord{0, now, total - reported, kind, static_cast<uint32_t>(of)});
            reported = total;
        }
    };
    const ActivityDecoder::Counts& counts = m_decoder->counts();
    report(counts.unreadable + counts.unknownKinds, m_reported.unreadable, LossKind::Unreadable);
    report(counts.filtered, m_reported.filtered, LossKind::Filtered);
    report(m_spareRecords, m_reported.spareRecords, LossKind::NoBuffer);
    report(m_lostModules, m_reported.modules, LossKind::QueueFull, FrameType::Module);
    report(m_notes != nullptr ? m_notes->lost() : 0, m_reported.notes, LossKind::LaunchQueueFull, FrameType::Launches);
    const uint64_t lost = m_writer.framesLost();
    report(lost, m_reported.frames, m_file.isAtLimit() ? LossKind::SizeLimit : LossKind::WriteFailed);
}

void ProcessRecorder::writeEnd() {
    std::string facts;
    {
        const std::scoped_lock lock(m_mutex);
        appendFact(facts, fact::kReason, m_endReason);
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
