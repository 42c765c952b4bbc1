// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/timeline/flows_in_view.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace warpline::timeline {

namespace {

/// Of the pairs of tracks, those with most arrows.
constexpr size_t kMaxBundles = size_t{1} << 16;
/// Of these, so many are searched by time.
constexpr size_t kMaxBundlesInView = 1024;
/// Arrows of one pair of tracks stand no closer.
constexpr double kLeastPixels = 6;

/// Where in a bundle the links are whose departure (arrival) is in view.
struct Found {
    const LinkBundle* bundle;
    uint32_t departs0, departs1;
    uint32_t arrives0, arrives1;

    size_t count() const { return size_t{departs1 - departs0} + (arrives1 - arrives0); }
};

constexpr DurationNs kLongestCell = DurationNs{1} << 61;

DurationNs powerOfTwoFrom(double ns) {
    const double least = std::clamp(std::ceil(ns), 1.0, static_cast<double>(kLongestCell));
    return static_cast<DurationNs>(std::bit_ceil(static_cast<uint64_t>(least)));
}

/// The end of the cell that a time lies in. Cells stand at multiples of their length, wherever the view begins.
TimeNs cellEnd(TimeNs time, DurationNs cell) {
    return addSaturated(time & ~(cell - 1), cell);
}

class Finder {
public:
    Finder(const LinkIndex& index, const Trace& trace, const LaneLayout& layout, const View& view)
        : m_index(index),
          m_trace(trace),
          m_layout(layout),
          m_view(view),
          m_width(view.width / view.scale),
          m_height(view.height / view.scale),
          m_range(visibleRange(view.axis, static_cast<int>(std::ceil(m_width)))) {}

    FlowsInView run(const FlowsInView& last) {
        m_out.nsPerPixel = m_view.axis.nsPerPixel;
        search();
        takeCells(last);
        finish();
        return std::move(m_out);
    }

private:
    bool isInView(const Section& section) const {
        const int y = m_view.viewY(section.y);
        return y < m_height && y + section.height > m_view.clipTop(section.y);
    }

    bool isBundleInView(const LinkBundle& bundle) const {
        const int from = m_layout.sectionOfTrack(bundle.from);
        const int to = m_layout.sectionOfTrack(bundle.to);
        if (from < 0 || to < 0) {
            return false;
        }
        const std::vector<Section>& sections = m_layout.sections();
        const Section& source = sections[static_cast<size_t>(from)];
        const Section& target = sections[static_cast<size_t>(to)];
        const bool isInsideFolded = from == to && (source.collapsed || source.kind == SectionKind::Process);
        return !isInsideFolded && (isInView(source) || isInView(target));
    }

    void search() {
        const std::span<const LinkBundle> bundles = m_index.bundles();
        size_t searched = 0;
        for (size_t i = 0; i < bundles.size(); ++i) {
            if (i == kMaxBundles || searched == kMaxBundlesInView) {
                m_out.complete = false;
                return;
            }
            const LinkBundle& bundle = bundles[i];
            if (!isBundleInView(bundle)) {
                continue;
            }
            ++searched;
            Found found{&bundle, 0, 0, 0, 0};
            found.departs0 = m_index.firstDeparture(bundle, m_range.begin, bundle.first);
            found.departs1 = m_index.firstDeparture(bundle, m_range.end, found.departs0);
            found.arrives0 = m_index.firstArrival(bundle, m_range.begin, bundle.first);
            found.arrives1 = m_index.firstArrival(bundle, m_range.end, found.arrives0);
            if (found.count() > 0) {
                m_found.push_back(found);
            }
        }
    }

    bool isShown(const LinkBundle& bundle, uint32_t link) {
        ++m_out.looked;
        const auto [from, to] = m_index.link(link);
        const std::optional<Arrow> arrow = placeArrow(m_trace, m_layout, m_view, {bundle.kind, from, to});
        const auto inView = [this](double x, double y) { return x >= 0 && x <= m_width && y >= 0 && y <= m_height; };
        if (!arrow ||
            ((arrow->hidden0 || !inView(arrow->x0, arrow->y0)) && (arrow->hidden1 || !inView(arrow->x1, arrow->y1)))) {
            return false;
        }
        const bool isShort = std::hypot(arrow->x1 - arrow->x0, arrow->y1 - arrow->y0) < kShortArrow;
        m_leavesOut = m_leavesOut || isShort;
        return !isShort;
    }

    void takeCells(const FlowsInView& last) {
        const double length = m_width * m_view.axis.nsPerPixel;
        const DurationNs least = powerOfTwoFrom(kLeastPixels * m_view.axis.nsPerPixel);
        const bool isSameZoom = last.cell > 0 && last.nsPerPixel == m_view.axis.nsPerPixel;
        DurationNs cell = isSameZoom ? last.cell : std::max(least, firstCell(length));
        takeEachCell(cell);
        while (m_taken.size() > kMaxFlowsInView && static_cast<double>(cell) < length && cell < kLongestCell) {
            cell *= 2;
            takeEachCell(cell);
        }
        // What is taken stays so while panning, although there is then more or less of it.
        size_t enough = kMaxFlowsInView / (isSameZoom ? 4 : 2);
        while (m_leavesOut && m_taken.size() < enough && cell > least && m_out.looked < kMaxFlowLooks) {
            const auto coarser = m_taken;
            takeEachCell(cell / 2);
            if (m_taken.size() > kMaxFlowsInView) {
                m_taken = coarser;
                m_leavesOut = true;
                break;
            }
            cell /= 2;
            enough = kMaxFlowsInView / 2;
        }
        m_out.cell = cell;
        m_out.complete = m_out.complete && !m_leavesOut;
    }

    DurationNs firstCell(double length) const {
        size_t total = 0;
        for (const Found& found : m_found) {
            total += found.count();
        }
        if (total <= kMaxFlowLooks / 4) {
            return 1;
        }
        // Each pair of tracks may have two arrows a cell.
        const double perPair = static_cast<double>(kMaxFlowsInView) / (2 * static_cast<double>(m_found.size()));
        return powerOfTwoFrom(length / std::max(perPair, 1.0));
    }

    void takeEachCell(DurationNs cell) {
        m_taken.clear();
        m_leavesOut = false;
        for (const Found& found : m_found) {
            const LinkBundle& bundle = *found.bundle;
            for (uint32_t i = found.departs0; i < found.departs1;) {
                const TimeNs end = cellEnd(m_index.departureAt(i), cell);
                const uint32_t next = std::min(m_index.firstDeparture(bundle, end, i + 1), found.departs1);
                takeOne(bundle, i, next, [](uint32_t place) { return place; });
                i = next;
            }
            for (uint32_t i = found.arrives0; i < found.arrives1;) {
                const TimeNs end = cellEnd(m_index.arrivalAt(i), cell);
                const uint32_t next = std::min(m_index.firstArrival(bundle, end, i + 1), found.arrives1);
                takeOne(bundle, i, next, [this](uint32_t place) { return m_index.byArrival(place); });
                i = next;
            }
        }
        unite();
    }

    /// The first; where that is not to be seen, say in a row that is scrolled out, the middle one or the last.
    template <class LinkAt>
    void takeOne(const LinkBundle& bundle, uint32_t first, uint32_t end, LinkAt linkAt) {
        m_leavesOut = m_leavesOut || end - first > 1;
        uint32_t tried = m_index.size();
        for (const uint32_t place : {first, first + (end - first) / 2, end - 1}) {
            if (place != tried && isShown(bundle, linkAt(place))) {
                m_taken.emplace_back(linkAt(place), &bundle);
                return;
            }
            tried = place;
        }
    }

    void unite() {
        std::ranges::sort(m_taken, {}, &Taken::first);
        const auto rest = std::ranges::unique(m_taken, {}, &Taken::first);
        m_taken.erase(rest.begin(), rest.end());
    }

    /// Still too many where pairs of tracks are: evenly fewer.
    void finish() {
        m_out.complete = m_out.complete && m_taken.size() <= kMaxFlowsInView;
        const size_t step = (m_taken.size() + kMaxFlowsInView - 1) / kMaxFlowsInView;
        for (size_t i = 0; i < m_taken.size(); i += step) {
            const auto& [link, bundle] = m_taken[i];
            m_out.links.push_back({bundle->kind, m_index.link(link).from, m_index.link(link).to});
        }
        std::ranges::stable_sort(m_out.links, {}, &ArrowLink::kind);
    }

    using Taken = std::pair<uint32_t, const LinkBundle*>;

    const LinkIndex& m_index;
    const Trace& m_trace;
    const LaneLayout& m_layout;
    const View& m_view;
    const double m_width, m_height;  ///< logical pixels
    const TimeRange m_range;
    std::vector<Found> m_found;
    std::vector<Taken> m_taken;  ///< links of the index
    bool m_leavesOut = false;    ///< something that a closer view would show
    FlowsInView m_out;
};

}  // namespace

FlowsInView flowsInView(const LinkIndex& index, const Trace& trace, const LaneLayout& layout, const View& view,
                        const FlowsInView& last) {
    return view.width > 0 && view.height > 0 ? Finder(index, trace, layout, view).run(last) : FlowsInView();
}

}  // namespace warpline::timeline
