// SPDX-License-Identifier: MIT
#pragma once
// What a trace's track descriptors say, and the builder's tracks for them. A descriptor may come after events of its
// track, or after its parent's children: a track is known once all up to a process or thread are. One thread.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/trace/trace_builder.h"

namespace warpline::loaders::perfetto_proto {

struct CounterTrack {
    StringId series;  ///< the unit, else "value"
    int64_t multiplier = 1;
    bool isIncremental = false;
};

class TrackTable {
public:
    TrackTable(FileId file, TraceBuilder& builder) : m_file(file), m_builder(builder) {}

    /// A TrackDescriptor message. False if it is malformed.
    bool addDescriptor(std::string_view message);
    /// The older ProcessDescriptor and ThreadDescriptor of a packet; the latter gives the thread's track.
    bool addProcess(std::string_view message, std::optional<int32_t>& pid);
    struct Thread {
        std::optional<int32_t> pid, tid;
        std::optional<int64_t> referenceUs;
    };
    bool addThread(std::string_view message, Thread& thread);

    /// nullopt: not all that it hangs on is known yet.
    std::optional<TrackId> find(uint64_t uuid);
    /// With what is known: for the end of the file.
    TrackId findAnyway(uint64_t uuid);
    TrackId threadTrack(std::optional<int32_t> pid, std::optional<int32_t> tid);
    ProcessId process(std::optional<int32_t> pid);

    /// nullptr if the track is no counter, or not described.
    const CounterTrack* counter(uint64_t uuid) const;
    StringId nameOf(uint64_t uuid) const;
    bool isDescribed(uint64_t uuid) const { return m_descriptors.find(uuid) != m_descriptors.end(); }
    /// For counters: whether they belong to one thread, so that others of its process have the same name.
    bool isOfThread(uint64_t uuid) const;
    uint64_t badTexts() const { return m_badTexts; }

private:
    struct Descriptor {
        uint64_t parent = 0;
        bool isProcess = false;
        bool isThread = false;
        std::optional<int32_t> pid, tid;
        StringId name;
        std::optional<CounterTrack> counter;
    };
    StringId intern(std::string_view text);
    TrackId make(uint64_t uuid, const Descriptor* descriptor, ProcessId process);

    FileId m_file;
    TraceBuilder& m_builder;
    std::unordered_map<uint64_t, Descriptor> m_descriptors;
    std::unordered_map<uint64_t, TrackId> m_tracks;
    std::unordered_map<uint64_t, TrackId> m_threads;  ///< by pid and tid
    std::string m_buffer;
    uint64_t m_badTexts = 0;
};

}  // namespace warpline::loaders::perfetto_proto
