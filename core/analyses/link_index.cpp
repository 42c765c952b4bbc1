// SPDX-License-Identifier: MIT
#include "core/analyses/link_index.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "core/base/stoppable.h"

namespace warpline {

namespace {

/// The first of [first, last) whose time is not before `time`; `timeAt` ascends, `fence` has that of each kFence-th.
template <class TimeAt>
uint32_t firstNotBefore(uint32_t first, uint32_t last, TimeNs time, const EventColumn<TimeNs>& fence, uint32_t stride,
                        TimeAt timeAt) {
    const uint32_t fenceFirst = (first + stride - 1) / stride;
    const uint32_t fenceLast = (last + stride - 1) / stride;
    if (fenceFirst < fenceLast) {
        const TimeNs* const at = std::lower_bound(fence.data() + fenceFirst, fence.data() + fenceLast, time);
        const auto found = static_cast<uint32_t>(at - fence.data());
        last = found < fenceLast ? found * stride : last;
        first = found > fenceFirst ? (found - 1) * stride : first;
    }
    while (first < last) {
        const uint32_t middle = first + (last - first) / 2;
        if (timeAt(middle) < time) {
            first = middle + 1;
        } else {
            last = middle;
        }
    }
    return first;
}

}  // namespace

LinkKind kindOf(const Trace& trace, const FlowArrow& flow) {
    return trace.string(flow.category) == "fwdbwd" ? LinkKind::Backward : LinkKind::Flow;
}

TimeNs departure(const SliceColumns& slices, Link link) {
    return std::max(slices.begin[link.from.value], std::min(slices.end(link.from.value), arrival(slices, link)));
}

/// Links are sorted into bundles by counting, and each bundle by time.
class LinkIndex::Builder {
public:
    Builder(std::shared_ptr<const Trace> trace, const JobControl& job) : m_job(job), m_poll(job) {
        m_out.m_trace = std::move(trace);
    }

    Result<LinkIndex> run() {
        const Trace& trace = *m_out.m_trace;
        if (cost(trace) > std::numeric_limits<uint32_t>::max()) {
            return Error::failed("there are more arrows than can be sorted");
        }
        if (!collect(trace) || !distribute() || !sortBundles() || !fence()) {
            return Error::cancelled();
        }
        return std::move(m_out);
    }

private:
    bool collect(const Trace& trace) {
        const std::span<const EventRow> calls = trace.launchCalls();
        const std::span<const EventRow> work = trace.launchedWork();
        for (size_t i = 0; i < calls.size(); ++i) {
            if (m_poll.stopRequested()) {
                return false;
            }
            add(LinkKind::Launch, {calls[i], work[i]});
        }
        for (const FlowArrow& flow : trace.flows()) {
            if (m_poll.stopRequested()) {
                return false;
            }
            if (flow.from != flow.to && !isLaunch(trace, flow)) {
                add(kindOf(trace, flow), {flow.from, flow.to});
            }
        }
        return true;
    }

    static bool isLaunch(const Trace& trace, const FlowArrow& flow) {
        return isDeviceWork(trace.slices().kind[flow.to.value]) && trace.launchOf(flow.to) == flow.from;
    }

    void add(LinkKind kind, Link link) {
        const auto& track = m_out.m_trace->slices().track;
        const LinkBundle bundle{kind, track[link.from.value], track[link.to.value]};
        // Neighbours are mostly of one bundle.
        if (m_bundleOf.empty() || !isSame(m_out.m_bundles[m_bundleOf.back()], bundle)) {
            const auto key = std::pair(bundle.from.value | uint64_t{static_cast<uint8_t>(kind)} << 32, bundle.to.value);
            const auto [at, isNew] = m_numbers.try_emplace(key, static_cast<uint32_t>(m_out.m_bundles.size()));
            if (isNew) {
                m_out.m_bundles.push_back(bundle);
            }
            m_bundleOf.push_back(at->second);
        } else {
            m_bundleOf.push_back(uint32_t{m_bundleOf.back()});
        }
        ++m_out.m_bundles[m_bundleOf.back()].count;
        m_found.push_back(link);
    }

    static bool isSame(const LinkBundle& a, const LinkBundle& b) {
        return a.kind == b.kind && a.from == b.from && a.to == b.to;
    }

    bool distribute() {
        std::vector<LinkBundle>& bundles = m_out.m_bundles;
        std::vector<uint32_t> order(bundles.size());
        std::iota(order.begin(), order.end(), 0U);
        std::ranges::stable_sort(order, std::greater(), [&](uint32_t i) { return bundles[i].count; });
        std::vector<uint32_t> next(bundles.size());
        std::vector<LinkBundle> sorted;
        sorted.reserve(bundles.size());
        uint32_t first = 0;
        for (const uint32_t i : order) {
            bundles[i].first = next[i] = first;
            first += bundles[i].count;
            sorted.push_back(bundles[i]);
        }
        m_out.m_links.resize(m_found.size());
        for (size_t i = 0; i < m_found.size(); ++i) {
            if (m_poll.stopRequested()) {
                return false;
            }
            m_out.m_links[next[m_bundleOf[i]]++] = m_found[i];
        }
        bundles = std::move(sorted);
        m_found.clear();
        m_bundleOf.clear();
        m_numbers.clear();
        return true;
    }

    bool sortBundles() {
        const SliceColumns& slices = m_out.m_trace->slices();
        m_out.m_byArrival.resize(m_out.m_links.size());
        std::iota(m_out.m_byArrival.begin(), m_out.m_byArrival.end(), 0U);
        for (const LinkBundle& bundle : m_out.m_bundles) {
            const std::span<Link> links(m_out.m_links.data() + bundle.first, bundle.count);
            const std::span<uint32_t> byArrival(m_out.m_byArrival.data() + bundle.first, bundle.count);
            const auto departs = [&](Link link) { return departure(slices, link); };
            const auto arrives = [&](uint32_t i) { return arrival(slices, m_out.m_links[i]); };
            if (!stableSortByKeyUnlessStopped(links, departs, m_job) ||
                !stableSortByKeyUnlessStopped(byArrival, arrives, m_job)) {
                return false;
            }
        }
        return true;
    }

    bool fence() {
        for (uint32_t place = 0; place < m_out.size(); place += kFence) {
            if (m_poll.stopRequested()) {
                return false;
            }
            m_out.m_departureFence.push_back(m_out.departureAt(place));
            m_out.m_arrivalFence.push_back(m_out.arrivalAt(place));
        }
        return true;
    }

    struct Hash {
        size_t operator()(const std::pair<uint64_t, uint32_t>& key) const {
            return std::hash<uint64_t>()((key.first * 0x9e3779b97f4a7c15ULL) ^ key.second);
        }
    };

    const JobControl& m_job;
    StopPoll m_poll;
    LinkIndex m_out;
    EventColumn<Link> m_found;
    EventColumn<uint32_t> m_bundleOf;
    std::unordered_map<std::pair<uint64_t, uint32_t>, uint32_t, Hash> m_numbers;  ///< kind and tracks -> bundle
};

uint64_t LinkIndex::cost(const Trace& trace) {
    return uint64_t{trace.launchCalls().size()} + trace.flows().size();
}

Result<LinkIndex> LinkIndex::build(std::shared_ptr<const Trace> trace, const JobControl& job) {
    return Builder(std::move(trace), job).run();
}

uint32_t LinkIndex::firstDeparture(const LinkBundle& bundle, TimeNs time, uint32_t from) const {
    return firstNotBefore(from, bundle.end(), time, m_departureFence, kFence,
                          [this](uint32_t place) { return departureAt(place); });
}

uint32_t LinkIndex::firstArrival(const LinkBundle& bundle, TimeNs time, uint32_t from) const {
    return firstNotBefore(from, bundle.end(), time, m_arrivalFence, kFence,
                          [this](uint32_t place) { return arrivalAt(place); });
}

uint64_t LinkIndex::memoryBytes() const {
    return m_links.size() * sizeof(Link) + m_byArrival.size() * sizeof(uint32_t) +
           (m_departureFence.size() + m_arrivalFence.size()) * sizeof(TimeNs) + m_bundles.size() * sizeof(LinkBundle);
}

}  // namespace warpline
