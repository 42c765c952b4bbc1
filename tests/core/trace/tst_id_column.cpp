// SPDX-License-Identifier: MIT
#include <QTest>
#include <algorithm>
#include <random>

#include "core/trace/id_column.h"

using namespace warpline;

class tst_IdColumn : public QObject {
    Q_OBJECT

private slots:
    void keepsWhatItIsGiven_data() {
        QTest::addColumn<std::vector<uint64_t>>("ids");
        QTest::addColumn<bool>("isWide");
        QTest::newRow("empty") << std::vector<uint64_t>() << false;
        QTest::newRow("small and none") << std::vector<uint64_t>{0, 7, ~uint64_t{0}, 0xfffffffe} << false;
        QTest::newRow("32 bits are none's") << std::vector<uint64_t>{1, ~uint64_t{0}, 0xffffffff, 3} << true;
        QTest::newRow("large first") << std::vector<uint64_t>{uint64_t{1} << 40, 2, ~uint64_t{0}} << true;
        QTest::newRow("next to none") << std::vector<uint64_t>{1, ~uint64_t{0} - 1, ~uint64_t{0}} << true;
        std::vector<uint64_t> many(100'000);
        for (uint64_t i = 0; i < many.size(); ++i) {
            many[i] = i * 3;
        }
        QTest::newRow("many") << many << false;
        many[70'000] = uint64_t{1} << 33;
        QTest::newRow("many, one large") << many << true;
    }
    void keepsWhatItIsGiven() {
        QFETCH(std::vector<uint64_t>, ids);
        QFETCH(bool, isWide);
        IdColumn column;
        for (const uint64_t id : ids) {
            column.push_back(id);
        }
        QCOMPARE(column.isWide(), isWide);
        QCOMPARE(column.size(), ids.size());
        std::vector<uint32_t> order(ids.size());
        for (uint32_t i = 0; i < order.size(); ++i) {
            order[i] = i;
            QCOMPARE(column[i], ids[i]);
        }
        std::shuffle(order.begin(), order.end(), std::mt19937(3));
        IdColumn copied;
        copied.push_back(uint64_t{1} << 50);  // what was there before is gone
        const auto room = copied.makeRoom(column.size(), column.isWide());
        QCOMPARE(room.size(), column.stored().size());
        std::ranges::copy(column.stored(), room.begin());
        QCOMPARE(copied.size(), ids.size());
        QCOMPARE(copied.isWide(), isWide);
        for (size_t i = 0; i < ids.size(); ++i) {
            QCOMPARE(copied[i], ids[i]);
        }
        SparePages spare;
        const IdColumn moved = column.takeInOrder(order, spare, JobControl());
        QCOMPARE(moved.size(), ids.size());
        for (size_t i = 0; i < order.size(); ++i) {
            QCOMPARE(moved[i], ids[order[i]]);
        }
        QCOMPARE(column.size(), size_t(0));
    }
};

QTEST_APPLESS_MAIN(tst_IdColumn)
#include "tst_id_column.moc"
