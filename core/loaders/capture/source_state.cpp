// SPDX-License-Identifier: MIT
#include "core/loaders/capture/source_state.h"

#include <algorithm>

#include "core/capture/texts.h"
#include "core/loaders/capture/names.h"

namespace warpline::loaders::capture {

namespace {

/// About what an entry of an index takes beside what it holds.
constexpr uint64_t kEntryBytes = 48;

}  // namespace

void SourceTexts::set(uint32_t number, SourceText text) {
    if (number == 0) {
        return;
    }
    // A row that is long for what it holds would let a few texts take all memory.
    constexpr size_t kSlack = 4096;
    constexpr size_t kMostForOne = 4;
    ++m_count;
    if (number >= m_row.size() && number < m_count * kMostForOne + kSlack) {
        m_row.resize(size_t{number} + 1);
    }
    const bool isInRow = number < m_row.size();
    m_bytes += text.bytes.size() + (isInRow ? 0 : sizeof(SourceText) + kEntryBytes);
    (isInRow ? m_row[number] : m_scattered[number]) = std::move(text);
}

SourceText* SourceTexts::find(uint32_t number) {
    if (number < m_row.size() && m_row[number].place.number == number && number != 0) {
        return &m_row[number];
    }
    const auto it = m_scattered.find(number);
    return it == m_scattered.end() ? nullptr : &it->second;
}

std::vector<TextPlace> SourceTexts::wanted() const {
    std::vector<TextPlace> places;
    for (const SourceText& text : m_row) {
        if (text.isWanted) {
            places.push_back(text.place);
        }
    }
    for (const auto& [number, text] : m_scattered) {
        if (text.isWanted) {
            places.push_back(text.place);
        }
    }
    std::ranges::sort(places, {}, &TextPlace::number);
    return places;
}

std::string_view SourceState::fact(std::string_view key) const {
    const auto it = std::ranges::find(facts, key, [](const auto& fact) { return std::string_view(fact.first); });
    return it == facts.end() ? std::string_view() : std::string_view(it->second);
}

void SourceState::setFact(std::string_view key, std::string_view value) {
    // No recorder has more to say; who does is not let search for ever.
    constexpr size_t kMostFacts = 256;
    const auto it = std::ranges::find(facts, key, [](const auto& fact) { return std::string_view(fact.first); });
    if (it != facts.end()) {
        it->second = value;
    } else if (facts.size() < kMostFacts) {
        facts.emplace_back(key, value);
    }
}

std::string SourceState::title() const {
    const std::string_view pid = fact(wire::fact::kPid);
    const std::string_view program = programName(fact(wire::fact::kProgram));
    const std::string id = pid.empty() ? "source " + std::to_string(number) : "process " + std::string(pid);
    return program.empty() ? id : id + ", " + std::string(program);
}

void SourceState::addLaunch(const WaitingLaunch& launch) {
    constexpr size_t kFewest = 4096;
    launches.push_back(launch);
    if (launches.size() > launchesAtPrune * 2 + kFewest) {
        dropMatchedLaunches();
        launchesAtPrune = launches.size();
    }
}

void SourceState::dropMatchedLaunches() {
    std::erase_if(launches, [this](const WaitingLaunch& launch) {
        return launch.record.correlation != 0 && calls.contains(launch.record.correlation);
    });
}

uint64_t SourceState::bytesHeld() const {
    return texts.bytesHeld() + calls.bytesHeld() + replayed.bytesHeld() + launches.capacity() * sizeof(WaitingLaunch) +
           (pushed.size() + started.size()) * (sizeof(OpenRange) + kEntryBytes) +
           (threads.size() + deviceOfContext.size()) * kEntryBytes;
}

}  // namespace warpline::loaders::capture
