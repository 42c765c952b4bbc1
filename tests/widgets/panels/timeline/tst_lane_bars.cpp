// SPDX-License-Identifier: GPL-3.0-or-later
// Bars that are kept from frame to frame against those that the pyramid gives for each view anew.
#include <QTest>

#include <cmath>
#include <random>

#include "core/trace/trace_builder.h"
#include "widgets/panels/timeline/lane_bars.h"

using namespace warpline;
using namespace warpline::timeline;

namespace {

/// One lane of `count` slices: most of them short, some of no length, some long, some gaps.
std::shared_ptr<const Trace> laneOf(uint32_t count, uint32_t seed) {
    std::mt19937 random(seed);
    TraceBuilder builder;
    const ProcessId process = builder.process(builder.addFile({}), "1");
    SliceRecord slice;
    slice.track = builder.track(process, "1");
    slice.name = builder.intern("s");
    TimeNs now = 1000;
    for (uint32_t i = 0; i < count; ++i) {
        slice.begin = now;
        slice.duration = random() % 50 == 0 ? 20'000 : random() % 9 == 0 ? 0 : static_cast<DurationNs>(random() % 90);
        builder.addSlice(slice);
        now += slice.duration + (random() % 40 == 0 ? 5'000 : 1 + static_cast<TimeNs>(random() % 30));
    }
    JobControl job;
    return std::move(builder.seal(job)).value();
}

struct Fresh {
    const Trace& trace;
    std::vector<LodBar> of(TimeRange range, double nsPerPixel) const {
        const SliceColumns& slices = trace.slices();
        const Lane& lane = trace.lanes()[0];
        std::vector<LodBar> bars;
        trace.lod(0).collect({slices.begin.data() + lane.firstRow, lane.count},
                             {slices.duration.data() + lane.firstRow, lane.count}, range, nsPerPixel, bars);
        return bars;
    }
};

QString textOf(std::span<const LodBar> bars, TimeRange inside) {
    QString text;
    for (const LodBar& bar : bars) {
        if (bar.begin >= inside.begin && bar.end <= inside.end) {
            text += QStringLiteral("%1..%2 %3 %4+%5 %6; ")
                        .arg(bar.begin)
                        .arg(bar.end)
                        .arg(bar.row)
                        .arg(bar.first)
                        .arg(bar.count)
                        .arg(bar.busy);
        }
    }
    return text;
}

}  // namespace

class TestLaneBars : public QObject {
    Q_OBJECT
private slots:
    void moved_data() {
        QTest::addColumn<double>("nsPerPixel");
        for (const double ns : {0.3, 1.0, 7.0, 40.0, 333.3, 2'500.0, 90'000.0}) {
            QTest::addRow("%g", ns) << ns;
        }
    }
    /// As if each view had been asked for anew; at the ends a part of a pixel may not have been looked at.
    void moved() {
        QFETCH(double, nsPerPixel);
        const auto trace = laneOf(30'000, 7);
        const TimeRange all = *trace->range();
        std::mt19937 random(static_cast<uint32_t>(nsPerPixel * 10));
        LaneBars known;
        const auto pixels = [&](double count) { return static_cast<DurationNs>(std::ceil(count * nsPerPixel)); };
        TimeRange view{all.begin + all.length() / 3, 0};
        for (int i = 0; i < 400; ++i) {
            view.end = view.begin + std::max<DurationNs>(pixels(300), 4);
            const std::span<const LodBar> bars = known.of(*trace, 0, view, nsPerPixel);
            for (const LodBar& bar : bars) {
                QVERIFY(bar.end >= view.begin && bar.begin < view.end);
            }
            const TimeRange wide{view.begin - pixels(20) - 20, view.end + pixels(20) + 20};
            const TimeRange inside{view.begin + pixels(3) + 3, view.end - pixels(3) - 3};
            const QString kept = textOf(bars, inside);
            QCOMPARE(kept, textOf(Fresh{*trace}.of(wide, nsPerPixel), inside));
            // Mostly a few pixels either way, at times a leap.
            const double step = random() % 20 == 0 ? static_cast<double>(random() % 2'000) - 1'000
                                                   : static_cast<double>(random() % 60) - (i % 100 < 50 ? 10 : 50);
            view.begin = std::clamp(view.begin + pixels(step), all.begin - pixels(100), all.end - pixels(50));
        }
    }
    void anotherZoomIsAnotherView() {
        const auto trace = laneOf(5'000, 3);
        LaneBars known;
        const TimeRange all = *trace->range();
        for (const double ns : {900.0, 30.0, 900.0, 2.0}) {
            QCOMPARE(textOf(known.of(*trace, 0, all, ns), all), textOf(Fresh{*trace}.of(all, ns), all));
        }
    }
    void anotherTrace() {
        LaneBars known;
        const auto first = laneOf(2'000, 1);
        known.of(*first, 0, *first->range(), 10);
        known.clear();
        const auto second = laneOf(2'000, 2);
        const TimeRange all = *second->range();
        QCOMPARE(textOf(known.of(*second, 0, all, 10), all), textOf(Fresh{*second}.of(all, 10), all));
    }
    void timesWithoutEnd() {
        const auto trace = laneOf(100, 1);
        LaneBars known;
        const TimeRange whole{std::numeric_limits<TimeNs>::min(), std::numeric_limits<TimeNs>::max()};
        for (const double ns : {1.0, 1e16, 1e19}) {
            QCOMPARE(known.of(*trace, 0, whole, ns).size(), Fresh{*trace}.of(whole, ns).size());
            QCOMPARE(known.of(*trace, 0, {whole.end - 5, whole.end}, ns).size(), size_t{0});
        }
    }
};

QTEST_GUILESS_MAIN(TestLaneBars)
#include "tst_lane_bars.moc"
