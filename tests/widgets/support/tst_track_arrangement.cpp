// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "widgets/support/track_arrangement.h"

using namespace warpline;

class TestTrackArrangement : public QObject {
    Q_OBJECT

private slots:
    void pinsInFrontOfOneOrLast();
    void hidesOnce();
    void showsATrackWithItsProcess();
    void heights();
    void manyHeightsAtOnce();
    void hashesTellApart();
};

namespace {

SectionRef track(uint32_t id, uint32_t process = 0) {
    return SectionRef::ofTrack(ProcessId(process), TrackId(id));
}

using Refs = std::vector<SectionRef>;

}  // namespace

void TestTrackArrangement::pinsInFrontOfOneOrLast() {
    TrackArrangement all = withPinned({}, {track(1), track(2), track(3)});
    QCOMPARE(all.pinned, (Refs{track(1), track(2), track(3)}));
    all = withPinned(all, {track(3)}, track(1));
    QCOMPARE(all.pinned, (Refs{track(3), track(1), track(2)}));
    all = withPinned(all, {track(9), track(3)}, track(2));
    QCOMPARE(all.pinned, (Refs{track(1), track(9), track(3), track(2)}));
    all = withPinned(all, {track(1)});
    QCOMPARE(all.pinned, (Refs{track(9), track(3), track(2), track(1)}));
    // In front of one that is not pinned is last.
    QCOMPARE(withPinned(all, {track(9)}, track(77)).pinned, (Refs{track(3), track(2), track(1), track(9)}));
    QCOMPARE(withoutPinned(all, {track(3), track(1)}).pinned, (Refs{track(9), track(2)}));
}

void TestTrackArrangement::hidesOnce() {
    const TrackArrangement once = withHidden({}, {track(1), track(2)});
    QCOMPARE(withHidden(once, {track(2), track(3)}).hidden, (Refs{track(1), track(2), track(3)}));
}

void TestTrackArrangement::showsATrackWithItsProcess() {
    const TrackArrangement hidden =
        withHidden({}, {track(1, 0), SectionRef::ofProcess(ProcessId(0U)), track(2, 0), track(3, 1)});
    QCOMPARE(withShown(hidden, track(1, 0)).hidden, (Refs{track(2, 0), track(3, 1)}));
    QCOMPARE(withShown(hidden, SectionRef::ofProcess(ProcessId(0U))).hidden,
             (Refs{track(1, 0), track(2, 0), track(3, 1)}));
}

void TestTrackArrangement::heights() {
    TrackArrangement high = withHeight({}, track(1), 30);
    high = withHeight(high, track(2), 20);
    high = withHeight(high, track(1), 40);
    QCOMPARE(high.heights, (std::vector<std::pair<SectionRef, int>>{{track(1), 40}, {track(2), 20}}));
    QCOMPARE(withHeight(high, track(1), std::nullopt).heights,
             (std::vector<std::pair<SectionRef, int>>{{track(2), 20}}));
    QCOMPARE(withHeight(high, track(5), std::nullopt), high);
}

void TestTrackArrangement::manyHeightsAtOnce() {
    using Heights = std::vector<std::pair<SectionRef, int>>;
    const TrackArrangement before = withHeights({}, {{track(1), 10}, {track(2), 20}, {track(3), 30}, {track(4), 40}});
    // What was there keeps its place, what is new comes behind, what is as by itself goes; the last of two counts.
    const TrackArrangement after = withHeights(before, {{track(9), 90},
                                                        {track(3), 33},
                                                        {track(2), std::nullopt},
                                                        {track(7), 1},
                                                        {track(7), 70},
                                                        {track(1), 5},
                                                        {track(1), std::nullopt},
                                                        {track(8), 80},
                                                        {track(8), std::nullopt}});
    QCOMPARE(after.heights, (Heights{{track(3), 33}, {track(4), 40}, {track(9), 90}, {track(7), 70}}));
    QCOMPARE(withHeights(before, {}), before);
    // As one by one.
    std::vector<SectionHeight> many;
    TrackArrangement oneByOne = before;
    for (uint32_t i = 0; i < 40; ++i) {
        many.emplace_back(track(i), i % 3 == 0 ? std::nullopt : std::optional(static_cast<int>(i)));
        oneByOne = withHeight(oneByOne, many.back().first, many.back().second);
    }
    QCOMPARE(withHeights(before, many), oneByOne);
}

void TestTrackArrangement::hashesTellApart() {
    std::vector<size_t> hashes;
    for (uint32_t process = 0; process < 50; ++process) {
        for (uint32_t id = 0; id < 50; ++id) {
            hashes.push_back(SectionRefHash()(track(id, process)));
        }
        hashes.push_back(SectionRefHash()(SectionRef::ofProcess(ProcessId(process))));
        hashes.push_back(SectionRefHash()({SectionRef::Kind::Counter, ProcessId(process), TrackId::none(), "memory"}));
        hashes.push_back(SectionRefHash()({SectionRef::Kind::Async, ProcessId(process), TrackId::none(), "memory"}));
    }
    const size_t count = hashes.size();
    std::sort(hashes.begin(), hashes.end());
    hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
    QCOMPARE(hashes.size(), count);
}

QTEST_APPLESS_MAIN(TestTrackArrangement)
#include "tst_track_arrangement.moc"
