// SPDX-License-Identifier: MIT
#include <QTest>
#include <random>
#include <set>

#include "core/analyses/match_map.h"

using namespace warpline;

class TestMatchMap : public QObject {
    Q_OBJECT
private slots:
    void hasWhatWasMarked() {
        std::mt19937_64 random(1);
        int sure = 0;
        int none = 0;
        for (int round = 0; round < 200; ++round) {
            const uint64_t text = 1 + random() % 20'000;
            MatchMap map(text);
            std::set<uint64_t> places;
            for (uint64_t i = random() % 8; i > 0; --i) {
                places.insert(random() % text);
                map.mark(*std::prev(places.end()));
            }
            for (const uint64_t place : places) {
                map.mark(place);
            }
            for (int i = 0; i < 200; ++i) {
                const uint64_t begin = random() % text;
                const SourceRef event{begin, static_cast<uint32_t>(1 + random() % (text - begin))};
                const auto next = places.lower_bound(begin);
                const bool isInside = next != places.end() && *next < begin + event.length;
                // Just beside it may count too, farther away may not.
                const auto near = places.lower_bound(begin < 31 ? 0 : begin - 31);
                const bool isNear = near != places.end() && *near < begin + event.length + 31;
                QVERIFY(map.hasAny(event) || !isInside);
                QVERIFY(!map.hasAny(event) || isNear);
                sure += isInside ? 1 : 0;
                none += isNear ? 0 : 1;
            }
        }
        QVERIFY(sure > 5'000 && none > 5'000);
    }

    void outsideOfTheText() {
        MatchMap map(100);
        map.mark(1'000'000);
        map.mark(~uint64_t{0});
        QVERIFY(!map.hasAny({0, 100}));
        map.mark(99);
        QVERIFY(map.hasAny({90, 4'000'000'000U}));
        QVERIFY(!map.hasAny({1'000'000, 5}));
        QVERIFY(!map.hasAny({~uint64_t{0}, 5}));
        QVERIFY(!map.hasAny({90, 0}));
    }
};

QTEST_APPLESS_MAIN(TestMatchMap)
#include "tst_match_map.moc"
