// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/timeline/derived_rows.h"

#include <QCoreApplication>

#include <algorithm>
#include <optional>

#include "core/analyses/device_lanes.h"
#include "core/trace/device_work.h"
#include "core/trace/process_title.h"

namespace warpline::timeline {

namespace {

/// The context of what is translated here.
struct Text {
    Q_DECLARE_TR_FUNCTIONS(DerivedRows)
};

/// Of each lane so many slices are looked at: what one of them tells holds for the others.
constexpr uint32_t kLookedAt = 256;

/// What a device's first slices tell of what there will be to show.
struct DeviceFacts {
    ProcessId process;
    FileId file;
    std::optional<int64_t> number;
    size_t streams = 0;
    bool hasLaunches = false;
    bool hasCopies = false;
};

class Collector {
public:
    explicit Collector(const Trace& trace, const JobControl* job) : m_trace(trace), m_job(job) {}

    std::vector<DerivedRow> run() {
        for (uint32_t id = 0; id < m_trace.processes().size(); ++id) {
            addDevice(ProcessId(id));
        }
        addMemory();
        std::stable_sort(m_rows.begin(), m_rows.end(), [](const DerivedRow& a, const DerivedRow& b) {
            return std::pair(a.process, a.kind) < std::pair(b.process, b.kind);
        });
        return std::move(m_rows);
    }

private:
    void add(ProcessId process, DerivedKind kind) {
        m_rows.push_back({process, kind, {}, titleOf(kind).toStdString()});
    }

    void addDevice(ProcessId id) {
        DeviceFacts facts;
        facts.process = id;
        facts.file = m_trace.process(id).file;
        std::vector<uint32_t> lanes;
        for (const TrackId track : m_trace.process(id).tracks) {
            if (m_trace.track(track).isDevice && look(m_trace.track(track), facts)) {
                ++facts.streams;
                for (uint32_t lane = 0; lane < m_trace.track(track).laneCount; ++lane) {
                    lanes.push_back(m_trace.track(track).firstLane + lane);
                }
            }
        }
        if (facts.streams == 0) {
            return;
        }
        facts.number = deviceNumberOf(m_trace, lanes);
        m_devices.push_back(facts);
        add(id, DerivedKind::Busy);
        if (facts.streams > 1) {
            add(id, DerivedKind::Streams);
        }
        if (facts.hasLaunches) {
            add(id, DerivedKind::Queue);
        }
        if (facts.hasCopies) {
            add(id, DerivedKind::Copies);
        }
        add(id, DerivedKind::Annotations);
    }

    /// Whether the track has device work.
    bool look(const Track& track, DeviceFacts& facts) const {
        const SliceColumns& slices = m_trace.slices();
        bool hasWork = false;
        for (uint32_t index = track.firstLane; index < track.firstLane + track.laneCount; ++index) {
            const Lane& lane = m_trace.lanes()[index];
            // Copies may come late; a byte a slice is soon read.
            const EventKind* kinds = slices.kind.data() + lane.firstRow;
            facts.hasCopies =
                facts.hasCopies || std::find(kinds, kinds + lane.count, EventKind::Memcpy) != kinds + lane.count;
            for (uint32_t row = lane.firstRow; row < lane.firstRow + std::min(lane.count, kLookedAt); ++row) {
                if (isDeviceWork(slices.kind[row])) {
                    hasWork = true;
                    facts.hasLaunches = facts.hasLaunches || m_trace.launchOf(EventRow(row)).valid();
                }
            }
        }
        return hasWork;
    }

    void addMemory() {
        std::vector<MemoryOwner> owners;
        MemoryOwner last;
        size_t seen = 0;
        for (const MemoryEvent& event : m_trace.memoryEvents()) {
            constexpr size_t kStride = size_t{1} << 16;
            if (++seen % kStride == 0 && m_job != nullptr && m_job->stopRequested()) {
                return;
            }
            // Nsight Systems tells sizes and no levels: a sum of them would leave out what was there before.
            const bool tells = event.totalAllocated >= 0 || event.totalReserved >= 0 || event.outOfMemory;
            if (event.deviceType == MemoryDeviceType::Cpu || event.device < 0 || !tells) {
                continue;
            }
            const ProcessId host = event.track ? m_trace.track(event.track).process : ProcessId::none();
            const MemoryOwner owner{event.file, host, event.rawDeviceType, event.device};
            if (owner == last) {
                continue;
            }
            last = owner;
            if (std::find(owners.begin(), owners.end(), owner) == owners.end()) {
                owners.push_back(owner);
            }
        }
        for (const MemoryOwner& owner : owners) {
            addMemory(owner, owners);
        }
    }

    void addMemory(const MemoryOwner& owner, const std::vector<MemoryOwner>& all) {
        const auto device = std::find_if(m_devices.begin(), m_devices.end(), [&](const DeviceFacts& facts) {
            return facts.file == owner.file && facts.number == owner.device;
        });
        DerivedRow row{owner.host, DerivedKind::Memory, owner, titleOf(DerivedKind::Memory).toStdString()};
        if (device != m_devices.end()) {
            row.process = device->process;
        } else if (owner.host.valid()) {
            row.title += " · device " + std::to_string(owner.device);
        } else {
            return;  // it would stand nowhere
        }
        const bool isShared = std::any_of(all.begin(), all.end(), [&](const MemoryOwner& other) {
            return other != owner && other.file == owner.file && other.device == owner.device;
        });
        if (isShared) {
            row.title += owner.host.valid() ? " · " + processTitle(m_trace, owner.host) : " · no process";
            row.title += " · type " + std::to_string(owner.rawDeviceType);
        }
        m_rows.push_back(std::move(row));
    }

    const Trace& m_trace;
    const JobControl* m_job;
    std::vector<DeviceFacts> m_devices;
    std::vector<DerivedRow> m_rows;
};

}  // namespace

std::vector<DerivedRow> derivedRows(const Trace& trace, const JobControl* job) {
    return Collector(trace, job).run();
}

DerivedKinds kindsAtFirst(const std::vector<DerivedRow>& rows) {
    constexpr auto kFewDevices = 2;
    const auto devices =
        std::count_if(rows.begin(), rows.end(), [](const DerivedRow& row) { return row.kind == DerivedKind::Busy; });
    if (devices > kFewDevices) {
        return bitOf(DerivedKind::Busy);
    }
    return bitOf(DerivedKind::Busy) | bitOf(DerivedKind::Streams) | bitOf(DerivedKind::Queue) |
           bitOf(DerivedKind::Memory) | bitOf(DerivedKind::Annotations);
}

const char* nameOf(DerivedKind kind) {
    switch (kind) {
        case DerivedKind::Busy:
            return "derived_busy";
        case DerivedKind::Streams:
            return "derived_streams";
        case DerivedKind::Queue:
            return "derived_queue";
        case DerivedKind::Copies:
            return "derived_copies";
        case DerivedKind::Memory:
            return "derived_memory";
        case DerivedKind::Annotations:
            return "derived_annotations";
    }
    return "";
}

QString titleOf(DerivedKind kind) {
    switch (kind) {
        case DerivedKind::Busy:
            return Text::tr("GPU busy");
        case DerivedKind::Streams:
            return Text::tr("Streams active");
        case DerivedKind::Queue:
            return Text::tr("Launch queue");
        case DerivedKind::Copies:
            return Text::tr("Copy bandwidth");
        case DerivedKind::Memory:
            return Text::tr("Memory");
        case DerivedKind::Annotations:
            return Text::tr("Annotations");
    }
    return {};
}

QString definitionOf(DerivedKind kind) {
    switch (kind) {
        case DerivedKind::Busy:
            return Text::tr(
                "Share of the time in which at least one kernel, copy or memset runs, on whatever stream\n"
                "(0 to 100 %; from the device's slices)");
        case DerivedKind::Streams:
            return Text::tr(
                "How many streams run a kernel, copy or memset at once\n"
                "(streams; from the device's slices; of devices with several streams)");
        case DerivedKind::Queue:
            return Text::tr(
                "Work that was launched and has not begun, on all streams: from the start of its launching "
                "call to its own\n(launches; from correlation ids; work whose launch is not in the trace "
                "is left out)");
        case DerivedKind::Copies:
            return Text::tr(
                "Bytes over duration of each copy that runs, summed\n"
                "(bytes a second; from the copies' slices; a gap where the file gives no bytes)");
        case DerivedKind::Memory:
            return Text::tr(
                "What PyTorch's allocator has given out (area) and holds (line) on the device\n"
                "(bytes; from the file's [memory] events; red: a request that failed)");
        case DerivedKind::Annotations:
            return Text::tr(
                "Ranges named on the host (record_function, NVTX), from the start of the first to the end "
                "of the last\nwork launched from inside (from correlation ids; left out where the file has "
                "such rows itself)");
    }
    return {};
}

QString absenceOf(DerivedKind kind) {
    switch (kind) {
        case DerivedKind::Busy:
            return Text::tr("This trace has no work of a device");
        case DerivedKind::Streams:
            return Text::tr("No device of this trace has several streams with work");
        case DerivedKind::Queue:
            return Text::tr("This trace does not say which call launched what");
        case DerivedKind::Copies:
            return Text::tr("This trace has no copies on a device");
        case DerivedKind::Memory:
            return Text::tr("This trace has no levels of a device's memory");
        case DerivedKind::Annotations:
            return Text::tr("This trace has no work of a device");
    }
    return {};
}

}  // namespace warpline::timeline
