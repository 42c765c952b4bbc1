// SPDX-License-Identifier: MIT
// The thread of a ProcessRecorder that flushes CUPTI, reads the clocks, and follows what the recording side says.
#include <algorithm>
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
    endWatch();
}

void ProcessRecorder::endWatch() {
    bool isProgramEnding = false;
    {
        const std::scoped_lock lock(m_mutex);
        isProgramEnding = m_isProgramEnding;
    }
    // A program that goes on is not to pay for it, and may be recorded by somebody else.
    if (!isProgramEnding) {
        enableKinds(false);
    }
    // Forced: what still runs, or was never synchronised with, is taken as far as it is known.
    m_cupti.activityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
    readClocks();
    readDropped();
    m_isClosed = true;
    if (m_notes != nullptr) {
        m_notes->close();
    }
    if (!isProgramEnding) {
        m_cupti.unsubscribe(m_subscriber);
    }
    const std::scoped_lock lock(m_mutex);
    m_isFlushed = true;
    m_buffers.wake();
}

void ProcessRecorder::requestEnd(std::string_view reason) {
    const std::scoped_lock lock(m_mutex);
    m_isToEnd = true;
    m_endReason = m_endReason.empty() ? reason : m_endReason;
}

void ProcessRecorder::readDropped() {
    size_t dropped = 0;
    if (m_cupti.activityGetNumDroppedRecords(nullptr, 0, &dropped) == CUPTI_SUCCESS) {
        m_dropped += dropped;
    }
}

void ProcessRecorder::watchTick(uint64_t tick) {
    constexpr uint64_t kClockTicks = 2, kAgentTicks = 20;
    obeyControl();
    m_buffers.growAheadOfNeed();
    // In a pause too: what was recorded before it may come only now.
    m_cupti.activityFlushAll(0);
    if (tick % kClockTicks == 0) {
        readClocks();
        readDropped();
    }
    if (tick % kAgentTicks == 0 && m_agent.isGone()) {
        requestEnd("the recording side is gone");
    }
    if (isTimeOver()) {
        requestEnd("the time that was asked for is over");
    }
    if (m_file.isAtLimit()) {
        requestEnd("the capture has reached the size that it may have");
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

bool ProcessRecorder::isInTime() const {
    const RecordOptions& options = m_setting.options;
    const int64_t elapsed = readRealtime() - m_startNs - options.delayNs;
    if (elapsed < 0 || (options.durationNs != 0 && elapsed >= options.durationNs)) {
        return false;
    }
    const Schedule& schedule = options.schedule;
    return !schedule.isSet() || schedule.unit != Schedule::Unit::Nanoseconds ||
           schedule.isOnAt(static_cast<uint64_t>(elapsed));
}

/// What was asked for in time has been recorded, and what ran at its end has had a moment to come. CUPTI is then given
/// back, so that the program may be profiled by itself.
bool ProcessRecorder::isTimeOver() const {
    const RecordOptions& options = m_setting.options;
    const Schedule& schedule = options.schedule;
    int64_t length = options.durationNs;
    if (schedule.isSet() && schedule.unit == Schedule::Unit::Nanoseconds && schedule.repeat != 0) {
        constexpr uint64_t kEndless = uint64_t{1} << 62;
        const uint64_t turn = schedule.wait + schedule.warmup + schedule.active;
        if (schedule.skipFirst < kEndless && schedule.repeat < (kEndless - schedule.skipFirst) / turn) {
            const auto all = static_cast<int64_t>(schedule.skipFirst + schedule.repeat * turn);
            length = length == 0 ? all : std::min(length, all);
        }
    }
    return length != 0 && readRealtime() - m_startNs - options.delayNs >= length + kSecond;
}

/// Of a schedule in time; the others are told by launches.
void ProcessRecorder::noteCycle() {
    const Schedule& schedule = m_setting.options.schedule;
    const int64_t origin = m_startNs + m_setting.options.delayNs;
    const int64_t now = readRealtime();
    if (!schedule.isSet() || schedule.unit != Schedule::Unit::Nanoseconds || now < origin) {
        return;
    }
    const std::optional<uint64_t> cycle = schedule.cycleAt(static_cast<uint64_t>(now - origin));
    const uint32_t number = cycle ? static_cast<uint32_t>(*cycle + 1) : 0;
    if (number == m_cycle) {
        return;
    }
    const uint64_t idle = schedule.wait + schedule.warmup;
    const uint64_t turn = number != 0 ? number : m_cycle;
    const uint64_t end = schedule.skipFirst + turn * (idle + schedule.active);
    const uint64_t at = number != 0 ? end - schedule.active : end;
    m_cycle = number;
    post([record = CycleRecord{origin + static_cast<int64_t>(at), 0, number}](CaptureWriter& writer) {
        writer.add(record);
    });
}

void ProcessRecorder::obeyControl() {
    const auto state = m_setting.control == nullptr
                           ? ControlState::Record
                           : static_cast<ControlState>(m_setting.control->state.load(std::memory_order_relaxed));
    enableKinds(state == ControlState::Record && isInTime() && !m_file.isAtLimit());
    noteCycle();
    if (state == ControlState::Stop) {
        requestEnd("stopped");
    }
}

}  // namespace warpline::record
