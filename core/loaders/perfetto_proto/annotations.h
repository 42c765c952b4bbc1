// SPDX-License-Identifier: MIT
#pragma once
// Debug annotations of a track event as JSON, and the texts that they name by number. Filled while loading, then only
// read, by any thread.

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace warpline::loaders::perfetto_proto {

/// Texts that a packet sequence has numbered since its state was last cleared.
struct AnnotationTexts {
    std::unordered_map<uint64_t, std::string> names;
    std::unordered_map<uint64_t, std::string> values;
};

/// All of a trace's, by sequence and place.
class AnnotationTable {
public:
    /// A packet: by its offset, and by its number where several stand in one compressed packet. Ascends through a file.
    struct Place {
        uint64_t offset = 0;
        uint32_t number = 0;
        auto operator<=>(const Place&) const = default;
    };
    /// The state of `sequence` is cleared by the packet at `place`.
    void clear(uint32_t sequence, Place place);
    /// Those that the sequence numbers now.
    AnnotationTexts& current(uint32_t sequence);
    /// Those that held for a packet at `place`; empty ones if there are none.
    const AnnotationTexts& at(uint32_t sequence, Place place) const;

    /// All of it as bytes, and back; nullopt if they are not such bytes.
    std::string stored() const;
    static std::optional<AnnotationTable> fromStored(std::string_view bytes);

private:
    struct Generation {
        Place begin;
        AnnotationTexts texts;
    };
    std::unordered_map<uint32_t, std::vector<Generation>> m_sequences;
};

/// The annotations of a TrackEvent message as an object; "null" if it has none. What is nested deeper than `maxDepth`
/// is shown as "…", typed arguments by their number and length.
std::string annotationsJson(std::string_view trackEvent, const AnnotationTexts& texts, uint32_t maxDepth);

}  // namespace warpline::loaders::perfetto_proto
