// SPDX-License-Identifier: MIT
#include "core/loaders/chrome_trace/item_scan.h"

#include <algorithm>

#include "core/loaders/chrome_trace/event_look.h"

namespace warpline::loaders::chrome_trace {

namespace {

/// Brackets that are kept track of; deeper text is not looked into.
constexpr size_t kMostFrames = size_t{1} << 18;

std::optional<uint64_t> ifAny(uint64_t place) {
    return place == OpenItems::kNoPlace ? std::nullopt : std::optional(place);
}

}  // namespace

void OpenItems::setText(std::string_view text, uint64_t offset, bool isLast) {
    m_text = text;
    m_offset = offset;
    m_isLast = isLast;
}

bool OpenItems::open(char bracket, std::string_view /*text*/, size_t pos) {
    if (m_frames.size() >= kMostFrames) {
        return false;
    }
    Frame frame;
    frame.bracket = bracket;
    frame.place = m_offset + pos;
    if (!m_frames.empty() && m_frames.back().bracket == '[' && bracket == '{') {
        m_frames.back().hasObject = true;
    }
    m_frames.push_back(frame);
    return true;
}

bool OpenItems::close(std::string_view text, size_t pos) {
    const Frame ended = m_frames.back();
    uint64_t inner = ended.hasPhase ? kNoPlace : ended.inner;
    if (ended.bracket == '[' && ended.firstEvent != kNoPlace) {
        if (!m_isLast && text.size() - pos < kGuessBytes) {
            return false;
        }
        if (ended.isMixed || looksLikeListEnd(text, pos, m_isLast)) {
            inner = std::min(inner, ended.firstEvent);
        }
    }
    m_frames.pop_back();
    if (ended.bracket == '[') {
        m_listEnd = m_offset + pos + 1;
        m_eventInList = ended.firstEvent;
        const bool isTop = m_frames.empty() || (m_frames.size() == 1 && m_frames.back().bracket == '{');
        m_direct = isTop ? std::min(m_direct, ended.firstEvent) : m_direct;
    }
    if (!m_frames.empty()) {
        Frame& outer = m_frames.back();
        outer.inner = std::min(outer.inner, inner);
        outer.isMixed = outer.isMixed || (ended.bracket == '[' && !outer.hasObject);
    }
    return true;
}

void OpenItems::key(std::string_view key) {
    Frame& object = m_frames.back();
    object.isPhaseNext = isKey(key, "ph");
    if (isKey(key, "pid")) {
        object.hasProcess = true;
        noteEvent();
    }
}

void OpenItems::string(std::string_view text) {
    if (m_frames.empty()) {
        return;
    }
    Frame& frame = m_frames.back();
    if (frame.bracket == '[') {
        frame.isMixed = frame.isMixed || !frame.hasObject;
    } else if (frame.isPhaseNext && text.size() == 1) {
        frame.hasPhase = true;
        noteEvent();
    }
}

void OpenItems::word() {
    if (!m_frames.empty() && m_frames.back().bracket == '[') {
        m_frames.back().isMixed = m_frames.back().isMixed || !m_frames.back().hasObject;
    }
}

/// The innermost object has got a key that tells an event.
void OpenItems::noteEvent() {
    const Frame& object = m_frames.back();
    if (m_frames.size() < 2 || !object.hasPhase) {
        return;
    }
    Frame& list = m_frames[m_frames.size() - 2];
    if (list.bracket == '[' && list.firstEvent == kNoPlace && object.place >= m_offset &&
        (object.hasProcess || list.isMixed)) {
        list.firstEvent = object.place;
        const uint32_t column = columnOf(m_text, object.place - m_offset);
        list.isIndented = column != kNoColumn && m_column != kNoColumn && column > m_column;
    }
}

bool OpenItems::contains(uint64_t place) const {
    const auto found = std::ranges::lower_bound(m_frames, place, {}, &Frame::place);
    return found != m_frames.end() && found->place == place;
}

void OpenItems::brokeAt(std::string_view text, size_t pos) {
    if (!m_frames.empty() && m_eventInList != kNoPlace && m_listEnd >= m_offset &&
        skipBlank(text, m_listEnd - m_offset) == pos) {
        m_frames.back().inner = std::min(m_frames.back().inner, m_eventInList);
    }
}

uint64_t OpenItems::firstEventIn(uint64_t item) const {
    // What stands in an outer bracket stands before what stands in an inner one that is still open.
    for (auto frame = std::ranges::lower_bound(m_frames, item, {}, &Frame::place); frame != m_frames.end(); ++frame) {
        const bool isOwn = frame->isMixed || !frame->isIndented;
        if (const uint64_t first = std::min(isOwn ? frame->firstEvent : kNoPlace, frame->inner); first != kNoPlace) {
            return first;
        }
    }
    return kNoPlace;
}

void ItemScan::start(uint64_t place, uint32_t column, const JobControl* job) {
    m_walker.emplace(std::string_view(), 0, UINT32_MAX, job);
    m_walker->brackets().setColumn(column);
    m_status = ScanStatus::NeedMore;
    m_end = place;
    m_seenTo = place;
    m_sawLast = false;
}

ScanStatus ItemScan::run(std::string_view text, uint64_t textOffset, bool isLast) {
    const bool isNew = m_seenTo != textOffset + text.size() || m_sawLast != isLast;
    if (m_status != ScanStatus::NeedMore || !isNew) {
        return m_status;
    }
    m_seenTo = textOffset + text.size();
    m_sawLast = isLast;
    m_walker->brackets().setText(text, textOffset, isLast);
    m_walker->goOn(text, m_end - textOffset);
    m_status = m_walker->run().status;
    m_end = textOffset + m_walker->position();
    if (m_status == ScanStatus::Broken) {
        m_walker->brackets().brokeAt(text, m_walker->position());
    }
    return m_status;
}

std::optional<uint64_t> ItemScan::firstEventIn(uint64_t item) const {
    return ifAny(m_walker->brackets().firstEventIn(item));
}

std::optional<uint64_t> ItemScan::firstEventInEnded() const {
    return ifAny(m_walker->brackets().firstEventInEnded());
}

}  // namespace warpline::loaders::chrome_trace
