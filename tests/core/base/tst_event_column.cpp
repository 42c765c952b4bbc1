// SPDX-License-Identifier: MIT
#include <QTest>

#include "core/base/event_column.h"

using namespace warpline;

class tst_EventColumn : public QObject {
    Q_OBJECT

private slots:
    void memoryGoesFromOneToAnother();
    void smallOnesTakeLittle();
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

/// A trace may have a million tracks of an event or two: none gets a page of its own. Growing keeps what is there, and
/// what is new is zero, wherever the memory comes from.
void tst_EventColumn::smallOnesTakeLittle() {
    PageMemory one;
    one.growTo(1);
    QVERIFY(one.bytes() <= 64);
    EventColumn<uint32_t> column;
    for (size_t size = 1; size < 100'000; size += size / 3 + 1) {
        const size_t before = column.size();
        column.resize(size);
        QCOMPARE(reinterpret_cast<uintptr_t>(column.data()) % alignof(std::max_align_t), uintptr_t{0});
        for (size_t i = 0; i < size; ++i) {
            QCOMPARE(column[i], i < before ? static_cast<uint32_t>(i + 1) : 0U);
            column[i] = static_cast<uint32_t>(i + 1);
        }
    }
}

QTEST_APPLESS_MAIN(tst_EventColumn)
#include "tst_event_column.moc"
