// SPDX-License-Identifier: MIT
#include <QTest>

#include "core/trace/async_pairing.h"

using namespace warpline;

namespace {

AsyncEdge edge(bool isBegin, TimeNs time, uint32_t name, uint64_t order, uint32_t id = 1, uint32_t category = 1) {
    return {FileId(0U), StringId(category), EventId::ofNumber(id), ProcessId::none(), StringId(name), time, order,
            isBegin};
}

std::vector<std::pair<uint32_t, uint32_t>> pairsOf(const AsyncPairs& p) {
    std::vector<std::pair<uint32_t, uint32_t>> out;
    for (const AsyncPair& pair : p.slices) {
        out.emplace_back(pair.begin, pair.end);
    }
    return out;
}

AsyncPairs pair(const std::vector<AsyncEdge>& edges) {
    return pairAsync(edges, JobControl()).value();
}

}  // namespace

class tst_AsyncPairing : public QObject {
    Q_OBJECT

private slots:
    void overlappingPartsOfOneIdKeepTheirEnds();
    void categoriesAreApart();
    void oneNameTwiceClosesTheLastOpened();
    void looseEnds();
};

void tst_AsyncPairing::overlappingPartsOfOneIdKeepTheirEnds() {
    const AsyncPairs p = pair({edge(true, 20, 1, 0), edge(true, 20, 2, 1), edge(false, 26, 2, 2), edge(true, 22, 3, 3),
                               edge(false, 29, 3, 4), edge(false, 31, 1, 5)});
    QCOMPARE(pairsOf(p), (std::vector<std::pair<uint32_t, uint32_t>>{{0, 5}, {1, 2}, {3, 4}}));
}

void tst_AsyncPairing::categoriesAreApart() {
    const AsyncPairs p = pair(
        {edge(true, 0, 1, 0, 9, 1), edge(true, 2, 1, 1, 9, 2), edge(false, 5, 1, 2, 9, 2), edge(false, 9, 1, 3, 9, 1)});
    QCOMPARE(pairsOf(p), (std::vector<std::pair<uint32_t, uint32_t>>{{0, 3}, {1, 2}}));
}

void tst_AsyncPairing::oneNameTwiceClosesTheLastOpened() {
    const AsyncPairs p = pair({edge(true, 0, 1, 0), edge(true, 1, 1, 1), edge(false, 2, 1, 2), edge(false, 3, 0, 3)});
    QCOMPARE(pairsOf(p), (std::vector<std::pair<uint32_t, uint32_t>>{{0, 3}, {1, 2}}));
}

void tst_AsyncPairing::looseEnds() {
    const AsyncPairs p = pair({edge(false, 0, 1, 0), edge(true, 1, 1, 1), edge(false, 2, 2, 2)});
    QCOMPARE(p.unmatchedEnds, (std::vector<uint32_t>{0, 2}));
    QCOMPARE(pairsOf(p), (std::vector<std::pair<uint32_t, uint32_t>>{{1, AsyncPair::kOpen}}));
}

QTEST_GUILESS_MAIN(tst_AsyncPairing)
#include "tst_async_pairing.moc"
