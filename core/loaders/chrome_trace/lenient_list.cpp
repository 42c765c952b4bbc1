// SPDX-License-Identifier: MIT
#include "core/loaders/chrome_trace/lenient_list.h"

#include <algorithm>
#include <string>

namespace warpline::loaders::chrome_trace {

namespace {

constexpr size_t kNone = std::string_view::npos;
/// What a guess at an event's start looks back at: blanks before it on its line, and what stands before these.
constexpr size_t kLookBackBytes = 512;

/// Keys with escapes or bad bytes get their meaning, which lives as long as `texts`. Returns the oddities.
uint32_t decodeKeys(std::vector<Member>& members, StringPool& texts) {
    uint32_t oddities = 0;
    for (Member& member : members) {
        if (!isPlainString(member.key)) {
            std::string key;
            oddities |= appendDecoded(member.key, key);
            member.key = texts.view(texts.intern(key));
        }
    }
    return oddities;
}

bool hasPhase(const std::vector<Member>& members) {
    return std::ranges::any_of(members, [](const Member& m) { return m.key == "ph"; });
}

}  // namespace

/// What an item turned out to be that did not end as it should.
enum class LenientList::Unended {
    NeedMore,  ///< it takes more text to tell
    Ended,     ///< it does end
    Resume,    ///< an event of the list stands in it
    Broken,
};

LenientList::LenientList(const LoadOptions& options, const JobControl* job, EventDecoder& decoder)
    : m_options(options), m_job(job), m_decoder(decoder) {}

void LenientList::begin(const ListLook& list) {
    m_list = list;
    m_openBrackets = 0;
}

ListScan LenientList::read(std::string_view text, uint64_t textOffset, bool isLast, const ListPlace& place,
                           size_t stopAt, StringPool& texts, EventBatch& batch) {
    m_text = text;
    m_offset = textOffset;
    m_isLast = isLast;
    m_pos = 0;
    m_texts = &texts;
    m_batch = &batch;
    m_at = place;
    m_result = {};
    while (!m_at.inGarbage || leaveGarbage()) {
        skipCommas();
        m_result.consumed = m_pos;
        if (m_pos >= text.size() || m_pos >= stopAt || item(text[m_pos]) == Step::Stop) {
            break;
        }
    }
    m_result.place = m_at;
    return m_result;
}

void LenientList::skipCommas() {
    while ((m_pos = skipBlank(m_text, m_pos)) < m_text.size() && m_text[m_pos] == ',') {
        if (m_at.afterComma) {
            mend();
        }
        m_at.afterComma = true;
        ++m_pos;
    }
}

/// Counts the item at hand as lost.
void LenientList::lose(std::string_view code) {
    m_batch->issue(code, Severity::DataLoss, m_offset + m_pos);
    m_batch->hasGarbledText = m_batch->hasGarbledText || code != "not_an_event";
    m_at = {.afterLoss = true};
}

/// What stands at `m_pos` cannot be read. Counted unless it belongs to an item that is lost already.
void LenientList::beginGarbage(bool isCounted) {
    if (isCounted) {
        lose("invalid_json");
    }
    m_batch->hasGarbledText = true;
    m_at = {.afterLoss = true, .inGarbage = true};
}

/// The item at hand is broken and cannot be read beyond `end`. There an event can begin, or, where a string without its
/// end has reached up to that event's first key, a little before.
void LenientList::broken(size_t end) {
    beginGarbage(true);
    m_pos = std::max(swallowedStart(m_text, end), m_pos + 1);
}

void LenientList::mendComma() {
    if (missesComma() && m_list.expectsCommas) {
        mend();
    }
}

/// The item at hand is lost, but in it stands an event of the list.
void LenientList::goInside(size_t next) {
    lose("invalid_json");
    m_pos = next;
}

LenientList::Step LenientList::needMore() {
    m_result.inEvent = true;
    return Step::Stop;
}

/// Goes to the next place where reading can go on: an event's start or the list's end. False if there is none yet.
bool LenientList::leaveGarbage() {
    size_t pos = std::max(m_pos, m_at.seen);
    while (pos < m_text.size()) {
        const char c = m_text[pos];
        if (c != '{' && c != ']') {
            ++pos;
            continue;
        }
        if (!m_isLast && m_text.size() - pos < kGuessBytes) {
            break;
        }
        bool isFound = c == ']' && looksLikeListEnd(m_text, pos, m_isLast);
        size_t next = pos + 1;
        if (c == '{' && looksLikeEventStart(m_text, pos)) {
            const Scan scan = scanObject(m_text, pos, m_options.maxArgsDepth, m_fields, m_job);
            isFound = scan.status == ScanStatus::NeedMore || hasPhase(m_fields);
            // On from where that went wrong: to look at each bracket before it again would take forever.
            next = std::max(scan.status == ScanStatus::Broken ? swallowedStart(m_text, scan.end) : scan.end, next);
        }
        if (isFound) {
            m_at.inGarbage = false;
            m_pos = pos;
            return true;
        }
        pos = next;
    }
    pos = std::min(pos, m_text.size());
    m_result.consumed = m_isLast ? m_text.size() : pos - std::min(pos, kLookBackBytes);
    m_at.seen = pos - std::min(pos, m_result.consumed);
    return false;
}

LenientList::Step LenientList::item(char c) {
    if (c == ']' || c == '}') {
        return brackets(c);
    }
    if (const size_t end = commentEnd(m_text, m_pos, m_isLast); end != m_pos) {
        if (end == kNone) {
            return needMore();
        }
        mend();
        m_pos = end;
        return Step::Go;
    }
    if (c == '[' || c == '"' || c == ':') {
        const Nested nested = beginsEvents(m_text, m_pos, m_isLast);
        if (nested == Nested::NeedMore) {
            return needMore();
        }
        if (nested == Nested::Yes) {
            mendComma();
            mend();
            if (c == '[') {
                m_result.hasStrayBracket = true;
                ++m_openBrackets;
            }
            m_at = {.afterLoss = m_at.afterLoss};
            ++m_pos;
            return Step::Go;
        }
    }
    return c == '{' ? object() : value(c);
}

LenientList::Step LenientList::brackets(char c) {
    if (c == ']' && m_openBrackets > 0) {
        if (!m_isLast && m_text.size() - m_pos < kGuessBytes) {
            return Step::Stop;
        }
        if (!looksLikeListEnd(m_text, m_pos, m_isLast)) {
            --m_openBrackets;
            m_at.afterEvent = true;
            ++m_pos;
            return Step::Go;
        }
    }
    const Brackets found = lookAtBrackets(m_text, m_pos, m_isLast, !m_at.afterValue);
    switch (found.kind) {
        case Brackets::Kind::NeedMore:
            return Step::Stop;
        case Brackets::Kind::Stray:
            mend();
            m_pos = found.end;
            return Step::Go;
        case Brackets::Kind::Garbage:
            beginGarbage(!m_at.afterLoss);
            ++m_pos;
            return Step::Go;
        case Brackets::Kind::ListEnd:
            break;
    }
    m_result.state = ListState::Ended;
    m_result.consumed = m_pos + (c == ']' ? 1 : 0);
    return Step::Stop;
}

Scan LenientList::scanItem(bool isObject) {
    Scan found = isObject ? scanObject(m_text, m_pos, m_options.maxArgsDepth + 1, m_fields, m_job)
                          : scanValue(m_text, m_pos, m_options.maxArgsDepth, m_job);
    if (!isObject && found.status == ScanStatus::Ok && found.end >= m_text.size() && !m_isLast) {
        found.status = ScanStatus::NeedMore;
    }
    return found;
}

/// An item that is no object. One that is JSON and stands alone between commas is a value in the wrong place; words and
/// quotes that follow one another are the rest of an event, and strings may then reach from one to the next.
LenientList::Step LenientList::value(char c) {
    if (missesComma()) {
        beginGarbage(!m_at.afterLoss);
        return Step::Go;
    }
    Scan scan{ScanStatus::NeedMore, m_pos, 0};
    const bool isKnown = c == '[' && m_items.isInside(m_offset + m_pos);
    if (!isKnown) {
        scan = scanItem(false);
    }
    if (scan.status != ScanStatus::Ok && c == '[') {
        return scanned(scan, false);
    }
    const size_t end = std::min(scan.end, m_text.size());
    const bool isOddString = c == '"' && m_text.substr(m_pos, end - m_pos).find('\n') != kNone;
    const size_t next = skipBlank(m_text, end);
    const bool isCut = next >= m_text.size() || scan.status == ScanStatus::NeedMore;
    if (isCut && !m_isLast && !isOddString) {
        return needMore();
    }
    if (scan.status == ScanStatus::NeedMore && !isOddString) {
        return needMore();
    }
    const bool isAlone = isCut || m_text[next] == ',' || m_text[next] == ']';
    if (scan.status == ScanStatus::Broken || isOddString || (scan.oddities & kOddWord) != 0 || !isAlone) {
        beginGarbage(!m_at.afterLoss);
        ++m_pos;
        return Step::Go;
    }
    return scanned(scan, false);
}

LenientList::Step LenientList::object() {
    mendComma();
    Scan scan{ScanStatus::NeedMore, m_pos, 0};
    if (!m_items.isInside(m_offset + m_pos)) {
        scan = scanItem(true);
    }
    return scanned(scan, true);
}

/// The item at hand, an object or a value that stands alone, has been scanned.
LenientList::Step LenientList::scanned(Scan scan, bool isObject) {
    if (scan.status != ScanStatus::Ok) {
        size_t next = 0;
        switch (lookInto(scan, next)) {
            case Unended::NeedMore:
                return needMore();
            case Unended::Resume:
                goInside(next);
                return Step::Go;
            case Unended::Broken:
                if (const auto event = isObject ? eventAsValue() : std::nullopt) {
                    goInside(*event);
                } else {
                    broken(scan.end);
                }
                return Step::Go;
            case Unended::Ended:
                scan = scanItem(isObject);
                break;
        }
    }
    if (scan.status == ScanStatus::NeedMore) {
        return needMore();
    }
    if (scan.status == ScanStatus::Broken) {
        broken(scan.end);
        return Step::Go;
    }
    if (isObject) {
        if (const auto next = eventInside(scan.end)) {
            goInside(*next);
            return Step::Go;
        }
    }
    if (scan.end - m_pos > m_options.maxEventBytes) {
        lose("event_too_long");
    } else if (!isObject) {
        lose("not_an_event");
        m_at.afterValue = true;
    } else {
        m_at = {.afterLoss = !keepEvent(scan)};
    }
    m_at.afterEvent = isObject;
    m_pos = scan.end;
    return Step::Go;
}

/// False: it is lost, and counted.
bool LenientList::keepEvent(const Scan& scan) {
    const uint32_t oddities = scan.oddities | decodeKeys(m_fields, *m_texts);
    m_args.clear();
    for (const Member& member : m_fields) {
        if (member.key == "args") {
            m_args.clear();
            if (!member.value.empty() && member.value.front() == '{') {
                scanObject(member.value, 0, m_options.maxArgsDepth, m_args, m_job);
            }
        }
    }
    static_cast<void>(decodeKeys(m_args, *m_texts));  // the decoder looks at all texts of the args
    const size_t before = m_batch->events.size();
    m_decoder.decode(m_fields, m_args,
                     {.source = {m_offset + m_pos, static_cast<uint32_t>(scan.end - m_pos)}, .oddities = oddities});
    return m_fields.empty() || m_batch->events.size() != before;
}

/// An item that scanning did not get to the end of, or that an earlier look has gone into and not out of: is an event
/// of the list inside it, at `next`? Each byte is looked at once, for however many items.
LenientList::Unended LenientList::lookInto(Scan& scan, size_t& next) {
    const uint64_t place = m_offset + m_pos;
    const bool mayGrow = !m_isLast && m_text.size() - m_pos <= m_options.maxEventBytes;
    const bool isKnown = m_items.isInside(place);
    if (!isKnown) {
        if (mayGrow && (scan.status == ScanStatus::NeedMore || m_text.size() - scan.end < kGuessBytes)) {
            return Unended::NeedMore;
        }
        m_items.start(place, m_list.column, m_job);
    }
    const ScanStatus status = m_items.run(m_text, m_offset, m_isLast);
    if (!m_items.isInside(place)) {
        return isKnown ? Unended::Ended : Unended::Broken;
    }
    if (status == ScanStatus::NeedMore && mayGrow && scan.status != ScanStatus::Broken) {
        return Unended::NeedMore;
    }
    if (const auto found = m_items.firstEventIn(place)) {
        next = *found - m_offset;
        return Unended::Resume;
    }
    if (isKnown && status == ScanStatus::Broken) {
        scan.status = ScanStatus::Broken;
        scan.end = m_items.end() - m_offset;
    }
    return scan.status == ScanStatus::Broken ? Unended::Broken : Unended::NeedMore;
}

/// An event that stands as the last value in the broken object that was scanned, because what was between is gone.
std::optional<size_t> LenientList::eventAsValue() {
    if (m_fields.empty() || !m_fields.back().value.starts_with('{')) {
        return std::nullopt;
    }
    const std::string_view value = m_fields.back().value;
    scanObject(value, 0, m_options.maxArgsDepth, m_args, m_job);
    const bool isEvent = hasPhase(m_args) &&
                         std::ranges::any_of(m_args, [](const Member& m) { return m.key == "pid" || m.key == "ts"; });
    return isEvent ? std::optional(static_cast<size_t>(value.data() - m_text.data())) : std::nullopt;
}

/// The first event of the list in an object that ended at `end` and is none itself, if there is one. Objects of this
/// sort can be nested, so the looking has a limit.
std::optional<size_t> LenientList::eventInside(size_t end) {
    constexpr uint64_t kMostBytes = uint64_t{64} << 20;
    const bool mayBeEvent =
        std::ranges::any_of(m_fields, [](const Member& m) { return m.key == "ph" || !isPlainString(m.key); });
    if (mayBeEvent || m_lookedInto > kMostBytes) {
        return std::nullopt;
    }
    m_lookedInto += end - m_pos;
    ItemScan scan;
    scan.start(m_offset + m_pos, m_list.column, m_job);
    if (scan.run(m_text.substr(0, end), m_offset, true) != ScanStatus::Ok) {
        return std::nullopt;
    }
    const auto found = scan.firstEventInEnded();
    return found ? std::optional(static_cast<size_t>(*found - m_offset)) : std::nullopt;
}

}  // namespace warpline::loaders::chrome_trace
