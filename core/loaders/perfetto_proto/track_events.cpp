// SPDX-License-Identifier: MIT
// Track events: slices, instants, counters, arrows, and the older events that wrap Chrome's JSON ones.
#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "core/loaders/perfetto_proto/field_numbers.h"
#include "core/loaders/perfetto_proto/trace_reader.h"

namespace warpline::loaders::perfetto_proto {

struct TraceReader::Event {
    uint64_t type = 0;
    std::optional<uint64_t> track;
    std::optional<std::string_view> name;
    std::optional<uint64_t> nameIid;
    std::vector<uint64_t> categoryIids;
    std::vector<std::string_view> categories;
    std::optional<int64_t> deltaUs, absoluteUs;
    std::optional<std::string_view> legacy;
    std::optional<int64_t> counterValue;
    std::optional<double> doubleCounterValue;
    std::vector<uint64_t> counterTracks, doubleCounterTracks;
    std::vector<int64_t> counterValues;
    std::vector<double> doubleCounterValues;
    std::vector<std::pair<uint64_t, bool>> flows;  ///< id, and whether it ends here
};

namespace {

/// Arrows of both sorts are joined among themselves only.
constexpr std::string_view kFlowCategory = "flow";

EventId idOf(TraceBuilder& builder, uint64_t number) {
    return number <= EventId::kMaxNumber ? EventId::ofNumber(number) : EventId(builder.intern(std::to_string(number)));
}

std::optional<TimeNs> fromUs(int64_t us) {
    TimeNs ns = 0;
    return __builtin_mul_overflow(us, int64_t{1000}, &ns) ? std::nullopt : std::optional(ns);
}

}  // namespace

bool TraceReader::readEvent(std::string_view message, Event& event) {
    WireReader reader(message);
    bool isWhole = true;
    const auto flow = [&](bool ends) { return [&event, ends](uint64_t id) { event.flows.emplace_back(id, ends); }; };
    while (reader.next()) {
        const WireField& field = reader.field();
        switch (field.number) {
            case event::kType:
                event.type = field.value;
                break;
            case event::kTrackUuid:
                event.track = field.value;
                break;
            case event::kName:
                event.name = field.bytes;
                break;
            case event::kNameIid:
                event.nameIid = field.value;
                break;
            case event::kCategoryIids:
                isWhole &= forEachNumber(field, false, [&](uint64_t iid) { event.categoryIids.push_back(iid); });
                break;
            case event::kCategories:
                event.categories.push_back(field.bytes);
                break;
            case event::kDeltaUs:
                event.deltaUs = field.asSigned();
                break;
            case event::kAbsoluteUs:
                event.absoluteUs = field.asSigned();
                break;
            case event::kLegacy:
                event.legacy = field.bytes;
                break;
            case event::kCounterValue:
                event.counterValue = field.asSigned();
                break;
            case event::kDoubleCounterValue:
                event.doubleCounterValue = field.asDouble();
                break;
            case event::kExtraCounterTracks:
                isWhole &= forEachNumber(field, false, [&](uint64_t uuid) { event.counterTracks.push_back(uuid); });
                break;
            case event::kExtraCounterValues:
                isWhole &= forEachNumber(
                    field, false, [&](uint64_t value) { event.counterValues.push_back(static_cast<int64_t>(value)); });
                break;
            case event::kExtraDoubleCounterTracks:
                isWhole &=
                    forEachNumber(field, false, [&](uint64_t uuid) { event.doubleCounterTracks.push_back(uuid); });
                break;
            case event::kExtraDoubleCounterValues:
                isWhole &= forEachNumber(field, true, [&](uint64_t value) {
                    event.doubleCounterValues.push_back(std::bit_cast<double>(value));
                });
                break;
            case event::kFlowIds:
                isWhole &= forEachNumber(field, true, flow(false));
                break;
            case event::kTerminatingFlowIds:
                isWhole &= forEachNumber(field, true, flow(true));
                break;
            case event::kFlowIdsOld:
                isWhole &= forEachNumber(field, false, flow(false));
                break;
            case event::kTerminatingFlowIdsOld:
                isWhole &= forEachNumber(field, false, flow(true));
                break;
            default:
                break;
        }
    }
    return isWhole && !reader.failed();
}

std::optional<TimeNs> TraceReader::timeOf(const Event& event, Sequence& sequence) {
    Clocks::Time time;
    if (event.deltaUs || event.absoluteUs) {
        // Older writers: microseconds of the monotonic clock, whatever the packet says.
        if (event.deltaUs && __builtin_add_overflow(sequence.timeUs, *event.deltaUs, &sequence.timeUs)) {
            sequence.timeUs = 0;
            note("outlier", Severity::DataLoss);
            return std::nullopt;
        }
        const auto ns = fromUs(event.absoluteUs.value_or(sequence.timeUs));
        time = ns ? m_clocks.sharedTime(kMonotonicClock, *ns) : Clocks::Time{};
    } else if (m_hasTime) {
        time = m_time;
    } else {
        note("bad_timestamp", Severity::DataLoss, "an event without a time");
        return std::nullopt;
    }
    if (!time.ns) {
        note("outlier", Severity::DataLoss);
        return std::nullopt;
    }
    if (!time.isOnTraceClock) {
        note("unknown_clock", Severity::Warning);
    }
    return time.ns;
}

StringId TraceReader::nameOf(const Event& event, const Sequence& sequence) {
    if (event.name) {
        return textOf(*event.name);
    }
    const auto it = event.nameIid ? sequence.names.find(*event.nameIid) : sequence.names.end();
    if (it != sequence.names.end()) {
        return it->second;
    }
    note("missing_name", event.nameIid ? Severity::Warning : Severity::Info);
    return {};
}

StringId TraceReader::categoryOf(const Event& event, const Sequence& sequence) {
    const auto known = [&](uint64_t iid) {
        const auto it = sequence.categories.find(iid);
        return it == sequence.categories.end() ? StringId() : it->second;
    };
    if (event.categories.empty() && event.categoryIids.size() == 1) {
        return known(event.categoryIids.front());
    }
    std::string joined;
    for (const std::string_view category : event.categories) {
        joined += (joined.empty() ? "" : ",") + std::string(category);
    }
    for (const uint64_t iid : event.categoryIids) {
        joined += (joined.empty() ? "" : ",") + std::string(m_builder.string(known(iid)));
    }
    return textOf(joined);
}

void TraceReader::addTrackEvent(std::string_view message, const Head& /*head*/, Sequence& sequence) {
    Event event;
    if (!readEvent(message, event)) {
        note("invalid_proto", Severity::DataLoss, "a track event");
        return;
    }
    const auto time = timeOf(event, sequence);
    if (!time) {
        return;
    }
    Target target;
    if (event.track || sequence.track) {
        target.uuid = event.track ? *event.track : *sequence.track;
    } else if (sequence.thread.tid) {
        target.track = m_tracks.threadTrack(sequence.thread.pid, sequence.thread.tid);
    }
    addCounters(event, *time, sequence);
    for (const auto& [id, ends] : event.flows) {
        m_flows.push_back({id, *time, static_cast<uint32_t>(m_flows.size()), ends, target, m_source});
    }
    switch (event.type) {
        case event::kSliceBegin: {
            SliceRecord slice;
            slice.begin = *time;
            slice.name = nameOf(event, sequence);
            slice.category = categoryOf(event, sequence);
            slice.source = m_source;
            place(target, Begin{slice});
            break;
        }
        case event::kSliceEnd:
            place(target, SliceEnd{*time, {}, {}, m_source});
            break;
        case event::kInstant:
            place(target, Instant{*time, nameOf(event, sequence), categoryOf(event, sequence), {}, 't', m_source});
            break;
        case event::kCounter:
            if (!event.counterValue && !event.doubleCounterValue) {
                note("counter_without_value", Severity::DataLoss);
            } else {
                addCounter(target.uuid, *time, event.counterValue, event.doubleCounterValue.value_or(0), sequence);
            }
            break;
        default:
            if (event.legacy) {
                addLegacy(*event.legacy, event, *time, target, sequence);
            } else {
                note("unknown_phase", Severity::DataLoss, "type " + std::to_string(event.type));
            }
            break;
    }
}

void TraceReader::addCounters(const Event& event, TimeNs time, Sequence& sequence) {
    const auto& tracks = event.counterTracks.empty() ? sequence.counterTracks : event.counterTracks;
    const auto& doubleTracks =
        event.doubleCounterTracks.empty() ? sequence.doubleCounterTracks : event.doubleCounterTracks;
    for (size_t i = 0; i < event.counterValues.size(); ++i) {
        if (i < tracks.size()) {
            addCounter(tracks[i], time, event.counterValues[i], 0, sequence);
        } else {
            note("odd_record", Severity::DataLoss, "a counter value without a track");
        }
    }
    for (size_t i = 0; i < event.doubleCounterValues.size(); ++i) {
        if (i < doubleTracks.size()) {
            addCounter(doubleTracks[i], time, std::nullopt, event.doubleCounterValues[i], sequence);
        } else {
            note("odd_record", Severity::DataLoss, "a counter value without a track");
        }
    }
}

void TraceReader::addCounter(uint64_t uuid, TimeNs time, std::optional<int64_t> whole, double real,
                             const Sequence& sequence) {
    CounterValue record;
    record.record.time = time;
    record.uuid = uuid;
    record.state = sequence.state;
    record.whole = whole;
    record.real = real;
    m_builder.countCounterEvents();
    place({uuid, std::nullopt}, record);
}

void TraceReader::addLegacy(std::string_view message, const Event& event, TimeNs time, Target target,
                            Sequence& sequence) {
    enum Direction : uint64_t { kIn = 1, kOut = 2, kInOut = 3 };
    uint64_t phaseValue = 0;
    std::optional<int64_t> durationUs;
    std::optional<uint64_t> id;
    bool isLocal = false;
    std::string_view scope;
    uint64_t bindId = 0;
    bool bindsToEnclosing = false;
    uint64_t direction = 0;
    uint64_t instantScope = 3;
    std::optional<int32_t> pid = sequence.thread.pid;
    std::optional<int32_t> tid = sequence.thread.tid;
    bool isOverridden = false;
    Event named = event;
    WireReader reader(message);
    while (reader.next()) {
        const WireField& field = reader.field();
        switch (field.number) {
            case legacy::kNameIid:
                named.nameIid = named.nameIid ? named.nameIid : std::optional(field.value);
                break;
            case legacy::kPhase:
                phaseValue = field.value;
                break;
            case legacy::kDurationUs:
                durationUs = field.asSigned();
                break;
            case legacy::kUnscopedId:
            case legacy::kGlobalId:
            case legacy::kLocalId:
                id = field.value;
                isLocal = field.number == legacy::kLocalId;
                break;
            case legacy::kIdScope:
                scope = field.bytes;
                break;
            case legacy::kBindId:
                bindId = field.value;
                break;
            case legacy::kBindToEnclosing:
                bindsToEnclosing = field.value != 0;
                break;
            case legacy::kFlowDirection:
                direction = field.value;
                break;
            case legacy::kInstantScope:
                instantScope = field.value;
                break;
            case legacy::kPidOverride:
                pid = static_cast<int32_t>(field.value);
                isOverridden = true;
                break;
            case legacy::kTidOverride:
                tid = static_cast<int32_t>(field.value);
                isOverridden = true;
                break;
            default:
                break;
        }
    }
    if (reader.failed()) {
        note("invalid_proto", Severity::DataLoss, "a legacy event");
        return;
    }
    if (isOverridden && !event.track) {
        target.track = m_tracks.threadTrack(pid, tid);
    }
    const char phase = phaseValue < 128 ? static_cast<char>(phaseValue) : '\0';
    const StringId category = categoryOf(event, sequence);
    std::optional<EventId> eventId;
    if (id) {
        eventId =
            scope.empty() ? idOf(m_builder, *id) : EventId(textOf(std::string(scope) + ":" + std::to_string(*id)));
    }
    if (bindId != 0 && direction != 0) {
        FlowRecord flow;
        flow.phase = direction == kIn ? FlowPhase::Finish : direction == kOut ? FlowPhase::Start : FlowPhase::Step;
        flow.bindsToEnclosing = true;
        flow.time = time;
        flow.category = category;
        flow.id = idOf(m_builder, bindId);
        flow.source = m_source;
        place(target, flow);
    }
    const auto async = [&](AsyncPhase asyncPhase) {
        AsyncRecord record;
        record.phase = asyncPhase;
        record.time = time;
        record.name = nameOf(named, sequence);
        record.category = category;
        record.id = eventId;
        // The process is known once the track is: see add().
        record.idScope = isLocal ? ProcessId(0U) : ProcessId::none();
        record.source = m_source;
        place(target, record);
    };
    const auto flow = [&](FlowPhase flowPhase) {
        FlowRecord record;
        record.phase = flowPhase;
        record.bindsToEnclosing = bindsToEnclosing || flowPhase != FlowPhase::Finish;
        record.time = time;
        record.category = category;
        record.id = bindId != 0 ? std::optional(idOf(m_builder, bindId)) : eventId;
        record.source = m_source;
        place(target, record);
    };
    switch (phase) {
        case 'B':
        case 'X': {
            SliceRecord slice;
            slice.begin = time;
            slice.name = nameOf(named, sequence);
            slice.category = category;
            slice.source = m_source;
            if (phase == 'B') {
                place(target, Begin{slice});
                break;
            }
            const auto duration = durationUs ? fromUs(*durationUs) : std::nullopt;
            slice.duration = duration.value_or(kUnknownDuration);
            if (!duration) {
                note("missing_duration", Severity::Warning);
            } else if (*duration < 0) {
                slice.duration = 0;
                slice.flags = kSliceBadTime;
                note("negative_duration", Severity::Warning);
            }
            place(target, slice);
            break;
        }
        case 'E':
            place(target, SliceEnd{time, {}, {}, m_source});
            break;
        case 'b':
        case 'S':
            async(AsyncPhase::Begin);
            break;
        case 'e':
        case 'F':
            async(AsyncPhase::End);
            break;
        case 'n':
        case 'T':
        case 'p':
            async(AsyncPhase::Instant);
            break;
        case 's':
            flow(FlowPhase::Start);
            break;
        case 't':
            flow(FlowPhase::Step);
            break;
        case 'f':
            flow(FlowPhase::Finish);
            break;
        case 'i':
        case 'I':
        case 'R':
        case 'N':
        case 'O':
        case 'D':
        case 'P':
        case 'c':
        case 'v':
        case 'V':
        case '(':
        case ')': {
            const char shown = instantScope == 1 ? 'g' : instantScope == 2 ? 'p' : 't';
            place(target, Instant{time, nameOf(named, sequence), category, {}, shown, m_source});
            break;
        }
        case 'M':
            m_builder.countMetadata();
            break;
        default:
            note("unknown_phase", Severity::DataLoss, "phase " + std::to_string(phaseValue));
            break;
    }
}

void TraceReader::place(const Target& target, Record record) {
    const auto track = target.track ? target.track : m_tracks.find(target.uuid);
    if (!track) {
        m_waiting[target.uuid].push_back(std::move(record));
        return;
    }
    if (const auto waiting = target.track ? m_waiting.end() : m_waiting.find(target.uuid); waiting != m_waiting.end()) {
        // Described by now: what came before goes before.
        for (Record& earlier : waiting->second) {
            add(*track, earlier);
        }
        m_waiting.erase(waiting);
    }
    add(*track, record);
}

void TraceReader::add(TrackId track, Record& record) {
    if (auto* begin = std::get_if<Begin>(&record)) {
        begin->slice.track = track;
        m_builder.beginSlice(begin->slice);
    } else if (auto* slice = std::get_if<SliceRecord>(&record)) {
        slice->track = track;
        m_builder.addSlice(*slice);
    } else if (auto* end = std::get_if<SliceEnd>(&record)) {
        end->track = track;
        m_builder.endSlice(*end);
    } else if (auto* instant = std::get_if<Instant>(&record)) {
        instant->track = track;
        m_builder.addInstant(*instant);
    } else if (auto* async = std::get_if<AsyncRecord>(&record)) {
        async->track = track;
        async->idScope = async->idScope.valid() ? m_builder.processOf(track) : ProcessId::none();
        m_builder.addAsync(*async);
    } else if (auto* flow = std::get_if<FlowRecord>(&record)) {
        flow->track = track;
        m_builder.addFlow(*flow);
    } else if (auto* counter = std::get_if<CounterValue>(&record)) {
        addCounterValue(track, *counter);
    }
}

void TraceReader::addCounterValue(TrackId track, CounterValue& counter) {
    const CounterTrack* described = m_tracks.counter(counter.uuid);
    std::optional<int64_t> whole = counter.whole;
    if (whole && described != nullptr && described->isIncremental) {
        int64_t& sum = m_counterSums[{counter.state, counter.uuid}];
        if (__builtin_add_overflow(sum, *whole, &sum)) {
            note("odd_record", Severity::DataLoss, "a counter beyond 64 bits");
            return;
        }
        whole = sum;
    }
    const int64_t multiplier = described == nullptr ? 1 : described->multiplier;
    CounterRecord& value = counter.record;
    value.value = (whole ? static_cast<double>(*whole) : counter.real) * static_cast<double>(multiplier);
    int64_t product = 0;
    if (whole && !__builtin_mul_overflow(*whole, multiplier, &product)) {
        value.whole = product;
    }
    value.process = m_builder.processOf(track);
    value.name = m_tracks.nameOf(counter.uuid);
    if (value.name.empty()) {
        value.name = m_builder.intern("counter " + std::to_string(counter.uuid));
    }
    if (m_tracks.isOfThread(counter.uuid)) {
        value.id = idOf(m_builder, counter.uuid);
    }
    value.series = described == nullptr ? m_builder.intern("value") : described->series;
    m_builder.addCounter(value);
}

void TraceReader::addFlows() {
    std::ranges::sort(m_flows, {}, [](const FlowPoint& p) { return std::tuple(p.id, p.time, p.order); });
    const StringId category = m_builder.intern(kFlowCategory);
    bool isOpen = false;
    for (size_t i = 0; i < m_flows.size(); ++i) {
        const FlowPoint& point = m_flows[i];
        isOpen = isOpen && m_flows[i - 1].id == point.id;
        const bool isLast = i + 1 == m_flows.size() || m_flows[i + 1].id != point.id;
        FlowRecord flow;
        // The earliest begins, the last ends, unless one says so itself: then the number may be used again.
        flow.phase = !isOpen && !point.ends ? FlowPhase::Start
                     : point.ends || isLast ? FlowPhase::Finish
                                            : FlowPhase::Step;
        isOpen = flow.phase != FlowPhase::Finish;
        flow.bindsToEnclosing = true;
        flow.time = point.time;
        flow.category = category;
        flow.id = idOf(m_builder, point.id);
        flow.source = point.source;
        flow.track = point.target.track ? *point.target.track : m_tracks.findAnyway(point.target.uuid);
        m_builder.addFlow(flow);
    }
    m_flows.clear();
}

}  // namespace warpline::loaders::perfetto_proto
