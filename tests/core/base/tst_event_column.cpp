// SPDX-License-Identifier: MIT
#include <QTest>

#include "core/base/event_column.h"

using namespace warpline;

class tst_EventColumn : public QObject {
    Q_OBJECT

private slots:
    void memoryGoesFromOneToAnother();
    void growsAndKeeps() {
        EventColumn<uint64_t> column;
        QVERIFY(column.empty());
        QCOMPARE(column.end() - column.begin(), std::ptrdiff_t(0));
        constexpr uint64_t kCount = 1'000'000;  // 8 MB: through the first page, several moves and huge pages
        for (uint64_t i = 0; i < kCount; ++i) {
            column.push_back(i * i);
        }
        QCOMPARE(column.size(), size_t(kCount));
        for (uint64_t i = 0; i < kCount; ++i) {
            QCOMPARE(column[i], i * i);
        }
        EventColumn<uint64_t> moved = std::move(column);
        QCOMPARE(moved.back(), (kCount - 1) * (kCount - 1));
        moved.clear();
        QVERIFY(moved.empty() && moved.data() == nullptr);
    }
    void pushesItsOwnValue() {
        EventColumn<uint64_t> column;
        column.push_back(42);
        while (column.size() < 100'000) {
            column.push_back(column[0]);  // also when that makes it move
        }
        QVERIFY(std::ranges::all_of(column, [](uint64_t v) { return v == 42; }));
    }
    void newValuesAreZero() {
        EventColumn<uint32_t> column;
        column.resize(100'000);
        QVERIFY(std::ranges::all_of(column, [](uint32_t v) { return v == 0; }));
        column.append(3, 7);
        QCOMPARE(column.size(), size_t(100'003));
        QCOMPARE(column[99'999], 0U);
        QCOMPARE(column[100'000], 7U);
        QCOMPARE(column.back(), 7U);
    }
    void tooMuchIsRefusedAndLosesNothing() {
        EventColumn<uint64_t> column;
        column.push_back(5);
        QVERIFY_THROWS_EXCEPTION(std::bad_alloc, column.reserve(std::numeric_limits<size_t>::max() / 8));
        QVERIFY_THROWS_EXCEPTION(std::bad_alloc, column.reserve(size_t{1} << 50));
        QCOMPARE(column.size(), size_t(1));
        QCOMPARE(column[0], uint64_t(5));
    }
};

void tst_EventColumn::memoryGoesFromOneToAnother() {
    EventColumn<uint64_t> first;
    first.append(10'000, 7);
    const void* place = first.data();
    SparePages spare;
    spare.give(first.release());
    QVERIFY(first.empty());
    first.push_back(1);  // still a column
    QCOMPARE(first[0], uint64_t{1});
    QCOMPARE(spare.take(1'000'000).bytes(), size_t{0});  // not enough, but it stays
    EventColumn<uint64_t> second = EventColumn<uint64_t>::in(spare.take(80'000));
    QCOMPARE(static_cast<const void*>(second.data()), place);
    QVERIFY(second.empty());
    second.append(10'000, 8);
    QCOMPARE(static_cast<const void*>(second.data()), place);
    QCOMPARE(second.back(), uint64_t{8});
    spare.give(second.release());
    QCOMPARE(spare.take(1'000).bytes(), size_t{0});  // far too large, so given up
    QCOMPARE(spare.take(80'000).bytes(), size_t{0});
}

QTEST_APPLESS_MAIN(tst_EventColumn)
#include "tst_event_column.moc"
