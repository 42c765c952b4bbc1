// SPDX-License-Identifier: MIT
#pragma once
// What is known of one source of a capture, a process as a rule, up to the frame that was read last.

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/ids.h"
#include "core/capture/records.h"
#include "core/loaders/capture/capture_facts.h"
#include "core/trace/source_ref.h"

namespace warpline::loaders::capture {

namespace wire = warpline::capture;

/// A set of numbers that lie close together, as those of calls do: a bit each.
class NumberSet {
public:
    void add(uint32_t number) { page(number)[number / kWordBits % kWords] |= bit(number); }
    bool contains(uint32_t number) const {
        const auto it = m_pages.find(number / kPageBits);
        return it != m_pages.end() && (it->second[number / kWordBits % kWords] & bit(number)) != 0;
    }
    uint64_t bytesHeld() const { return m_pages.size() * (sizeof(Page) + 48); }

private:
    static constexpr uint32_t kWordBits = 64;
    static constexpr uint32_t kWords = 8;
    static constexpr uint32_t kPageBits = kWordBits * kWords;
    using Page = std::array<uint64_t, kWords>;

    static uint64_t bit(uint32_t number) { return uint64_t{1} << number % kWordBits; }
    Page& page(uint32_t number) {
        if (m_last == nullptr || m_lastNumber != number / kPageBits) {
            m_lastNumber = number / kPageBits;
            m_last = &m_pages[m_lastNumber];
        }
        return *m_last;
    }

    std::unordered_map<uint32_t, Page> m_pages;
    Page* m_last = nullptr;
    uint32_t m_lastNumber = 0;
};

/// A text of the source, and what it becomes in the trace once it is asked for.
struct SourceText {
    std::string bytes;
    TextPlace place;
    StringId raw, call, kernel;
    bool isInterned = false, isCall = false, isKernel = false;
    bool isWanted = false;  ///< args name it
};

/// The source's texts by number. Numbers count up, so most lie in a row.
class SourceTexts {
public:
    void set(uint32_t number, SourceText text);
    /// Null if there is none, as for 0.
    SourceText* find(uint32_t number);
    uint64_t bytesHeld() const { return m_bytes + m_row.capacity() * sizeof(SourceText); }
    /// Those that args name, by number.
    std::vector<TextPlace> wanted() const;

private:
    std::vector<SourceText> m_row;                         ///< by number
    std::unordered_map<uint32_t, SourceText> m_scattered;  ///< what would make the row too long
    size_t m_count = 0;
    uint64_t m_bytes = 0;  ///< of the texts, and of what is not in the row
};

struct OpenRange {
    int64_t time = 0;
    uint32_t thread = 0;
    StringId name;
    SourceRef place;
};

struct WaitingLaunch {
    wire::LaunchRecord record;
    SourceRef place;
};

struct SourceState {
    uint32_t number = 0;  ///< in frames
    uint32_t index = 0;
    uint32_t processNumber = 0;  ///< counted without the recording side
    bool hasBegun = false, hasEnded = false;
    uint64_t firstFrame = 0;                                 ///< its offset
    std::vector<std::pair<std::string, std::string>> facts;  ///< the last value of each key, in the order of the first
    SourceTexts texts;

    std::optional<ProcessId> process;  ///< of the host, once it has an event
    std::unordered_map<uint32_t, TrackId> threads;
    uint32_t lastThread = 0;
    TrackId lastThreadTrack;
    std::map<std::string, TrackId, std::less<>> namedTracks;  ///< tracks of the process that are no threads
    std::unordered_map<uint32_t, uint32_t> deviceOfContext;

    std::unordered_map<uint64_t, OpenRange> pushed, started;
    std::vector<WaitingLaunch> launches;  ///< notes whose call has not come
    size_t launchesAtPrune = 0;
    NumberSet calls;
    NumberSet replayed;  ///< calls whose work was run again and again
    std::optional<wire::ClockRecord> clock;
    bool hasAllocator = false;
    uint64_t bytesCounted = 0;  ///< bytesHeld() when it was last asked for

    std::string_view fact(std::string_view key) const;
    void setFact(std::string_view key, std::string_view value);
    /// How it is called in messages: its process, or its number where that is not told.
    std::string title() const;
    void addLaunch(const WaitingLaunch& launch);
    void dropMatchedLaunches();
    uint64_t bytesHeld() const;
};

}  // namespace warpline::loaders::capture
