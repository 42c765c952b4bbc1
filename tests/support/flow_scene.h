// SPDX-License-Identifier: MIT
#pragma once
// Traces with arrows, slice by slice.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/trace/trace_builder.h"

namespace warpline::test {

class FlowScene {
public:
    FlowScene() : m_file(m_builder.addFile({})) {}

    TrackId thread(int tid) { return m_builder.track(m_builder.process(m_file, "100"), std::to_string(tid)); }
    TrackId stream(int number) { return m_builder.track(m_builder.process(m_file, "0"), std::to_string(number)); }

    /// `correlation` joins a call to device work; 0: none.
    void slice(TrackId track, EventKind kind, TimeNs begin, DurationNs duration, const std::string& name,
               uint64_t correlation = kNoCorrelation) {
        SliceRecord record;
        record.track = track;
        record.kind = kind;
        record.begin = begin;
        record.duration = duration;
        record.name = m_builder.intern(name);
        record.correlation = correlation;
        m_builder.addSlice(record);
    }

    struct At {
        TrackId track;
        TimeNs time;
    };
    /// An arrow from each place to the next, bound to the slices that hold them.
    void flow(uint64_t id, const std::string& category, const std::vector<At>& places) {
        for (size_t i = 0; i < places.size(); ++i) {
            m_builder.addFlow({.phase = i == 0                  ? FlowPhase::Start
                                        : i + 1 < places.size() ? FlowPhase::Step
                                                                : FlowPhase::Finish,
                               .bindsToEnclosing = true,
                               .time = places[i].time,
                               .category = m_builder.intern(category),
                               .id = EventId::ofNumber(id),
                               .idScope = {},
                               .track = places[i].track,
                               .source = {}});
        }
    }

    std::shared_ptr<const Trace> seal() {
        JobControl job;
        return m_builder.seal(job).value();
    }

private:
    TraceBuilder m_builder;
    FileId m_file;
};

inline EventRow rowNamed(const Trace& trace, std::string_view name) {
    for (uint32_t row = 0; row < trace.sliceCount(); ++row) {
        if (trace.sliceName(EventRow(row)) == name) {
            return EventRow(row);
        }
    }
    return EventRow::none();
}

}  // namespace warpline::test
