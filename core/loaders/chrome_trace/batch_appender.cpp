// SPDX-License-Identifier: MIT
#include "core/loaders/chrome_trace/batch_appender.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <optional>
#include <string_view>

#include "core/loaders/chrome_trace/clang_dialect.h"

namespace warpline::loaders::chrome_trace {

/// Makes the texts of the batch's parser the current ones, with those that this batch brings.
void BatchAppender::takeTexts(const EventBatch& batch) {
    auto known = std::ranges::find(m_texts, batch.texts, &Texts::pool);
    if (known == m_texts.end()) {
        // A parser that has started over does not come back to its old texts.
        std::erase_if(m_texts, [](const Texts& texts) { return texts.pool.use_count() == 1; });
        known = m_texts.insert(m_texts.end(), {batch.texts, {""}, {StringId()}});
    }
    assert(known->views.size() == batch.firstFresh);
    known->views.insert(known->views.end(), batch.freshTexts.begin(), batch.freshTexts.end());
    known->ids.resize(known->views.size(), kUnknownText);
    m_current = &*known;
}

StringId BatchAppender::stringOf(uint32_t text) {
    StringId& id = m_current->ids[text];
    if (id == kUnknownText) {
        id = m_builder.intern(m_current->views[text]);
    }
    return id;
}

std::optional<std::string_view> BatchAppender::textOrNone(uint32_t text) const {
    return text == kNoIndex ? std::nullopt : std::optional(m_current->views[text]);
}

ProcessId BatchAppender::processOf(const EventBatch& batch, uint32_t track) {
    if (!m_processes[track].valid()) {
        m_processes[track] = m_builder.process(m_file, textOrNone(batch.tracks[track].pid));
    }
    return m_processes[track];
}

TrackId BatchAppender::trackOf(const EventBatch& batch, uint32_t track) {
    if (!m_tracks[track].valid()) {
        m_tracks[track] = m_builder.track(processOf(batch, track), textOrNone(batch.tracks[track].tid));
    }
    return m_tracks[track];
}

std::optional<EventId> BatchAppender::idOf(const RawEvent& event) {
    if (!event.hasId) {
        return std::nullopt;
    }
    return event.idIsNumber ? EventId::ofNumber(event.id) : EventId(stringOf(static_cast<uint32_t>(event.id)));
}

ProcessId BatchAppender::idScopeOf(const EventBatch& batch, const RawEvent& event) {
    return event.hasLocalId ? processOf(batch, event.track) : ProcessId::none();
}

void BatchAppender::appendEvent(const EventBatch& batch, const RawEvent& event, uint32_t index) {
    switch (event.role) {
        case EventRole::Slice:
        case EventRole::Begin: {
            SliceRecord slice;
            slice.begin = event.timeNs;
            slice.duration = event.durationNs;
            slice.name = stringOf(event.name);
            slice.category = stringOf(event.category);
            slice.kind = event.kind;
            slice.flags = event.sliceFlags;
            slice.track = trackOf(batch, event.track);
            slice.correlation = event.correlation;
            slice.externalId = event.externalId;
            slice.shapes = stringOf(event.shapes);
            slice.source = event.source;
            m_sliceNumbers[index] =
                event.role == EventRole::Slice ? m_builder.addSlice(slice) : m_builder.beginSlice(slice);
            break;
        }
        case EventRole::End:
            m_builder.endSlice({event.timeNs, stringOf(event.name), trackOf(batch, event.track), event.source});
            break;
        case EventRole::Instant:
            m_builder.addInstant({event.timeNs, stringOf(event.name), stringOf(event.category),
                                  trackOf(batch, event.track), event.scope, event.source});
            break;
        case EventRole::Async: {
            const AsyncPhase phase = event.phase == 'b'   ? AsyncPhase::Begin
                                     : event.phase == 'e' ? AsyncPhase::End
                                                          : AsyncPhase::Instant;
            m_builder.addAsync({phase, event.timeNs, stringOf(event.name), stringOf(event.category), idOf(event),
                                idScopeOf(batch, event), trackOf(batch, event.track), event.source,
                                stringOf(event.shapes)});
            break;
        }
        case EventRole::Flow: {
            const FlowPhase phase = event.phase == 's'   ? FlowPhase::Start
                                    : event.phase == 'f' ? FlowPhase::Finish
                                                         : FlowPhase::Step;
            m_builder.addFlow({phase, event.bindsToEnclosing, event.timeNs, stringOf(event.category), idOf(event),
                               idScopeOf(batch, event), trackOf(batch, event.track), event.source});
            break;
        }
        case EventRole::Counter:
            // Processes are numbered in the order of the file, however it was cut into batches.
            processOf(batch, event.track);
            m_builder.countCounterEvents();
            break;
        case EventRole::Metadata:
            m_builder.countMetadata();
            if (m_nextMetadata < batch.metadata.size() && batch.metadata[m_nextMetadata].event == index) {
                applyMetadata(batch, batch.metadata[m_nextMetadata++]);
            }
            break;
    }
}

void BatchAppender::applyMetadata(const EventBatch& batch, const RawMetadata& metadata) {
    const RawEvent& event = batch.events[metadata.event];
    const std::string_view name = m_current->views[event.name];
    if (metadata.text != kNoIndex && name == "process_name") {
        m_builder.nameProcess(processOf(batch, event.track), stringOf(metadata.text));
    } else if (metadata.text != kNoIndex && name == "process_labels") {
        m_builder.labelProcess(processOf(batch, event.track), stringOf(metadata.text));
    } else if (metadata.text != kNoIndex && name == "thread_name") {
        m_builder.nameTrack(trackOf(batch, event.track), stringOf(metadata.text));
    } else if (metadata.sortIndex && name == "process_sort_index") {
        m_builder.sortProcess(processOf(batch, event.track), *metadata.sortIndex);
    } else if (metadata.sortIndex && name == "thread_sort_index") {
        m_builder.sortTrack(trackOf(batch, event.track), *metadata.sortIndex);
    }
}

void BatchAppender::append(const EventBatch& batch) {
    takeTexts(batch);
    m_processes.assign(batch.tracks.size(), ProcessId::none());
    m_tracks.assign(batch.tracks.size(), TrackId::none());
    m_sliceNumbers.resize(batch.events.size());
    m_nextMetadata = 0;
    for (uint32_t i = 0; i < batch.events.size(); ++i) {
        appendEvent(batch, batch.events[i], i);
    }
    for (const auto& [event, facts] : batch.kernels) {
        m_builder.addKernelFacts(m_sliceNumbers[event], facts);
    }
    for (const auto& [event, facts] : batch.copies) {
        m_builder.addCopyFacts(m_sliceNumbers[event], facts);
    }
    for (const auto& [event, facts] : batch.memory) {
        MemoryEvent memory = facts;
        memory.file = m_file;
        memory.track = trackOf(batch, batch.events[event].track);
        memory.order = m_memoryOrder++;
        m_builder.addMemory(memory);
    }
    for (const RawSample& sample : batch.samples) {
        const RawEvent& event = batch.events[sample.event];
        CounterRecord record;
        record.time = event.timeNs;
        record.process = processOf(batch, event.track);
        record.name = stringOf(event.name);
        record.id = idOf(event);
        record.series = stringOf(sample.series);
        record.value = sample.value;
        record.whole = sample.whole;
        m_builder.addCounter(record);
    }
    for (const uint32_t track : batch.totals) {
        constexpr int64_t kBelowAll = std::numeric_limits<int64_t>::max();
        m_builder.nameTrack(trackOf(batch, track), m_builder.intern(kTotalsName));
        m_builder.sortTrack(trackOf(batch, track), kBelowAll);
    }
    for (const BatchIssue& issue : batch.issues) {
        m_builder.report().add(m_file, issue.code, issue.severity, issue.offset, m_space, issue.detail, issue.count);
    }
    if (batch.hasGarbledText) {
        m_builder.report().setIncomplete();
    }
    m_objects += batch.objects;
    m_usable += batch.events.size();
    m_sawKineto = m_sawKineto || batch.sawKineto;
    m_sawJax = m_sawJax || batch.sawJax;
    m_sawProton = m_sawProton || batch.sawProton;
    m_sawNode = m_sawNode || batch.sawNode;
}

}  // namespace warpline::loaders::chrome_trace
