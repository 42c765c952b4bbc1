// SPDX-License-Identifier: MIT
#include "core/trace/slice_pairing.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "core/base/stoppable.h"

namespace warpline {

namespace {

/// The open slices of one track, innermost last, and how many of each name, so that an end of a name that is not open
/// is known at once however deep the stack is.
class OpenSlices {
public:
    void clear() {
        m_stack.clear();
        m_byName.clear();
    }
    void push(const SliceEdge& begin) {
        m_stack.push_back(begin);
        ++m_byName[begin.name];
    }
    bool empty() const { return m_stack.empty(); }
    bool closes(const SliceEdge& end) const {
        if (end.name.empty()) {
            return !m_stack.empty();
        }
        const auto it = m_byName.find(end.name);
        return it != m_byName.end() && it->second > 0;
    }
    SliceEdge pop() {
        const SliceEdge top = m_stack.back();
        m_stack.pop_back();
        --m_byName[top.name];
        return top;
    }

private:
    std::vector<SliceEdge> m_stack;
    std::unordered_map<StringId, uint32_t> m_byName;
};

void leaveOpen(OpenSlices& open, Pairing& out) {
    while (!open.empty()) {
        out.slices.push_back({.begin = open.pop().index, .open = true});
    }
    open.clear();
}

}  // namespace

std::optional<Pairing> pairSlices(std::vector<SliceEdge> edges, const JobControl& job) {
    const auto place = [](const SliceEdge& e) { return std::tuple(e.track.value, e.time, e.order, e.isBegin); };
    if (!stableSortByKeyUnlessStopped(edges, place, job)) {
        return std::nullopt;
    }
    StopPoll poll(job);
    Pairing out;
    OpenSlices open;
    TrackId track;
    for (const SliceEdge& edge : edges) {
        if (poll.stopRequested()) {
            return std::nullopt;
        }
        if (edge.track != track) {
            leaveOpen(open, out);
            track = edge.track;
        }
        if (edge.isBegin) {
            open.push(edge);
            continue;
        }
        if (!open.closes(edge)) {
            out.unmatchedEnds.push_back(edge.index);
            continue;
        }
        while (true) {
            const SliceEdge top = open.pop();
            const bool own = edge.name.empty() || top.name == edge.name;
            out.slices.push_back({.begin = top.index, .endTime = edge.time, .end = edge.index, .own = own});
            if (own) {
                break;
            }
        }
    }
    leaveOpen(open, out);
    return out;
}

}  // namespace warpline
