// SPDX-License-Identifier: MIT
#pragma once
// Reads events whose layout was met before. A producer writes the events of a kind with the same bytes between their
// values, so these are compared as a whole: no key is looked up, and every byte is looked at once. The layouts form a
// tree: from a value on, the texts that have followed it so far. What is not as simple as it mostly is (an escape, a
// byte beyond ASCII, an odd number) is left to who can read all JSON. One thread.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/loaders/chrome_trace/event_slots.h"
#include "core/loaders/chrome_trace/json_text.h"
#include "core/loaders/chrome_trace/nested_keys.h"

namespace warpline::loaders::chrome_trace {

class KnownLayouts {
public:
    /// Values of args nested deeper than `maxArgsDepth` are left alone.
    explicit KnownLayouts(uint32_t maxArgsDepth);

    /// Reads the event whose `{` is at `pos`. False if its layout is not known, or it is not strict JSON, or asks for
    /// a closer look. If true, its strings are plain ASCII without escapes, and no key is there twice,
    /// in nested objects neither.
    bool read(std::string_view text, size_t pos);
    /// Of the event read last: the place behind it, and its values.
    size_t end() const { return m_end; }
    const EventSlots& values() const { return m_slots; }
    std::span<const Member> args() const;

    /// Remembers the layout of an event. `event` is its text, strict JSON; the members are views of it, no key of
    /// either is there twice.
    void learn(std::string_view event, std::span<const Member> fields, std::span<const Member> args);
    /// No more can be learned.
    bool isFull() const { return m_isFull; }
    void forget();

private:
    static constexpr uint32_t kNone = 0xffffffffU;
    static constexpr size_t kMostMembers = 64;

    enum class ValueKind : uint8_t { String, Word, Container, End };
    /// A text that may follow a value, and the value behind it.
    struct Edge {
        const char* text = nullptr;  ///< with the first byte of the value if it has quotes or brackets
        uint32_t size = 0;
        ValueKind kind = ValueKind::End;
        uint32_t next = kNone;   ///< another that may stand here
        uint32_t child = kNone;  ///< what may follow the value; of an End: its leaf
        std::string_view key;
    };
    struct Use {
        Slot slot = Slot::None;
        uint8_t member = 0;
    };
    /// A whole layout.
    struct Leaf {
        std::vector<Use> uses;
        std::string_view phase, category;  ///< are part of the layout
        uint8_t firstArg = 0, argCount = 0;
    };
    class Learner;

    const char* valueEnd(ValueKind kind, const char* value, const char* end);
    void take(uint32_t leaf);
    std::string_view keep(std::string_view text);

    uint32_t m_maxNesting;
    std::vector<Edge> m_edges;
    std::vector<Leaf> m_leaves;
    uint32_t m_first = kNone;
    std::vector<std::unique_ptr<char[]>> m_texts;
    size_t m_textBytes = 0;
    bool m_isFull = false;

    std::array<Member, kMostMembers> m_members;
    NestedKeys m_nested;
    EventSlots m_slots;
    uint32_t m_leaf = kNone;  ///< of the event read last
    size_t m_end = 0;
};

}  // namespace warpline::loaders::chrome_trace
