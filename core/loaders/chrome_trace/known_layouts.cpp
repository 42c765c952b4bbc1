// SPDX-License-Identifier: MIT
#include "core/loaders/chrome_trace/known_layouts.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "core/loaders/chrome_trace/byte_block.h"

namespace warpline::loaders::chrome_trace {

namespace {

/// Of both, a block more than `size` is readable.
bool isSame(const char* a, const char* b, size_t size) {
    for (; size > kBlockBytes; size -= kBlockBytes, a += kBlockBytes, b += kBlockBytes) {
        if (ByteBlock(a).differing(ByteBlock(b)) != 0) {
            return false;
        }
    }
    return (ByteBlock(a).differing(ByteBlock(b)) & ((1U << size) - 1)) == 0;
}

bool isBlank(char c) {
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/// Is there a whole block between the two?
bool hasBlock(const char* p, const char* end) {
    return end - p >= static_cast<ptrdiff_t>(kBlockBytes);
}

/// From behind the opening quote to behind the closing one; null if the string does not end before `end`, or is
/// anything but plain ASCII without escapes.
const char* plainStringEnd(const char* p, const char* end) {
    for (; hasBlock(p, end); p += kBlockBytes) {
        const ByteBlock block(p);
        const uint32_t found = block.equal('"') | block.equal('\\') | block.notPlain();
        if (found != 0) {
            p += std::countr_zero(found);
            return *p == '"' ? p + 1 : nullptr;
        }
    }
    for (; p < end; ++p) {
        const auto c = static_cast<unsigned char>(*p);
        if (c == '"') {
            return p + 1;
        }
        if (c == '\\' || c < 0x20 || c >= 0x80) {
            return nullptr;
        }
    }
    return nullptr;
}

bool endsWord(char c) {
    return c == ',' || c == '}' || c == ']' || isBlank(c);
}

/// The same as wordEnd(), for any word.
const char* oddWordEnd(const char* p, const char* end) {
    const char* from = p;
    while (p < end && !endsWord(*p)) {
        ++p;
    }
    return p < end && isPlainWord({from, static_cast<size_t>(p - from)}) ? p : nullptr;
}

/// The end of a number, true, false or null that begins at `p`; null if it is none of these.
inline const char* wordEnd(const char* p, const char* end) {
    // Nearly all are short whole numbers or decimals.
    if (hasBlock(p, end) && *p == '0' && endsWord(p[1])) {
        return p + 1;
    }
    if (hasBlock(p, end) && *p >= '1' && *p <= '9') {
        const uint32_t others = ~ByteBlock(p).digits();
        const auto whole = static_cast<unsigned>(std::countr_zero(others));
        if (whole < kBlockBytes && endsWord(p[whole])) {
            return p + whole;
        }
        const auto all = static_cast<unsigned>(std::countr_zero(others & (others - 1)));
        if (all < kBlockBytes && p[whole] == '.' && all > whole + 1 && endsWord(p[all])) {
            return p + all;
        }
    }
    return oddWordEnd(p, end);
}

const char* pastBlanks(const char* p, const char* end) {
    while (p < end && isBlank(*p)) {
        ++p;
    }
    return p;
}

/// From behind the opening bracket to behind the closing one of an array or object that nests at most `maxNesting` (≤
/// 64) deep; null if it is not strict JSON, has a key twice, or strings that are not plain.
const char* containerEnd(const char* p, const char* end, uint32_t maxNesting, NestedKeys& keys) {
    uint64_t isObjectBits = 0;
    uint32_t depth = 0;
    keys.clear();
    for (;;) {
        // Behind an opening bracket.
        if (depth == maxNesting) {
            return nullptr;
        }
        bool isObject = p[-1] == '{';
        isObjectBits = isObjectBits << 1 | (isObject ? 1 : 0);
        ++depth;
        keys.open();
        p = pastBlanks(p, end);
        bool atValue = p < end && *p != (isObject ? '}' : ']');
        for (;;) {
            if (atValue) {
                if (isObject) {
                    const char* const key = p;
                    p = p < end && *p == '"' ? plainStringEnd(p + 1, end) : nullptr;
                    if (p == nullptr || !keys.add({key, static_cast<size_t>(p - key)})) {
                        return nullptr;
                    }
                    p = pastBlanks(p, end);
                    p = p < end && *p == ':' ? pastBlanks(p + 1, end) : end;
                }
                if (p >= end) {
                    return nullptr;
                }
                if (*p == '[' || *p == '{') {
                    ++p;
                    break;
                }
                p = *p == '"' ? plainStringEnd(p + 1, end) : wordEnd(p, end);
                if (p == nullptr) {
                    return nullptr;
                }
            }
            p = pastBlanks(p, end);
            if (p >= end) {
                return nullptr;
            }
            const char after = *p++;
            if (after == ',') {
                p = pastBlanks(p, end);
                atValue = true;
                continue;
            }
            if (after != (isObject ? '}' : ']')) {
                return nullptr;
            }
            keys.close();
            if (--depth == 0) {
                return p;
            }
            isObjectBits >>= 1;
            isObject = (isObjectBits & 1) != 0;
            atValue = false;
        }
    }
}

/// Each bit is set whose byte is behind an odd number of set bits, or is itself the odd one.
uint32_t oddRuns(uint32_t bits) {
    for (const int step : {1, 2, 4, 8, 16}) {
        bits ^= bits << step;
    }
    return bits;
}

/// Thirty-two bytes in one go, with 32 bits for an answer.
class TwoBlocks {
public:
    explicit TwoBlocks(const char* bytes) : m_low(bytes), m_high(bytes + kBlockBytes) {}
    uint32_t equal(char c) const { return m_low.equal(c) | m_high.equal(c) << kBlockBytes; }
    uint32_t digits() const { return m_low.digits() | m_high.digits() << kBlockBytes; }
    uint32_t notPlain() const { return m_low.notPlain() | m_high.notPlain() << kBlockBytes; }

private:
    ByteBlock m_low, m_high;
};

/// The same as containerEnd() for what most arrays are, a block at a time: arrays of whole numbers, strings and such
/// arrays, written with ", " or "," between their items. Null: look closer. Each kind of byte is a set of bits; what
/// may stand before what then is a question of sets.
const char* plainArrayEnd(const char* p, const char* end, uint32_t maxNesting) {
    uint32_t depth = 1;
    // Of the byte before the block, as bits of one byte.
    uint32_t wasStart = 1;  // the opening bracket
    uint32_t wasValueEnd = 0;
    uint32_t wasComma = 0, wasSpace = 0, wasDigit = 0, wasLeadingZero = 0, wasInString = 0;
    for (; end - p >= static_cast<ptrdiff_t>(2 * kBlockBytes); p += 2 * kBlockBytes) {
        constexpr int kLast = 31;
        const TwoBlocks block(p);
        const uint32_t quotes = block.equal('"');
        // From an opening quote to before the closing one.
        const uint32_t inString = oddRuns(quotes) ^ (0U - wasInString);
        const uint32_t outside = ~(inString | quotes);
        const uint32_t open = block.equal('[') & outside;
        const uint32_t close = block.equal(']') & outside;
        uint32_t upToEnd = ~0U;
        const char* found = nullptr;
        for (uint32_t brackets = open | close; brackets != 0; brackets &= brackets - 1) {
            const uint32_t bracket = brackets & (0U - brackets);
            if ((open & bracket) != 0) {
                if (++depth > maxNesting) {
                    return nullptr;
                }
            } else if (--depth == 0) {
                upToEnd = bracket | (bracket - 1);
                found = p + std::countr_zero(bracket) + 1;
                break;
            }
        }
        const uint32_t comma = block.equal(',') & outside;
        const uint32_t space = block.equal(' ') & outside;
        const uint32_t digit = block.digits() & outside;
        const auto before = [](uint32_t bits, uint32_t was) { return bits << 1 | was; };
        const uint32_t behindDigit = before(digit, wasDigit);
        const uint32_t leadingZero = block.equal('0') & digit & ~behindDigit;
        const uint32_t valueStart = open | (quotes & inString) | (digit & ~behindDigit);
        const uint32_t valueEnd = close | (quotes & ~inString) | digit;
        const uint32_t behindComma = before(comma, wasComma);
        const uint32_t behindOpen = before(open, wasStart);
        const uint32_t behindEnd = before(valueEnd, wasValueEnd);
        const uint32_t odd = (~(open | close | comma | space | digit | inString | quotes)) |  // other kinds of bytes
                             ((block.equal('\\') | block.notPlain()) & inString) |
                             (valueStart & ~(behindOpen | behindComma | before(space, wasSpace))) |
                             (comma & ~behindEnd) | (close & ~(behindEnd | behindOpen)) | (space & ~behindComma) |
                             (digit & before(leadingZero, wasLeadingZero));
        if ((odd & upToEnd) != 0) {
            return nullptr;
        }
        if (found != nullptr) {
            return found;
        }
        wasStart = open >> kLast;
        wasValueEnd = valueEnd >> kLast;
        wasComma = comma >> kLast;
        wasSpace = space >> kLast;
        wasDigit = digit >> kLast;
        wasLeadingZero = leadingZero >> kLast;
        wasInString = inString >> kLast;
    }
    return nullptr;
}

}  // namespace

/// Puts one event's layout into the tree.
class KnownLayouts::Learner {
public:
    Learner(KnownLayouts& layouts, std::string_view event)
        : m_layouts(layouts), m_event(event), m_from(event.data()), m_place(kNone) {}

    void field(const Member& member, std::span<const Member> args) {
        if (isKey(member.key, "ph") && isQuoted(member.value)) {
            m_leaf.phase = member.value;
        } else if (isKey(member.key, "cat") && isQuoted(member.value)) {
            m_leaf.category = member.value;
        } else if (isKey(member.key, "args") && !args.empty()) {
            m_leaf.firstArg = m_members;
            m_leaf.argCount = static_cast<uint8_t>(args.size());
            for (const Member& arg : args) {
                value(arg, slotOfArg(arg.key));
            }
        } else if (isKey(member.key, "args") && member.value.starts_with('{')) {
            // Without members, so a part of the layout: what may stand between the brackets is of other layouts.
        } else {
            value(member, slotOfField(member.key));
        }
    }

    void finish() {
        step({m_from, static_cast<size_t>(m_event.data() + m_event.size() - m_from)}, ValueKind::End, {});
        if (m_place == kNone || m_layouts.m_edges[m_place].child != kNone) {
            return;
        }
        m_layouts.m_edges[m_place].child = static_cast<uint32_t>(m_layouts.m_leaves.size());
        m_leaf.phase = m_layouts.keep(m_leaf.phase);
        m_leaf.category = m_layouts.keep(m_leaf.category);
        m_layouts.m_leaves.push_back(std::move(m_leaf));
    }

private:
    void value(const Member& member, Slot slot) {
        const char first = member.value.front();
        const ValueKind kind = first == '"'                   ? ValueKind::String
                               : first == '[' || first == '{' ? ValueKind::Container
                                                              : ValueKind::Word;
        const char* to = member.value.data() + (kind == ValueKind::Word ? 0 : 1);
        step({m_from, static_cast<size_t>(to - m_from)}, kind, member.key);
        m_from = member.value.data() + member.value.size();
        if (slot != Slot::None) {
            m_leaf.uses.push_back({slot, m_members});
        }
        ++m_members;
    }

    /// Finds or makes the edge with this text from where we are, and goes there.
    void step(std::string_view text, ValueKind kind, std::string_view key) {
        constexpr uint32_t kMostBeside = 32;
        constexpr size_t kMostEdges = 1U << 13;
        constexpr size_t kMostTextBytes = size_t{1} << 19;
        if (m_isLost) {
            return;
        }
        std::vector<Edge>& edges = m_layouts.m_edges;
        const auto first = [&]() -> uint32_t& { return m_place == kNone ? m_layouts.m_first : edges[m_place].child; };
        uint32_t beside = 0;
        for (uint32_t i = first(); i != kNone; i = edges[i].next, ++beside) {
            if (edges[i].kind == kind && std::string_view(edges[i].text, edges[i].size) == text) {
                m_place = i;
                return;
            }
        }
        m_layouts.m_isFull = edges.size() >= kMostEdges || m_layouts.m_textBytes + text.size() > kMostTextBytes;
        if (m_layouts.m_isFull || beside >= kMostBeside) {
            m_isLost = true;
            m_place = kNone;
            return;
        }
        Edge edge;
        edge.text = m_layouts.keep(text).data();
        edge.size = static_cast<uint32_t>(text.size());
        edge.kind = kind;
        edge.key = key.empty() ? key : std::string_view(edge.text + (key.data() - text.data()), key.size());
        edge.next = first();
        const auto number = static_cast<uint32_t>(edges.size());
        edges.push_back(edge);
        first() = number;
        m_place = number;
    }

    KnownLayouts& m_layouts;
    std::string_view m_event;
    const char* m_from;  ///< behind the last value
    uint32_t m_place;    ///< the edge that led here; kNone at the start
    bool m_isLost = false;
    uint8_t m_members = 0;
    Leaf m_leaf;
};

KnownLayouts::KnownLayouts(uint32_t maxArgsDepth) : m_maxNesting(std::clamp(maxArgsDepth, 1U, 16U) - 1) {}

void KnownLayouts::learn(std::string_view event, std::span<const Member> fields, std::span<const Member> args) {
    if (m_isFull || fields.size() + args.size() > kMostMembers) {
        return;
    }
    for (const Member& member : fields) {
        const bool isFixed = isKey(member.key, "ph") || isKey(member.key, "cat");
        if (isFixed && member.value.find('\\') != std::string_view::npos) {
            return;  // its text is not what it means
        }
    }
    Learner learner(*this, event);
    for (const Member& member : fields) {
        learner.field(member, args);
    }
    learner.finish();
}

void KnownLayouts::forget() {
    m_edges.clear();
    m_leaves.clear();
    m_texts.clear();
    m_textBytes = 0;
    m_first = kNone;
    m_leaf = kNone;
    m_slots.clear();
    m_isFull = false;
}

/// A copy that stays, with room behind it for the comparison in blocks.
std::string_view KnownLayouts::keep(std::string_view text) {
    if (text.empty()) {
        return {};
    }
    m_texts.push_back(std::make_unique<char[]>(text.size() + kBlockBytes));
    std::memcpy(m_texts.back().get(), text.data(), text.size());
    m_textBytes += text.size();
    return {m_texts.back().get(), text.size()};
}

inline const char* KnownLayouts::valueEnd(ValueKind kind, const char* value, const char* end) {
    switch (kind) {
        case ValueKind::String:
            return plainStringEnd(value, end);
        case ValueKind::Word:
            return wordEnd(value, end);
        case ValueKind::Container:
            if (const char* const plain =
                    value[-1] == '[' && m_maxNesting > 0 ? plainArrayEnd(value, end, m_maxNesting) : nullptr) {
                return plain;
            }
            return containerEnd(value, end, m_maxNesting, m_nested);
        case ValueKind::End:
            return value;
    }
    return nullptr;
}

bool KnownLayouts::read(std::string_view text, size_t pos) {
    const char* p = text.data() + pos;
    const char* const end = text.data() + text.size();
    size_t count = 0;
    uint32_t* first = &m_first;
    uint32_t before = kNone;
    for (uint32_t at = *first; at != kNone;) {
        Edge& edge = m_edges[at];
        if (static_cast<size_t>(end - p) < edge.size + kBlockBytes || !isSame(p, edge.text, edge.size)) {
            before = at;
            at = edge.next;
            continue;
        }
        const char* const value = p + edge.size;
        const char* const after = valueEnd(edge.kind, value, end);
        if (after == nullptr) {
            before = at;
            at = edge.next;
            continue;
        }
        if (before != kNone) {
            // What stood here last will most often stand here again.
            m_edges[before].next = edge.next;
            edge.next = *first;
            *first = at;
            before = kNone;
        }
        if (edge.kind == ValueKind::End) {
            m_end = static_cast<size_t>(after - text.data());
            take(edge.child);
            return true;
        }
        const char* const from = edge.kind == ValueKind::Word ? value : value - 1;
        m_members[count++] = {edge.key, {from, static_cast<size_t>(after - from)}};
        p = after;
        first = &edge.child;
        at = *first;
    }
    return false;
}

/// Gives the values of the event just read their places.
void KnownLayouts::take(uint32_t leaf) {
    if (leaf != m_leaf) {
        if (m_leaf != kNone) {
            for (const Use& use : m_leaves[m_leaf].uses) {
                m_slots.set(use.slot, {});
            }
        }
        m_leaf = leaf;
        m_slots.set(Slot::Phase, m_leaves[leaf].phase);
        m_slots.set(Slot::Category, m_leaves[leaf].category);
    }
    for (const Use& use : m_leaves[leaf].uses) {
        m_slots.set(use.slot, m_members[use.member].value);
    }
}

std::span<const Member> KnownLayouts::args() const {
    return std::span(m_members).subspan(m_leaves[m_leaf].firstArg, m_leaves[m_leaf].argCount);
}

}  // namespace warpline::loaders::chrome_trace
