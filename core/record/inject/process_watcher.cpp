// SPDX-License-Identifier: MIT
// The thread of a ProcessRecorder that flushes CUPTI, reads the clocks, and follows what the recording side says.
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdlib>

#include "core/record/inject/clocks.h"
#include "core/record/inject/process_recorder.h"

namespace warpline::record {

using namespace capture;

namespace {

constexpr auto kTick = std::chrono::milliseconds(50);
constexpr int64_t kSecond = 1'000'000'000;

}  // namespace

void ProcessRecorder::watch() {
    for (uint64_t tick = 0;; ++tick) {
        {
            std::unique_lock lock(m_mutex);
            if (m_changed.wait_for(lock, kTick, [this] { return m_isToEnd; })) {
                break;
            }
        }
        watchTick(tick);
    }
    // Forced: what still runs, or was never synchronised with, is taken as far as it is known.
    m_cupti.activityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
    readClocks();
    const std::scoped_lock lock(m_mutex);
    m_isFlushed = true;
    m_buffers.wake();
}

void ProcessRecorder::watchTick(uint64_t tick) {
    constexpr uint64_t kClockTicks = 2, kAgentTicks = 20;
    obeyControl();
    m_buffers.growAheadOfNeed();
    if (m_isRecording) {
        m_cupti.activityFlushAll(0);
    }
    if (tick % kClockTicks == 0) {
        readClocks();
        size_t dropped = 0;
        if (m_cupti.activityGetNumDroppedRecords(nullptr, 0, &dropped) == CUPTI_SUCCESS && dropped != 0) {
            post([dropped, now = readRealtime()](CaptureWriter& writer) {
                writer.add(LossRecord{now, now, dropped, LossKind::CuptiDropped});
            });
        }
    }
    if (tick % kAgentTicks == 0 && isAgentGone()) {
        const std::scoped_lock lock(m_mutex);
        m_isToEnd = true;
        m_endReason = "the recording side is gone";
    }
}

/// Whether CUPTI's clock is the system's tells whether it still is ours: another client that takes it over sets its
/// own.
void ProcessRecorder::readClocks() {
    ClockRecord record;
    uint64_t cupti = 0;
    record.realtime = readRealtime();
    const bool isRead = m_cupti.getTimestamp(&cupti) == CUPTI_SUCCESS;
    record.readNs = readRealtime() - record.realtime;
    record.monotonicRaw = readClock(CLOCK_MONOTONIC_RAW);
    record.cupti = isRead ? static_cast<int64_t>(cupti) : 0;
    const bool isOurs = !isRead || std::llabs(record.cupti - record.realtime) < kSecond + record.readNs;
    const bool wasOurs = !m_isTakenOver;
    if (isOurs) {
        if (!wasOurs) {
            post([from = m_lastGoodClockNs, to = record.realtime](CaptureWriter& writer) {
                writer.add(LossRecord{from, to, 0, LossKind::TakenOver});
            });
        }
        m_lastGoodClockNs = record.realtime;
    } else {
        // Before any good pair another client may only have been there before; what we record is sound then.
        m_isTakenOver = m_lastGoodClockNs != 0;
        record.cupti = 0;
        if (wasOurs && m_isTakenOver) {
            post([from = m_lastGoodClockNs](CaptureWriter& writer) {
                writer.add(LossRecord{from, 0, 0, LossKind::TakenOver});
            });
        }
    }
    m_isTakenOver = m_isTakenOver && !isOurs;
    post([record](CaptureWriter& writer) { writer.add(record); });
}

void ProcessRecorder::obeyControl() {
    const RecordOptions& options = m_setting.options;
    const auto state = m_setting.control == nullptr
                           ? ControlState::Record
                           : static_cast<ControlState>(m_setting.control->state.load(std::memory_order_relaxed));
    const int64_t elapsed = readRealtime() - m_startNs;
    const bool isInTime =
        elapsed >= options.delayNs && (options.durationNs == 0 || elapsed < options.delayNs + options.durationNs);
    enableKinds(state == ControlState::Record && isInTime && !m_file.isAtLimit());
    if (state == ControlState::Stop) {
        const std::scoped_lock lock(m_mutex);
        m_isToEnd = true;
        m_endReason = "stopped";
    }
}

/// It holds a lock while it lives.
bool ProcessRecorder::isAgentGone() {
    const std::string path = m_setting.folder + "/" + kAgentLockFile;
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return m_isAgentKnown;
    }
    const bool isFree = flock(file, LOCK_SH | LOCK_NB) == 0;
    close(file);
    m_isAgentKnown = m_isAgentKnown || !isFree;
    return m_isAgentKnown && isFree;
}

}  // namespace warpline::record
