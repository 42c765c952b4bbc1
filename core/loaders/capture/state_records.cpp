// SPDX-License-Identifier: MIT
// What the recorder saw beside the work: samples of devices, clocks, what was lost; and what the stream itself lacks.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "core/base/json_writer.h"
#include "core/base/time_text.h"
#include "core/base/units.h"
#include "core/capture/texts.h"
#include "core/loaders/capture/capture_appender.h"
#include "core/loaders/capture/names.h"
#include "core/trace/unrecorded.h"

namespace warpline::loaders::capture {

namespace {

constexpr int64_t kMillisecond = 1'000'000;
constexpr int64_t kSecond = 1'000'000'000;
/// The largest whole number that a real holds with all before it.
constexpr double kLargestWhole = 9007199254740992.0;

bool isWhole(double value) {
    return value >= 0 && value <= kLargestWhole && std::floor(value) == value;
}

/// From when on nothing at all was recorded, while losses of the others are single records.
bool endsRecording(wire::LossKind kind) {
    return kind == wire::LossKind::TakenOver || kind == wire::LossKind::SizeLimit ||
           kind == wire::LossKind::WriteFailed;
}

std::string_view lossCode(wire::LossKind kind) {
    switch (kind) {
        case wire::LossKind::TakenOver:
            return "taken_over";
        case wire::LossKind::SizeLimit:
            return "size_limit";
        case wire::LossKind::WriteFailed:
            return "write_failed";
        case wire::LossKind::Filtered:
            return "filtered";
        default:
            return "dropped_records";
    }
}

}  // namespace

void CaptureAppender::takeSample(SourceState& source, const wire::SampleRecord& record) {
    const std::string_view name = sampleName(record.kind);
    const auto time = timeOf(record.time, "a sample");
    if (!time) {
        return;
    }
    if (name.empty() || !std::isfinite(record.value)) {
        note("odd_record", Severity::DataLoss, "a sample");
        return;
    }
    Gpu& gpu = gpuOf(source, record.device);
    if (record.kind == wire::SampleKind::ThrottleReasons) {
        if (!isWhole(record.value)) {
            note("odd_record", Severity::DataLoss, "a sample of throttle reasons");
            return;
        }
        return takeReasons(gpu, record.time, static_cast<uint64_t>(record.value));
    }
    const bool isBytes =
        record.kind == wire::SampleKind::UsedBytes || record.kind == wire::SampleKind::ProcessUsedBytes;
    CounterRecord counter;
    counter.time = *time;
    counter.process = processOf(gpu);
    counter.name = m_builder.intern(name);
    counter.series = m_words.value;
    counter.value = record.value;
    if (isBytes && isWhole(record.value)) {
        counter.whole = static_cast<int64_t>(record.value);
    }
    m_builder.addCounter(counter);
    m_builder.countCounterEvents();
}

/// As slices, not as a counter of bits or instants: a reason holds from one sample to the next, so how long it held can
/// be read, summed and searched for by its name.
void CaptureAppender::takeReasons(Gpu& gpu, int64_t time, uint64_t bits) {
    if (gpu.reasons && gpu.reasons->bits != bits) {
        closeReasons(gpu, time);
    }
    if (!gpu.reasons && bits != 0) {
        gpu.reasons = Gpu::Reasons{time, time, bits, m_place};
    }
    if (gpu.reasons) {
        gpu.reasons->last = std::max(gpu.reasons->last, time);
    }
    m_builder.countMetadata();
}

void CaptureAppender::closeReasons(Gpu& gpu, int64_t end) {
    const auto reasons = *std::exchange(gpu.reasons, std::nullopt);
    if (!gpu.limits.valid()) {
        gpu.limits = m_builder.track(processOf(gpu), "clock limits");
        m_builder.nameTrack(gpu.limits, m_builder.intern("clock limits"));
        m_builder.sortTrack(gpu.limits, std::numeric_limits<int64_t>::max());
    }
    SliceRecord slice;
    slice.begin = ownTime(reasons.since);
    slice.duration = std::max<DurationNs>(0, distanceSaturated(reasons.since, end));
    slice.name = m_builder.intern(throttleNames(reasons.bits));
    slice.category = m_builder.intern("clock_limit");
    slice.track = gpu.limits;
    slice.source = reasons.place;
    m_builder.addSlice(slice);
}

void CaptureAppender::takeClock(SourceState& source, const wire::ClockRecord& record) {
    m_builder.countMetadata();
    if (record.realtime <= 0) {
        note("bad_timestamp", Severity::DataLoss, "a reading of the clocks");
        return;
    }
    ownTime(record.realtime);
    // Read while another client's clock is in force, CUPTI's is that one's; its records are not.
    const int64_t cuptiAhead = distanceSaturated(record.realtime, record.cupti);
    const bool isForeign = std::abs(cuptiAhead / 2) > kSecond / 2;
    const auto isOff = [&](int64_t ns, int64_t slack) {
        const int64_t most = addSaturated(kMillisecond, slack);
        return ns > most || ns < -most;
    };
    if (record.cupti != 0 && !isForeign && isOff(cuptiAhead, std::max<int64_t>(0, record.readNs))) {
        note("clock_mismatch", Severity::Warning,
             source.title() + ": CUPTI's clock is off the system's by " + timeText(cuptiAhead));
    }
    if (source.clock) {
        const int64_t system = distanceSaturated(source.clock->realtime, record.realtime);
        const int64_t steady = distanceSaturated(source.clock->monotonicRaw, record.monotonicRaw);
        const int64_t step = distanceSaturated(steady, system);
        // A clock that is being set right runs up to half a thousandth faster or slower.
        constexpr int64_t kSlew = 1000;
        if (steady >= 0 && isOff(step, steady / kSlew)) {
            note("clock_mismatch", Severity::Warning,
                 source.title() + ": the system's clock was set by " + timeText(step) + " in the recording");
        }
    }
    source.clock = record;
}

void CaptureAppender::takeLoss(SourceState& source, const wire::LossRecord& record) {
    const bool isAsked = record.kind == wire::LossKind::Filtered;
    // What was told as it began is told again once its end is known.
    if (record.kind == wire::LossKind::TakenOver && record.end > 0) {
        const auto open = std::ranges::find_if(m_missing, [&](const Missing& missing) {
            return missing.source == source.index && missing.begin == record.begin && missing.end == 0;
        });
        if (open != m_missing.end()) {
            open->end = record.end;
            ownTime(record.end);
            return;
        }
    }
    const uint64_t count = std::max<uint64_t>(record.count, 1);
    std::string detail = source.title() + ": " + std::string(frameName(record.of)) + ", " +
                         std::string(lossName(record.kind)) + (record.count == 0 ? "; how many is not known" : "");
    note(lossCode(record.kind), isAsked ? Severity::Info : Severity::DataLoss, detail, count);
    if (isAsked || record.begin <= 0 || (record.end <= 0 && !endsRecording(record.kind))) {
        return;
    }
    ownTime(record.begin);
    if (record.end > 0) {
        ownTime(record.end);
    }
    m_missing.push_back({source.index, record.begin, record.end,
                         m_builder.intern("Not recorded: " + std::string(lossName(record.kind))), m_place});
}

/// On a track of the process: an empty stretch of a stream is then not read as an idle one.
void CaptureAppender::closeLosses() {
    for (const Missing& missing : m_missing) {
        const int64_t end = missing.end > 0 ? missing.end : m_lastTime;
        SliceRecord slice;
        slice.begin = ownTime(missing.begin);
        slice.duration = std::max<DurationNs>(0, distanceSaturated(missing.begin, end));
        slice.name = missing.name;
        slice.category = m_builder.intern(kUnrecordedCategory);
        slice.track = namedTrack(*m_inOrder[missing.source], kUnrecordedTrack);
        slice.source = missing.place;
        m_builder.addSlice(slice);
    }
}

void CaptureAppender::reportStream(const wire::FrameReader& frames, Growth growth) {
    const auto add = [&](std::string_view code, Severity severity, std::optional<uint64_t> offset,
                         std::string_view detail, uint64_t count) {
        m_builder.report().add(m_file, code, severity, offset, m_space, detail, count);
    };
    const wire::FrameReader::Damage& damage = frames.damage();
    if (damage.places > 0) {
        add("invalid_capture", Severity::DataLoss, damage.firstOffset, formatCountOf(damage.bytes, "byte"),
            damage.places);
        m_builder.report().setIncomplete();
    }
    if (damage.missingFrames > 0) {
        add("missing_frames", Severity::DataLoss, damage.missingFrom, {}, damage.missingFrames);
        m_builder.report().setIncomplete();
    }
    if (growth == Growth::Growing) {
        return;
    }
    if (frames.pendingBytes() > 0) {
        add("truncated", Severity::DataLoss, frames.offset(), "a frame", 1);
        m_builder.report().setIncomplete();
    }
    for (const SourceState* const source : m_inOrder) {
        if (!source->hasEnded) {
            add("no_end", Severity::Warning, source->firstFrame, source->title(), 1);
        }
    }
}

void CaptureAppender::writeProperties() {
    FileInfo& info = m_builder.file(m_file);
    info.baseTimeNs = m_origin.value_or(0);
    // What Kineto's readers look for.
    info.properties.insert_or_assign("schemaVersion", "1");
    info.properties.insert_or_assign("displayTimeUnit", "\"ms\"");
    std::string text;
    JsonWriter json(text);
    json.beginArray();
    for (const SourceState* const source : m_inOrder) {
        json.beginObject();
        for (const auto& [key, value] : source->facts) {
            json.key(key).text(value);
        }
        json.endObject();
    }
    json.endArray();
    info.properties.insert_or_assign("recording", std::move(text));
    const auto loads = std::ranges::count(m_facts.modules, uint64_t{0}, &ModuleRef::offset);
    if (loads > 0) {
        info.properties.insert_or_assign("recordedModules", std::to_string(loads));
    }
}

}  // namespace warpline::loaders::capture
