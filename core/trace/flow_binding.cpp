// SPDX-License-Identifier: MIT
#include "core/trace/flow_binding.h"

#include <span>
#include <tuple>

#include "core/base/hash_seed.h"
#include "core/base/stoppable.h"

namespace warpline {

namespace {

constexpr uint32_t kNone = 0xffffffffU;

/// The ends of one file, category, id and scope: those that can be partners.
struct FlowGroup {
    uint32_t first = kNone;
    uint32_t last = kNone;
};

/// Sorts ends into groups, in the order in which the first of each comes. Partners mostly stand near one another in a
/// file, so that looking for a group touches what was touched shortly before.
class FlowGroups {
public:
    explicit FlowGroups(const FlowEnds& ends) : m_ends(ends), m_seed(hashSeed()), m_next(ends.records.size(), kNone) {
        size_t slots = 64;
        while (slots < ends.records.size() * 2) {
            slots *= 2;
        }
        m_slots.assign(slots, kNone);
    }

    void add(uint32_t end) {
        size_t slot = hashOf(end) & (m_slots.size() - 1);
        while (m_slots[slot] != kNone && !isSameGroup(m_groups[m_slots[slot]].first, end)) {
            slot = (slot + 1) & (m_slots.size() - 1);
        }
        if (m_slots[slot] == kNone) {
            m_slots[slot] = static_cast<uint32_t>(m_groups.size());
            m_groups.push_back({end, end});
            return;
        }
        FlowGroup& group = m_groups[m_slots[slot]];
        m_next[group.last] = end;
        group.last = end;
    }
    const std::vector<FlowGroup>& groups() const { return m_groups; }
    /// The next end of the same group; kNone behind the last.
    uint32_t next(uint32_t end) const { return m_next[end]; }

private:
    uint32_t fileOf(const FlowRecord& end) const { return m_ends.fileOfTrack[end.track.value].value; }
    bool isSameGroup(uint32_t a, uint32_t b) const {
        const FlowRecord& x = m_ends.records[a];
        const FlowRecord& y = m_ends.records[b];
        return x.id == y.id && x.category == y.category && x.idScope == y.idScope && fileOf(x) == fileOf(y);
    }
    size_t hashOf(uint32_t i) const {
        constexpr uint64_t kMul = 0x9e3779b97f4a7c15ULL;
        const FlowRecord& end = m_ends.records[i];
        uint64_t h = (end.id->bits() ^ m_seed) * kMul;
        h = (h ^ h >> 32 ^ m_seed ^ end.category.value ^ uint64_t{end.idScope.value} << 20 ^
             uint64_t{fileOf(end)} << 40) *
            kMul;
        return static_cast<size_t>(h >> 20);
    }

    const FlowEnds& m_ends;
    uint64_t m_seed;
    std::vector<uint32_t> m_next;  ///< by end
    std::vector<uint32_t> m_slots;
    std::vector<FlowGroup> m_groups;
};

/// Pairs the ends of one group, given by time, starts before finishes of the same time.
class GroupPairing {
public:
    GroupPairing(const FlowEnds& ends, std::vector<uint8_t>& isUsed, FlowPairs& out)
        : m_ends(ends), m_isUsed(isUsed), m_out(out) {}

    void pair(std::span<const uint32_t> group) {
        m_startAfter.assign(group.size(), kNone);
        for (size_t k = group.size(); k-- > 1;) {
            m_startAfter[k - 1] = isStart(group[k]) ? group[k] : m_startAfter[k];
        }
        uint32_t startBefore = kNone;
        for (size_t k = 0; k < group.size(); ++k) {
            const uint32_t end = group[k];
            if (m_ends.records[end].phase != FlowPhase::Start && m_ends.slices[end].valid()) {
                const uint32_t from = startBefore != kNone ? startBefore : m_startAfter[k];
                if (from != kNone) {
                    m_out.pairs.push_back({from, end});
                    m_isUsed[from] = 1;
                    m_isUsed[end] = 1;
                }
            }
            startBefore = isStart(end) ? end : startBefore;
        }
    }

private:
    bool isStart(uint32_t i) const { return m_ends.records[i].phase != FlowPhase::Finish && m_ends.slices[i].valid(); }

    const FlowEnds& m_ends;
    std::vector<uint8_t>& m_isUsed;
    FlowPairs& m_out;
    std::vector<uint32_t> m_startAfter;
};

}  // namespace

std::optional<FlowPairs> pairFlows(const FlowEnds& ends, const JobControl& job) {
    FlowPairs out;
    StopPoll poll(job);
    FlowGroups groups(ends);
    for (uint32_t i = 0; i < ends.records.size(); ++i) {
        if (poll.stopRequested()) {
            return std::nullopt;
        }
        if (ends.records[i].id) {
            groups.add(i);
        }
    }
    const auto place = [&](uint32_t i) { return std::tuple(ends.records[i].time, ends.records[i].phase, i); };
    std::vector<uint8_t> isUsed(ends.records.size(), 0);
    GroupPairing pairing(ends, isUsed, out);
    std::vector<uint32_t> members;
    for (const FlowGroup& group : groups.groups()) {
        if (poll.stopRequested()) {
            return std::nullopt;
        }
        members.clear();
        for (uint32_t end = group.first; end != kNone; end = groups.next(end)) {
            members.push_back(end);
        }
        if (!stableSortByKeyUnlessStopped(members, place, job)) {
            return std::nullopt;
        }
        pairing.pair(members);
    }
    for (uint32_t i = 0; i < ends.records.size(); ++i) {
        if (isUsed[i] == 0) {
            out.dangling.push_back(i);
        }
    }
    return out;
}

}  // namespace warpline
