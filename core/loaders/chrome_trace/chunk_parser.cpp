// SPDX-License-Identifier: MIT
#include "core/loaders/chrome_trace/chunk_parser.h"

#include <algorithm>
#include <string>

#include "core/loaders/chrome_trace/event_decoder.h"
#include "core/loaders/chrome_trace/event_look.h"
#include "core/loaders/chrome_trace/json_text.h"
#include "core/loaders/chrome_trace/known_layouts.h"
#include "core/loaders/chrome_trace/lenient_list.h"
#include "core/loaders/chrome_trace/strict_walker.h"

namespace warpline::loaders::chrome_trace {

struct ChunkParser::State {
    State(const LoadOptions& o, const JobControl* j)
        : options(o), decoder(o, j), layouts(o.maxArgsDepth), walker(o.maxArgsDepth), lenient(options, j, decoder) {
        // A SourceRef counts 32 bits.
        options.maxEventBytes = std::min<uint64_t>(options.maxEventBytes, UINT32_MAX);
    }

    LoadOptions options;
    EventDecoder decoder;
    KnownLayouts layouts;
    bool usesLayouts = true;  ///< they are of use in the current text
    uint32_t hits = 0;        ///< events of it whose layout was known
    uint32_t misses = 0;
    StrictWalker walker;
    size_t walkedFrom = 0, walkedTo = 0;  ///< the part of the text that the walker has
    LenientList lenient;
    std::shared_ptr<StringPool> texts = std::make_shared<StringPool>();
    uint32_t handedOver = 1;  ///< texts that batches have had; all know ""

    bool strict(std::string_view text, uint64_t textOffset, EventBatch& batch);
    bool startWalk(std::string_view text, size_t pos, size_t length);
    bool walk(std::string_view text, size_t pos);
    void weighLayouts();
    void limitTexts();
    void handOver(EventBatch& batch);
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

ListScan ChunkParser::parseLenient(std::string_view text, uint64_t textOffset, bool isLast, const ListPlace& place,
                                   size_t stopAt, EventBatch& batch) {
    m_state->limitTexts();
    m_state->decoder.begin(batch, m_state->texts);
    const ListScan result = m_state->lenient.read(text, textOffset, isLast, place, stopAt, *m_state->texts, batch);
    m_state->handOver(batch);
    return result;
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
        if (comma == std::string_view::npos || text[comma] != ',') {
            continue;
        }
        const size_t brace = lastInk(text, comma);
        if (brace != std::string_view::npos && text[brace] == '}' && hasEventKeyAt(text, skipBlank(text, pos + 1))) {
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
    m_state->lenient.begin(list);
}

ChunkParser::ChunkParser(const LoadOptions& options, const JobControl* job)
    : m_state(std::make_unique<State>(options, job)) {}
ChunkParser::~ChunkParser() = default;

}  // namespace warpline::loaders::chrome_trace
