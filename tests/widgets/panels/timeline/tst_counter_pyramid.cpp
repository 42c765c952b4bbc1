// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include <cmath>
#include <random>
#include <vector>

#include "widgets/panels/timeline/counter_pyramid.h"

using namespace warpline::timeline;

class tst_CounterPyramid : public QObject {
    Q_OBJECT

private slots:
    void equalsAScan_data();
    void equalsAScan();
    void gapsAreLeftOut();
};

void tst_CounterPyramid::equalsAScan_data() {
    QTest::addColumn<int>("size");
    for (const int size : {1, 15, 16, 17, 255, 256, 257, 5000, 65'536, 70'001}) {
        QTest::addRow("%d", size) << size;
    }
}

void tst_CounterPyramid::equalsAScan() {
    QFETCH(int, size);
    std::mt19937 random(static_cast<uint32_t>(size));
    std::vector<double> values;
    for (int i = 0; i < size; ++i) {
        values.push_back(random() % 20 == 0 ? std::nan("") : static_cast<double>(random() % 100'000) - 50'000);
    }
    const CounterPyramid pyramid = CounterPyramid::build(values);
    for (int trial = 0; trial < 300; ++trial) {
        size_t first = random() % static_cast<size_t>(size + 1);
        size_t last = random() % static_cast<size_t>(size + 1);
        if (trial == 0) {
            first = 0;
            last = static_cast<size_t>(size);
        }
        if (first > last) {
            std::swap(first, last);
        }
        ValueRange expected;
        for (size_t i = first; i < last; ++i) {
            expected.add(values[i]);
        }
        QCOMPARE(pyramid.range(values, first, last), expected);
    }
}

void tst_CounterPyramid::gapsAreLeftOut() {
    const std::vector<double> values(40, std::nan(""));
    const CounterPyramid pyramid = CounterPyramid::build(values);
    QVERIFY(pyramid.range(values, 0, values.size()).empty());
    QVERIFY(pyramid.range(values, 3, 3).empty());
}

QTEST_APPLESS_MAIN(tst_CounterPyramid)
#include "tst_counter_pyramid.moc"
