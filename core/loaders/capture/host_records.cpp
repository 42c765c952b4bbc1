// SPDX-License-Identifier: MIT
// What the host did: calls, launches, the profiler's own work, ranges that the program has named.
#include <algorithm>
#include <vector>

#include "core/loaders/capture/capture_appender.h"
#include "core/loaders/capture/names.h"

namespace warpline::loaders::capture {

void CaptureAppender::takeCall(SourceState& source, const wire::CallRecord& record) {
    if (record.correlation != 0) {
        source.calls.add(record.correlation);
    }
    auto slice = sliceOf(record.begin, record.end, "a call");
    if (!slice) {
        return;
    }
    // A writer's kernels go out before its calls. The call lasted as long as all turns of the replay, so it is in no
    // sum.
    if (record.correlation != 0 && slice->duration > 0 && source.replayed.contains(record.correlation)) {
        slice->flags |= kSliceNoEnd | kSliceUnfinished;
    }
    SourceText* const text = source.texts.find(record.name);
    if (text == nullptr) {
        note("missing_name", Severity::Warning, "a call");
    } else if (!text->isCall) {
        text->call = internValid(callName(text->bytes));
        text->isCall = true;
    }
    slice->name = text == nullptr ? StringId() : text->call;
    const bool isDriver = record.domain == wire::CallDomain::Driver;
    slice->kind = isDriver ? EventKind::Driver : EventKind::Runtime;
    slice->category = isDriver ? m_words.driver : m_words.runtime;
    slice->track = threadTrack(source, record.thread);
    slice->correlation = correlationOf(source, record.correlation);
    m_builder.addSlice(*slice);
}

void CaptureAppender::takeLaunch(SourceState& source, const wire::LaunchRecord& record) {
    if (record.time <= 0) {
        note("bad_timestamp", Severity::DataLoss, "a launch");
        return;
    }
    ownTime(record.time);
    source.addLaunch({record, m_place});
}

void CaptureAppender::takeOverhead(SourceState& source, const wire::OverheadRecord& record) {
    auto slice = sliceOf(record.begin, record.end, "an overhead");
    if (!slice) {
        return;
    }
    slice->name = m_builder.intern(overheadName(record.kind));
    slice->category = m_words.overhead;
    slice->kind = EventKind::Overhead;
    slice->track = record.thread == 0 ? namedTrack(source, "Overhead") : threadTrack(source, record.thread);
    m_builder.addSlice(*slice);
}

/// On a track of its own: a compilation lies beside the overheads that it is in part.
void CaptureAppender::takeCompilation(SourceState& source, const wire::CompilationRecord& record) {
    auto slice = sliceOf(record.begin, record.end, "a compilation");
    if (!slice) {
        return;
    }
    want(source, record.cachePath);
    slice->name = m_builder.intern(compilationName(record.entry, record.operation));
    slice->category = m_words.overhead;
    slice->kind = EventKind::Overhead;
    slice->track = namedTrack(source, "JIT");
    slice->correlation = correlationOf(source, record.correlation);
    m_builder.addSlice(*slice);
}

void CaptureAppender::takeRange(SourceState& source, const wire::RangeRecord& record) {
    using wire::RangeAction;
    const auto time = timeOf(record.time, "a range");
    if (!time) {
        return;
    }
    want(source, record.domain);
    switch (record.action) {
        case RangeAction::Push:
        case RangeAction::Start:
            return openRange(source, record.id, {record.time, record.thread, textOf(source, record.name), m_place},
                             record.action == RangeAction::Push);
        case RangeAction::Pop: {
            const auto push = source.pushed.find(record.id);
            if (push == source.pushed.end()) {
                note("unmatched_end", Severity::DataLoss, "a range");
                return;
            }
            const OpenRange& range = push->second;
            SliceRecord slice;
            slice.begin = ownTime(range.time);
            slice.duration = std::max<DurationNs>(0, distanceSaturated(range.time, record.time));
            if (record.time < range.time) {
                slice.flags = kSliceBadTime;
                note("negative_duration", Severity::Warning, "a range");
            }
            slice.name = range.name;
            slice.category = m_words.annotation;
            slice.kind = EventKind::Annotation;
            slice.track = threadTrack(source, range.thread);
            slice.source = range.place;
            m_builder.addSlice(slice);
            source.pushed.erase(push);
            return;
        }
        case RangeAction::End: {
            const auto start = source.started.find(record.id);
            if (start == source.started.end()) {
                note("unmatched_end", Severity::DataLoss, "a range");
                return;
            }
            addAsyncRange(source, record.id, start->second, record.time);
            source.started.erase(start);
            return;
        }
        case RangeAction::Mark: {
            Instant mark;
            mark.time = *time;
            mark.name = textOf(source, record.name);
            mark.category = m_words.annotation;
            mark.track = threadTrack(source, record.thread);
            mark.source = m_place;
            m_builder.addInstant(mark);
            return;
        }
    }
    note("odd_record", Severity::DataLoss, "a range");
}

void CaptureAppender::openRange(SourceState& source, uint64_t id, const OpenRange& range, bool isPush) {
    auto& open = isPush ? source.pushed : source.started;
    const auto [it, isNew] = open.try_emplace(id, range);
    if (!isNew) {
        addOpenRange(source, id, it->second, isPush);
        it->second = range;
    }
}

/// Started and ended anywhere, so it nests with nothing.
void CaptureAppender::addAsyncRange(SourceState& source, uint64_t id, const OpenRange& range,
                                    std::optional<int64_t> end) {
    AsyncRecord record;
    record.time = ownTime(range.time);
    record.name = range.name;
    record.category = m_words.annotation;
    record.id = id <= EventId::kMaxNumber ? EventId::ofNumber(id) : EventId(m_builder.intern(std::to_string(id)));
    record.track = threadTrack(source, range.thread);
    record.idScope = m_builder.processOf(record.track);
    record.source = range.place;
    if (end) {
        record.duration = std::max<DurationNs>(0, distanceSaturated(range.time, *end));
        if (*end < range.time) {
            note("negative_duration", Severity::Warning, "a range");
        }
    }
    m_builder.addAsync(record);
}

void CaptureAppender::addOpenRange(SourceState& source, uint64_t id, const OpenRange& range, bool isPush) {
    if (!isPush) {
        addAsyncRange(source, id, range, std::nullopt);
        return;
    }
    SliceRecord slice;
    slice.begin = ownTime(range.time);
    slice.name = range.name;
    slice.category = m_words.annotation;
    slice.kind = EventKind::Annotation;
    slice.track = threadTrack(source, range.thread);
    slice.source = range.place;
    m_builder.beginSlice(slice);
}

void CaptureAppender::closeHost(SourceState& source, Growth growth) {
    // In the order of the stream, so that the same frames give the same trace.
    for (const bool isPush : {true, false}) {
        const auto& open = isPush ? source.pushed : source.started;
        std::vector<std::pair<uint64_t, OpenRange>> ranges(open.begin(), open.end());
        std::ranges::sort(ranges, {}, [](const auto& range) {
            return std::tuple(range.second.place.offset, range.second.place.length, range.first);
        });
        for (const auto& [id, range] : ranges) {
            addOpenRange(source, id, range, isPush);
        }
    }
    // Of calls that CUPTI has told of there is a better record; a note has no end.
    source.dropMatchedLaunches();
    for (const WaitingLaunch& launch : source.launches) {
        m_place = launch.place;
        if (growth == Growth::Growing) {
            // Its record is on the way, held back by a kernel that runs: nothing is wrong with it.
            if (const auto time = timeOf(launch.record.time, "a launch")) {
                Instant mark;
                mark.time = *time;
                mark.name = m_builder.intern("Launch (note)");
                mark.category = m_words.driver;
                mark.track = threadTrack(source, launch.record.thread);
                mark.source = m_place;
                m_builder.addInstant(mark);
            }
            continue;
        }
        auto slice = sliceOf(launch.record.time, 0, "a launch of which only the recorder's own note came");
        if (slice) {
            slice->name = m_builder.intern("Launch (note)");
            slice->category = m_words.driver;
            slice->kind = EventKind::Driver;
            slice->track = threadTrack(source, launch.record.thread);
            slice->correlation = correlationOf(source, launch.record.correlation);
            m_builder.addSlice(*slice);
        }
    }
}

}  // namespace warpline::loaders::capture
