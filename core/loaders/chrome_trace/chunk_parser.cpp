// SPDX-License-Identifier: MIT
#include "core/loaders/chrome_trace/chunk_parser.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/loaders/chrome_trace/event_decoder.h"
#include "core/loaders/chrome_trace/event_look.h"
#include "core/loaders/chrome_trace/item_scan.h"
#include "core/loaders/chrome_trace/json_text.h"
#include "core/loaders/chrome_trace/known_layouts.h"
#include "core/loaders/chrome_trace/strict_walker.h"

namespace warpline::loaders::chrome_trace {

namespace {

constexpr size_t kNone = std::string_view::npos;
struct Brackets {
    bool isStray = false;    ///< an event follows, so the list goes on
    bool needsMore = false;  ///< it takes more text to tell
    size_t end = 0;
};

/// Looks at the closing brackets from `pos` on.
Brackets lookAtBrackets(std::string_view text, size_t pos, bool isLast) {
    constexpr size_t kMost = 4096;
    Brackets found;
    found.end = pos;
    size_t next = pos;
    while (next < text.size() && next - pos < kMost && (text[next] == '}' || text[next] == ']')) {
        found.end = next + 1;
        next = skipBlank(text, next + 1);
    }
    const bool hasComma = next < text.size() && text[next] == ',';
    if (next < text.size() && !hasComma && text[next] != '{') {
        return found;
    }
    next = hasComma ? skipBlank(text, next + 1) : next;
    if (!isLast && (next >= text.size() || (text[next] == '{' && text.size() - next < kGuessBytes))) {
        found.needsMore = true;
        return found;
    }
    found.isStray = next < text.size() && text[next] == '{' && hasEventKeyAt(text, skipBlank(text, next + 1));
    if (found.isStray && !hasComma) {
        // Another document can follow so too.
        found.isStray = lookAtObject(text.substr(next), UINT32_MAX).kind == ObjectLook::Kind::Event;
        found.needsMore = !found.isStray && !isLast && text.size() - next < kLookBytes;
    }
    return found;
}

/// The end of the comment that starts at `pos`, which JSON does not have; `pos` if there is none, npos if it goes on.
size_t commentEnd(std::string_view text, size_t pos, bool isLast) {
    const std::string_view mark = text.substr(pos, 2);
    if (mark == "/" && !isLast) {
        return kNone;
    }
    if (mark != "//" && mark != "/*") {
        return pos;
    }
    const size_t end = mark == "//" ? text.find('\n', pos) : text.find("*/", pos + 2);
    return end != kNone ? end + (mark == "//" ? 1 : 2) : isLast ? text.size() : kNone;
}

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

}  // namespace

namespace {

/// Where to look for an event behind a place where reading broke: there, or at the start of the event that stands
/// before it because a string without its end reached up to that event's first key.
size_t swallowedStart(std::string_view text, size_t broken) {
    const size_t quote = lastInk(text, std::min(broken, text.size()));
    const size_t brace = quote != kNone && text[quote] == '"' ? lastInk(text, quote) : kNone;
    return brace != kNone && text[brace] == '{' && hasEventKeyAt(text, quote) ? brace : broken;
}

/// What an item turned out to be that did not end as it should.
enum class Unended {
    NeedMore,  ///< it takes more text to tell
    Ended,     ///< it does end
    Resume,    ///< an event of the list stands in it
    Broken,
};

/// Does a list of events begin with the `[` at `pos`?
/// Or, of a `"`: is it one too many, in front of an event?
enum class Nested { No, Yes, NeedMore };
Nested beginsEvents(std::string_view text, size_t pos, bool isLast) {
    size_t next = skipBlank(text, pos + 1);
    while (next < text.size() && text[next] == ',') {
        next = skipBlank(text, next + 1);
    }
    if (!isLast && (next >= text.size() || (text[next] == '{' && text.size() - next < kGuessBytes))) {
        return Nested::NeedMore;
    }
    const bool isEvent = next < text.size() && text[next] == '{' && hasEventKeyAt(text, skipBlank(text, next + 1));
    return isEvent ? Nested::Yes : Nested::No;
}

}  // namespace

struct ChunkParser::State {
    State(const LoadOptions& o, const JobControl* j)
        : options(o), job(j), decoder(o, j), layouts(o.maxArgsDepth), walker(o.maxArgsDepth) {
        // A SourceRef counts 32 bits.
        options.maxEventBytes = std::min<uint64_t>(options.maxEventBytes, UINT32_MAX);
    }

    LoadOptions options;
    const JobControl* job;
    ListLook list;
    EventDecoder decoder;
    KnownLayouts layouts;
    bool usesLayouts = true;  ///< they are of use in the current text
    uint32_t hits = 0;        ///< events of it whose layout was known
    uint32_t misses = 0;
    StrictWalker walker;
    size_t walkedFrom = 0, walkedTo = 0;  ///< the part of the text that the walker has
    std::vector<Member> fields, args;
    ItemScan items;             ///< of the item that did not end as it should, and on from there
    uint32_t openBrackets = 0;  ///< `[` that stood between events
    uint64_t lookedInto = 0;    ///< bytes of items that ended and were looked into all the same
    std::shared_ptr<StringPool> texts = std::make_shared<StringPool>();
    uint32_t handedOver = 1;  ///< texts that batches have had; all know ""

    bool strict(std::string_view text, uint64_t textOffset, EventBatch& batch);
    bool startWalk(std::string_view text, size_t pos, size_t length);
    bool walk(std::string_view text, size_t pos);
    void weighLayouts();
    ListScan lenient(std::string_view text, uint64_t textOffset, bool isLast, bool inGarbage, size_t stopAt,
                     EventBatch& batch);
    void limitTexts();
    void handOver(EventBatch& batch);
    void lenientEvent(size_t pos, const Scan& scan, uint64_t textOffset);
    size_t resume(std::string_view text, size_t pos, bool isLast, bool& isListEnd);
    Unended lookInto(std::string_view text, size_t pos, uint64_t textOffset, bool isLast, Scan& scan, size_t& next);
    std::optional<size_t> eventInside(std::string_view text, size_t pos, size_t end, uint64_t textOffset);
};

bool ChunkParser::State::startWalk(std::string_view text, size_t pos, size_t length) {
    walkedFrom = pos;
    walkedTo = pos + length;
    return walker.start(text.substr(pos, length));
}

/// Reads the event at `pos` as strict JSON of any layout. To make the walker's index of the whole text for one event
/// would cost as much as reading all, so it gets a piece that seems to end between two events; where that guess was
/// wrong, all the rest.
bool ChunkParser::State::walk(std::string_view text, size_t pos) {
    constexpr size_t kPieceBytes = size_t{8} << 10;
    const size_t rest = text.size() - pos;
    if (pos >= walkedTo) {
        const size_t cut = usesLayouts ? findCut(text.substr(pos, kPieceBytes)) : 0;
        if (!startWalk(text, pos, cut != 0 ? cut : rest)) {
            walkedTo = pos;
        }
    }
    if (walkedTo > pos && walker.read(pos - walkedFrom)) {
        return true;
    }
    return walkedTo != text.size() && startWalk(text, pos, rest) && walker.read(0);
}

/// Where nearly each event has a layout of its own, to look for known ones is of no use.
void ChunkParser::State::weighLayouts() {
    constexpr uint32_t kFew = 256;
    usesLayouts = misses < kFew || misses / 4 < hits;
}

bool ChunkParser::State::strict(std::string_view text, uint64_t textOffset, EventBatch& batch) {
    if (layouts.isFull() && misses > hits) {
        layouts.forget();
    }
    usesLayouts = true;
    hits = misses = 0;
    walkedTo = 0;
    decoder.begin(batch, texts);
    for (size_t pos = 0;;) {
        const bool isKnown = usesLayouts && layouts.read(text, pos);
        if (!isKnown && !walk(text, pos)) {
            return false;
        }
        const size_t end = isKnown ? layouts.end() : walkedFrom + walker.end();
        if (end - pos > options.maxEventBytes) {
            return false;
        }
        EventText event{{textOffset + pos, static_cast<uint32_t>(end - pos)}, 0, isKnown, true, isKnown};
        if (isKnown) {
            ++hits;
            decoder.decode(layouts.values(), layouts.args(), event);
        } else {
            ++misses;
            event.isPlain = !walker.hasEscapes();
            if (decoder.decode(walker.fields(), walker.args(), event) && usesLayouts) {
                layouts.learn(text.substr(pos, end - pos), walker.fields(), walker.args());
                weighLayouts();
            }
        }
        pos = skipBlank(text, end);
        if (pos >= text.size()) {
            return !batch.hasNoPhase;  // an object that is no event may have swallowed some
        }
        if (text[pos] != ',') {
            return false;
        }
        pos = skipBlank(text, pos + 1);
    }
}

bool ChunkParser::parseStrict(std::string_view text, uint64_t textOffset, EventBatch& batch) {
    m_state->limitTexts();
    const bool isStrict = m_state->strict(text, textOffset, batch);
    if (isStrict) {
        m_state->handOver(batch);
    } else {
        batch.clear();
    }
    return isStrict;
}

void ChunkParser::State::lenientEvent(size_t pos, const Scan& scan, uint64_t textOffset) {
    const uint32_t oddities = scan.oddities | decodeKeys(fields, *texts);
    args.clear();
    for (const Member& member : fields) {
        if (member.key == "args") {
            args.clear();
            if (!member.value.empty() && member.value.front() == '{') {
                scanObject(member.value, 0, options.maxArgsDepth, args, job);
            }
        }
    }
    static_cast<void>(decodeKeys(args, *texts));  // the decoder looks at all texts of the args
    decoder.decode(fields, args,
                   {.source = {textOffset + pos, static_cast<uint32_t>(scan.end - pos)}, .oddities = oddities});
}

/// An item that scanning did not get to the end of, or that an earlier look has gone into and not out of: is an event
/// of the list inside it, at `next`? Each byte is looked at once, for however many items.
Unended ChunkParser::State::lookInto(std::string_view text, size_t pos, uint64_t textOffset, bool isLast, Scan& scan,
                                     size_t& next) {
    const uint64_t place = textOffset + pos;
    const bool mayGrow = !isLast && text.size() - pos <= options.maxEventBytes;
    const bool isKnown = items.isInside(place);
    if (!isKnown) {
        if (mayGrow && (scan.status == ScanStatus::NeedMore || text.size() - scan.end < kGuessBytes)) {
            return Unended::NeedMore;
        }
        items.start(place, list.column, job);
    }
    const ScanStatus status = items.run(text, textOffset, isLast);
    if (!items.isInside(place)) {
        return isKnown ? Unended::Ended : Unended::Broken;
    }
    if (status == ScanStatus::NeedMore && mayGrow && scan.status != ScanStatus::Broken) {
        return Unended::NeedMore;
    }
    if (const auto found = items.firstEventIn(place)) {
        next = *found - textOffset;
        return Unended::Resume;
    }
    if (isKnown && status == ScanStatus::Broken) {
        scan.status = ScanStatus::Broken;
        scan.end = items.end() - textOffset;
    }
    return scan.status == ScanStatus::Broken ? Unended::Broken : Unended::NeedMore;
}

/// The first event of the list in an object that ended and is none itself, if there is one. Objects of this sort can be
/// nested, so the looking has a limit.
std::optional<size_t> ChunkParser::State::eventInside(std::string_view text, size_t pos, size_t end,
                                                      uint64_t textOffset) {
    constexpr uint64_t kMostBytes = uint64_t{64} << 20;
    const bool hasPhase =
        std::ranges::any_of(fields, [](const Member& m) { return m.key == "ph" || !isPlainString(m.key); });
    if (hasPhase || lookedInto > kMostBytes) {
        return std::nullopt;
    }
    lookedInto += end - pos;
    ItemScan scan;
    scan.start(textOffset + pos, list.column, job);
    if (scan.run(text.substr(0, end), textOffset, true) != ScanStatus::Ok) {
        return std::nullopt;
    }
    const auto found = scan.firstEventInEnded();
    return found ? std::optional(static_cast<size_t>(*found - textOffset)) : std::nullopt;
}

/// The next place from `pos` on where reading can go on: an event's start or the list's end; npos if there is none.
size_t ChunkParser::State::resume(std::string_view text, size_t pos, bool isLast, bool& isListEnd) {
    isListEnd = false;
    while (pos < text.size()) {
        if (text[pos] == '{' && looksLikeEventStart(text, pos)) {
            const Scan scan = scanObject(text, pos, options.maxArgsDepth, fields, job);
            const bool hasPhase =
                std::any_of(fields.begin(), fields.end(), [](const Member& m) { return m.key == "ph"; });
            if (hasPhase || scan.status == ScanStatus::NeedMore) {
                return pos;
            }
            // On from where that went wrong: to look at each bracket before it again would take forever.
            pos = std::max(scan.end, pos + 1);
            continue;
        }
        if (text[pos] == ']' && looksLikeListEnd(text, pos, isLast)) {
            isListEnd = true;
            return pos;
        }
        ++pos;
    }
    return kNone;
}

ListScan ChunkParser::parseLenient(std::string_view text, uint64_t textOffset, bool isLast, bool inGarbage,
                                   size_t stopAt, EventBatch& batch) {
    m_state->limitTexts();
    m_state->decoder.begin(batch, m_state->texts);
    const ListScan result = m_state->lenient(text, textOffset, isLast, inGarbage, stopAt, batch);
    m_state->handOver(batch);
    return result;
}

ListScan ChunkParser::State::lenient(std::string_view text, uint64_t textOffset, bool isLast, bool inGarbage,
                                     size_t stopAt, EventBatch& batch) {
    ListScan result;
    size_t pos = 0;
    bool afterEvent = false;
    for (;;) {
        if (inGarbage) {
            afterEvent = false;
            bool isListEnd = false;
            const size_t next = resume(text, pos, isLast, isListEnd);
            if (next == kNone) {
                // What a guess needs to see whole is kept for the next look.
                result.consumed =
                    isLast ? text.size() : std::max(pos, text.size() - std::min(text.size(), kGuessBytes));
                result.inGarbage = true;
                return result;
            }
            inGarbage = false;
            pos = next;
        }
        bool afterComma = false;
        while ((pos = skipBlank(text, pos)) < text.size() && text[pos] == ',') {
            if (afterComma) {
                batch.issue("invalid_json", Severity::Info, textOffset + pos);
            }
            afterComma = true;
            ++pos;
        }
        result.consumed = pos;
        if (pos >= text.size() || pos >= stopAt) {
            return result;
        }
        const char c = text[pos];
        if (c == ']' && openBrackets > 0) {
            if (!isLast && text.size() - pos < kGuessBytes) {
                return result;
            }
            if (!looksLikeListEnd(text, pos, isLast)) {
                --openBrackets;
                afterEvent = true;
                ++pos;
                continue;
            }
        }
        if (c == ']' || c == '}') {
            const Brackets brackets = lookAtBrackets(text, pos, isLast);
            if (brackets.needsMore) {
                return result;
            }
            if (brackets.isStray) {
                batch.issue("invalid_json", Severity::Info, textOffset + pos);
                pos = brackets.end;
                continue;
            }
            result.state = ListState::Ended;
            result.consumed = pos + (c == ']' ? 1 : 0);
            return result;
        }
        if (const size_t end = commentEnd(text, pos, isLast); end != pos) {
            if (end == kNone) {
                result.inEvent = true;
                return result;
            }
            batch.issue("invalid_json", Severity::Info, textOffset + pos);
            afterEvent = afterEvent && !afterComma;
            pos = end;
            continue;
        }
        if (afterEvent && !afterComma && list.expectsCommas) {
            batch.issue("invalid_json", Severity::Info, textOffset + pos);
        }
        const bool isObject = c == '{';
        if (c == '[' || c == '"') {
            const Nested nested = beginsEvents(text, pos, isLast);
            if (nested == Nested::NeedMore) {
                result.inEvent = true;
                return result;
            }
            if (nested == Nested::Yes) {
                batch.issue("invalid_json", Severity::Info, textOffset + pos);
                if (c == '[') {
                    result.hasStrayBracket = true;
                    ++openBrackets;
                }
                afterEvent = false;
                ++pos;
                continue;
            }
        }
        const auto scanItem = [&] {
            Scan found = isObject ? scanObject(text, pos, options.maxArgsDepth + 1, fields, job)
                                  : scanValue(text, pos, options.maxArgsDepth, job);
            if (!isObject && found.status == ScanStatus::Ok && found.end >= text.size() && !isLast) {
                found.status = ScanStatus::NeedMore;
            }
            return found;
        };
        Scan scan{ScanStatus::NeedMore, pos, 0};
        const bool isKnown = items.isInside(textOffset + pos);
        if (!isKnown) {
            scan = scanItem();
        }
        if (scan.status != ScanStatus::Ok && (isObject || c == '[')) {
            size_t next = 0;
            switch (lookInto(text, pos, textOffset, isLast, scan, next)) {
                case Unended::NeedMore:
                    scan.status = ScanStatus::NeedMore;
                    break;
                case Unended::Ended:
                    scan = scanItem();
                    break;
                case Unended::Broken:
                    scan.status = ScanStatus::Broken;
                    break;
                case Unended::Resume:
                    batch.issue("invalid_json", Severity::DataLoss, textOffset + pos);
                    batch.hasGarbledText = true;
                    afterEvent = false;
                    pos = next;
                    continue;
            }
        }
        if (isObject && scan.status == ScanStatus::Ok) {
            if (const auto next = eventInside(text, pos, scan.end, textOffset)) {
                batch.issue("invalid_json", Severity::DataLoss, textOffset + pos);
                batch.hasGarbledText = true;
                afterEvent = false;
                pos = *next;
                continue;
            }
        }
        switch (scan.status) {
            case ScanStatus::NeedMore:
                result.inEvent = true;
                return result;
            case ScanStatus::Ok:
                if (scan.end - pos > options.maxEventBytes) {
                    batch.issue("event_too_long", Severity::DataLoss, textOffset + pos);
                    batch.hasGarbledText = true;
                } else if (isObject) {
                    lenientEvent(pos, scan, textOffset);
                } else if ((scan.oddities & kOddWord) != 0) {
                    batch.issue("invalid_json", Severity::DataLoss, textOffset + pos);
                    batch.hasGarbledText = true;
                } else {
                    batch.issue("not_an_event", Severity::DataLoss, textOffset + pos);
                }
                afterEvent = isObject;
                pos = scan.end;
                break;
            case ScanStatus::Broken:
                batch.issue("invalid_json", Severity::DataLoss, textOffset + pos);
                batch.hasGarbledText = true;
                if (const size_t start = swallowedStart(text, scan.end); start > pos && start < scan.end) {
                    const Scan next = scanObject(text, start, options.maxArgsDepth, fields, job);
                    if (next.status == ScanStatus::Ok) {
                        pos = start;
                        afterEvent = false;
                        break;
                    }
                }
                pos = std::max(scan.end, pos + 1);
                inGarbage = true;
                break;
        }
    }
}

size_t ChunkParser::findCut(std::string_view text) {
    size_t pos = text.size();
    while (pos > 0) {
        const void* found = memrchr(text.data(), '{', pos);
        if (found == nullptr) {
            return 0;
        }
        pos = static_cast<size_t>(static_cast<const char*>(found) - text.data());
        const size_t comma = lastInk(text, pos);
        if (comma == kNone || text[comma] != ',') {
            continue;
        }
        const size_t brace = lastInk(text, comma);
        if (brace != kNone && text[brace] == '}' && hasEventKeyAt(text, skipBlank(text, pos + 1))) {
            return brace + 1;
        }
    }
    return 0;
}

/// Where nearly every text is new, a memory of them is of no use.
void ChunkParser::State::limitTexts() {
    constexpr uint64_t kMostBytes = uint64_t{8} << 20;
    constexpr uint32_t kMostTexts = 1U << 17;
    if (texts->bytes() > kMostBytes || texts->size() > kMostTexts) {
        texts = std::make_shared<StringPool>();
        handedOver = 1;
    }
}

void ChunkParser::State::handOver(EventBatch& batch) {
    batch.firstFresh = handedOver;
    for (; handedOver < texts->size(); ++handedOver) {
        batch.freshTexts.push_back(texts->view(StringId(handedOver)));
    }
}

void ChunkParser::startOver() {
    m_state->texts = std::make_shared<StringPool>();
    m_state->handedOver = 1;
}

void ChunkParser::beginList(const ListLook& list) {
    m_state->list = list;
    m_state->openBrackets = 0;
}

ChunkParser::ChunkParser(const LoadOptions& options, const JobControl* job)
    : m_state(std::make_unique<State>(options, job)) {}
ChunkParser::~ChunkParser() = default;

}  // namespace warpline::loaders::chrome_trace
