// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/timeline/bar_geometry.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace warpline::timeline {

namespace {

int toDevice(const View& view, int viewY) {
    return static_cast<int>(std::lround(viewY * view.scale));
}

/// Stopped where 64 bits end: a view of all times that exist is wider than that.
DurationNs toNs(double ns) {
    constexpr double kLimit = 9.2233720368547e18;
    return static_cast<DurationNs>(std::clamp(ns, -kLimit, kLimit));
}

class Builder {
public:
    Builder(const GeometryInput& input, NameColors& colors, Geometry& out)
        : m_in(input),
          m_colors(colors),
          m_out(out),
          m_view(input.view),
          m_nsPerPixel(input.view.axis.nsPerPixel / input.view.scale),
          // A pixel more on both sides: bars that reach in from there.
          m_range(visibleRange({addSaturated(input.view.axis.begin, -toNs(m_nsPerPixel + 1)), m_nsPerPixel},
                               input.view.width + 3)) {}

    void run() {
        m_out.view = m_view;
        m_out.highlighting = m_in.highlighting;
        m_out.selected = m_in.selected;
        m_out.rows.clear();
        m_out.bars.clear();
        m_out.marks.clear();
        m_out.labels.clear();
        m_out.columns.clear();
        m_out.states.clear();
        if (m_view.width <= 0 || m_view.height <= 0) {
            return;
        }
        const size_t scrolled = m_in.layout.firstRowBelow(m_view.frozen);
        addRows(0, scrolled);
        addRows(std::max(scrolled, m_in.layout.firstRowBelow(m_view.layoutY(m_view.frozen))),
                m_in.layout.rows().size());
    }

private:
    void addRows(size_t first, size_t end) {
        for (size_t i = first; i < end; ++i) {
            const LayoutRow& row = m_in.layout.rows()[i];
            RowGeometry geometry;
            geometry.layoutRow = static_cast<uint32_t>(i);
            geometry.kind = row.kind;
            geometry.y0 = toDevice(m_view, m_view.viewY(row.y));
            if (geometry.y0 >= m_view.height) {
                break;
            }
            geometry.y1 = toDevice(m_view, m_view.viewY(row.y) + row.height);
            geometry.top = std::max(geometry.y0, toDevice(m_view, m_view.clipTop(row.y)));
            addRow(row, geometry);
            m_out.rows.push_back(geometry);
        }
    }

    /// The pixel column of a time, stopped a little outside the view.
    int column(TimeNs time) const {
        const double x = std::clamp(static_cast<double>(distanceSaturated(m_view.axis.begin, time)) / m_nsPerPixel,
                                    -16.0, static_cast<double>(m_view.width) + 16);
        // std::floor() without the call, which is a tenth of a wide view's frame.
        const int whole = static_cast<int>(x);
        return whole > x ? whole - 1 : whole;
    }

    void addRow(const LayoutRow& row, RowGeometry& geometry) {
        geometry.firstBar = static_cast<uint32_t>(m_out.bars.size());
        geometry.firstMark = static_cast<uint32_t>(m_out.marks.size());
        geometry.firstLabel = static_cast<uint32_t>(m_out.labels.size());
        geometry.firstColumn = static_cast<uint32_t>(m_out.columns.size());
        switch (row.kind) {
            case RowKind::Lane:
                addLane(row, geometry);
                break;
            case RowKind::Instants:
                addInstants(m_in.trace.track(TrackId(row.index)));
                markInstants(geometry);
                break;
            case RowKind::Async:
                addAsync(row.index, geometry);
                break;
            case RowKind::Counter:
                addCounter(row.index, geometry);
                break;
            case RowKind::Series:
                addSeries(row.index, geometry);
                break;
            case RowKind::Projection:
                addProjection(row, geometry);
                break;
        }
        geometry.barCount = static_cast<uint32_t>(m_out.bars.size()) - geometry.firstBar;
        geometry.markCount = static_cast<uint32_t>(m_out.marks.size()) - geometry.firstMark;
        if (row.kind != RowKind::Instants && row.kind != RowKind::Series && row.height >= kMinLabelHeight) {
            addLabels(geometry);
        }
        geometry.labelCount = static_cast<uint32_t>(m_out.labels.size()) - geometry.firstLabel;
    }

    void addLane(const LayoutRow& row, const RowGeometry& geometry) {
        const uint32_t index = row.index;
        const SliceColumns& slices = m_in.trace.slices();
        const Lane& lane = m_in.trace.lanes()[index];
        const std::span<const TimeNs> begin{slices.begin.data() + lane.firstRow, lane.count};
        LaneBars& known = m_in.laneBars != nullptr ? *m_in.laneBars : m_laneBars;
        for (const LodBar& bar : known.of(m_in.trace, index, m_range, m_nsPerPixel)) {
            addBar(m_out.bars, geometry.firstBar, bar, begin, lane.firstRow + bar.row);
        }
        for (size_t i = geometry.firstBar; i < m_out.bars.size(); ++i) {
            Bar& bar = m_out.bars[i];
            bar.color = m_colors.key(slices.name[bar.item], slices.kind[bar.item]);
        }
        for (size_t i = geometry.firstBar; m_in.leastDuration > 0 && i < m_out.bars.size(); ++i) {
            Bar& bar = m_out.bars[i];
            const DurationNs longest = slices.knownDuration(bar.item);
            bar.isQuiet = longest != kUnknownDuration && longest < m_in.leastDuration;
        }
        if (!m_in.highlighting) {
            return;
        }
        const Section& section = m_in.layout.sections()[row.section];
        const bool isFolded = section.collapsed || section.kind == SectionKind::Process;
        const HighlightLane* highlight = isFolded ? m_in.highlight.findFolded(index) : m_in.highlight.find(index);
        if (highlight == nullptr) {
            return;
        }
        if (highlight->isWhole) {
            m_out.marks.insert(m_out.marks.end(), m_out.bars.begin() + geometry.firstBar, m_out.bars.end());
            return;
        }
        addMarks(*highlight, geometry);
        for (size_t i = geometry.firstMark; i < m_out.marks.size(); ++i) {
            Bar& bar = m_out.marks[i];
            bar.color = m_colors.key(slices.name[bar.item], slices.kind[bar.item]);
        }
    }

    void addMarks(const HighlightLane& highlight, const RowGeometry& geometry) {
        m_lod.clear();
        highlight.lod.collect(highlight.begin, highlight.duration, m_range, m_nsPerPixel, m_lod);
        for (const LodBar& bar : m_lod) {
            addBar(m_out.marks, geometry.firstMark, bar, highlight.begin, highlight.row[bar.row]);
        }
    }

    void markInstants(const RowGeometry& geometry) {
        for (size_t i = geometry.firstBar; m_in.highlighting && i < m_out.bars.size(); ++i) {
            Bar mark = m_out.bars[i];
            if (const auto first = m_in.highlight.firstInstant(mark.item, mark.item + mark.count)) {
                mark.item = *first;
                m_out.marks.push_back(mark);
            }
        }
    }

    /// Turns times into columns and keeps bars disjoint. A slice covers the column it begins in and those it fills up
    /// to its end, so only small ones can reach into the column where the next bar begins: there a bar of one pixel
    /// joins them, a wider one begins a pixel later. `begins`: of all rows of the lane.
    void addBar(std::vector<Bar>& bars, uint32_t first, const LodBar& lod, std::span<const TimeNs> begins,
                uint32_t item) {
        int x0 = column(lod.begin);
        const int xEnd = column(lod.end);
        // Columns and rows that are not looked up need not come from memory.
        const int xLast = lod.count == 1 || xEnd == x0 ? x0 : column(begins[lod.first + lod.count - 1]);
        const int x1 = std::max(xLast + 1, xEnd);
        if (x1 <= 0 || x0 >= m_view.width) {
            return;
        }
        if (bars.size() > first && bars.back().x1 > x0) {
            Bar& last = bars.back();
            if (x1 - x0 > 1) {
                x0 = last.x1;
            } else {
                last.count += lod.count;
                if (m_lastDuration == kNotLookedUp) {
                    m_lastDuration = itemDuration(last.item);
                }
                const DurationNs longest = lod.count == 1 ? lod.busy : itemDuration(item);
                if (longest > m_lastDuration) {
                    last.item = item;
                    m_lastDuration = longest;
                }
                return;
            }
        }
        m_lastDuration = lod.count == 1 ? lod.busy : kNotLookedUp;
        bars.push_back({x0, x1, item, lod.count, 0});
    }

    DurationNs itemDuration(uint32_t item) const { return m_hasDurations ? m_in.trace.slices().duration[item] : 0; }

    void addInstants(const Track& track) {
        const auto instants = m_in.trace.instants().subspan(track.firstInstant, track.instantCount);
        const auto firstFrom = [&](TimeNs time, size_t from) {
            const auto it = std::partition_point(instants.begin() + static_cast<std::ptrdiff_t>(from), instants.end(),
                                                 [time](const Instant& instant) { return instant.time < time; });
            return static_cast<size_t>(it - instants.begin());
        };
        for (size_t i = firstFrom(m_range.begin, 0); i < instants.size() && instants[i].time < m_range.end;) {
            const int x = column(instants[i].time);
            // The next one that stands in another column.
            const TimeNs columnEnd = addSaturated(m_view.axis.begin, toNs(std::ceil((x + 1) * m_nsPerPixel)));
            const size_t next = std::max(i + 1, firstFrom(columnEnd, i));
            if (x >= 0 && x < m_view.width) {
                m_out.bars.push_back({x, x + 1, track.firstInstant + static_cast<uint32_t>(i),
                                      static_cast<uint32_t>(next - i),
                                      m_colors.key(instants[i].name, EventKind::Other)});
            }
            i = next;
        }
    }

    void addAsync(uint32_t index, const RowGeometry& geometry) {
        const AsyncLane& lane = m_in.model.asyncLanes[index];
        m_hasDurations = false;
        m_lod.clear();
        lane.lod.collect(lane.begin, lane.duration, m_range, m_nsPerPixel, m_lod);
        for (const LodBar& bar : m_lod) {
            addBar(m_out.bars, geometry.firstBar, bar, lane.begin, lane.index[bar.row]);
        }
        colorAsync(m_out.bars, geometry.firstBar);
        for (size_t i = geometry.firstBar; m_in.leastDuration > 0 && i < m_out.bars.size(); ++i) {
            const uint32_t item = m_out.bars[i].item;
            m_out.bars[i].isQuiet = item >= m_in.trace.asyncSlices().size() ||
                                    (!m_in.trace.asyncSlices()[item].unfinished &&
                                     m_in.trace.asyncSlices()[item].duration < m_in.leastDuration);
        }
        if (const HighlightLane* highlight = m_in.highlighting ? m_in.highlight.findAsync(index) : nullptr) {
            addMarks(*highlight, geometry);
            colorAsync(m_out.marks, geometry.firstMark);
        }
        m_hasDurations = true;
    }

    void colorAsync(std::vector<Bar>& bars, size_t first) {
        const auto slices = m_in.trace.asyncSlices();
        for (size_t i = first; i < bars.size(); ++i) {
            const StringId name = bars[i].item < slices.size()
                                      ? slices[bars[i].item].name
                                      : m_in.trace.asyncInstants()[bars[i].item - slices.size()].name;
            bars[i].color = m_colors.key(name, EventKind::Other);
        }
    }

    ColumnAxis columnAxis() const { return {m_view.axis.begin, m_nsPerPixel, m_view.width}; }

    void addLine(const StepView& steps, bool joined, RowGeometry& row) {
        addColumns(steps, columnAxis(), joined, m_out.columns);
        ++row.lineCount;
    }

    void scaleRow(const RowGeometry& row) {
        scaleColumns(std::span(m_out.columns).subspan(row.firstColumn), row.scale);
    }

    void addCounter(uint32_t index, RowGeometry& row) {
        const CounterLane& lane = m_in.model.counters[index];
        const CounterLook look = index < m_in.looks.size() ? m_in.looks[index] : lookAtFirst(m_in.trace, lane);
        row.ink = look.style == ValueStyle::Area ? ValueInk::Area : ValueInk::Line;
        row.isStates = look.style == ValueStyle::States;
        row.scale = scaleOf(m_in.trace, m_in.model, index, look.scale, columnAxis().range());
        addLine(stepsOf(m_in.trace, lane), look.style == ValueStyle::Line, row);
        if (row.isStates) {
            addStates(lane, row);
        }
        scaleRow(row);
        if (m_in.highlighting && m_in.highlight.hasCounter(lane.counter)) {
            m_out.marks.push_back({0, m_view.width, index});
        }
    }

    /// A bar for as long as one value holds. Where several share a pixel the highest is shown: of reasons to be slow
    /// that is one, if there is any.
    void addStates(const CounterLane& lane, const RowGeometry& row) {
        const std::span<const CounterColumn> columns = std::span(m_out.columns).subspan(row.firstColumn);
        for (int x = 0; x < m_view.width;) {
            const ValueRange& range = columns[static_cast<size_t>(x)].range;
            const int x0 = x;
            do {
                ++x;
            } while (x < m_view.width && columns[static_cast<size_t>(x)].range.high == range.high &&
                     columns[static_cast<size_t>(x)].range.empty() == range.empty());
            if (range.empty() || stateText(m_in.trace, lane, range.high).isEmpty()) {
                continue;
            }
            const auto item = static_cast<uint32_t>(m_out.states.size());
            m_out.states.push_back(range.high);
            const Strength strength = isCalmState(m_in.trace, lane, range.high) ? Strength::Grey : Strength::Device;
            const auto hue = static_cast<int>(std::hash<double>{}(range.high) % kHues);
            m_out.bars.push_back({x0, x, item, 1, static_cast<ColorKey>(static_cast<int>(strength) * kHues + hue)});
        }
    }

    void addSeries(uint32_t index, RowGeometry& row) {
        const DerivedTrack* track = m_in.derived != nullptr ? m_in.derived->find(m_in.model.derived[index]) : nullptr;
        if (track == nullptr) {
            return;
        }
        row.scale = track->range;
        if (track->pieces.lod != nullptr) {
            row.ink = ValueInk::Solid;
            addShares(track->pieces, columnAxis(), m_out.columns);
            ++row.lineCount;
        }
        for (const DerivedLine& line : track->lines) {
            addLine(line.steps, false, row);
        }
        scaleRow(row);
        addFailures(*track);
    }

    void addProjection(const LayoutRow& row, const RowGeometry& geometry) {
        const DerivedTrack* track =
            m_in.derived != nullptr ? m_in.derived->find(m_in.model.derived[row.index]) : nullptr;
        if (track == nullptr || row.lane >= track->lanes.size()) {
            return;
        }
        const ProjectedLane& lane = track->lanes[row.lane];
        m_hasDurations = false;  // those of the slices are the host's
        m_lod.clear();
        lane.lod.collect(lane.begin, lane.duration, m_range, m_nsPerPixel, m_lod);
        for (const LodBar& bar : m_lod) {
            addBar(m_out.bars, geometry.firstBar, bar, lane.begin, lane.annotation[bar.row]);
        }
        const SliceColumns& slices = m_in.trace.slices();
        for (size_t i = geometry.firstBar; i < m_out.bars.size(); ++i) {
            Bar& bar = m_out.bars[i];
            bar.color = m_colors.key(slices.name[bar.item], slices.kind[bar.item]);
        }
        m_hasDurations = true;
    }

    void addFailures(const DerivedTrack& track) {
        for (size_t i = firstOf(track.failures, m_range.begin, 0); i < track.failures.size();) {
            const int x = column(track.failures[i]);
            if (x >= m_view.width) {
                return;
            }
            const size_t next = std::max(i + 1, firstOf(track.failures, columnAxis().timeAt(x + 1), i));
            if (x >= 0) {
                m_out.bars.push_back({x, x + 1, static_cast<uint32_t>(i), static_cast<uint32_t>(next - i), 0});
            }
            i = next;
        }
    }
    static size_t firstOf(std::span<const TimeNs> times, TimeNs time, size_t from) {
        return static_cast<size_t>(
            std::lower_bound(times.begin() + static_cast<std::ptrdiff_t>(from), times.end(), time) - times.begin());
    }

    void addLabels(const RowGeometry& geometry) {
        const int least = static_cast<int>(kMinLabelWidth * m_view.scale);
        for (uint32_t i = geometry.firstBar; i < geometry.firstBar + geometry.barCount; ++i) {
            const Bar& bar = m_out.bars[i];
            const int x0 = std::max(bar.x0, 0);
            const int x1 = std::min(bar.x1, m_view.width);
            if (x1 - x0 >= least) {
                m_out.labels.push_back({i, x0, x1});
            }
        }
    }

    const GeometryInput& m_in;
    NameColors& m_colors;
    Geometry& m_out;
    const View m_view;
    const double m_nsPerPixel;  ///< of a device pixel
    const TimeRange m_range;
    LaneBars m_laneBars;
    std::vector<LodBar> m_lod;
    bool m_hasDurations = true;  ///< bars are slices as the trace has them
    static constexpr DurationNs kNotLookedUp = -1;
    DurationNs m_lastDuration = 0;  ///< of the slice that the last bar shows
};

}  // namespace

void computeGeometry(const GeometryInput& input, NameColors& colors, Geometry& out) {
    Builder(input, colors, out).run();
}

}  // namespace warpline::timeline
