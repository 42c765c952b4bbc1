// SPDX-License-Identifier: GPL-3.0-or-later
// Geometry and hit test together: what is drawn is what is hit.
#include <QTest>

#include <array>
#include <cmath>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "core/base/job_control.h"
#include "core/trace/trace_builder.h"
#include "widgets/panels/timeline/bar_geometry.h"
#include "widgets/panels/timeline/hit_test.h"

using namespace warpline;
using namespace warpline::timeline;

namespace {

constexpr TimeNs kOrigin = 1'700'000'000'000'000'000;

/// Nested slices on three threads and a stream, instants, async work and a counter, all at random.
std::shared_ptr<const Trace> randomTrace(uint32_t seed) {
    std::mt19937 random(seed);
    TraceBuilder builder;
    const FileId file = builder.addFile({});
    const ProcessId process = builder.process(file, "100");
    std::vector<StringId> names;
    for (int i = 0; i < 40; ++i) {
        names.push_back(builder.intern("op_" + std::to_string(i)));
    }
    const auto pick = [&] { return names[random() % names.size()]; };
    for (int t = 0; t < 4; ++t) {
        const TrackId track = builder.track(process, std::to_string(t));
        TimeNs now = kOrigin;
        for (int i = 0; i < 3000; ++i) {
            const auto length = static_cast<DurationNs>(random() % 100 == 0 ? random() % 500'000 : random() % 300);
            SliceRecord slice;
            slice.begin = now;
            slice.duration = length;
            slice.name = pick();
            slice.track = track;
            slice.kind = t == 3 ? EventKind::Kernel : EventKind::CpuOp;
            builder.addSlice(slice);
            if (length > 20) {
                slice.begin = now + length / 8;
                slice.duration = length / 2;
                slice.name = pick();
                builder.addSlice(slice);
            }
            now += length + static_cast<DurationNs>(random() % 200 == 0 ? random() % 1'000'000 : random() % 100);
            if (random() % 10 == 0) {
                Instant instant;
                instant.time = now;
                instant.name = pick();
                instant.track = track;
                builder.addInstant(instant);
            }
        }
    }
    for (int i = 0; i < 500; ++i) {
        AsyncRecord record;
        record.track = builder.track(process, "0");
        record.name = names[static_cast<size_t>(i % 3)];
        record.category = names[0];
        record.id = EventId::ofNumber(static_cast<uint64_t>(i));
        record.time = kOrigin + static_cast<TimeNs>(random() % 3'000'000);
        builder.addAsync(record);
        record.phase = AsyncPhase::End;
        record.time += static_cast<TimeNs>(random() % 100'000);
        builder.addAsync(record);
    }
    for (int i = 0; i < 2000; ++i) {
        CounterRecord record;
        record.time = kOrigin + i * 1500;
        record.process = process;
        record.name = names[1];
        record.series = names[2];
        record.value = static_cast<double>(random() % 1000);
        builder.addCounter(record);
    }
    JobControl job;
    return std::move(builder.seal(job)).value();
}

struct Scene {
    std::shared_ptr<const Trace> trace;
    std::shared_ptr<const TimelineModel> model;
    LaneLayout layout;
    HighlightIndex highlight;
    NameColors colors;

    explicit Scene(std::shared_ptr<const Trace> t) : trace(std::move(t)) {
        model = buildTimelineModel(*trace);
        layout = LaneLayout::build(*trace, *model, initialLayoutState(*trace, *model, 1 << 20));
        colors.reset(trace.get());
    }
    Geometry compute(const View& view) {
        Geometry geometry;
        computeGeometry({*trace, *model, layout, highlight, !highlight.empty(), view}, colors, geometry);
        return geometry;
    }
};

View makeView(const Scene& scene, double scale, double zoom, double position) {
    View view;
    view.scale = scale;
    view.width = static_cast<int>(900 * scale);
    view.height = static_cast<int>((scene.layout.height() + 10) * scale);
    const TimeRange all = *scene.trace->range();
    const auto length = static_cast<DurationNs>(static_cast<double>(all.length()) / zoom);
    const TimeNs begin = all.begin + static_cast<TimeNs>(static_cast<double>(all.length() - length) * position);
    view.axis = axisFitting({begin, begin + length}, 900);
    return view;
}

}  // namespace

class tst_BarGeometry : public QObject {
    Q_OBJECT

private slots:
    void everyBarIsHit_data();
    void everyBarIsHit();
    void columnsEqualAScan_data();
    void columnsEqualAScan();
    void countersEqualAScan();
    void instantsEqualAScan();
    void labelsLieInTheirBars();
    void highlightLiesAbove();
    void aWholeLaneIsHighlightedAsItIs();
    void pointsAreHighlighted();
    void anAsyncHitLooksAtNoOther();
    void aFoldedTrackShowsWhatIsHighlightedBelow();
    void nothingOutsideOfRows();
    void reachFindsThinBars();
    void scrolledViewShowsTheSame();
    void whatIsTooShortIsQuiet();
    void movedByPixelsItIsTheSamePicture();
    void pinnedRowsStayAndHideWhatIsBelow();
};

void tst_BarGeometry::everyBarIsHit_data() {
    QTest::addColumn<double>("scale");
    QTest::addColumn<double>("zoom");
    QTest::addColumn<double>("position");
    for (const double scale : {1.0, 1.5, 2.0}) {
        for (const double zoom : {0.8, 1.0, 7.0, 60.0, 900.0, 50'000.0, 3e6}) {
            for (const double position : {0.0, 0.37, 1.0}) {
                QTest::addRow("scale %g, zoom %g, at %g", scale, zoom, position) << scale << zoom << position;
            }
        }
    }
}

void tst_BarGeometry::everyBarIsHit() {
    QFETCH(double, scale);
    QFETCH(double, zoom);
    QFETCH(double, position);
    Scene scene(randomTrace(5));
    const View view = makeView(scene, scale, zoom, position);
    const Geometry geometry = scene.compute(view);
    QCOMPARE(geometry.rows.size(), scene.layout.rows().size());
    size_t bars = 0;
    int rowEnd = 0;
    for (size_t r = 0; r < geometry.rows.size(); ++r) {
        const RowGeometry& row = geometry.rows[r];
        QVERIFY(row.y0 >= rowEnd);
        rowEnd = row.y1;
        int end = std::numeric_limits<int>::min();
        for (const Bar& bar : geometry.barsOf(row)) {
            ++bars;
            QVERIFY(bar.x0 >= end);
            QVERIFY(bar.x1 > bar.x0);
            end = bar.x1;
            const int left = std::max(bar.x0, 0);
            const int right = std::min(bar.x1, view.width) - 1;
            QVERIFY(left <= right);
            for (const int x : {left, (left + right) / 2, right}) {
                for (const int y : {row.y0, (row.y0 + row.y1) / 2, row.y1 - 1}) {
                    const std::optional<Hit> hit = hitTest(geometry, x, y);
                    QVERIFY(hit.has_value());
                    QCOMPARE(hit->bar, &bar);
                    QCOMPARE(hit->row, static_cast<uint32_t>(r));
                }
            }
        }
    }
    QVERIFY(bars > 0);
}

void tst_BarGeometry::columnsEqualAScan_data() {
    everyBarIsHit_data();
}

/// A pixel is covered exactly if some slice of the lane lies in it, and the hit is a slice that does.
void tst_BarGeometry::columnsEqualAScan() {
    QFETCH(double, scale);
    QFETCH(double, zoom);
    QFETCH(double, position);
    Scene scene(randomTrace(6));
    const View view = makeView(scene, scale, zoom, position);
    const Geometry geometry = scene.compute(view);
    const SliceColumns& slices = scene.trace->slices();
    const double nsPerPixel = view.axis.nsPerPixel / view.scale;
    const auto column = [&](TimeNs time) {
        return std::clamp(std::floor(static_cast<double>(time - view.axis.begin) / nsPerPixel), -10.0, 1e5);
    };
    for (const RowGeometry& row : geometry.rows) {
        if (row.kind != RowKind::Lane) {
            continue;
        }
        const Lane& lane = scene.trace->lanes()[scene.layout.rows()[row.layoutRow].index];
        std::vector<char> expected(static_cast<size_t>(view.width));
        for (uint32_t i = lane.firstRow; i < lane.firstRow + lane.count; ++i) {
            const double x0 = column(slices.begin[i]);
            const double x1 = std::max(x0 + 1, column(slices.end(i)));
            for (auto x = static_cast<int>(std::max(x0, 0.0)); x < std::min(x1, double(view.width)); ++x) {
                expected[static_cast<size_t>(x)] = 1;
            }
        }
        std::vector<char> drawn(static_cast<size_t>(view.width));
        for (const Bar& bar : geometry.barsOf(row)) {
            for (int x = std::max(bar.x0, 0); x < std::min(bar.x1, view.width); ++x) {
                drawn[static_cast<size_t>(x)] = 1;
            }
            QVERIFY(bar.item >= lane.firstRow && bar.item < lane.firstRow + lane.count);
            QVERIFY(column(slices.begin[bar.item]) <= bar.x1 && column(slices.end(bar.item)) >= bar.x0 - 1);
        }
        QCOMPARE(drawn, expected);
    }
}

void tst_BarGeometry::countersEqualAScan() {
    Scene scene(randomTrace(7));
    for (const double zoom : {1.0, 11.0, 400.0}) {
        const View view = makeView(scene, 1, zoom, 0.4);
        const Geometry geometry = scene.compute(view);
        const CounterSeries& series = scene.trace->counters()[0].series[0];
        const ValueRange whole = scene.model->counters[0].range;
        QVERIFY(whole.low >= 0 && whole.high > 900);
        for (const RowGeometry& row : geometry.rows) {
            if (row.kind != RowKind::Counter) {
                continue;
            }
            size_t begin = 0;
            for (int x = 0; x < view.width; ++x) {
                const TimeNs from = view.axis.begin + static_cast<DurationNs>(std::floor(x * view.axis.nsPerPixel));
                const TimeNs to = view.axis.begin + static_cast<DurationNs>(std::floor((x + 1) * view.axis.nsPerPixel));
                ValueRange expected;
                double last = std::nan("");
                for (; begin < series.time.size() && series.time[begin] < from; ++begin) {
                }
                size_t i = begin;
                if (i > 0) {
                    expected.add(series.value[i - 1]);
                    last = series.value[i - 1];
                }
                for (; i < series.time.size() && series.time[i] < to; ++i) {
                    expected.add(series.value[i]);
                    last = series.value[i];
                }
                const CounterColumn& column = geometry.columns[row.firstColumn + static_cast<uint32_t>(x)];
                QCOMPARE(column.range.empty(), expected.empty());
                if (!expected.empty()) {
                    QCOMPARE(column.range.low, (expected.low - whole.low) / (whole.high - whole.low));
                    QCOMPARE(column.range.high, (expected.high - whole.low) / (whole.high - whole.low));
                    QCOMPARE(column.last, (last - whole.low) / (whole.high - whole.low));
                }
            }
        }
    }
}

void tst_BarGeometry::instantsEqualAScan() {
    Scene scene(randomTrace(8));
    for (const double zoom : {1.0, 30.0, 5000.0}) {
        const View view = makeView(scene, 2, zoom, 0.5);
        const Geometry geometry = scene.compute(view);
        for (const RowGeometry& row : geometry.rows) {
            if (row.kind != RowKind::Instants) {
                continue;
            }
            const Track& track = scene.trace->track(TrackId(scene.layout.rows()[row.layoutRow].index));
            std::map<int, uint32_t> expected;
            for (const Instant& instant : scene.trace->instants().subspan(track.firstInstant, track.instantCount)) {
                const double x = std::floor(static_cast<double>(instant.time - view.axis.begin) /
                                            (view.axis.nsPerPixel / view.scale));
                if (x >= 0 && x < view.width) {
                    ++expected[static_cast<int>(x)];
                }
            }
            std::map<int, uint32_t> drawn;
            for (const Bar& bar : geometry.barsOf(row)) {
                drawn[bar.x0] = bar.count;
            }
            QCOMPARE(drawn, expected);
        }
    }
}

void tst_BarGeometry::labelsLieInTheirBars() {
    Scene scene(randomTrace(9));
    for (const double zoom : {1.0, 200.0, 20'000.0}) {
        const View view = makeView(scene, 2, zoom, 0.37);
        const Geometry geometry = scene.compute(view);
        for (const LabelSpot& spot : geometry.labels) {
            const Bar& bar = geometry.bars[spot.bar];
            QVERIFY(spot.x0 >= bar.x0 && spot.x1 <= bar.x1);
            QVERIFY(spot.x0 >= 0 && spot.x1 <= view.width);
            QVERIFY(spot.x1 - spot.x0 >= 2 * kMinLabelWidth);
        }
    }
}

void tst_BarGeometry::highlightLiesAbove() {
    Scene scene(randomTrace(10));
    std::vector<EventRow> events;
    const StringId name = scene.trace->slices().name[100];
    for (uint32_t row = 0; row < scene.trace->sliceCount(); ++row) {
        if (scene.trace->slices().name[row] == name) {
            events.push_back(EventRow(row));
        }
    }
    scene.highlight = HighlightIndex::build(*scene.trace, events);
    const View view = makeView(scene, 1, 1, 0);
    const Geometry geometry = scene.compute(view);
    QVERIFY(geometry.highlighting);
    uint64_t marked = 0;
    for (const RowGeometry& row : geometry.rows) {
        for (const Bar& mark : geometry.marksOf(row)) {
            marked += mark.count;
            QCOMPARE(scene.trace->slices().name[mark.item], name);
            const std::optional<Hit> hit = hitTest(geometry, mark.x0, row.y0);
            QVERIFY(hit.has_value());
            QCOMPARE(hit->bar, &mark);
        }
    }
    // None is lost among the many slices that share its pixel.
    QCOMPARE(marked, static_cast<uint64_t>(events.size()));
}

void tst_BarGeometry::aWholeLaneIsHighlightedAsItIs() {
    Scene scene(randomTrace(10));
    const Lane& lane = scene.trace->lanes()[0];
    std::vector<EventRow> events;
    for (uint32_t row = lane.firstRow; row < lane.firstRow + lane.count; ++row) {
        events.push_back(EventRow(row));
    }
    scene.highlight = HighlightIndex::build(*scene.trace, events);
    QVERIFY(scene.highlight.find(0) != nullptr && scene.highlight.find(0)->row.empty());
    const Geometry geometry = scene.compute(makeView(scene, 1, 1, 0));
    for (const RowGeometry& row : geometry.rows) {
        const bool isIt = row.kind == RowKind::Lane && scene.layout.rows()[row.layoutRow].index == 0;
        QCOMPARE(row.markCount, isIt ? row.barCount : 0U);
        for (uint32_t i = 0; i < row.markCount; ++i) {
            QCOMPARE(geometry.marksOf(row)[i].item, geometry.barsOf(row)[i].item);
            QCOMPARE(geometry.marksOf(row)[i].x1, geometry.barsOf(row)[i].x1);
        }
    }
}

void tst_BarGeometry::pointsAreHighlighted() {
    using Kind = Selection::Kind;
    Scene scene(randomTrace(10));
    std::vector<HighlightPoint> points = {{0, Kind::CounterSample, 0}};
    uint64_t asyncCount = 0;
    for (uint32_t i = 0; i < scene.trace->asyncSlices().size(); i += 3) {
        points.push_back({0, Kind::AsyncSlice, i});
        ++asyncCount;
    }
    for (uint32_t i = 0; i < scene.trace->instants().size(); i += 7) {
        points.push_back({0, Kind::Instant, i});
    }
    QVERIFY(asyncCount > 100 && points.size() > asyncCount + 1);
    Highlight highlight;
    highlight.points = std::make_shared<const std::vector<HighlightPoint>>(points);
    scene.highlight = HighlightIndex::build(*scene.trace, scene.model.get(), highlight);
    for (const double zoom : {1.0, 40.0}) {
        const Geometry geometry = scene.compute(makeView(scene, 1, zoom, 0));
        QVERIFY(geometry.highlighting);
        uint64_t marked = 0;
        for (const RowGeometry& row : geometry.rows) {
            const auto marks = geometry.marksOf(row);
            QVERIFY(row.kind != RowKind::Lane || marks.empty());
            QCOMPARE(row.kind == RowKind::Counter ? marks.size() : 1U, 1U);
            for (const Bar& mark : marks) {
                if (row.kind == RowKind::Async) {
                    QCOMPARE(mark.item % 3, 0U);
                    marked += mark.count;
                } else if (row.kind == RowKind::Instants) {
                    QCOMPARE(mark.item % 7, 0U);
                }
            }
            for (const Bar& bar : geometry.barsOf(row)) {
                if (row.kind == RowKind::Instants) {
                    const bool isIn = (bar.item + 6) / 7 * 7 < bar.item + bar.count;
                    QCOMPARE(std::ranges::count(marks, bar.x0, &Bar::x0), isIn ? 1 : 0);
                }
            }
        }
        QVERIFY(zoom > 1 || marked == asyncCount);
    }
}

/// A hit costs its own place in its lane, however long the lane is.
void tst_BarGeometry::anAsyncHitLooksAtNoOther() {
    using Kind = Selection::Kind;
    Scene scene(randomTrace(10));
    const auto slices = static_cast<uint32_t>(scene.trace->asyncSlices().size());
    QCOMPARE(scene.model->asyncPlaceOf.size(), slices + scene.trace->asyncInstants().size());
    for (uint32_t item = 0; item < scene.model->asyncPlaceOf.size(); ++item) {
        const AsyncLane& lane = scene.model->asyncLanes[scene.model->asyncLaneOf[item]];
        QCOMPARE(lane.index[scene.model->asyncPlaceOf[item]], item);
    }
    const uint32_t hit = slices / 2;
    Highlight highlight;
    highlight.points = std::make_shared<const std::vector<HighlightPoint>>(
        std::vector<HighlightPoint>{{0, Kind::AsyncSlice, hit}, {0, Kind::AsyncSlice, hit}});
    // Whoever looks at the rest of the lane finds it there too.
    TimelineModel misleading = *scene.model;
    AsyncLane& lane = misleading.asyncLanes[misleading.asyncLaneOf[hit]];
    QVERIFY(lane.index.size() > 10);
    std::ranges::fill(lane.index, hit);
    const HighlightIndex index = HighlightIndex::build(*scene.trace, &misleading, highlight);
    const HighlightLane* found = index.findAsync(misleading.asyncLaneOf[hit]);
    QVERIFY(found != nullptr);
    QCOMPARE(found->row, std::vector{hit});
    QCOMPARE(found->begin, std::vector{scene.trace->asyncSlices()[hit].begin});
    QCOMPARE(found->duration, std::vector{scene.trace->asyncSlices()[hit].duration});
}

void tst_BarGeometry::aFoldedTrackShowsWhatIsHighlightedBelow() {
    Scene scene(randomTrace(12));
    const Track& track = scene.trace->track(TrackId(scene.trace->slices().track[0]));
    QVERIFY(track.laneCount > 1);
    std::vector<EventRow> events;
    for (uint32_t lane = track.firstLane + 1; lane < track.firstLane + track.laneCount; ++lane) {
        const Lane& extent = scene.trace->lanes()[lane];
        for (uint32_t row = extent.firstRow; row < extent.firstRow + extent.count; row += 5) {
            events.push_back(EventRow(row));
        }
    }
    QVERIFY(events.size() > 10);
    LayoutState state = initialLayoutState(*scene.trace, *scene.model, 1 << 20);
    for (TrackMode& mode : state.tracks) {
        mode.collapsed = true;
    }
    scene.layout = LaneLayout::build(*scene.trace, *scene.model, state);
    scene.highlight = HighlightIndex::build(*scene.trace, events);
    const View view = makeView(scene, 1, 1, 0);
    const Geometry geometry = scene.compute(view);
    const auto found = std::ranges::find_if(geometry.rows, [&](const RowGeometry& row) {
        return row.kind == RowKind::Lane && scene.layout.rows()[row.layoutRow].index == track.firstLane;
    });
    QVERIFY(found != geometry.rows.end());
    const auto marks = geometry.marksOf(*found);
    for (size_t i = 1; i < marks.size(); ++i) {
        QVERIFY(marks[i - 1].x1 <= marks[i].x0);
    }
    for (const EventRow row : events) {
        const int x = static_cast<int>(std::floor(timeToX(view.axis, scene.trace->slices().begin[row.value])));
        QVERIFY(std::ranges::any_of(marks, [x](const Bar& mark) { return mark.x0 <= x && x < mark.x1; }));
    }
    for (const Bar& mark : marks) {
        QVERIFY(std::ranges::count(events, EventRow(mark.item)) == 1);
    }
}

void tst_BarGeometry::nothingOutsideOfRows() {
    Scene scene(randomTrace(11));
    const View view = makeView(scene, 1, 1, 0);
    const Geometry geometry = scene.compute(view);
    QVERIFY(!hitTest(geometry, -1, geometry.rows[0].y0).has_value());
    QVERIFY(!hitTest(geometry, view.width, geometry.rows[0].y0).has_value());
    QVERIFY(!hitTest(geometry, 10, -1).has_value());
    QVERIFY(!hitTest(geometry, 10, view.height + 100).has_value());
}

void tst_BarGeometry::reachFindsThinBars() {
    Geometry geometry;
    geometry.view.width = 100;
    geometry.view.height = 20;
    geometry.bars = {{10, 11, 1, 1, 0}, {20, 30, 2, 1, 0}};
    RowGeometry row;
    row.y1 = 18;
    row.barCount = 2;
    geometry.rows = {row};
    QVERIFY(!hitTest(geometry, 12, 5).has_value());
    QCOMPARE(hitTest(geometry, 12, 5, 3)->bar->item, 1U);
    QCOMPARE(hitTest(geometry, 8, 5, 3)->bar->item, 1U);
    QCOMPARE(hitTest(geometry, 18, 5, 3)->bar->item, 2U);
    QCOMPARE(hitTest(geometry, 32, 5, 3)->bar->item, 2U);
    QVERIFY(!hitTest(geometry, 15, 5, 3).has_value());
    QVERIFY(!hitTest(geometry, 12, 18, 3).has_value());
}

void tst_BarGeometry::scrolledViewShowsTheSame() {
    Scene scene(randomTrace(12));
    View view = makeView(scene, 2, 40, 0.5);
    const Geometry all = scene.compute(view);
    view.scrollY = 50;
    view.height = 200;
    const Geometry part = scene.compute(view);
    QVERIFY(!part.rows.empty() && part.rows.size() < all.rows.size());
    for (const RowGeometry& row : part.rows) {
        const RowGeometry& same = all.rows[row.layoutRow];
        QCOMPARE(row.y0, same.y0 - 100);
        QCOMPARE(row.barCount, same.barCount);
        for (uint32_t i = 0; i < row.barCount; ++i) {
            QCOMPARE(part.bars[row.firstBar + i].x0, all.bars[same.firstBar + i].x0);
            QCOMPARE(part.bars[row.firstBar + i].item, all.bars[same.firstBar + i].item);
        }
    }
}

/// No bar flickers, changes its colour or its slice while the view moves.
void tst_BarGeometry::movedByPixelsItIsTheSamePicture() {
    Scene scene(randomTrace(14));
    for (const double nsPerPixel : {4000.0, 700.0, 64.0, 3.0}) {
        View view = makeView(scene, 1, 1, 0);
        const TimeNs middle = scene.trace->slices().begin[scene.trace->slices().size() / 3];
        const TimeAxis axis{middle - static_cast<TimeNs>(500 * nsPerPixel), nsPerPixel};
        view.axis = axis;
        const Geometry before = scene.compute(view);
        for (const int pixels : {1, 7, 150}) {
            view.axis = panned(axis, pixels);
            const Geometry after = scene.compute(view);
            QCOMPARE(after.rows.size(), before.rows.size());
            int compared = 0;
            for (size_t r = 0; r < before.rows.size(); ++r) {
                const auto shown = [&](const Geometry& geometry, int shift) {
                    std::vector<std::array<int64_t, 5>> bars;
                    for (const Bar& bar : geometry.barsOf(geometry.rows[r])) {
                        // Those at the edges are cut by it.
                        if (bar.x0 - shift > pixels + 2 && bar.x1 - shift < view.width - 2) {
                            bars.push_back({bar.x0 - shift, bar.x1 - shift, bar.item, bar.count, bar.color});
                        }
                    }
                    return bars;
                };
                std::vector<std::array<int64_t, 5>> left = shown(before, 0);
                std::erase_if(left, [&](const auto& bar) { return bar[1] >= view.width - 2; });
                std::vector<std::array<int64_t, 5>> right = shown(after, -pixels);
                QCOMPARE(left, right);
                compared += static_cast<int>(left.size());
            }
            QVERIFY(compared > 2);
        }
    }
}

void tst_BarGeometry::whatIsTooShortIsQuiet() {
    Scene scene(randomTrace(13));
    for (const double zoom : {1.0, 40.0, 5000.0}) {
        const View view = makeView(scene, 1, zoom, 0.4);
        Geometry geometry;
        computeGeometry({*scene.trace, *scene.model, scene.layout, scene.highlight, false, view, {}, nullptr, {}, 150},
                        scene.colors, geometry);
        const SliceColumns& slices = scene.trace->slices();
        int quiet = 0, loud = 0;
        for (const RowGeometry& row : geometry.rows) {
            if (row.kind != RowKind::Lane) {
                continue;
            }
            const Lane& lane = scene.trace->lanes()[scene.layout.rows()[row.layoutRow].index];
            for (const Bar& bar : geometry.barsOf(row)) {
                // A bar is loud if any slice of the lane under it is long enough: the longest tells.
                QVERIFY(bar.item >= lane.firstRow && bar.item < lane.firstRow + lane.count);
                QCOMPARE(bar.isQuiet, slices.duration[bar.item] < 150);
                (bar.isQuiet ? quiet : loud) += 1;
            }
        }
        QVERIFY(loud > 0 && (quiet > 0 || zoom < 40));
        for (const Bar& bar : scene.compute(view).bars) {
            QVERIFY(!bar.isQuiet);
        }
    }
}

void tst_BarGeometry::pinnedRowsStayAndHideWhatIsBelow() {
    Scene scene(randomTrace(11));
    LayoutState state = initialLayoutState(*scene.trace, *scene.model, 1 << 20);
    const TrackId stream(uint32_t{3});
    state.arrangement.pinned = {{SectionRef::Kind::Track, scene.trace->track(stream).process, stream, {}}};
    scene.layout = LaneLayout::build(*scene.trace, *scene.model, state);
    const Section pinned = scene.layout.sections()[0];
    QVERIFY(pinned.pinned);
    QCOMPARE(scene.layout.pinnedHeight(10'000), pinned.endY);
    QCOMPARE(scene.layout.pinnedHeight(pinned.endY - 1), 0);  // not a part of it

    for (const double scale : {1.0, 1.5}) {
        View view = makeView(scene, scale, 3, 0.4);
        const Geometry whole = scene.compute(view);
        view.height = static_cast<int>(120 * scale);
        view.frozen = pinned.endY;
        for (const int scroll : {0, 1, 17, 40, 95}) {
            view.scrollY = scroll;
            const Geometry geometry = scene.compute(view);
            const int frozen = static_cast<int>(std::lround(view.frozen * scale));
            QCOMPARE(geometry.rows[0].y0, whole.rows[0].y0);
            // Each line is the row's that would lie there if the view were a window on the layout.
            for (int y = 0; y < view.height; ++y) {
                const int there = y < frozen ? y : y + static_cast<int>(std::lround(scroll * scale));
                if (y >= frozen && scale != 1 && (scroll % 2) != 0) {
                    continue;  // half a pixel is rounded either way
                }
                for (const int x : {5, 300, 620}) {
                    const auto got = hitTest(geometry, static_cast<int>(x * scale), y);
                    const auto want = hitTest(whole, static_cast<int>(x * scale), there);
                    QCOMPARE(got.has_value(), want.has_value());
                    if (got) {
                        QCOMPARE(geometry.rows[got->row].layoutRow, whole.rows[want->row].layoutRow);
                        QVERIFY(y >= geometry.rows[got->row].top);
                        QCOMPARE(got->bar == nullptr ? 0 : got->bar->item, want->bar == nullptr ? 0 : want->bar->item);
                    }
                }
            }
        }
    }
}

QTEST_APPLESS_MAIN(tst_BarGeometry)
#include "tst_bar_geometry.moc"
