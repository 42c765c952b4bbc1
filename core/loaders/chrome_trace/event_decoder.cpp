// SPDX-License-Identifier: MIT
#include "core/loaders/chrome_trace/event_decoder.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/decimal_time.h"
#include "core/base/text_index.h"
#include "core/loaders/chrome_trace/clang_dialect.h"
#include "core/loaders/chrome_trace/xla_dialect.h"
#include "core/trace/event_id.h"

namespace warpline::loaders::chrome_trace {

namespace {

std::string_view unquotedTrimmed(std::string_view value) {
    if (!isQuoted(value)) {
        return value;
    }
    value = value.substr(1, value.size() - 2);
    while (!value.empty() && value.front() == ' ') {
        value.remove_prefix(1);
    }
    while (!value.empty() && value.back() == ' ') {
        value.remove_suffix(1);
    }
    return value;
}

bool isNothing(std::string_view value) {
    return value.empty() || value == "null";
}

/// Digits of a whole number that is not the one that the double holds.
bool isRounded(std::string_view digits, double value) {
    digits = digits.substr(digits.starts_with('-') ? 1 : 0);
    digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
    if (!std::isfinite(value) || digits.find_first_not_of("0123456789") != std::string_view::npos) {
        return false;
    }
    char exact[400];
    const auto end = std::to_chars(exact, exact + sizeof exact, std::abs(value), std::chars_format::fixed, 0);
    return !digits.empty() && digits != std::string_view(exact, end.ptr);
}

/// Has what stood between two events gone, so that the first one's beginning and the other's end read as one? Then a
/// run of keys comes twice in a row, with other values.
bool isTwoEvents(std::span<const Member> fields) {
    constexpr size_t kMost = 64;
    fields = fields.first(std::min(fields.size(), kMost));
    for (size_t second = 1; second < fields.size(); ++second) {
        for (size_t first = 0; first < second; ++first) {
            size_t run = 0;
            bool differs = false;
            while (first + run < second && second + run < fields.size() &&
                   fields[first + run].key == fields[second + run].key) {
                differs = differs || fields[first + run].value != fields[second + run].value;
                ++run;
            }
            if (run > 1 && differs) {
                return true;
            }
        }
    }
    return false;
}

struct Phase {
    EventRole role;
    char normalised;
};

/// nullopt for a phase that the format does not know. What marks a moment without being an instant by name (objects,
/// samples, clock and memory marks) is shown as one.
std::optional<Phase> phaseOf(char letter) {
    switch (letter) {
        case 'X':
            return Phase{EventRole::Slice, 'X'};
        case 'B':
            return Phase{EventRole::Begin, 'B'};
        case 'E':
            return Phase{EventRole::End, 'E'};
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
        case ')':
            return Phase{EventRole::Instant, letter};
        case 'b':
        case 'S':
            return Phase{EventRole::Async, 'b'};
        case 'e':
        case 'F':
            return Phase{EventRole::Async, 'e'};
        case 'n':
        case 'T':
        case 'p':
            return Phase{EventRole::Async, 'n'};
        case 's':
        case 't':
        case 'f':
            return Phase{EventRole::Flow, letter};
        case 'C':
            return Phase{EventRole::Counter, 'C'};
        case 'M':
            return Phase{EventRole::Metadata, 'M'};
        default:
            return std::nullopt;
    }
}

}  // namespace

void EventDecoder::begin(EventBatch& batch, const std::shared_ptr<StringPool>& texts) {
    m_batch = &batch;
    if (m_texts != texts) {
        m_texts = texts;
        m_meanings.clear();
        m_meaningKnown.clear();
        m_recentCategories.fill({});
    }
    batch.texts = texts;
    m_trackByKey.clear();
    m_recentTracks.fill({});  // they view the texts of the batch before, as they stood there
    m_plainFields.clear();
    m_plainArgs.clear();
}

bool EventDecoder::hasRepeatedKey(std::span<const Member> members) const {
    constexpr size_t kFew = 64;
    if (members.size() > kFew) {
        constexpr size_t kStride = 4096;
        TextIndex keys;
        bool hasEmpty = false;
        for (size_t i = 0; i < members.size(); ++i) {
            const std::string_view key = members[i].key;
            const uint32_t before = keys.size();
            keys.add(key, [](std::string_view text) { return text; });
            if (key.empty() ? hasEmpty : keys.size() == before) {
                return true;
            }
            hasEmpty = hasEmpty || key.empty();
            if (i % kStride == 0 && m_job != nullptr && m_job->stopRequested()) {
                return false;
            }
        }
        return false;
    }
    uint64_t seen = 0;
    bool hasEmpty = false;
    for (size_t i = 0; i < members.size(); ++i) {
        const std::string_view key = members[i].key;
        if (key.empty()) {
            if (std::exchange(hasEmpty, true)) {
                return true;
            }
            continue;
        }
        // A bit of a 64-bit set stands for several keys, so a bit that is set asks for a closer look.
        const uint64_t mixed = key.size() * 7 + static_cast<unsigned char>(key.front()) * 5U +
                               static_cast<unsigned char>(key.back()) * 11U;
        const uint64_t bit = uint64_t{1} << (mixed & 63U);
        if ((seen & bit) != 0) {
            for (size_t k = 0; k < i; ++k) {
                if (members[k].key == key) {
                    return true;
                }
            }
        }
        seen |= bit;
    }
    return false;
}

EventDecoder::Text EventDecoder::textOf(std::string_view value) {
    if (isNothing(value)) {
        return {};
    }
    const std::string_view inner = isQuoted(value) ? value.substr(1, value.size() - 2) : value;
    if (m_isPlain || isPlainString(inner)) {
        return {m_texts->intern(inner).value, false};
    }
    m_buffer.clear();
    m_oddities |= appendDecoded(inner, m_buffer);
    return {m_texts->intern(m_buffer).value, false};
}

/// A file has few categories, so the last ones are found by a comparison.
uint32_t EventDecoder::categoryOf(std::string_view value) {
    const size_t size = value.size();
    if (!m_isPlain || size < 3 || value.front() != '"') {
        return textOf(value).id;
    }
    RecentText& recent =
        m_recentCategories[(size + static_cast<unsigned char>(value[1]) + static_cast<unsigned char>(value[size - 2])) %
                           m_recentCategories.size()];
    const std::string_view inner = value.substr(1, size - 2);
    if (recent.text != inner) {
        recent.number = m_texts->intern(inner).value;
        recent.text = textOfNumber(recent.number);
    }
    return recent.number;
}

/// Events of a few tracks take turns, so the last ones are found by a comparison.
uint32_t EventDecoder::trackOf(std::string_view pid, std::string_view tid) {
    const auto lastOf = [](std::string_view text) {
        return text.empty() ? 0U : static_cast<unsigned char>(text.back());
    };
    RecentTrack& recent = m_recentTracks[(lastOf(pid) * 5 + lastOf(tid) + tid.size() * 3) % m_recentTracks.size()];
    if (recent.track != kNoIndex && recent.tid == tid && recent.pid == pid) {
        return recent.track;
    }
    const Text pidText = textOf(pid);
    const Text tidText = textOf(tid);
    const RawTrack track{pidText.isMissing ? kNoIndex : pidText.id, tidText.isMissing ? kNoIndex : tidText.id};
    const auto [it, isNew] =
        m_trackByKey.try_emplace(uint64_t{track.pid} << 32 | track.tid, static_cast<uint32_t>(m_batch->tracks.size()));
    if (isNew) {
        m_batch->tracks.push_back(track);
    }
    recent = {pid, tid, it->second};
    return it->second;
}

void EventDecoder::takeId(std::string_view value, RawEvent& event) {
    const std::string_view digits = isQuoted(value) ? value.substr(1, value.size() - 2) : value;
    const std::optional<uint64_t> number = idNumber(digits);
    event.idIsNumber = number.has_value();
    event.id = number ? *number : textOf(value).id;
}

void EventDecoder::decodeId(const EventSlots& slots, RawEvent& event) {
    event.hasId = !isNothing(slots[Slot::Id]);
    if (event.hasId) {
        takeId(slots[Slot::Id], event);
        return;
    }
    std::vector<Member> members;
    const std::string_view id2 = slots[Slot::Id2];
    if (id2.empty() || id2.front() != '{' ||
        scanObject(id2, 0, m_options.maxArgsDepth, members).status != ScanStatus::Ok) {
        return;
    }
    for (const Member& member : members) {
        if ((member.key == "global" || member.key == "local") && !isNothing(member.value)) {
            takeId(member.value, event);
            event.hasId = true;
            event.hasLocalId = member.key == "local";
        }
    }
}

std::string EventDecoder::describe(const RawEvent& event) const {
    const RawTrack& track = m_batch->tracks[event.track];
    const auto text = [&](uint32_t id) { return id == kNoIndex ? std::nullopt : std::optional(textOfNumber(id)); };
    return describeTrackIds(text(track.pid), text(track.tid), isDeviceSide(event.kind));
}

void EventDecoder::note(std::string_view code, Severity severity, const RawEvent& event) {
    BatchIssue& issue = m_batch->issue(code, severity, event.source.offset);
    if (issue.count == 1) {
        issue.detail = describe(event);
    }
}

void EventDecoder::reportOddities(uint32_t oddities, uint64_t offset) {
    struct Entry {
        Oddity oddity;
        std::string_view code;
        Severity severity;
    };
    static constexpr Entry kEntries[] = {
        {kOddWord, "nonfinite_number", Severity::Warning},
        {kBadUtf8, "invalid_utf8", Severity::Warning},
        {kControlCharacter, "control_character", Severity::Warning},
        {kBadEscape, "invalid_escape", Severity::Warning},
        {kStrayComma, "invalid_json", Severity::Info},
        {kDuplicateKey, "duplicate_key", Severity::Info},
        {kTooDeep, "too_deep", Severity::Warning},
    };
    for (const Entry& entry : kEntries) {
        if ((oddities & entry.oddity) != 0) {
            m_batch->issue(entry.code, entry.severity, offset);
        }
    }
}

std::optional<TimeNs> EventDecoder::microsOf(std::string_view value, DecimalError& error) const {
    return m_isPadded && !isQuoted(value) ? nsFromPaddedMicrosText(value, &error)
                                          : nsFromMicrosText(unquotedTrimmed(value), &error);
}

bool EventDecoder::readTime(std::string_view value, RawEvent& event) {
    DecimalError error = DecimalError::NotANumber;
    std::optional<TimeNs> time;
    if (!isNothing(value)) {
        time = microsOf(value, error);
    }
    if (!time) {
        note(error == DecimalError::OutOfRange ? "outlier" : "bad_timestamp", Severity::DataLoss, event);
        return false;
    }
    event.timeNs = *time;
    return true;
}

bool EventDecoder::readDuration(std::string_view value, RawEvent& event) {
    DecimalError error = DecimalError::NotANumber;
    std::optional<DurationNs> duration;
    if (!isNothing(value)) {
        duration = microsOf(value, error);
    }
    if (!duration && error == DecimalError::NotANumber) {
        event.durationNs = kUnknownDuration;
        note("missing_duration", Severity::Warning, event);
        return true;
    }
    const std::string_view text = unquotedTrimmed(value);
    const bool isNegative =
        text.starts_with('-') &&
        text.substr(0, text.find_first_of("eE")).find_first_of("123456789") != std::string_view::npos;
    if (!duration && !isNegative) {
        note("outlier", Severity::DataLoss, event);
        return false;
    }
    event.durationNs = duration.value_or(0);
    if (isNegative) {
        event.durationNs = 0;
        event.sliceFlags |= kSliceBadTime;
        note("negative_duration", Severity::Warning, event);
    }
    return true;
}

void EventDecoder::decodeMetadata(std::span<const Member> args, RawEvent& event) {
    RawMetadata metadata;
    metadata.event = static_cast<uint32_t>(m_batch->events.size());
    const std::string_view name = textOfNumber(event.name);
    const std::string_view wanted = name.ends_with("_sort_index") ? "sort_index"
                                    : name == "process_labels"    ? "labels"
                                                                  : "name";
    for (const Member& member : args) {
        if (member.key != wanted) {
            continue;
        }
        if (wanted == "sort_index") {
            metadata.sortIndex = wholeNumber(member.value);
            constexpr double kExact = 9007199254740992.0;
            if (const auto real = metadata.sortIndex ? std::nullopt : realNumber(member.value);
                real && std::abs(*real) < kExact) {
                metadata.sortIndex = static_cast<int64_t>(std::floor(*real));
            }
        } else {
            const Text text = textOf(member.value);
            metadata.text = text.isMissing ? kNoIndex : text.id;
        }
    }
    m_batch->sawNode = m_batch->sawNode || (name == "node" && textOfNumber(event.category) == "__metadata");
    if (metadata.text != kNoIndex && name == "process_name") {
        m_batch->sawJax = m_batch->sawJax || isXlaProcess(textOfNumber(metadata.text));
    }
    if (metadata.text != kNoIndex || metadata.sortIndex) {
        m_batch->metadata.push_back(metadata);
    }
}

void EventDecoder::decodeCounter(std::span<const Member> args, const RawEvent& event) {
    std::unordered_map<std::string_view, size_t> last;
    if ((m_oddities & kDuplicateKey) != 0) {
        for (size_t i = 0; i < args.size(); ++i) {
            last[args[i].key] = i;
        }
    }
    for (size_t i = 0; i < args.size(); ++i) {
        const Member& member = args[i];
        if (!last.empty() && last.at(member.key) != i) {
            continue;  // the last of equal keys counts
        }
        RawSample sample;
        sample.event = static_cast<uint32_t>(m_batch->events.size());
        sample.series = m_texts->intern(member.key).value;
        const std::optional<double> real = realNumber(member.value);
        sample.value = real.value_or(std::numeric_limits<double>::quiet_NaN());
        m_oddities |= real || isNothing(member.value) ? 0U : kOddWord;
        // 007 is no number in JSON, whatever its digits say.
        sample.whole = real ? wholeNumber(member.value) : std::nullopt;
        if (!sample.whole && isRounded(unquotedTrimmed(member.value), sample.value)) {
            note("rounded_number", Severity::Info, event);
        }
        m_batch->samples.push_back(sample);
    }
}

bool EventDecoder::decode(std::span<const Member> fields, std::span<const Member> args, const EventText& text) {
    if (fields.empty()) {
        return false;  // {}: JAX ends its list with one; it holds nothing
    }
    if (!text.isPlain) {
        fields = m_plainFields.of(fields);
        args = m_plainArgs.of(args);
    }
    m_slots.clear();
    for (const Member& member : fields) {
        m_slots.set(slotOfField(member.key), member.value);
    }
    for (const Member& member : args) {
        m_slots.set(slotOfArg(member.key), member.value);
    }
    EventText seen = text;
    const bool isRepeated = hasRepeatedKey(fields) || hasRepeatedKey(args);
    if (isRepeated && isTwoEvents(fields)) {
        ++m_batch->objects;
        m_batch->issue("invalid_json", Severity::DataLoss, text.source.offset);
        m_batch->hasGarbledText = true;
        return false;
    }
    if (isRepeated) {
        seen.oddities |= kDuplicateKey;
    }
    if (const std::string_view argsText = m_slots[Slot::Args]; !text.isStrict && !argsText.empty()) {
        m_buffer.clear();
        seen.oddities |= appendStrictJson(argsText, m_options.maxArgsDepth, m_buffer, m_job);
    }
    decode(m_slots, args, seen);
    return !isRepeated;
}

void EventDecoder::decode(const EventSlots& slots, std::span<const Member> args, const EventText& text) {
    EventBatch& batch = *m_batch;
    ++batch.objects;
    m_oddities = text.oddities;
    m_isPlain = text.isPlain;
    m_isPadded = text.isPadded;
    const SourceRef source = text.source;
    const std::string_view nameText = slots[Slot::Name];
    const bool isPlainName = m_isPlain && isQuoted(nameText);
    StringPool::Candidate nameCandidate;
    if (isPlainName) {
        nameCandidate = m_texts->prepare(nameText.substr(1, nameText.size() - 2));
    }

    RawEvent event;
    event.source = source;
    event.track = trackOf(slots[Slot::Pid], slots[Slot::Tid]);
    const std::string_view phaseText = unquotedTrimmed(slots[Slot::Phase]);
    const auto phase = phaseText.size() == 1 ? phaseOf(phaseText[0]) : std::nullopt;
    if (!phase) {
        batch.hasNoPhase = batch.hasNoPhase || slots[Slot::Phase].empty();
        BatchIssue& issue = batch.issue("unknown_phase", Severity::DataLoss, source.offset);
        if (issue.count == 1) {
            m_buffer.clear();
            appendDecoded(phaseText.substr(0, 40), m_buffer);
            issue.detail = (slots[Slot::Phase].empty() ? "no phase" : "phase " + m_buffer) + ", " + describe(event);
        }
        reportOddities(m_oddities, source.offset);
        return;
    }
    event.role = phase->role;
    event.phase = phase->normalised;
    event.category = categoryOf(slots[Slot::Category]);
    if (event.category >= m_meanings.size()) {
        m_meanings.resize(event.category + 64);
        m_meaningKnown.resize(event.category + 64, false);
    }
    if (!m_meaningKnown[event.category]) {
        m_meaningKnown[event.category] = true;
        m_meanings[event.category] = meaningOfCategory(textOfNumber(event.category));
    }
    batch.sawKineto = batch.sawKineto || m_meanings[event.category].isKineto;
    event.kind = m_meanings[event.category].kind;

    const bool needsTime = event.role != EventRole::Metadata;
    if ((needsTime && !readTime(slots[Slot::Ts], event)) ||
        (event.role == EventRole::Slice && !readDuration(slots[Slot::Dur], event))) {
        reportOddities(m_oddities, source.offset);
        return;
    }
    const Text name = isPlainName ? Text{m_texts->intern(nameCandidate).value, false} : textOf(nameText);
    event.name = name.id;
    if (name.isMissing && event.role != EventRole::End && event.role != EventRole::Flow && event.phase != 'e') {
        note("missing_name", Severity::Info, event);
    }
    const auto index = static_cast<uint32_t>(batch.events.size());
    switch (event.role) {
        case EventRole::Slice:
        case EventRole::Begin:
            readSliceArgs(slots, event, index, *m_texts, batch);
            if (isTimeTraceTotal(slots[Slot::Name], slots[Slot::Ts], args)) {
                batch.totals.push_back(event.track);
                event.sliceFlags |= kSliceIsSum;
            }
            break;
        case EventRole::Instant:
            if (const std::string_view scope = unquotedTrimmed(slots[Slot::InstantScope]); scope.size() == 1) {
                event.scope = scope[0];
            }
            readMemoryMark(textOfNumber(event.name), args, event, index, batch);
            break;
        case EventRole::Async:
            decodeId(slots, event);
            event.shapes = textOf(slots[Slot::IdScope]).id;
            break;
        case EventRole::Flow:
            decodeId(slots, event);
            event.bindsToEnclosing = unquotedTrimmed(slots[Slot::BindingPoint]) == "e";
            break;
        case EventRole::Counter:
            decodeId(slots, event);
            decodeCounter(args, event);
            if (batch.samples.empty() || batch.samples.back().event != index) {
                note("counter_without_value", Severity::DataLoss, event);
                reportOddities(m_oddities, source.offset);
                return;
            }
            break;
        case EventRole::Metadata:
            decodeMetadata(args, event);
            break;
        case EventRole::End:
            break;
    }
    if (m_oddities != 0) {
        if (!text.isStrict && event.shapes != 0) {
            m_buffer.clear();
            appendStrictJson(textOfNumber(event.shapes), m_options.maxArgsDepth, m_buffer);
            event.shapes = m_texts->intern(m_buffer).value;
        }
        reportOddities(m_oddities, source.offset);
    }
    batch.events.push_back(event);
    if (!isNothing(slots[Slot::BindId]) && (event.role == EventRole::Slice || event.role == EventRole::Begin)) {
        decodeBinding(slots, event);
    }
}

/// The newer way of arrows: a slice itself says that one leaves it or arrives.
void EventDecoder::decodeBinding(const EventSlots& slots, const RawEvent& slice) {
    const bool arrives = slots[Slot::FlowIn] == "true";
    const bool leaves = slots[Slot::FlowOut] == "true";
    if (!arrives && !leaves) {
        return;
    }
    RawEvent flow;
    flow.role = EventRole::Flow;
    flow.phase = arrives && leaves ? 't' : arrives ? 'f' : 's';
    flow.bindsToEnclosing = true;
    flow.timeNs = slice.timeNs;
    flow.name = slice.name;
    flow.track = slice.track;
    flow.source = slice.source;
    takeId(slots[Slot::BindId], flow);
    flow.hasId = true;
    m_batch->events.push_back(flow);  // without a category: the two ends may have different ones
}

}  // namespace warpline::loaders::chrome_trace
