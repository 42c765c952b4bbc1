// SPDX-License-Identifier: GPL-3.0-or-later
// Traces that viewers get wrong: whatever is drawn can be hit, and every slice can be reached by zooming.
#include <QTest>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <set>
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
constexpr DurationNs kHour = 3'600'000'000'000;

struct Given {
    TimeNs begin = 0;
    DurationNs duration = 0;
};

std::vector<Given> zeroLength() {
    std::vector<Given> out;
    for (int i = 0; i < 400; ++i) {
        out.push_back({i * 1000, 0});
        if (i % 4 == 0) {
            out.push_back({i * 1000, 0});  // two at one moment
            out.push_back({i * 1000, 500});
            out.push_back({i * 1000 + 500, 0});  // where another ends
        }
    }
    return out;
}

std::vector<Given> identical() {
    return std::vector<Given>(300, {5'000, 777});
}

/// Each overlaps the next without nesting.
std::vector<Given> overlapping() {
    std::vector<Given> out;
    for (int i = 0; i < 500; ++i) {
        out.push_back({i * 10, 25});
    }
    return out;
}

std::vector<Given> deep() {
    std::vector<Given> out;
    for (int i = 0; i < 10'000; ++i) {
        out.push_back({i, 20'000 - 2 * i});
    }
    return out;
}

std::vector<Given> nanosecondBesideAnHour() {
    return {{0, 1},         {1, kHour},     {kHour + 1, 1},          {kHour + 2, 1},
            {kHour + 3, 0}, {kHour + 4, 1}, {kHour + 5, kHour * 20}, {kHour * 21 + 5, 1}};
}

/// Bursts of ten thousand slices of a nanosecond in hours of nothing.
std::vector<Given> bursts() {
    std::vector<Given> out;
    for (int burst = 0; burst < 3; ++burst) {
        for (int i = 0; i < 10'000; ++i) {
            out.push_back({burst * kHour + i * 2, 1});
        }
    }
    return out;
}

}  // namespace

class tst_WorstCases : public QObject {
    Q_OBJECT

private slots:
    void everyDrawnBarIsHit_data() { cases(); }
    void everyDrawnBarIsHit();
    void everySliceIsReached_data() { cases(); }
    void everySliceIsReached();

private:
    static void cases();
    void load(const std::vector<Given>& slices);
    const Geometry& compute(const View& view) {
        computeGeometry({*m_trace, *m_model, m_layout, m_highlight, false, view, {}}, m_colors, m_geometry);
        return m_geometry;
    }
    View viewOf(TimeRange range, double scale) const {
        View view;
        view.scale = scale;
        view.width = static_cast<int>(700 * scale);
        view.height = static_cast<int>(400 * scale);
        view.axis = clamped(axisFitting(range, 700), *m_trace->range(), 700);
        return view;
    }

    std::shared_ptr<const Trace> m_trace;
    std::shared_ptr<const TimelineModel> m_model;
    LaneLayout m_layout;
    HighlightIndex m_highlight;
    NameColors m_colors;
    Geometry m_geometry;
};

void tst_WorstCases::cases() {
    QTest::addColumn<int>("which");
    const char* names[] = {"zero length", "identical", "overlapping", "10,000 deep", "1 ns beside 1 h", "bursts"};
    for (int i = 0; i < 6; ++i) {
        QTest::newRow(names[i]) << i;
    }
}

void tst_WorstCases::load(const std::vector<Given>& slices) {
    TraceBuilder builder;
    const ProcessId process = builder.process(builder.addFile({}), "1");
    const TrackId track = builder.track(process, "1");
    for (size_t i = 0; i < slices.size(); ++i) {
        SliceRecord record;
        record.begin = kOrigin + slices[i].begin;
        record.duration = slices[i].duration;
        record.name = builder.intern("s" + std::to_string(i % 7));
        record.track = track;
        record.kind = EventKind::CpuOp;
        builder.addSlice(record);
    }
    JobControl job;
    m_trace = std::move(builder.seal(job)).value();
    m_model = buildTimelineModel(*m_trace);
    LayoutState state = initialLayoutState(*m_trace, *m_model, 1 << 30);
    m_layout = LaneLayout::build(*m_trace, *m_model, state);
    m_colors.reset(m_trace.get());
    QCOMPARE(m_trace->sliceCount(), static_cast<uint64_t>(slices.size()));
}

void tst_WorstCases::everyDrawnBarIsHit() {
    QFETCH(int, which);
    load(std::vector{zeroLength, identical, overlapping, deep, nanosecondBesideAnHour, bursts}[size_t(which)]());
    const TimeRange all = *m_trace->range();
    int bars = 0;
    for (const double scale : {1.0, 2.0}) {
        for (double zoom = 1; static_cast<double>(all.length()) / zoom > 20; zoom *= 37) {
            for (const double position : {0.0, 0.31, 1.0}) {
                const auto length = static_cast<DurationNs>(static_cast<double>(all.length()) / zoom);
                const auto begin = static_cast<TimeNs>(static_cast<double>(all.length() - length) * position);
                View view = viewOf({all.begin + begin, all.begin + begin + length}, scale);
                const int most = std::max(0, m_layout.height() - 400);
                for (const int scroll : {0, most / 2, most}) {
                    view.scrollY = scroll;
                    const Geometry& geometry = compute(view);
                    for (const RowGeometry& row : geometry.rows) {
                        int lastX1 = -1000;
                        for (const Bar& bar : geometry.barsOf(row)) {
                            QVERIFY(bar.x0 >= lastX1 && bar.x1 > bar.x0);
                            lastX1 = bar.x1;
                            const int x0 = std::max(bar.x0, 0), x1 = std::min(bar.x1, view.width) - 1;
                            const int y0 = std::max(row.y0, 0), y1 = std::min(row.y1, view.height) - 1;
                            for (const int x : {x0, (x0 + x1) / 2, x1}) {
                                for (const int y : {y0, y1}) {
                                    const auto hit = hitTest(geometry, x, y);
                                    QVERIFY(hit && hit->bar != nullptr);
                                    QCOMPARE(hit->bar->item, bar.item);
                                }
                            }
                            ++bars;
                        }
                    }
                }
            }
        }
    }
    QVERIFY(bars > 10);
}

void tst_WorstCases::everySliceIsReached() {
    QFETCH(int, which);
    load(std::vector{zeroLength, identical, overlapping, deep, nanosecondBesideAnHour, bursts}[size_t(which)]());
    const SliceColumns& slices = m_trace->slices();
    for (uint32_t row = 0; row < slices.size(); ++row) {
        const TimeRange range{slices.begin[row], slices.end(row)};
        // What a double click does, and for a moment the closest view there is.
        const DurationNs beside = std::max<DurationNs>(range.length() / 10, 4);
        View view = viewOf({range.begin - beside, range.end + beside}, 1);
        const int layoutRow = m_layout.rowOfLane(m_trace->laneOf(EventRow(row)));
        QVERIFY(layoutRow >= 0);
        const LayoutRow& lane = m_layout.rows()[static_cast<size_t>(layoutRow)];
        view.scrollY = std::clamp(lane.y - 100, 0, std::max(0, m_layout.height() - 400));
        const Geometry& geometry = compute(view);
        const Bar* found = nullptr;
        for (const RowGeometry& drawn : geometry.rows) {
            if (drawn.layoutRow == static_cast<uint32_t>(layoutRow)) {
                for (const Bar& bar : geometry.barsOf(drawn)) {
                    found = bar.item == row && bar.count == 1 ? &bar : found;
                }
            }
        }
        QVERIFY2(found != nullptr, qPrintable(QString::number(row)));
        const int x = (std::max(found->x0, 0) + std::min(found->x1, view.width) - 1) / 2;
        const auto hit = hitTest(geometry, x, lane.y + lane.height / 2 - view.scrollY);
        QVERIFY(hit && hit->bar != nullptr);
        QCOMPARE(hit->bar->item, row);
    }
}

QTEST_APPLESS_MAIN(tst_WorstCases)
#include "tst_worst_cases.moc"
