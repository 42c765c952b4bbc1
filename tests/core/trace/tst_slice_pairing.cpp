// SPDX-License-Identifier: MIT
#include <QTest>

#include <algorithm>

#include "core/trace/slice_pairing.h"

using namespace warpline;

namespace {

const TrackId kTrack(0U);
const TrackId kOther(1U);
const StringId kA(1);
const StringId kB(2);
const StringId kC(3);

SliceEdge begin(uint32_t index, TimeNs time, StringId name, uint64_t order, TrackId track = kTrack) {
    return {time, order, track, name, index, true};
}
SliceEdge end(uint32_t index, TimeNs time, StringId name, uint64_t order, TrackId track = kTrack) {
    return {time, order, track, name, index, false};
}

Pairing paired(std::vector<SliceEdge> edges) {
    Pairing p = pairSlices(std::move(edges), JobControl()).value();
    std::ranges::sort(p.slices, {}, &PairedSlice::begin);
    return p;
}

}  // namespace

class tst_SlicePairing : public QObject {
    Q_OBJECT

private slots:
    void endsMayStandBeforeBegins();
    void namedEndClosesWhatIsAboveIt();
    void namelessEndClosesTheInnermost();
    void endThatClosesNothing();
    void neverClosed();
    void tracksAreApart();
    void equalTimesGoByInputOrder();
};

void tst_SlicePairing::endsMayStandBeforeBegins() {
    const Pairing p = paired({end(0, 90, kA, 0), begin(0, 10, kA, 1), end(1, 50, kB, 2), begin(1, 20, kB, 3)});
    QCOMPARE(p.slices.size(), size_t{2});
    QCOMPARE(p.slices[0].endTime, 90);
    QCOMPARE(p.slices[1].endTime, 50);
    QVERIFY(p.slices[0].own && p.slices[1].own);
    QVERIFY(p.unmatchedEnds.empty());
}

void tst_SlicePairing::namedEndClosesWhatIsAboveIt() {
    const Pairing p =
        paired({begin(0, 10, kA, 0), begin(1, 13, kB, 1), begin(2, 17, kC, 2), end(0, 25, kB, 3), end(1, 40, kA, 4)});
    QCOMPARE(p.slices[0].endTime, 40);
    QCOMPARE(p.slices[1].endTime, 25);
    QCOMPARE(p.slices[2].endTime, 25);
    QVERIFY(p.slices[0].own && p.slices[1].own);
    QVERIFY(!p.slices[2].own && !p.slices[2].open);
}

void tst_SlicePairing::namelessEndClosesTheInnermost() {
    const Pairing p = paired({begin(0, 1, kA, 0), begin(1, 2, kB, 1), end(0, 3, StringId(), 2)});
    QVERIFY(p.slices[0].open);
    QCOMPARE(p.slices[1].endTime, 3);
}

void tst_SlicePairing::endThatClosesNothing() {
    const Pairing p = paired({begin(0, 1, kA, 0), end(7, 2, kB, 1), end(8, 3, kA, 2), end(9, 4, StringId(), 3)});
    QCOMPARE(p.unmatchedEnds, (std::vector<uint32_t>{7, 9}));
    QCOMPARE(p.slices[0].endTime, 3);
}

void tst_SlicePairing::neverClosed() {
    const Pairing p = paired({begin(0, 1, kA, 0), begin(1, 2, kA, 1), end(0, 5, kA, 2)});
    QVERIFY(p.slices[0].open);
    QCOMPARE(p.slices[1].endTime, 5);
}

void tst_SlicePairing::tracksAreApart() {
    const Pairing p = paired({begin(0, 1, kA, 0), end(0, 2, kA, 1, kOther), begin(1, 1, kB, 2, kOther)});
    QVERIFY(p.slices[0].open && p.slices[1].open);
    QCOMPARE(p.unmatchedEnds, std::vector<uint32_t>{0});
}

void tst_SlicePairing::equalTimesGoByInputOrder() {
    const Pairing p = paired({begin(0, 10, kA, 0), end(0, 20, kA, 1), begin(1, 20, kA, 2), end(1, 30, kA, 3)});
    QCOMPARE(p.slices[0].endTime, 20);
    QCOMPARE(p.slices[1].endTime, 30);
}

QTEST_GUILESS_MAIN(tst_SlicePairing)
#include "tst_slice_pairing.moc"
