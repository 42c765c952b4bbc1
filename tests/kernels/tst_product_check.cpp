// SPDX-License-Identifier: MIT
// The check of a matrix product finds what is wrong with it, and nothing wrong with what is right; inputs and halves.
#include <QTest>
#include <cmath>

#include "kernels/input_values.h"
#include "kernels/product_check.h"

using namespace warpline;

namespace {

constexpr uint64_t kRows = 24, kColumns = 40, kDepth = 64;

/// The bits of the nearest half-precision number: those of positive ones are in the order of their values.
uint16_t halfOf(double value) {
    uint16_t below = 0, above = 0x7BFF;
    while (above - below > 1) {
        const auto middle = static_cast<uint16_t>((below + above) / 2);
        (halfValue(middle) <= std::abs(value) ? below : above) = middle;
    }
    const bool isBelow = std::abs(value) - halfValue(below) <= halfValue(above) - std::abs(value);
    return static_cast<uint16_t>((isBelow ? below : above) | (value < 0 ? 0x8000 : 0));
}

std::vector<uint16_t> product() {
    std::vector<uint16_t> c;
    for (uint64_t m = 0; m < kRows; ++m) {
        for (uint64_t n = 0; n < kColumns; ++n) {
            double sum = 0;
            for (uint64_t k = 0; k < kDepth; ++k) {
                sum += inputValue(m * kDepth + k, kSeedA) * inputValue(k * kColumns + n, kSeedB);
            }
            c.push_back(halfOf(sum));
        }
    }
    return c;
}

}  // namespace

class TestProductCheck : public QObject {
    Q_OBJECT

private slots:
    void halves_data();
    void halves();
    void inputs();
    void rightProductPasses();
    void wrongProductFails_data();
    void wrongProductFails();
};

void TestProductCheck::halves_data() {
    QTest::addColumn<int>("bits");
    QTest::addColumn<double>("value");
    QTest::newRow("zero") << 0x0000 << 0.0;
    QTest::newRow("one") << 0x3C00 << 1.0;
    QTest::newRow("minus two") << 0xC000 << -2.0;
    QTest::newRow("a third") << 0x3555 << 0.333251953125;
    QTest::newRow("largest") << 0x7BFF << 65504.0;
    QTest::newRow("smallest normal") << 0x0400 << 0.00006103515625;
    QTest::newRow("smallest") << 0x0001 << 5.9604644775390625e-08;
}

void TestProductCheck::halves() {
    QFETCH(int, bits);
    QFETCH(double, value);
    QCOMPARE(halfValue(static_cast<uint16_t>(bits)), value);
    QVERIFY(std::isinf(halfValue(0x7C00)));
    QVERIFY(std::isnan(halfValue(0xFFFF)));
}

void TestProductCheck::inputs() {
    double sum = 0, squares = 0;
    constexpr int kCount = 100'000;
    for (int i = 0; i < kCount; ++i) {
        const double value = inputValue(static_cast<uint64_t>(i), 1);
        QVERIFY(value >= -1 && value < 1);
        QCOMPARE(value * 1024, std::round(value * 1024));
        sum += value;
        squares += value * value;
    }
    // Evenly spread over [-1, 1): mean 0, variance 1/3; a thousandth is five standard errors.
    QVERIFY(std::abs(sum / kCount) < 0.01);
    QVERIFY(std::abs(squares / kCount - 1.0 / 3) < 0.01);
    QVERIFY(inputValue(0, 1) != inputValue(0, 2));
}

void TestProductCheck::rightProductPasses() {
    const KernelCheck check = checkProduct(product(), kRows, kColumns, kDepth);
    QVERIFY2(check.passed, qPrintable(QString::number(check.worstError)));
    QCOMPARE(check.compared, kRows * kColumns);
    QVERIFY(check.worstError > 0);
}

void TestProductCheck::wrongProductFails_data() {
    QTest::addColumn<int>("place");
    QTest::addColumn<int>("bits");
    QTest::newRow("one element off by one, first") << 0 << -1;
    QTest::newRow("one element off by one, last") << int(kRows * kColumns - 1) << -1;
    QTest::newRow("NaN") << 500 << 0xFFFF;
    QTest::newRow("infinite") << 500 << 0x7C00;
}

void TestProductCheck::wrongProductFails() {
    QFETCH(int, place);
    QFETCH(int, bits);
    std::vector<uint16_t> c = product();
    const auto at = static_cast<size_t>(place);
    c[at] = bits < 0 ? halfOf(halfValue(c[at]) + 1) : static_cast<uint16_t>(bits);
    QVERIFY(!checkProduct(c, kRows, kColumns, kDepth).passed);
}

QTEST_GUILESS_MAIN(TestProductCheck)
#include "tst_product_check.moc"
