// SPDX-License-Identifier: MIT
#include <QTest>

#include "core/trace/flow_binding.h"

using namespace warpline;

namespace {

struct TestEnd {
    FlowRecord record;
    EventRow slice;
};

/// `file`: each has one track of the same number.
TestEnd flowEnd(FlowPhase phase, TimeNs time, uint32_t id, uint32_t slice, uint32_t file = 0, bool bound = true) {
    FlowRecord record;
    record.phase = phase;
    record.time = time;
    record.category = StringId(1);
    record.id = EventId::ofNumber(id);
    record.track = TrackId(file);
    return {record, bound ? EventRow(slice) : EventRow::none()};
}

FlowPairs pair(const std::vector<TestEnd>& ends) {
    std::vector<FlowRecord> records;
    std::vector<EventRow> slices;
    for (const TestEnd& end : ends) {
        records.push_back(end.record);
        slices.push_back(end.slice);
    }
    const std::vector<FileId> fileOfTrack = {FileId(0U), FileId(1U)};
    return pairFlows({records, slices, fileOfTrack}, JobControl()).value();
}

}  // namespace

class tst_FlowBinding : public QObject {
    Q_OBJECT

private slots:
    void nearestStartBeforeElseAfter();
    void oneStartManyFinishes();
    void stepsChain();
    void looseEndsAreNamed();
    void filesAndIdsAreApart();
    void equalTimes();
};

void tst_FlowBinding::nearestStartBeforeElseAfter() {
    const FlowPairs p = pair({flowEnd(FlowPhase::Start, 10, 5, 0), flowEnd(FlowPhase::Start, 20, 5, 1),
                              flowEnd(FlowPhase::Finish, 25, 5, 2), flowEnd(FlowPhase::Finish, 5, 5, 3)});
    QCOMPARE(p.pairs.size(), size_t{2});
    QCOMPARE(p.pairs[0].from, 0U);  // the finish at 5 has no start before it
    QCOMPARE(p.pairs[0].to, 3U);
    QCOMPARE(p.pairs[1].from, 1U);
    QCOMPARE(p.pairs[1].to, 2U);
    QVERIFY(p.dangling.empty());
}

void tst_FlowBinding::oneStartManyFinishes() {
    const FlowPairs p = pair({flowEnd(FlowPhase::Start, 0, 5, 0), flowEnd(FlowPhase::Finish, 1, 5, 1),
                              flowEnd(FlowPhase::Finish, 2, 5, 2), flowEnd(FlowPhase::Finish, 3, 5, 3)});
    QCOMPARE(p.pairs.size(), size_t{3});
}

void tst_FlowBinding::stepsChain() {
    const FlowPairs p = pair(
        {flowEnd(FlowPhase::Start, 0, 5, 0), flowEnd(FlowPhase::Step, 1, 5, 1), flowEnd(FlowPhase::Finish, 2, 5, 2)});
    QCOMPARE(p.pairs.size(), size_t{2});
    QCOMPARE(p.pairs[0].from, 0U);
    QCOMPARE(p.pairs[0].to, 1U);
    QCOMPARE(p.pairs[1].from, 1U);
    QCOMPARE(p.pairs[1].to, 2U);
}

void tst_FlowBinding::looseEndsAreNamed() {
    const FlowPairs p =
        pair({flowEnd(FlowPhase::Start, 0, 5, 0), flowEnd(FlowPhase::Finish, 1, 6, 1),
              flowEnd(FlowPhase::Start, 0, 7, 2), flowEnd(FlowPhase::Finish, 1, 7, 3, 0, /*bound=*/false)});
    QVERIFY(p.pairs.empty());
    QCOMPARE(p.dangling, (std::vector<uint32_t>{0, 1, 2, 3}));
}

void tst_FlowBinding::filesAndIdsAreApart() {
    const FlowPairs p = pair({flowEnd(FlowPhase::Start, 0, 5, 0, 0), flowEnd(FlowPhase::Finish, 1, 5, 1, 1),
                              flowEnd(FlowPhase::Start, 0, 5, 2, 1), flowEnd(FlowPhase::Finish, 1, 5, 3, 0)});
    QCOMPARE(p.pairs.size(), size_t{2});
    for (const FlowPair& pair : p.pairs) {
        QVERIFY((pair.from == 0 && pair.to == 3) || (pair.from == 2 && pair.to == 1));
    }
}

void tst_FlowBinding::equalTimes() {
    // "At or before" counts a start at the very time, also when it stands later in the file.
    const FlowPairs p = pair({flowEnd(FlowPhase::Finish, 10, 5, 0), flowEnd(FlowPhase::Start, 10, 5, 1),
                              flowEnd(FlowPhase::Start, 3, 5, 2)});
    QCOMPARE(p.pairs.size(), size_t{1});
    QCOMPARE(p.pairs[0].from, 1U);
    QCOMPARE(p.dangling, std::vector<uint32_t>{2});
}

QTEST_GUILESS_MAIN(tst_FlowBinding)
#include "tst_flow_binding.moc"
