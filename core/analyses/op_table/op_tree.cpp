// SPDX-License-Identifier: MIT
#include "core/analyses/op_table/op_tree.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "core/analyses/merge_runs.h"
#include "core/base/stoppable.h"

namespace warpline::op_table {

namespace {

constexpr uint32_t kCancelStride = 1U << 16;

bool isHostWork(EventKind kind) {
    return kind == EventKind::CpuOp || kind == EventKind::Annotation || isApiCall(kind);
}

struct Key {
    TimeNs begin;
    TimeNs end;
    uint32_t row;
};

bool before(const Key& a, const Key& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
}

/// Where overhead belongs: the main thread (tid = pid) of its process, else that of its file with the most host work.
class MainThreads {
public:
    explicit MainThreads(const Trace& trace) : m_byFile(trace.files().size()), m_byProcess(trace.processes().size()) {
        std::vector<uint32_t> most(trace.files().size(), 0);
        const SliceColumns& slices = trace.slices();
        for (uint32_t t = 0; t < trace.tracks().size(); ++t) {
            const Track& track = trace.tracks()[t];
            const Process& process = trace.process(track.process);
            if (!track.tid || !process.pid || *track.tid != *process.pid) {
                continue;
            }
            uint32_t count = 0;
            for (uint32_t row = track.firstRow; row < track.firstRow + track.sliceCount; ++row) {
                count += isHostWork(slices.kind[row]) ? 1 : 0;
            }
            if (count == 0) {
                continue;
            }
            m_byProcess[track.process.value] = TrackId(t);
            if (count > most[process.file.value]) {
                most[process.file.value] = count;
                m_byFile[process.file.value] = TrackId(t);
            }
        }
    }

    /// None if there is no such thread: overhead then stays on its own.
    TrackId of(const Trace& trace, ProcessId process) const {
        const TrackId own = m_byProcess[process.value];
        return own ? own : m_byFile[trace.process(process).file.value];
    }

private:
    std::vector<TrackId> m_byFile;
    std::vector<TrackId> m_byProcess;
};

/// The first place of [from, last) whose time is not before `time`, by steps that double: cheap when it is near.
size_t firstNotBefore(const std::vector<TimeNs>& times, size_t from, size_t last, TimeNs time) {
    size_t step = 1;
    size_t reached = from;
    while (reached < last && times[reached] < time) {
        from = reached + 1;
        reached = std::min(last, reached + step);
        step *= 2;
    }
    const auto begin = times.begin();
    return static_cast<size_t>(std::lower_bound(begin + static_cast<std::ptrdiff_t>(from),
                                                begin + static_cast<std::ptrdiff_t>(reached), time) -
                               begin);
}

__extension__ using Int128 = __int128;

Sum sumOf(Int128 value) {
    int64_t narrow = 0;
    return __builtin_add_overflow(value, 0, &narrow) ? Sum::unknown() : Sum(narrow);
}

class Builder {
public:
    Builder(const Trace& trace, const KeyNames& names, JobControl& job)
        : m_trace(trace), m_slices(trace.slices()), m_names(names), m_job(job) {}

    Result<OpTree> build() {
        if (m_job.stopRequested()) {
            return Error::cancelled();
        }
        m_tree.nodeOfRow.assign(m_slices.size(), kNoNode);
        m_tree.readsOther = std::none_of(m_slices.kind.begin(), m_slices.kind.end(), isHostWork);
        uint32_t nodes = 0;
        for (uint32_t row = 0; row < m_slices.size(); ++row) {
            nodes += inTree(row) ? 1 : 0;
        }
        m_tree.row.reserve(nodes);
        m_tree.parent.reserve(nodes);
        moveOverhead();
        for (uint32_t t = 0; t < m_trace.tracks().size(); ++t) {
            if (m_job.stopRequested() || !addTrack(t)) {
                return Error::cancelled();
            }
        }
        fold();
        if (m_job.stopRequested()) {
            return Error::cancelled();
        }
        sumCpu();
        if (!sumDevice()) {
            return Error::cancelled();
        }
        return std::move(m_tree);
    }

private:
    bool inTree(uint32_t row) const {
        const EventKind kind = m_slices.kind[row];
        const bool standsIn = m_tree.readsOther && kind == EventKind::Other && (m_slices.flags[row] & kSliceIsSum) == 0;
        return (isHostWork(kind) || kind == EventKind::Overhead || standsIn) && !m_names.hidden(m_slices.name[row]);
    }

    Key keyOf(uint32_t row) const { return {m_slices.begin[row], m_slices.end(row), row}; }

    void moveOverhead() {
        m_guests.resize(m_trace.tracks().size());
        m_movedTo.resize(m_trace.tracks().size());
        std::optional<MainThreads> mainThreads;
        for (uint32_t t = 0; t < m_trace.tracks().size(); ++t) {
            const Track& track = m_trace.tracks()[t];
            for (uint32_t row = track.firstRow; row < track.firstRow + track.sliceCount; ++row) {
                if (m_slices.kind[row] != EventKind::Overhead || !inTree(row)) {
                    continue;
                }
                if (!m_movedTo[t]) {
                    if (!mainThreads) {
                        mainThreads.emplace(m_trace);
                    }
                    const TrackId main = mainThreads->of(m_trace, track.process);
                    m_movedTo[t] = main ? main : TrackId(t);
                }
                if (m_movedTo[t] != TrackId(t)) {
                    m_guests[m_movedTo[t].value].push_back(row);
                }
            }
        }
    }

    bool addTrack(uint32_t t) {
        const Track& track = m_trace.tracks()[t];
        m_keys.clear();
        const bool overheadLeaves = m_movedTo[t] && m_movedTo[t] != TrackId(t);
        for (uint32_t row = track.firstRow; row < track.firstRow + track.sliceCount; ++row) {
            if (inTree(row) && !(overheadLeaves && m_slices.kind[row] == EventKind::Overhead)) {
                m_keys.push_back(keyOf(row));
            }
        }
        for (const uint32_t row : m_guests[t]) {
            m_keys.push_back(keyOf(row));
        }
        mergeRuns(std::span(m_keys), m_scratch, before);
        m_open.clear();
        for (size_t i = 0; i < m_keys.size(); ++i) {
            if (i % kCancelStride == 0 && m_job.stopRequested()) {
                return false;
            }
            const Key& key = m_keys[i];
            while (!m_open.empty() && (key.begin >= m_open.back().end || key.end > m_open.back().end)) {
                m_open.pop_back();
            }
            const uint32_t node = m_tree.size();
            m_tree.row.push_back(key.row);
            m_tree.parent.push_back(m_open.empty() ? kNoNode : m_open.back().row);
            m_tree.nodeOfRow[key.row] = node;
            m_open.push_back({key.begin, key.end, node});
        }
        return true;
    }

    /// Parents come first, so each node meets its parent's final target and that target's final children.
    void fold() {
        const uint32_t n = m_tree.size();
        std::vector<uint32_t> children(n, 0);
        for (uint32_t node = 0; node < n; ++node) {
            if (m_tree.parent[node] != kNoNode) {
                ++children[m_tree.parent[node]];
            }
        }
        m_tree.foldedInto.resize(n);
        for (uint32_t node = 0; node < n; ++node) {
            m_tree.foldedInto[node] = node;
            uint32_t& parent = m_tree.parent[node];
            if (parent == kNoNode) {
                continue;
            }
            parent = m_tree.foldedInto[parent];
            if (children[parent] == 1 && keyOfNode(parent) == keyOfNode(node)) {
                m_tree.foldedInto[node] = parent;
                children[parent] = children[node];
            }
        }
    }

    uint32_t keyOfNode(uint32_t node) const { return m_names.of(m_slices.name[m_tree.row[node]]); }

    void sumCpu() {
        const uint32_t n = m_tree.size();
        m_tree.selfCpu.resize(n);
        for (uint32_t node = 0; node < n; ++node) {
            m_tree.selfCpu[node] = m_tree.counts(node) ? m_slices.summedDuration(m_tree.row[node]) : 0;
        }
        for (uint32_t node = 0; node < n; ++node) {
            if (m_tree.parent[node] != kNoNode && m_tree.counts(node)) {
                // Children that overlap can take more than there is; below zero is cut off in the end.
                DurationNs& self = m_tree.selfCpu[m_tree.parent[node]];
                self = addSaturated(self, -m_slices.summedDuration(m_tree.row[node]));
            }
        }
        for (DurationNs& self : m_tree.selfCpu) {
            self = std::max<DurationNs>(self, 0);
        }
    }

    bool sumDevice() {
        const uint32_t n = m_tree.size();
        m_tree.selfDevice.assign(n, Sum());
        for (uint32_t row = 0; row < m_slices.size(); ++row) {
            if (row % kCancelStride == 0 && m_job.stopRequested()) {
                return false;
            }
            const EventKind kind = m_slices.kind[row];
            if (!isDeviceWork(kind) && kind != EventKind::Sync) {
                continue;
            }
            const EventRow op = m_trace.opOf(EventRow(row));
            if (op && m_tree.nodeOfRow[op.value] != kNoNode) {
                m_tree.selfDevice[m_tree.foldedInto[m_tree.nodeOfRow[op.value]]] += m_slices.summedDuration(row);
            }
        }
        m_tree.device = m_tree.selfDevice;
        for (uint32_t node = n; node-- > 0;) {
            if (m_tree.parent[node] != kNoNode && m_tree.counts(node)) {
                m_tree.device[m_tree.parent[node]] += m_tree.device[node];
            }
        }
        return true;
    }

    const Trace& m_trace;
    const SliceColumns& m_slices;
    const KeyNames& m_names;
    JobControl& m_job;
    OpTree m_tree;
    std::vector<std::vector<uint32_t>> m_guests;  ///< by track: overhead rows of other tracks that stand on it
    std::vector<TrackId> m_movedTo;               ///< by track: where its overhead stands; none if it has none
    std::vector<Key> m_keys, m_scratch;
    std::vector<Key> m_open;  ///< row: the node
};

}  // namespace

Result<OpTree> buildOpTree(const Trace& trace, const KeyNames& names, JobControl& job) {
    return Builder(trace, names, job).build();
}

Result<OpMemory> computeOpMemory(const Trace& trace, const OpTree& tree, const JobControl& job) {
    OpMemory out;
    const auto events = trace.memoryEvents();
    if (events.empty()) {
        return out;
    }
    const SliceColumns& slices = trace.slices();
    // sums[i]: of the events before i; failed requests are nobody's memory.
    StopPoll poll(job);
    std::vector<Int128> cpuSums(events.size() + 1, 0);
    std::vector<Int128> deviceSums(events.size() + 1, 0);
    for (size_t i = 0; i < events.size(); ++i) {
        if (poll.stopRequested()) {
            return Error::cancelled();
        }
        const bool counts = !events[i].outOfMemory;
        cpuSums[i + 1] = cpuSums[i] + (counts && events[i].deviceType == MemoryDeviceType::Cpu ? events[i].bytes : 0);
        deviceSums[i + 1] =
            deviceSums[i] + (counts && events[i].deviceType == MemoryDeviceType::Cuda ? events[i].bytes : 0);
    }
    std::vector<std::pair<size_t, size_t>> ofFile(trace.files().size());
    for (size_t first = 0; first < events.size();) {
        size_t last = first;
        while (last < events.size() && events[last].file == events[first].file) {
            ++last;
        }
        ofFile[events[first].file.value] = {first, last};
        first = last;
    }
    const uint32_t n = tree.size();
    out.cpu.resize(n);
    out.device.resize(n);
    std::vector<TimeNs> times;
    times.reserve(events.size());
    for (const MemoryEvent& event : events) {
        times.push_back(event.time);
    }
    std::vector<int32_t> coverChange(events.size() + 1, 0);
    // A thread's nodes ascend by begin, so the search goes on from where the last one ended.
    size_t from = 0;
    TimeNs lastBegin = 0;
    uint32_t lastFile = EventRow::kNoneValue;
    for (uint32_t node = 0; node < n; ++node) {
        if (poll.stopRequested()) {
            return Error::cancelled();
        }
        const uint32_t row = tree.row[node];
        const TimeNs begin = slices.begin[row];
        const uint32_t file = trace.fileOf(slices.track[row]).value;
        const auto [first, last] = ofFile[file];
        if (file != lastFile || begin < lastBegin) {
            from = first;
        }
        lastFile = file;
        lastBegin = begin;
        from = firstNotBefore(times, from, last, begin);
        const size_t to = firstNotBefore(times, from, last, slices.end(row) + 1);
        out.cpu[node] = sumOf(cpuSums[to] - cpuSums[from]);
        out.device[node] = sumOf(deviceSums[to] - deviceSums[from]);
        if (from < to) {
            ++coverChange[from];
            --coverChange[to];
        }
    }
    if (job.stopRequested()) {
        return Error::cancelled();
    }
    out.selfCpu = out.cpu;
    out.selfDevice = out.device;
    for (uint32_t node = 0; node < n; ++node) {
        if (tree.parent[node] != kNoNode && tree.counts(node)) {
            out.selfCpu[tree.parent[node]] -= out.cpu[node];
            out.selfDevice[tree.parent[node]] -= out.device[node];
        }
    }
    out.covered.resize(events.size());
    int32_t cover = 0;
    for (size_t i = 0; i < events.size(); ++i) {
        cover += coverChange[i];
        out.covered[i] = cover > 0 ? 1 : 0;
    }
    return out;
}

}  // namespace warpline::op_table
