// SPDX-License-Identifier: MIT
#include "core/loaders/perfetto_proto/track_table.h"

#include <array>

#include "core/base/utf8.h"
#include "core/loaders/perfetto_proto/field_numbers.h"
#include "core/loaders/perfetto_proto/wire.h"

namespace warpline::loaders::perfetto_proto {

namespace {

/// Parents of parents; a circle of them ends here.
constexpr int kMostAncestors = 64;

int32_t asInt32(uint64_t value) {
    return static_cast<int32_t>(static_cast<uint32_t>(value));
}

std::string_view chromeProcessName(uint64_t type) {
    constexpr std::array<std::string_view, 7> kNames = {"",       "Browser",        "Renderer",   "Utility",
                                                        "Zygote", "Sandbox helper", "GPU process"};
    return type < kNames.size() ? kNames[type] : std::string_view();
}

bool readCounter(std::string_view message, CounterTrack& counter, std::string_view& builtinName, std::string& unit) {
    WireReader reader(message);
    while (reader.next()) {
        const WireField& field = reader.field();
        switch (field.number) {
            case counter::kType:
                builtinName = field.value == 1   ? std::string_view("thread time")
                              : field.value == 2 ? std::string_view("thread instructions")
                                                 : std::string_view();
                unit = field.value == 1 ? "ns" : unit;
                break;
            case counter::kUnit:
                unit = field.value == 1 ? "ns" : field.value == 3 ? "bytes" : unit;
                break;
            case counter::kUnitName:
                unit = field.bytes.empty() ? unit : std::string(field.bytes);
                break;
            case counter::kMultiplier:
                counter.multiplier = field.value == 0 ? 1 : field.asSigned();
                break;
            case counter::kIsIncremental:
                counter.isIncremental = field.value != 0;
                break;
            default:
                break;
        }
    }
    return !reader.failed();
}

}  // namespace

StringId TrackTable::intern(std::string_view text) {
    const std::string_view valid = validUtf8(text, m_buffer);
    m_badTexts += valid.data() == text.data() ? 0 : 1;
    return m_builder.intern(valid);
}

ProcessId TrackTable::process(std::optional<int32_t> pid) {
    return pid ? m_builder.process(m_file, std::to_string(*pid)) : m_builder.process(m_file, std::nullopt);
}

TrackId TrackTable::threadTrack(std::optional<int32_t> pid, std::optional<int32_t> tid) {
    if (!pid || !tid) {
        return tid ? m_builder.track(process(pid), std::to_string(*tid)) : m_builder.track(process(pid), std::nullopt);
    }
    const uint64_t key = uint64_t{static_cast<uint32_t>(*pid)} << 32 | static_cast<uint32_t>(*tid);
    const auto [it, isNew] = m_threads.try_emplace(key);
    if (isNew) {
        it->second = m_builder.track(process(pid), std::to_string(*tid));
    }
    return it->second;
}

bool TrackTable::addProcess(std::string_view message, std::optional<int32_t>& pid) {
    std::string_view name;
    std::string_view command;
    std::optional<int64_t> sortIndex;
    WireReader reader(message);
    while (reader.next()) {
        const WireField& field = reader.field();
        if (field.number == process::kPid && !field.isBytes()) {
            pid = asInt32(field.value);
        } else if (field.number == process::kName) {
            name = field.bytes;
        } else if (field.number == process::kCommandLine && command.empty()) {
            command = field.bytes;
        } else if (field.number == process::kSortIndex && !field.isBytes()) {
            sortIndex = asInt32(field.value);
        }
    }
    const ProcessId id = process(pid);
    command = command.substr(0, command.find(' '));
    if (const std::string_view shown = name.empty() ? command : name; !shown.empty()) {
        m_builder.nameProcess(id, intern(shown));
    }
    if (sortIndex) {
        m_builder.sortProcess(id, *sortIndex);
    }
    return !reader.failed();
}

bool TrackTable::addThread(std::string_view message, Thread& thread) {
    std::string_view name;
    std::optional<int64_t> sortIndex;
    WireReader reader(message);
    while (reader.next()) {
        const WireField& field = reader.field();
        if (field.number == thread::kName) {
            name = field.bytes;
        } else if (field.isBytes()) {
            continue;
        } else if (field.number == thread::kPid) {
            thread.pid = asInt32(field.value);
        } else if (field.number == thread::kTid) {
            thread.tid = asInt32(field.value);
        } else if (field.number == thread::kSortIndex) {
            sortIndex = asInt32(field.value);
        } else if (field.number == thread::kReferenceUs) {
            thread.referenceUs = field.asSigned();
        }
    }
    const TrackId track = threadTrack(thread.pid, thread.tid);
    if (!name.empty()) {
        m_builder.nameTrack(track, intern(name));
    }
    if (sortIndex) {
        m_builder.sortTrack(track, *sortIndex);
    }
    return !reader.failed();
}

bool TrackTable::addDescriptor(std::string_view message) {
    uint64_t uuid = 0;
    uint64_t chromeType = 0;
    std::string_view name;
    std::string unit;
    std::string_view builtinName;
    std::optional<CounterTrack> counter;
    Descriptor added;
    std::string_view processMessage;
    std::string_view threadMessage;
    bool isWhole = true;
    WireReader reader(message);
    while (reader.next()) {
        const WireField& field = reader.field();
        switch (field.number) {
            case track::kUuid:
                uuid = field.value;
                break;
            case track::kParentUuid:
                added.parent = field.value;
                break;
            case track::kName:
            case track::kStaticName:
            case track::kAtraceName:
                name = field.bytes;
                break;
            case track::kProcess:
                added.isProcess = field.isBytes();
                processMessage = field.bytes;
                break;
            case track::kThread:
                added.isThread = field.isBytes();
                threadMessage = field.bytes;
                break;
            case track::kCounter:
                counter.emplace();
                isWhole = readCounter(field.bytes, *counter, builtinName, unit) && isWhole;
                break;
            case track::kChromeProcess: {
                WireReader inner(field.bytes);
                while (inner.next()) {
                    chromeType = inner.field().number == 1 ? inner.field().value : chromeType;
                }
                break;
            }
            default:
                break;
        }
    }
    isWhole = isWhole && !reader.failed();
    if (added.isThread) {
        Thread thread;
        isWhole = addThread(threadMessage, thread) && isWhole;
        added.pid = thread.pid;
        added.tid = thread.tid;
        if (!name.empty()) {
            m_builder.nameTrack(threadTrack(thread.pid, thread.tid), intern(name));
        }
    } else if (added.isProcess) {
        if (const std::string_view chrome = chromeProcessName(chromeType); !chrome.empty()) {
            std::optional<int32_t> pid;
            addProcess(processMessage, pid);
            m_builder.nameProcess(process(pid), intern(chrome));
            added.pid = pid;
        } else {
            isWhole = addProcess(processMessage, added.pid) && isWhole;
            if (!name.empty()) {
                m_builder.nameProcess(process(added.pid), intern(name));
            }
        }
    }
    const auto [it, isNew] = m_descriptors.try_emplace(uuid);
    Descriptor& known = it->second;
    added.name = intern(!name.empty() ? name : builtinName);
    if (counter) {
        counter->series = intern(unit.empty() ? "value" : unit);
        added.counter = counter;
    }
    if (!isNew) {  // said again, perhaps with less
        added.name = added.name.empty() ? known.name : added.name;
        added.counter = added.counter ? added.counter : known.counter;
        added.parent = added.parent == 0 ? known.parent : added.parent;
    }
    known = added;
    if (const auto track = m_tracks.find(uuid);
        track != m_tracks.end() && !known.name.empty() && !known.isThread && !known.isProcess) {
        m_builder.nameTrack(track->second, known.name);
    }
    return isWhole;
}

TrackId TrackTable::make(uint64_t uuid, const Descriptor* descriptor, ProcessId process) {
    TrackId track;
    if (descriptor != nullptr && descriptor->isThread) {
        track = threadTrack(descriptor->pid, descriptor->tid);
    } else if (uuid == 0) {
        track = m_builder.track(process, std::nullopt);
    } else {
        const bool isProcess = descriptor != nullptr && descriptor->isProcess;
        track = m_builder.track(process, (isProcess ? "process track " : "track ") + std::to_string(uuid));
        if (descriptor != nullptr && (isProcess || !descriptor->name.empty())) {
            m_builder.nameTrack(track, isProcess ? m_builder.intern("process") : descriptor->name);
        }
    }
    m_tracks[uuid] = track;
    return track;
}

std::optional<TrackId> TrackTable::find(uint64_t uuid) {
    if (const auto it = m_tracks.find(uuid); it != m_tracks.end()) {
        return it->second;
    }
    const auto it = m_descriptors.find(uuid);
    if (it == m_descriptors.end()) {
        return uuid == 0 ? std::optional(make(0, nullptr, process(std::nullopt))) : std::nullopt;
    }
    const Descriptor* ancestor = &it->second;
    for (int i = 0; i < kMostAncestors; ++i) {
        if (ancestor->isProcess || ancestor->isThread || ancestor->parent == 0) {
            return make(uuid, &it->second, process(ancestor->pid));
        }
        const auto parent = m_descriptors.find(ancestor->parent);
        if (parent == m_descriptors.end()) {
            return std::nullopt;
        }
        ancestor = &parent->second;
    }
    return make(uuid, &it->second, process(std::nullopt));
}

TrackId TrackTable::findAnyway(uint64_t uuid) {
    if (const auto track = find(uuid)) {
        return *track;
    }
    const auto it = m_descriptors.find(uuid);
    return make(uuid, it == m_descriptors.end() ? nullptr : &it->second, process(std::nullopt));
}

const CounterTrack* TrackTable::counter(uint64_t uuid) const {
    const auto it = m_descriptors.find(uuid);
    return it == m_descriptors.end() || !it->second.counter ? nullptr : &*it->second.counter;
}

StringId TrackTable::nameOf(uint64_t uuid) const {
    const auto it = m_descriptors.find(uuid);
    return it == m_descriptors.end() ? StringId() : it->second.name;
}

bool TrackTable::isOfThread(uint64_t uuid) const {
    const auto it = m_descriptors.find(uuid);
    const auto parent = it == m_descriptors.end() ? it : m_descriptors.find(it->second.parent);
    return parent != m_descriptors.end() && parent->second.isThread;
}

}  // namespace warpline::loaders::perfetto_proto
