// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/support/track_key.h"

#include "widgets/support/cell_text.h"

namespace warpline {

namespace {

std::optional<QString> textOf(const Trace& trace, const std::optional<StringId>& id) {
    return id ? std::optional(fromUtf8(trace.string(*id))) : std::nullopt;
}

}  // namespace

TrackKey keyOf(const Trace& trace, TrackId id) {
    const Track& track = trace.track(id);
    const Process& process = trace.process(track.process);
    return {static_cast<int>(process.file.value), textOf(trace, process.pid), textOf(trace, track.tid)};
}

SavedSection keyOf(const Trace& trace, const SectionRef& ref) {
    const bool isTrack = ref.kind == SectionRef::Kind::Track;
    const TrackKey none{-1, std::nullopt, std::nullopt};
    return {ref.kind,
            isTrack       ? keyOf(trace, ref.track)
            : ref.process ? keyOf(trace, ref.process)
                          : none,
            fromUtf8(ref.title)};
}

TrackKey keyOf(const Trace& trace, ProcessId id) {
    const Process& process = trace.process(id);
    return {static_cast<int>(process.file.value), textOf(trace, process.pid), std::nullopt};
}

TrackFinder::Sortable TrackFinder::sortable(const TrackKey& key) {
    return {key.file, key.pid.has_value(), key.pid.value_or(QString()), key.tid.has_value(),
            key.tid.value_or(QString())};
}

TrackId TrackFinder::track(const TrackKey& key) {
    if (m_tracks.empty()) {
        for (uint32_t id = 0; id < m_trace.tracks().size(); ++id) {
            m_tracks.emplace(sortable(keyOf(m_trace, TrackId(id))), TrackId(id));
        }
    }
    const auto found = m_tracks.find(sortable(key));
    return found == m_tracks.end() ? TrackId::none() : found->second;
}

ProcessId TrackFinder::process(const TrackKey& key) {
    if (m_processes.empty()) {
        for (uint32_t id = 0; id < m_trace.processes().size(); ++id) {
            m_processes.emplace(sortable(keyOf(m_trace, ProcessId(id))), ProcessId(id));
        }
    }
    const auto found = m_processes.find(sortable({key.file, key.pid, std::nullopt}));
    return found == m_processes.end() ? ProcessId::none() : found->second;
}

}  // namespace warpline
